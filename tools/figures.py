#!/usr/bin/python3
"""Makes the moving figures of the examples, examples/figures/*.glb: skinned meshes (glTF 2.0) with a looped motion.

    tools/figures.py                   all of them, into examples/figures
    tools/figures.py horse --obj DIR   also its motion as one OBJ file per frame

A figure is a tree of bones with balls and rods of flesh about them. The skin is the surface of their smooth union; each of its
vertices follows the bones whose flesh is nearest.
"""
import argparse
import json
import math
import pathlib
import struct

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "examples/figures"


class Bone:
    """At rest its axes are those of the figure. `turn`: degrees about an axis over the phase of the motion, from 0 to 1."""

    def __init__(self, parent, pivot, flesh, axis=(0, 0, 1), turn=None, move=None):
        self.parent, self.pivot, self.flesh, self.axis = parent, np.array(pivot, float), flesh, np.array(axis, float)
        self.turn, self.move = turn or (lambda phase: 0.0), move or (lambda phase: (0.0, 0.0, 0.0))


def rod(a, b, radius, radius_to=None):
    return np.array(a, float), np.array(b, float), radius, radius if radius_to is None else radius_to


def ball(center, radius):
    return rod(center, center, radius)


def swing(mean, amplitude, shift, second=0.0):
    """A swing that repeats: mean + amplitude cos, with an overtone."""
    return lambda phase: mean + amplitude * math.cos(2 * math.pi * (phase - shift)) + second * math.cos(4 * math.pi * (phase - shift))


def horse():
    bones = {
        "trunk": Bone(None, (0, 0.62, 0), [rod((-0.27, 0.64, 0), (0.2, 0.62, 0), 0.125), ball((-0.27, 0.66, 0), 0.145),
                                           ball((0.2, 0.63, 0), 0.14)], turn=swing(0, 5, 0.2),
                      move=lambda p: (0, 0.035 * math.cos(2 * math.pi * (p - 0.55)), 0)),
        "neck": Bone("trunk", (0.25, 0.68, 0), [rod((0.27, 0.7, 0), (0.47, 0.95, 0), 0.075), rod((0.47, 0.96, 0), (0.64, 0.86, 0), 0.052),
                                                rod((0.45, 1.0, 0.03), (0.44, 1.06, 0.035), 0.018),
                                                rod((0.45, 1.0, -0.03), (0.44, 1.06, -0.035), 0.018)], turn=swing(-6, 10, 0.7)),
        "tail": Bone("trunk", (-0.4, 0.72, 0), [rod((-0.4, 0.72, 0), (-0.56, 0.66, 0), 0.035), rod((-0.56, 0.66, 0), (-0.68, 0.5, 0), 0.03)],
                     turn=swing(-20, 12, 0.4)),
    }
    for side, z, late in (("left", 1, 0.0), ("right", -1, 0.12)):
        for where, x, half, thick, first in (("fore", 0.22, 0.075, 0.055, 0.0), ("hind", -0.3, 0.08, 0.062, 0.45)):
            shift = first + late
            bones[f"{where} {side}"] = Bone("trunk", (x, 0.58, z * half), [rod((x, 0.58, z * half), (x, 0.34, z * half), thick)],
                                            turn=swing(0, 38, shift))
            # The knee of a fore leg bends back, that of a hind leg forward, while the leg comes forward.
            bend = -1 if where == "fore" else 1
            bones[f"{where} shin {side}"] = Bone(f"{where} {side}", (x, 0.34, z * half),
                                                 [rod((x, 0.34, z * half), (x, 0.06, z * half), 0.038),
                                                  rod((x, 0.06, z * half), (x + 0.035, 0.045, z * half), 0.04)],
                                                 turn=swing(35 * bend, 33 * bend, shift - 0.2))
    return bones, 0.55, 0.034, 0.04


