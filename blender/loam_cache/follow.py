"""Keeps objects up to date: when the scene's time changes, and when a running simulation writes new frames."""
import bpy
from bpy.app.handlers import persistent

from . import show
from .cache import Cache, CacheError

PAUSE = 1.0  # seconds between two looks at the folders


def loam_objects(scene):
    return [target for target in scene.objects if target.type == "MESH" and target.loam.folder]


@persistent
def on_frame(scene, *_):
    for target in loam_objects(scene):
        show.refresh(target, scene)


@persistent
def on_load(*_):
    show.forget()
    for scene in bpy.data.scenes:
        on_frame(scene)


@persistent
def on_undo(*_):
    show.forget()  # what meshes hold may be older now


def look(scene):
    """Takes up frames that have come since; returns the objects that have more now."""
    grown = []
    for target in loam_objects(scene):
        settings = target.loam
        if not settings.follow:
            continue
        try:
            frames = Cache(bpy.path.abspath(settings.folder)).frames(settings.kind, show.chosen_bodies(settings))
        except CacheError as error:
            settings.trouble = str(error)
            continue
        last = max(frames, default=-1)
        if last == settings.last and not settings.trouble:
            continue
        end_shown = scene.frame_end == settings.last + settings.frame_offset
        show.refresh(target, scene)
        if end_shown and last > 0:
            scene.frame_end = last + settings.frame_offset
        grown.append(target)
    return grown


def on_timer():
    # Changing meshes under a render would be read by it half done.
    if not bpy.app.is_job_running("RENDER"):
        for scene in bpy.data.scenes:
            look(scene)
    return PAUSE


HANDLERS = (("frame_change_pre", on_frame), ("load_post", on_load), ("undo_post", on_undo), ("redo_post", on_undo))


def register():
    for name, function in HANDLERS:
        getattr(bpy.app.handlers, name).append(function)
    bpy.app.timers.register(on_timer, first_interval=PAUSE, persistent=True)


def unregister():
    if bpy.app.timers.is_registered(on_timer):
        bpy.app.timers.unregister(on_timer)
    for name, function in HANDLERS:
        if function in getattr(bpy.app.handlers, name):
            getattr(bpy.app.handlers, name).remove(function)
    show.forget()
