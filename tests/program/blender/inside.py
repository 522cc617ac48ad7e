"""Runs inside Blender: does one task with the add-on, and leaves what it saw in a folder for blender_test.py to judge.

    blender -b --factory-startup --python inside.py -- TASK OUTPUT ARGUMENT...
"""
import json
import os
import pathlib
import sys

import bpy
import numpy
from mathutils import Vector

ADD_ON = pathlib.Path(__file__).resolve().parents[3] / "blender"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ADD_ON))
import loam_cache  # noqa: E402
from loam_cache import follow, looks  # noqa: E402

MEMBERS = {"FLOAT": ("value", "f4", 1), "INT": ("value", "i4", 1), "FLOAT_VECTOR": ("vector", "f4", 3)}
SIZE = (72, 54)


def values_of(mesh):
    """All that a mesh holds, as arrays."""
    found = {"position": numpy.zeros(3 * len(mesh.vertices), "f4")}
    mesh.vertices.foreach_get("co", found["position"])
    found["position"] = found["position"].reshape(-1, 3)
    for attribute in mesh.attributes:
        if attribute.data_type in MEMBERS and attribute.domain == "POINT" and attribute.name != "position":
            member, kind, width = MEMBERS[attribute.data_type]
            values = numpy.zeros(width * len(attribute.data), kind)
            attribute.data.foreach_get(member, values)
            found[attribute.name] = values.reshape(-1, 3) if width == 3 else values
    found["triangles"] = numpy.zeros(3 * len(mesh.polygons), "i4")
    mesh.polygons.foreach_get("vertices", found["triangles"])
    found["triangles"] = found["triangles"].reshape(-1, 3)
    return found


def load(folder, **options):
    """The object, or the message that the user gets."""
    try:
        bpy.ops.import_scene.loam_cache(directory=str(folder), **options)
    except RuntimeError as error:
        return str(error)
    return bpy.context.object


def frames(output, folder):
    """Every frame of the particles and of the surface, then what the settings change."""
    scene = bpy.context.scene
    points, surface = load(folder), load(folder, kind="SURFACE")
    told = {"range": [scene.frame_start, scene.frame_end], "fps": scene.render.fps / scene.render.fps_base,
            "top": list(points.matrix_world @ Vector((0, 1, 0))), "timer": bpy.app.timers.is_registered(follow.on_timer),
            "trouble": [points.loam.trouble, surface.loam.trouble], "evaluated": []}
    for number in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(number)
        numpy.savez(output / f"points_{points.loam.shown}.npz", **values_of(points.data))
        numpy.savez(output / f"surface_{surface.loam.shown}.npz", **values_of(surface.data))
        graph = bpy.context.evaluated_depsgraph_get()
        told["evaluated"] += [len(one.object.data.points) for one in graph.object_instances
                              if one.object.type == "POINTCLOUD"]
    scene.frame_set(1000)
    told["beyond"] = points.loam.shown
    points.loam.frame_offset = 999
    told["offset"] = points.loam.shown
    points.loam.radius_scale, scene.render.fps = 2, 2 * scene.render.fps
    numpy.savez(output / "scaled.npz", **values_of(points.data))
    points.loam.kind = "SURFACE"
    told["switched"] = [len(points.data.polygons), len(points.modifiers)]
    return told


def beside_a_volume(_output, folder):
    """What Blender makes for a new material hangs on the active object."""
    volume = bpy.data.objects.new("smoke", bpy.data.volumes.new("smoke"))
    bpy.context.collection.objects.link(volume)
    bpy.context.view_layer.objects.active = volume
    told = {"kinds": []}
    for kind in ("POINTS", "SURFACE"):
        bpy.context.view_layer.objects.active = volume
        shown = load(folder, kind=kind)
        told["kinds"].append(shown if isinstance(shown, str) else shown.loam.trouble)
        material = shown.data.materials[0] if kind == "SURFACE" else bpy.data.materials[looks.POINTS_MATERIAL]
        output = next(node for node in material.node_tree.nodes if node.type == "OUTPUT_MATERIAL")
        told[kind] = output.inputs["Surface"].links[0].from_node.type
    return told