def dancer():
    """Her arms, chest and head sway; scenes turn her."""
    bones = {
        "hips": Bone(None, (0, 1.0, 0), [rod((0, 1.0, 0), (0, 1.14, 0), 0.1)], turn=swing(0, 2, 0.5)),
        "chest": Bone("hips", (0, 1.12, 0), [rod((0, 1.1, 0), (0, 1.38, 0), 0.09, 0.11), rod((-0.1, 1.38, 0), (0.1, 1.38, 0), 0.055)],
                      turn=swing(0, 4, 0)),
        "head": Bone("chest", (0, 1.45, 0), [rod((0, 1.4, 0), (0, 1.52, 0), 0.045), rod((0, 1.57, 0.01), (0, 1.62, 0.01), 0.09),
                                             ball((0, 1.66, -0.09), 0.05)], turn=swing(0, 6, 0.3)),
        "leg": Bone("hips", (0.04, 0.95, 0), [rod((0.04, 0.95, 0), (0.01, 0.5, 0.01), 0.065), rod((0.01, 0.5, 0.01), (0, 0.1, 0), 0.046),
                                              rod((0, 0.1, 0), (0, 0.03, 0.05), 0.03)]),
        "bent leg": Bone("hips", (-0.06, 0.95, 0), [rod((-0.06, 0.95, 0), (-0.12, 0.56, 0.16), 0.06),
                                                    rod((-0.12, 0.56, 0.16), (-0.03, 0.3, 0.02), 0.042)]),
        "right arm": Bone("chest", (0.15, 1.38, 0), [rod((0.13, 1.38, 0), (0.36, 1.5, 0.1), 0.036), rod((0.36, 1.5, 0.1), (0.42, 1.74, 0.1), 0.03)],
                          turn=swing(0, 20, 0.1)),
        "left arm": Bone("chest", (-0.15, 1.38, 0), [rod((-0.13, 1.38, 0), (-0.38, 1.3, 0.12), 0.036), rod((-0.38, 1.3, 0.12), (-0.56, 1.42, 0.18), 0.03)],
                         turn=swing(0, 20, 0.6)),
    }
    return bones, 2.0, 0.034, 0.03


def distance_to(flesh, points):
    """To one rod of changing thickness, or a ball."""
    a, b, start, end = flesh
    way = b - a
    along = np.clip((points - a) @ way / max(way @ way, 1e-12), 0, 1)
    return np.linalg.norm(points - a - along[:, None] * way, axis=1) - (start + along * (end - start))


def bone_distances(bones, points):
    return np.stack([np.min([distance_to(one, points) for one in bone.flesh], axis=0) for bone in bones.values()])


def smooth_union(distances, blend):
    return -blend * np.log(np.sum(np.exp(-(distances - distances.min(axis=0)) / blend), axis=0)) + distances.min(axis=0)


# Six tetrahedra about the diagonal of a cube, by corners numbered x + 2 y + 4 z.
TETRAHEDRA = np.array([[0, 7, 1, 3], [0, 7, 3, 2], [0, 7, 2, 6], [0, 7, 6, 4], [0, 7, 4, 5], [0, 7, 5, 1]])


