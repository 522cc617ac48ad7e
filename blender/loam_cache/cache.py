"""The folder of a run: which frames there are, and what is in them. Knows nothing of Blender.

Layouts: src/cache/README.md (frames) and src/surface/ply.h (surfaces) of Loam.
"""
import difflib
import json
import os
import re
import struct
from dataclasses import dataclass

import numpy

from . import hdf5, ply

POINTS, SURFACE = "POINTS", "SURFACE"
FILES = {POINTS: re.compile(r"(\d+)\.vtkhdf$"), SURFACE: re.compile(r"(\d+)\.ply$")}
SEAL = struct.Struct("<8sQ16x")  # what ends a whole frame: a mark, and the length of what stands before


class CacheError(Exception):
    """What to tell the user: where, what is wrong, and what to do."""


@dataclass
class Geometry:
    """One frame. Columns have one number, or three, for each point."""
    positions: numpy.ndarray
    columns: dict
    bodies: list
    triangles: numpy.ndarray = None
    radii: numpy.ndarray = None
    time: float = 0


class Cache:
    def __init__(self, folder):
        self.folder = _run_folder(folder)
        self.fps = _frame_rate(os.path.join(self.folder, "scene.json"))

    def place(self, kind, bodies=()):
        """The folder of the frames, or of the surfaces: `loam surface --bodies each` makes one for each body."""
        if kind == POINTS:
            return os.path.join(self.folder, "frames")
        surfaces = os.path.join(self.folder, "surfaces")
        own = os.path.join(surfaces, bodies[0].replace("/", "_")) if len(bodies) == 1 else surfaces
        return own if os.path.isdir(own) else surfaces

    def frames(self, kind, bodies=()):
        """Numbers of the frames that are there, in order, with the names of their files."""
        try:
            names = os.listdir(self.place(kind, bodies))
        except OSError:
            return {}
        found = {int(match[1]): name for name in names if (match := FILES[kind].match(name))}
        return dict(sorted(found.items()))

    def path(self, kind, number, bodies=()):
        place, names = self.place(kind, bodies), self.frames(kind, bodies)
        if number not in names:
            raise CacheError(f"{place}: frame {number} is not there")
        return os.path.join(place, names[number])

    def read(self, kind, number, bodies=()):
        path = self.path(kind, number, bodies)
        try:
            geometry = _read_frame(path) if kind == POINTS else _read_surface(path)
        except (hdf5.Hdf5Error, ply.PlyError) as error:
            again = "loam resume" if kind == POINTS else "loam surface"
            raise CacheError(f"{path}: {error}. Make it again with `{again}`.") from error
        except OSError as error:
            raise CacheError(f"{path}: {error.strerror}") from error
        return _only(geometry, bodies, path) if bodies else geometry

    def top_speed(self):
        """Of the whole run so far [m/s], or None: for colors."""
        try:
            with open(os.path.join(self.folder, "log.jsonl"), encoding="utf-8") as file:
                speeds = [float(speed) for speed in re.findall(r'"top_speed":([-+.\deE]+)', file.read())]
        except (OSError, ValueError):
            return None
        return max(speeds, default=None)


def _run_folder(chosen):
    """The folder of the run, also when one inside of it was chosen."""
    folder = os.path.normpath(chosen)
    if not os.path.isdir(folder):
        raise CacheError(f"{folder}: there is no such folder")
    for candidate in (folder, os.path.dirname(folder)):
        if os.path.exists(os.path.join(candidate, ".loam")) or os.path.isdir(os.path.join(candidate, "frames")):
            return candidate
    raise CacheError(f"{folder}: there is no run of Loam here. Choose the folder that `loam run` wrote.")


def _frame_rate(path):
    try:
        with open(path, encoding="utf-8") as file:
            return float(json.load(file).get("fps", 25))
    except (OSError, ValueError, TypeError, AttributeError):
        return 25.0  # that of scenes that say nothing


def _check_seal(path):
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        file.seek(max(0, size - 32))
        end = file.read(32)
    if len(end) < 32 or SEAL.unpack(end[:32]) != (b"LOAMSEAL", size - 32):
        raise hdf5.Hdf5Error("it is damaged: cut off, or changed by another program")


def _read_frame(path):
    _check_seal(path)
    file = hdf5.File(path)
    about = file.attributes("Loam")
    points = file["VTKHDF/Points"]
    columns = {name: file[f"VTKHDF/PointData/{name}"] for name in file.names("VTKHDF/PointData")}
    if points.ndim != 2 or any(len(values) != len(points) for values in columns.values()):
        raise hdf5.Hdf5Error("it is damaged: columns of different lengths")
    return Geometry(points, columns, file["Loam/bodies"], radii=_radii(len(points), columns, about),
                    time=about.get("time", 0))


def _radii(count, columns, about):
    """That of a full particle, times a size that goes with the particle's own volume: as src/cache/particle_sizes.h."""
    radius, dimensions = about.get("particle_radius", 0), about.get("dimensions", 3)
    if "volume" not in columns:  # a run of an older Loam
        return numpy.full(count, radius, "f4")
    volume = columns["volume"]
    share = volume / numpy.float32(about.get("particle_volume", (2 * radius) ** dimensions))
    size = numpy.maximum(share, 0) ** (1 / dimensions)
    if "mass" in columns:  # what has mass and yet no volume leads a fluid, and is shown in full
        size = numpy.where((volume == 0) & (columns["mass"] > 0), 1, size)
    return (radius * size).astype("f4")


def _read_surface(path):
    vertices, triangles, comments = ply.read(path)
    columns, names = {}, vertices.dtype.names
    for name in names:
        if name in ("x", "y", "z", "nx", "ny", "nz") or name.endswith(("_y", "_z")) and name[:-2] + "_x" in names:
            continue
        if name.endswith("_x") and {name[:-2] + "_y", name[:-2] + "_z"} <= set(names):
            name = name[:-2]
            columns[name] = numpy.stack([vertices[f"{name}_{axis}"] for axis in "xyz"], axis=1)
        else:
            columns[name] = vertices[name]
    words = [comment.split(" ", 1) for comment in comments]
    told = dict(pair for pair in words if len(pair) == 2)
    return Geometry(numpy.stack([vertices[axis] for axis in "xyz"], axis=1), columns,
                    [pair[1] for pair in words if pair[0] == "body" and len(pair) == 2], triangles,
                    time=float(told.get("time", 0)))


def _only(geometry, bodies, path):
    """What belongs to the named bodies."""
    for name in bodies:
        if name not in geometry.bodies:
            near = difflib.get_close_matches(name, geometry.bodies, 1)
            hint = f'Did you mean "{near[0]}"?' if near else f"There are: {', '.join(geometry.bodies)}."
            raise CacheError(f'{path}: there is no body "{name}". {hint}')
    if "body" not in geometry.columns:
        raise CacheError(f"{path}: it does not tell which body is where")
    numbers = [geometry.bodies.index(name) for name in bodies]
    kept = numpy.isin(geometry.columns["body"], numbers)
    if geometry.triangles is not None and len(geometry.triangles):
        kept_faces = kept[geometry.triangles].all(axis=1)
        geometry.triangles = (numpy.cumsum(kept) - 1)[geometry.triangles[kept_faces]].astype("i4")
    geometry.positions = geometry.positions[kept]
    geometry.radii = geometry.radii[kept] if geometry.radii is not None else None
    geometry.columns = {name: values[kept] for name, values in geometry.columns.items()}
    return geometry