def box(name, size, place, kind, **settings):
    bpy.ops.mesh.primitive_cube_add(size=1, location=place)
    target = bpy.context.object
    target.name, target.scale, target.loam_body.kind = name, size, kind
    for key, value in settings.items():
        setattr(target.loam_body, key, value)
    return target


def round_trip(output, program):
    """A scene made here is written, simulated, and its result loaded."""
    for target in list(bpy.data.objects):
        if target.type == "MESH":
            bpy.data.objects.remove(target)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 25, 1, 6
    settings = scene.loam_export
    settings.program, settings.folder, settings.radius = program, str(output / "loam"), 0.04
    told = {}

    def refused():
        try:
            bpy.ops.scene.loam_simulate()
        except RuntimeError as error:
            return str(error)
        return ""
    told["nothing"] = refused()
    water = box("water", (0.6, 0.6, 0.6), (0, 0, 0.5), "FLUID", viscosity=0.5, more='{"surface_tension": {"tension": 0.1}}')
    box("the floor", (3, 3, 0.2), (0, 0, -0.1), "WALL", friction=0)
    pusher = box("pusher.001", (0.2, 1, 1), (-1, 0, 0.5), "WALL")
    for frame, x in ((1, -1), (6, -0.6)):
        pusher.location.x = x
        pusher.keyframe_insert("location", frame=frame)
    bpy.ops.object.light_add(type="SUN", rotation=(0, 0, 0))
    water.loam_body.more = "{"
    told["json"] = refused()
    water.loam_body.more = '{"surface_tension": {"tension": 0.1}}'
    settings.program = "/nowhere/loam"
    told["program"] = refused()
    settings.program = program
    told["trouble"] = refused()
    told["scene"] = json.loads((output / "loam/scene.json").read_text())
    told["files"] = sorted(path.name for path in (output / "loam").iterdir())
    shown = bpy.context.object
    scene.frame_set(6)
    points = values_of(shown.data)["position"] @ numpy.array(shown.matrix_world)[:3, :3].T
    told.update(frames=[shown.loam.first, shown.loam.last], shown=shown.loam.shown, count=shown.loam.count, hidden=water.hide_render,
                low=points.min(axis=0).tolist(), high=points.max(axis=0).tolist(), frame=settings.frame)
    return told


def bodies(output, folder):
    scene = bpy.context.scene
    oil = load(folder, bodies="oil")
    scene.frame_set(2)
    numpy.savez(output / "oil.npz", **values_of(oil.data))
    oil.loam.bodies = "oli"
    return {"names": oil.loam.names, "trouble": oil.loam.trouble, "refused": load(folder, bodies="oli")}


def following(output, folder):
    """The last frames are held back and come in while Blender is open; then the file is saved and opened again."""
    scene, place = bpy.context.scene, pathlib.Path(folder) / "frames"
    late = sorted(place.glob("*.vtkhdf"))[2:]
    for file in late:
        file.rename(file.with_suffix(".late"))
    target = load(folder)
    scene.frame_set(3)
    told = {"before": [target.loam.shown, scene.frame_end], "nothing": len(follow.look(scene))}
    late[0].with_suffix(".late").rename(late[0])
    told["grown"] = len(follow.look(scene))
    told["after"] = [target.loam.shown, scene.frame_end]
    numpy.savez(output / "new.npz", **values_of(target.data))
    late[1].with_suffix(".late").write_bytes(late[1].with_suffix(".late").read_bytes()[:-100])
    late[1].with_suffix(".late").rename(late[1])
    follow.look(scene)
    scene.frame_set(4)
    told["damaged"] = target.loam.trouble
    scene.frame_set(2)
    told["mended"] = [target.loam.trouble, target.loam.shown]
    bpy.ops.wm.save_as_mainfile(filepath=str(output / "saved.blend"))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.wm.open_mainfile(filepath=str(output / "saved.blend"))
    target = next(one for one in bpy.data.objects if one.loam.folder)
    bpy.context.scene.frame_set(1)
    told["reopened"] = [target.loam.shown, len(target.data.vertices)]
    loam_cache.unregister()
    told["timer"] = bpy.app.timers.is_registered(follow.on_timer)
    told["property"] = hasattr(bpy.types.Object, "loam")
    return told