def surface(bones, cell, blend):
    """Marching tetrahedra: no case of it is ambiguous, so the mesh is closed. Returns vertices and triangles."""
    ends = np.concatenate([[f[0] - f[2], f[0] + f[2], f[1] - f[3], f[1] + f[3]] for bone in bones.values() for f in bone.flesh])
    low, high = ends.min(axis=0) - 3 * cell, ends.max(axis=0) + 3 * cell
    count = np.ceil((high - low) / cell).astype(int) + 1
    axes = [low[k] + cell * np.arange(count[k]) for k in range(3)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    value = smooth_union(bone_distances(bones, nodes), 0.35 * blend)
    value[np.abs(value) < 0.02 * cell] = 0.02 * cell  # no vertex falls on a node: no triangle without area
    index = np.arange(len(nodes)).reshape(count)
    corners = np.stack([index[x:x + count[0] - 1, y:y + count[1] - 1, z:z + count[2] - 1].ravel()
                        for z in (0, 1) for y in (0, 1) for x in (0, 1)], axis=1)
    inside = (value[corners] < 0).sum(axis=1)
    corners = corners[(inside > 0) & (inside < 8)]
    vertices, known, triangles = [], {}, []

    def on_edge(a, b):
        key = (min(a, b), max(a, b))
        if key not in known:
            share = value[key[0]] / (value[key[0]] - value[key[1]])
            known[key] = len(vertices)
            vertices.append(nodes[key[0]] + share * (nodes[key[1]] - nodes[key[0]]))
        return known[key]

    def add(one, two, three, out):
        a, b, c = (vertices[k] for k in (one, two, three))
        triangles.append((one, two, three) if np.dot(np.cross(b - a, c - a), out) > 0 else (one, three, two))

    for tetrahedron in corners[:, TETRAHEDRA].reshape(-1, 4):
        within = [n for n in tetrahedron if value[n] < 0]
        beyond = [n for n in tetrahedron if value[n] >= 0]
        if not within or not beyond:
            continue
        out = nodes[beyond].mean(axis=0) - nodes[within].mean(axis=0)
        if len(within) == 2:
            quad = [on_edge(within[0], beyond[0]), on_edge(within[0], beyond[1]), on_edge(within[1], beyond[1]), on_edge(within[1], beyond[0])]
            add(quad[0], quad[1], quad[2], out)
            add(quad[0], quad[2], quad[3], out)
        else:
            one, others = (within[0], beyond) if len(within) == 1 else (beyond[0], within)
            add(*(on_edge(one, other) for other in others), out)
    return np.array(vertices), np.array(triangles)


def rotation(axis, degrees):
    half = math.radians(degrees) / 2
    axis = axis / np.linalg.norm(axis)
    return np.array([*(math.sin(half) * axis), math.cos(half)])


class Glb:
    """Puts arrays behind each other and remembers where they are."""

    def __init__(self):
        self.bytes, self.views, self.accessors = b"", [], []

    def add(self, values, kind, target=None):
        values = np.ascontiguousarray(values)
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        view = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": values.nbytes, **({"target": target} if target else {})}
        component = {"float32": 5126, "uint8": 5121, "uint16": 5123, "uint32": 5125}[str(values.dtype)]
        accessor = {"bufferView": len(self.views), "componentType": component, "count": len(values), "type": kind}
        if values.dtype == np.float32 and kind in ("VEC3", "SCALAR"):
            flat = values.reshape(len(values), -1)
            accessor.update(min=flat.min(axis=0).tolist(), max=flat.max(axis=0).tolist())
        self.bytes += values.tobytes()
        self.views.append(view)
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def write(self, path, content):
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        content = {"asset": {"version": "2.0", "generator": "tools/figures.py"}, **content, "bufferViews": self.views,
                   "accessors": self.accessors, "buffers": [{"byteLength": len(self.bytes)}]}
        text = json.dumps(content, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(self.bytes)) + struct.pack("<I4s", len(text), b"JSON") +
                         text + struct.pack("<I4s", len(self.bytes), b"BIN\0") + self.bytes)


def skin_weights(bones, vertices, blend):
    """Of the four nearest bones, by how near they are."""
    distances = bone_distances(bones, vertices).T
    weights = np.exp(-(distances - distances.min(axis=1, keepdims=True)) / (0.5 * blend))
    joints = np.argsort(-weights, axis=1)[:, :4]
    chosen = np.take_along_axis(weights, joints, axis=1)
    chosen = np.round(255 * chosen / chosen.sum(axis=1, keepdims=True))
    chosen[:, 0] += 255 - chosen.sum(axis=1)
    joints[chosen == 0] = 0
    return joints.astype(np.uint8), chosen.astype(np.uint8)


