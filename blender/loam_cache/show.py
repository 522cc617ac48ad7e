"""Puts a frame of a cache into the mesh of an object."""
import bpy
import numpy

from . import looks
from .cache import POINTS, SURFACE, Cache, CacheError

RESERVED = {"position", "normal", "radius", "speed"}  # names that Blender or we need
UPRIGHT = (numpy.pi / 2, 0, 0)  # y is up in Loam, z in Blender

_shown = {}  # what the mesh of an object holds now, by the object's name


def forget():
    _shown.clear()


def chosen_bodies(settings):
    return tuple(name.strip() for name in settings.bodies.split(",") if name.strip())


def frame_for(frames, wanted):
    """The frame to show: the wanted one, or the last before it, or the first."""
    before = [number for number in frames if number <= wanted]
    return before[-1] if before else next(iter(frames), None)


def refresh(target, scene, again=False):
    """Shows what the settings and the scene's time ask for. Trouble ends in the status, which the panel shows."""
    settings = target.loam
    try:
        _refresh(target, scene, again)
    except CacheError as error:
        _shown.pop(target.name_full, None)
        settings.trouble = str(error)
    else:
        settings.trouble = ""


def _refresh(target, scene, again):
    settings, bodies = target.loam, chosen_bodies(target.loam)
    cache = Cache(bpy.path.abspath(settings.folder))
    frames = cache.frames(settings.kind, bodies)
    settings.first, settings.last = (min(frames), max(frames)) if frames else (0, -1)
    number = frame_for(frames, scene.frame_current - settings.frame_offset)
    if number is None:
        raise CacheError(f"{cache.place(settings.kind, bodies)}: there is no frame yet." if settings.kind == POINTS else
                         f"{cache.folder}: it has no surfaces. Make them with `loam surface`.")
    film_rate = scene.render.fps / scene.render.fps_base
    state = (settings.folder, settings.kind, bodies, number, settings.radius_scale, settings.blur, film_rate)
    if not again and _shown.get(target.name_full) == state:
        return
    geometry = cache.read(settings.kind, number, bodies)
    fill(target.data, geometry, settings.radius_scale, settings.blur * film_rate / cache.fps)
    dress(target, settings.kind)
    settings.shown, settings.time, settings.count = number, geometry.time, len(geometry.positions)
    settings.names = ", ".join(geometry.bodies)
    _shown[target.name_full] = state


def fill(mesh, geometry, radius_scale=1.0, blur=1.0):
    """Replaces all of a mesh. Cycles blurs by the attribute `velocity`, in metres per second of the film."""
    mesh.clear_geometry()
    count = len(geometry.positions)
    mesh.vertices.add(count)
    mesh.vertices.foreach_set("co", numpy.ascontiguousarray(geometry.positions, "f4").ravel())
    if geometry.triangles is not None:
        _add_triangles(mesh, geometry.triangles)
    else:
        _add_column(mesh, "radius", geometry.radii * numpy.float32(radius_scale))
    for name, values in geometry.columns.items():
        if name in RESERVED:
            continue
        if name == "velocity":
            _add_column(mesh, "speed", numpy.linalg.norm(values, axis=1).astype("f4"))
            values = values * numpy.float32(blur)
        _add_column(mesh, name, values)
    mesh.update()


def _add_triangles(mesh, triangles):
    count = len(triangles)
    mesh.loops.add(3 * count)
    mesh.polygons.add(count)
    mesh.loops.foreach_set("vertex_index", numpy.ascontiguousarray(triangles, "i4").ravel())
    mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * count, 3, dtype="i4"))
    if bpy.app.version < (3, 6, 0):  # then Blender takes it from loop_start, and this cannot be written
        mesh.polygons.foreach_set("loop_total", numpy.full(count, 3, "i4"))
    mesh.polygons.foreach_set("use_smooth", numpy.ones(count, "?"))
    mesh.update(calc_edges=True)


def _add_column(mesh, name, values):
    values = numpy.asarray(values)
    if values.ndim == 2 and values.shape[1] == 3:
        kind, member, store = "FLOAT_VECTOR", "vector", "f4"
    elif values.ndim == 1:
        kind, store = ("INT", "i4") if values.dtype.kind in "iu" else ("FLOAT", "f4")
        member = "value"
    else:
        return  # nothing that an attribute can hold
    attribute = mesh.attributes.new(name, kind, "POINT")
    attribute.data.foreach_set(member, numpy.ascontiguousarray(values, store).ravel())


def dress(target, kind):
    """The modifier and the material that this kind needs; what the user changed stays."""
    modifier = target.modifiers.get(looks.POINTS_GROUP)
    if kind == POINTS and not modifier:
        looks.add_points_modifier(target)
    if kind == SURFACE and modifier:
        target.modifiers.remove(modifier)
    if kind == SURFACE and not target.data.materials:
        target.data.materials.append(looks.water_material())


def add_object(context, name):
    target = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    target.rotation_euler = UPRIGHT
    context.collection.objects.link(target)
    for other in context.selected_objects:
        other.select_set(False)
    target.select_set(True)
    context.view_layer.objects.active = target
    return target
