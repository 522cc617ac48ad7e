"""Export of the scene, the simulation of it, and its result, from within Blender."""
import json
import os
import queue
import shutil
import subprocess
import threading

import bpy
from bpy.props import (EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty, StringProperty)

from . import scene as scenes

_going_on = {}  # the process and what it told, by the name of the scene


class LoamBody(bpy.types.PropertyGroup):
    kind: EnumProperty(name="Kind", items=scenes.KINDS, default=scenes.NONE)
    density: FloatProperty(name="Density", default=1000, min=0.001, description="[kg/m³]")
    viscosity: FloatProperty(name="Viscosity", default=0, min=0, description="[Pa s]: honey has 10")
    young_modulus: FloatProperty(name="Young's modulus", default=1e5, min=1, description="[Pa]: soft rubber has 1e6")
    thickness: FloatProperty(name="Thickness", default=0.001, min=1e-6, precision=4, description="[m]")
    friction: FloatProperty(name="Friction", default=0.2, min=0, description="0: everything slips along it")
    speed: FloatProperty(name="Speed", default=1, min=0.001, description="[m/s]")
    velocity: FloatVectorProperty(name="Velocity", subtype="VELOCITY", description="At the start")
    more: StringProperty(name="More", description='More behaviors as JSON: {"surface_tension": {"tension": 0.1}}')


class LoamExport(bpy.types.PropertyGroup):
    program: StringProperty(name="Program", subtype="FILE_PATH", default="loam", description="The program loam")
    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//loam", description="For scene, meshes and frames")
    radius: FloatProperty(name="Particle radius", default=0.02, min=1e-6, precision=4, description="[m]: half of it is eight times the work")
    # What the panel tells.
    trouble: StringProperty()
    frame: IntProperty(default=-1)
    last: IntProperty(default=-1)


def program_of(settings):
    found = shutil.which(bpy.path.abspath(settings.program)) or shutil.which(settings.program)
    if not found:
        raise scenes.ExportError(f"There is no program {settings.program}: give the path of loam.")
    return found


class Simulation:
    """loam run in a process of its own; its lines are read by a thread, as pipes must be."""

    def __init__(self, program, path, output):
        self.output = output
        self.process = subprocess.Popen([program, "run", path, "-o", output, "--force", "--json", "--no-video"], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.events, self.said = queue.Queue(), []
        for stream, take in ((self.process.stdout, self.events.put), (self.process.stderr, self.said.append)):
            threading.Thread(target=lambda stream=stream, take=take: [take(line) for line in stream], daemon=True).start()

    def look(self, settings):
        """Takes up what was told; False when it is over."""
        over = self.process.poll() is not None
        while not self.events.empty():
            event = json.loads(self.events.get())
            if event["event"] == "start":
                settings.last = event["last_frame"]
            elif event["event"] == "frame":
                settings.frame = event["frame"]
        if over and self.process.returncode not in (0, -15, 143):
            settings.trouble = " ".join("".join(self.said).split()) or f"loam ended with code {self.process.returncode}"
        return not over

    def stop(self):
        self.process.terminate()


def start(scene):
    settings = scene.loam_export
    settings.trouble, settings.frame, settings.last = "", -1, -1
    folder = bpy.path.abspath(settings.folder)
    path = scenes.write_scene(scene, folder)
    _going_on[scene.name] = Simulation(program_of(settings), path, os.path.join(folder, "run"))
    return _going_on[scene.name]


class LOAM_OT_export(bpy.types.Operator):
    """Write the scene and its meshes for Loam, without running it"""
    bl_idname = "export_scene.loam"
    bl_label = "Export to Loam"

    def execute(self, context):
        try:
            path = scenes.write_scene(context.scene, bpy.path.abspath(context.scene.loam_export.folder))
        except (scenes.ExportError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"Written: {path}")
        return {"FINISHED"}


class LOAM_OT_simulate(bpy.types.Operator):
    """Write the scene, simulate it with Loam, and show the result; Escape stops it and keeps what is there"""
    bl_idname = "scene.loam_simulate"
    bl_label = "Simulate"

    _timer = None

    @classmethod
    def poll(cls, context):
        return context.scene.name not in _going_on

    def execute(self, context):
        try:
            simulation = start(context.scene)
        except (scenes.ExportError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if bpy.app.background:  # nothing else to do meanwhile
            simulation.process.wait()
            return self.finish(context)
        context.window_manager.progress_begin(0, 1)
        self._timer = context.window_manager.event_timer_add(0.5, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        settings, simulation = context.scene.loam_export, _going_on[context.scene.name]
        if event.type == "ESC":
            simulation.stop()
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        if simulation.look(settings):
            context.window_manager.progress_update(max(0, settings.frame) / max(1, settings.last))
            for area in context.screen.areas:
                area.tag_redraw()
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self._timer)
        context.window_manager.progress_end()
        return self.finish(context)

    def finish(self, context):
        settings, simulation = context.scene.loam_export, _going_on.pop(context.scene.name)
        while simulation.look(settings):
            simulation.process.wait()
        for target in scenes.bodies_of(context.scene):
            if target.loam_body.kind not in (scenes.WALL, scenes.NONE):
                target.hide_set(True)  # its particles take its place
                target.hide_render = True
        if settings.trouble:
            self.report({"ERROR"}, settings.trouble)
            return {"CANCELLED"}
        bpy.ops.import_scene.loam_cache(directory=simulation.output, frame_offset=context.scene.frame_start)
        return {"FINISHED"}


class LOAM_PT_body(bpy.types.Panel):
    bl_label = "Body"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Loam"

    @classmethod
    def poll(cls, context):
        return bool(context.object and context.object.type == "MESH" and not context.object.loam.folder)

    def draw(self, context):
        settings, layout = context.object.loam_body, self.layout
        layout.use_property_split = True
        layout.prop(settings, "kind")
        shown = {scenes.FLUID: ("density", "viscosity", "velocity", "more"), scenes.RIGID: ("density", "velocity", "more"),
                 scenes.ELASTIC: ("density", "young_modulus", "velocity", "more"),
                 scenes.CLOTH: ("density", "young_modulus", "thickness", "velocity", "more"),
                 scenes.SHELL: ("density", "young_modulus", "thickness", "velocity", "more"),
                 scenes.WALL: ("friction",), scenes.EMITTER: ("density", "speed")}
        for name in shown.get(settings.kind, ()):
            layout.prop(settings, name)


class LOAM_PT_simulate(bpy.types.Panel):
    bl_label = "Simulation"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Loam"

    def draw(self, context):
        settings, layout = context.scene.loam_export, self.layout
        layout.use_property_split = True
        for name in ("program", "folder", "radius"):
            layout.prop(settings, name)
        layout.operator(LOAM_OT_export.bl_idname, icon="EXPORT")
        layout.operator(LOAM_OT_simulate.bl_idname, icon="PHYSICS")
        if context.scene.name in _going_on:
            layout.label(text=f"Frame {max(0, settings.frame)} of {settings.last}; Escape stops" if settings.last >= 0 else "Starting", icon="TIME")
        elif settings.trouble:
            layout.label(text=settings.trouble[:60], icon="ERROR")


CLASSES = (LoamBody, LoamExport, LOAM_OT_export, LOAM_OT_simulate, LOAM_PT_body, LOAM_PT_simulate)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.loam_body = PointerProperty(type=LoamBody)
    bpy.types.Scene.loam_export = PointerProperty(type=LoamExport)


def unregister():
    for simulation in _going_on.values():
        simulation.stop()
    _going_on.clear()
    del bpy.types.Scene.loam_export
    del bpy.types.Object.loam_body
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