def write_glb(path, bones, period, cell, blend):
    vertices, triangles = surface(bones, cell, blend)
    joints, weights = skin_weights(bones, vertices, blend)
    names, glb = list(bones), Glb()
    mesh = {"attributes": {"POSITION": glb.add(vertices.astype(np.float32), "VEC3", 34962), "JOINTS_0": glb.add(joints, "VEC4", 34962),
                           "WEIGHTS_0": glb.add(weights, "VEC4", 34962)},
            "indices": glb.add(triangles.astype(np.uint16 if len(vertices) < 65536 else np.uint32).ravel(), "SCALAR", 34963)}
    glb.accessors[mesh["attributes"]["WEIGHTS_0"]]["normalized"] = True
    inverse = np.tile(np.eye(4, dtype=np.float32), (len(names), 1, 1))
    inverse[:, 3, :3] = [-bone.pivot for bone in bones.values()]  # by columns
    steps = max(24, int(24 * period))
    times = glb.add(np.linspace(0, period, steps + 1).astype(np.float32), "SCALAR")
    nodes, samplers, channels = [], [], []
    for number, (name, bone) in enumerate(bones.items()):
        above = bones[bone.parent].pivot if bone.parent else np.zeros(3)
        children = [k for k, other in enumerate(bones.values()) if other.parent == name]
        nodes.append({"name": name, "translation": (bone.pivot - above).tolist(), **({"children": children} if children else {})})
        phases = np.arange(steps + 1) / steps
        turns = np.array([rotation(bone.axis, bone.turn(phase)) for phase in phases], np.float32)
        moves = np.array([bone.pivot - above + bone.move(phase) for phase in phases], np.float32)
        for values, kind, target in ((turns, "VEC4", "rotation"), (moves, "VEC3", "translation")):
            if np.ptp(values, axis=0).max() > 1e-6:
                channels.append({"sampler": len(samplers), "target": {"node": number, "path": target}})
                samplers.append({"input": times, "output": glb.add(values, kind), "interpolation": "LINEAR"})
    nodes.append({"name": path.stem, "mesh": 0, "skin": 0})
    glb.write(path, {"scene": 0, "scenes": [{"nodes": [0, len(nodes) - 1]}], "nodes": nodes, "meshes": [{"primitives": [mesh]}],
                     "skins": [{"joints": list(range(len(names))), "inverseBindMatrices": glb.add(inverse.reshape(-1, 16), "MAT4")}],
                     "animations": [{"channels": channels, "samplers": samplers}]})
    return vertices, triangles, joints, weights


def posed(bones, vertices, joints, weights, phase):
    """What a reader of the file gets, for the sequence of OBJ files."""
    matrices = {}
    for name, bone in bones.items():
        x, y, z, w = rotation(bone.axis, bone.turn(phase))
        own = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
        turn, shift = matrices[bone.parent] if bone.parent else (np.eye(3), np.zeros(3))
        matrices[name] = (turn @ own, shift + turn @ (bone.pivot + bone.move(phase) - own @ bone.pivot))
    moved = np.zeros_like(vertices)
    for number, name in enumerate(bones):
        share = ((joints == number) * weights).sum(axis=1) / 255
        turn, shift = matrices[name]
        moved += share[:, None] * (vertices @ turn.T + shift)
    return moved


def main():
    figures = {"horse": horse, "dancer": dancer}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(figures))
    parser.add_argument("--output", type=pathlib.Path, default=FOLDER)
    parser.add_argument("--obj", type=pathlib.Path, help="folder for one OBJ file per frame")
    parser.add_argument("--cell", type=float, help="size of the triangles, about [m]")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name in arguments.names:
        bones, period, cell, blend = figures[name]()
        path = arguments.output / f"{name}.glb"
        vertices, triangles, joints, weights = write_glb(path, bones, period, arguments.cell or cell, blend)
        print(f"{path}: {len(vertices)} vertices, {len(triangles)} triangles, {path.stat().st_size} bytes")
        if arguments.obj:
            arguments.obj.mkdir(parents=True, exist_ok=True)
            frames = round(25 * period)
            for frame in range(frames):
                lines = [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in posed(bones, vertices, joints, weights, frame / frames)]
                lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]
                (arguments.obj / f"{name}_{frame:03}.obj").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
