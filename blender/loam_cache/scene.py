"""From a Blender scene to a scene of Loam: objects become bodies, what is animated becomes a sequence of meshes."""
import json
import math
import os

import bpy
from mathutils import Matrix, Vector

NONE, FLUID, RIGID, ELASTIC, CLOTH, SHELL, WALL, EMITTER = "NONE", "FLUID", "RIGID", "ELASTIC", "CLOTH", "SHELL", "WALL", "EMITTER"
KINDS = ((NONE, "Not simulated", "Loam does not see it"),
         (FLUID, "Fluid", "Water, honey, lava"),
         (RIGID, "Rigid", "A body that does not bend"),
         (ELASTIC, "Elastic", "Rubber, jelly"),
         (CLOTH, "Cloth", "The mesh as one layer of fabric"),
         (SHELL, "Shell", "The mesh as a thin stiff layer"),
         (WALL, "Wall", "Pushes and is not pushed; it may be animated in any way"),
         (EMITTER, "Emitter", "Fluid comes out of it, along its local -Z"))
LAWS = {FLUID: "fluid", RIGID: "rigid", ELASTIC: "elastic", CLOTH: "cloth", SHELL: "shell"}
UPRIGHT = Matrix.Rotation(-math.pi / 2, 4, "X")  # z is up in Blender, y in Loam


class ExportError(Exception):
    """Something that the user can mend; the text says what."""


def bodies_of(scene):
    return [target for target in scene.objects if target.type == "MESH" and target.loam_body.kind != NONE]


def name_of(target):
    """Names of Loam have no dots."""
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in target.name)


def is_animated(target):
    """By keys, drivers, constraints or modifiers that may deform it; also of what it hangs on."""
    while target:
        if target.animation_data and (target.animation_data.action or target.animation_data.drivers or target.animation_data.nla_tracks):
            return True
        if target.constraints or any(m.type in ("ARMATURE", "MESH_CACHE", "MESH_SEQUENCE_CACHE", "LATTICE", "HOOK", "NODES") for m in target.modifiers):
            return True
        data = target.data if target.type == "MESH" else None
        if data and data.shape_keys and data.shape_keys.animation_data:
            return True
        target = target.parent
    return False


def write_obj(target, graph, path):
    """The mesh with its modifiers, where it is now, in the axes of Loam."""
    evaluated = target.evaluated_get(graph)
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    place = UPRIGHT @ evaluated.matrix_world
    with open(path, "w", encoding="ascii") as file:
        for vertex in mesh.vertices:
            file.write("v {:.7g} {:.7g} {:.7g}\n".format(*(place @ vertex.co)))
        for triangle in mesh.loop_triangles:
            file.write("f {} {} {}\n".format(*(corner + 1 for corner in triangle.vertices)))
    count = len(mesh.loop_triangles)
    evaluated.to_mesh_clear()
    if count == 0:
        raise ExportError(f"{target.name}: it has no faces")


def shape_of(target, scene, graph, folder):
    """Files are written; what the scene says of them is returned."""
    kind, name = target.loam_body.kind, name_of(target)
    if kind != WALL or not is_animated(target):
        write_obj(target, graph, os.path.join(folder, name + ".obj"))
        return {"surface" if kind in (CLOTH, SHELL) else "mesh": {"file": name + ".obj"}}
    before = scene.frame_current
    for number, frame in enumerate(range(scene.frame_start, scene.frame_end + 1)):
        scene.frame_set(frame)
        write_obj(target, bpy.context.evaluated_depsgraph_get(), os.path.join(folder, f"{name}_{number:05}.obj"))
    scene.frame_set(before)
    return {"animation": {"file": name + "_#####.obj", "fps": rate_of(scene), "loop": False}}


def rate_of(scene):
    return scene.render.fps / scene.render.fps_base


def laws_of(target):
    settings = target.loam_body
    behaviors = {LAWS[settings.kind]: {"density": round(settings.density, 6)}}
    if settings.kind == FLUID and settings.viscosity > 0:
        behaviors["viscosity"] = {"model": "implicit", "viscosity": round(settings.viscosity, 6)}
    if settings.kind in (ELASTIC, CLOTH, SHELL):
        behaviors[LAWS[settings.kind]]["young_modulus"] = settings.young_modulus
    if settings.kind in (CLOTH, SHELL):
        behaviors[LAWS[settings.kind]]["thickness"] = round(settings.thickness, 6)
    if settings.more.strip():
        try:
            more = json.loads(settings.more)
        except json.JSONDecodeError as error:
            raise ExportError(f"{target.name}: what is added to its behaviors is not JSON: {error}") from error
        for law, values in more.items():
            behaviors.setdefault(law, {}).update(values)
    return behaviors