def wrong(_output, *folders):
    return {"messages": [load(folder) for folder in folders], "surface": load(folders[-1], kind="SURFACE"),
            "objects": [one.name for one in bpy.data.objects if one.loam.folder]}


# Pictures
# ---------------------------------------------------------------------------------------------------------------------

def set_stage():
    scene = bpy.context.scene
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    scene.camera.location = (0.5, -2.6, 0.9)
    scene.camera.rotation_euler = (Vector((0.45, -0.15, 0.25)) - scene.camera.location).to_track_quat("-Z", "Y").to_euler()
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", 4, False
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    return scene


def picture(output, name):
    """Renders, and leaves the picture as PNG and as numbers."""
    bpy.context.scene.render.filepath = str(output / f"{name}.png")
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(output / f"{name}.png"))
    pixels = numpy.zeros(len(image.pixels), "f4")
    image.pixels.foreach_get(pixels)
    numpy.save(output / f"{name}.npy", pixels.reshape(SIZE[1], SIZE[0], 4)[::-1, :, :3])


def pictures(output, folder):
    scene = set_stage()
    picture(output, "empty")
    for kind in ("points", "surface"):
        target = load(folder, kind=kind.upper())
        if kind == "surface":
            picture(output, "water")
            target.data.materials[0] = bpy.data.materials.new("plain")  # clear water hides how it moves
        scene.frame_set(9)
        scene.render.use_motion_blur = False
        picture(output, kind)
        scene.render.use_motion_blur, scene.render.motion_blur_shutter = True, 4  # long, for so small a picture
        picture(output, f"{kind}_blurred")
        target.loam.blur = 0
        picture(output, f"{kind}_still")
        told = [material.name for material in target.data.materials]
        bpy.data.objects.remove(target)
    return {"materials": told}


def imports(output, ply, obj, vdb):
    """What `loam export` wrote, by Blender's own importers."""
    set_stage()
    picture(output, "empty")
    bpy.ops.import_mesh.ply(filepath=ply)
    bpy.context.object.rotation_euler[0] = numpy.pi / 2
    told = {"ply": [len(bpy.context.object.data.vertices), len(bpy.context.object.data.polygons)]}
    picture(output, "ply")
    bpy.data.objects.remove(bpy.context.object)
    bpy.ops.wm.obj_import(filepath=obj)
    told["obj"] = [len(bpy.context.object.data.vertices), len(bpy.context.object.data.polygons)]
    picture(output, "obj")
    bpy.data.objects.remove(bpy.context.object)
    if vdb:
        bpy.ops.object.volume_import(filepath=vdb, directory=os.path.dirname(vdb), files=[{"name": os.path.basename(vdb)}])
        volume = bpy.context.object
        volume.rotation_euler[0], volume.hide_render = numpy.pi / 2, True
        volume.data.grids.load()
        told["vdb"] = [[grid.name, grid.data_type] for grid in volume.data.grids]
        mesh = bpy.data.objects.new("mesh", bpy.data.meshes.new("mesh"))
        mesh.rotation_euler[0] = numpy.pi / 2
        bpy.context.collection.objects.link(mesh)
        modifier = mesh.modifiers.new("mesh", "VOLUME_TO_MESH")
        modifier.object, modifier.grid_name, modifier.threshold = volume, "surface", 0
        picture(output, "vdb")
    return told


if __name__ == "__main__":
    task, output, *arguments = sys.argv[sys.argv.index("--") + 1:]
    output = pathlib.Path(output)
    loam_cache.register()
    told = globals()[task](output, *arguments)
    (output / "told.json").write_text(json.dumps(told))
