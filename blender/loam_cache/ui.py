"""Settings of an object, the import operator, and the panel in the sidebar."""
import os

import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty)

from . import looks, show
from .cache import POINTS, SURFACE, Cache, CacheError

KINDS = ((POINTS, "Points", "The particles, as spheres with their columns as attributes"),
         (SURFACE, "Surface", "The meshes that `loam surface` made"))


def on_change(settings, context):
    if settings.folder:  # else it is still being set up
        show.refresh(settings.id_data, context.scene)


class LoamSettings(bpy.types.PropertyGroup):
    folder: StringProperty(name="Folder", subtype="DIR_PATH", description="Folder that `loam run` wrote, or is writing",
                           update=on_change)
    kind: EnumProperty(name="Show", items=KINDS, default=POINTS, update=on_change)
    bodies: StringProperty(name="Bodies", description="Only these, with commas between; all if empty", update=on_change)
    radius_scale: FloatProperty(name="Radius scale", default=1, min=0.001, soft_max=4, update=on_change,
                                description="Of the spheres, in radii of the particles")
    blur: FloatProperty(name="Motion blur", default=1, min=0, soft_max=4, update=on_change,
                        description="Scale of the velocities that Cycles blurs by: 1 is right, 0 is none")
    frame_offset: IntProperty(name="Frame offset", default=1, update=on_change,
                              description="The frame of the scene in which frame 0 of the run is shown")
    follow: BoolProperty(name="Follow", default=True,
                         description="Take up new frames while the simulation goes on, and lengthen the scene")
    # What the panel tells.
    trouble: StringProperty()
    names: StringProperty()
    first: IntProperty()
    last: IntProperty(default=-1)
    shown: IntProperty(default=-1)
    count: IntProperty()
    time: FloatProperty()


class LOAM_OT_import(bpy.types.Operator):
    """Load the folder of a Loam simulation as an animated object"""
    bl_idname = "import_scene.loam_cache"
    bl_label = "Import Loam cache"
    bl_options = {"REGISTER", "UNDO"}

    directory: StringProperty(subtype="DIR_PATH")
    filter_folder: BoolProperty(default=True, options={"HIDDEN"})
    kind: EnumProperty(name="Show", items=KINDS, default=POINTS)
    bodies: StringProperty(name="Bodies", description="Only these, with commas between; all if empty")
    frame_offset: IntProperty(name="Frame offset", default=1)
    set_scene: BoolProperty(name="Set rate and length", default=True,
                            description="Give the scene the frame rate and the frames of the simulation")

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        try:
            cache = Cache(bpy.path.abspath(self.directory))
        except CacheError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        looks.points_material(cache.top_speed())
        target = show.add_object(context, os.path.basename(cache.folder) or "loam")
        if self.set_scene:
            _set_rate(context.scene, cache.fps)
        settings = target.loam
        settings.kind, settings.bodies, settings.frame_offset = self.kind, self.bodies, self.frame_offset
        settings.folder = cache.folder  # shows it
        if settings.trouble:
            self.report({"ERROR"}, settings.trouble)
            bpy.data.meshes.remove(target.data)  # and the object with it
            return {"CANCELLED"}
        if self.set_scene:
            _set_length(context.scene, settings)
        return {"FINISHED"}


def _set_rate(scene, fps):
    scene.render.fps = max(1, round(fps))
    scene.render.fps_base = scene.render.fps / fps


def _set_length(scene, settings):
    scene.frame_start = max(0, settings.first + settings.frame_offset)
    scene.frame_end = max(scene.frame_start, settings.last + settings.frame_offset)


class LOAM_OT_reload(bpy.types.Operator):
    """Read the frame again"""
    bl_idname = "object.loam_reload"
    bl_label = "Reload"

    @classmethod
    def poll(cls, context):
        return bool(context.object and context.object.type == "MESH" and context.object.loam.folder)

    def execute(self, context):
        show.refresh(context.object, context.scene, again=True)
        if context.object.loam.trouble:
            self.report({"ERROR"}, context.object.loam.trouble)
            return {"CANCELLED"}
        return {"FINISHED"}


class LOAM_PT_cache(bpy.types.Panel):
    bl_label = "Loam cache"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Loam"

    def draw(self, context):
        layout = self.layout
        layout.operator(LOAM_OT_import.bl_idname, icon="IMPORT")
        if not LOAM_OT_reload.poll(context):
            return
        settings = context.object.loam
        layout.use_property_split = True
        layout.prop(settings, "folder")
        layout.prop(settings, "kind", expand=True)
        layout.prop(settings, "bodies")
        if settings.kind == POINTS:
            layout.prop(settings, "radius_scale")
        layout.prop(settings, "blur")
        layout.prop(settings, "frame_offset")
        layout.prop(settings, "follow")
        layout.operator(LOAM_OT_reload.bl_idname, icon="FILE_REFRESH")
        self._tell(layout.box().column(), settings)

    @staticmethod
    def _tell(box, settings):
        if settings.trouble:
            for k, line in enumerate(_lines(settings.trouble, 40)):
                box.label(text=line, icon="ERROR" if k == 0 else "BLANK1")
            return
        box.label(text=f"Frame {settings.shown} of {settings.first} to {settings.last}, {settings.time:.3f} s")
        box.label(text=f"{settings.count:,} {'particles' if settings.kind == POINTS else 'vertices'}")
        box.label(text=f"Bodies: {settings.names}")


def _lines(text, width):
    """Labels do not wrap by themselves."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


def add_to_menu(self, _context):
    self.layout.operator(LOAM_OT_import.bl_idname, text="Loam cache (folder)")


CLASSES = (LoamSettings, LOAM_OT_import, LOAM_OT_reload, LOAM_PT_cache)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.loam = PointerProperty(type=LoamSettings)
    bpy.types.TOPBAR_MT_file_import.append(add_to_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(add_to_menu)
    del bpy.types.Object.loam
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