def color_of(target):
    material = target.active_material
    if not material:
        return {}
    red, green, blue = (round(255 * min(1, max(0, c)) ** (1 / 2.2)) for c in material.diffuse_color[:3])
    return {"look": {"color": f"#{red:02x}{green:02x}{blue:02x}"}} if (red, green, blue) != (231, 231, 231) else {}


def body_of(target, scene, graph, folder):
    settings = target.loam_body
    if settings.kind == WALL:
        slip = {"slip": "friction", "friction": round(settings.friction, 4)} if settings.friction > 0 else {"slip": "free"}
        return {"shape": shape_of(target, scene, graph, folder), "boundary": slip, **color_of(target)}
    if settings.kind == EMITTER:
        direction = (UPRIGHT @ target.matrix_world).to_3x3() @ Vector((0, 0, -1))
        return {"behaviors": {"fluid": {"density": round(settings.density, 6)}},
                "emitters": {"source": {"shape": shape_of(target, scene, graph, folder), "speed": round(settings.speed, 6),
                                        "direction": [round(part, 6) for part in direction]}}}
    velocity = UPRIGHT.to_3x3() @ Vector(settings.velocity)
    return {"shape": shape_of(target, scene, graph, folder), "behaviors": laws_of(target), **color_of(target),
            **({"velocity": [round(part, 6) for part in velocity]} if velocity.length > 0 else {})}


def keyed(frames, values):
    """One value, or keys over time."""
    if all(value == values[0] for value in values):
        return values[0]
    return {"keys": [[round(time, 6), value] for time, value in zip(frames, values)]}


def camera_of(scene):
    camera = scene.camera
    if not camera or camera.type != "CAMERA":
        return {}
    before, times, places, targets, views = scene.frame_current, [], [], [], []
    frames = range(scene.frame_start, scene.frame_end + 1) if is_animated(camera) else [before]
    for number, frame in enumerate(frames):
        scene.frame_set(frame)
        place = UPRIGHT @ camera.matrix_world
        at = place.translation
        ahead = place.to_3x3() @ Vector((0, 0, -1))
        times.append(number / rate_of(scene))
        places.append([round(part, 5) for part in at])
        targets.append([round(part, 5) for part in at + 5 * ahead])
        wide = scene.render.resolution_x / scene.render.resolution_y
        angle = camera.data.angle_y if camera.data.sensor_fit == "VERTICAL" else 2 * math.atan(math.tan(camera.data.angle / 2) / max(1, wide))
        views.append(round(math.degrees(angle), 3))
    scene.frame_set(before)
    return {"camera": {"from": keyed(times, places), "to": keyed(times, targets), "view": keyed(times, views)}}


def light_of(scene):
    for target in scene.objects:
        if target.type == "LIGHT" and target.data.type == "SUN":
            direction = UPRIGHT.to_3x3() @ (target.matrix_world.to_3x3() @ Vector((0, 0, 1)))
            return {"light": {"sun": [round(part, 5) for part in direction], "sun_strength": round(target.data.energy / 3, 4)}}
    return {}


def write_scene(scene, folder):
    """All files of the scene into the folder; returns the path of the scene file."""
    settings, targets = scene.loam_export, bodies_of(scene)
    if not any(target.loam_body.kind != WALL for target in targets):
        raise ExportError("Nothing is to be simulated: choose an object, and a kind for it in Sidebar > Loam > Body.")
    names = [name_of(target) for target in targets]
    for name in names:
        if names.count(name) > 1:
            raise ExportError(f"Two objects would both be the body {name}: rename one of them.")
    os.makedirs(folder, exist_ok=True)
    graph = bpy.context.evaluated_depsgraph_get()
    gravity = UPRIGHT.to_3x3() @ scene.gravity if scene.use_gravity else Vector()
    content = {
        "title": scene.name,
        "duration": round(max(1, scene.frame_end - scene.frame_start) / rate_of(scene), 6), "fps": round(rate_of(scene), 6),
        "particle_radius": round(settings.radius, 6),
        "behaviors": {"gravity": {"acceleration": [round(part, 6) for part in gravity]}},
        "bodies": {name: body_of(target, scene, graph, folder) for name, target in zip(names, targets)},
        **camera_of(scene), **light_of(scene),
    }
    path = os.path.join(folder, "scene.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
    return path
