"""Reads the binary PLY files that `loam surface` and `loam export` write: vertices with any numbers, triangles."""
import numpy

TYPES = {"char": "i1", "uchar": "u1", "short": "<i2", "ushort": "<u2", "int": "<i4", "uint": "<u4", "float": "<f4",
         "double": "<f8"}
TRIANGLE = numpy.dtype([("count", "u1"), ("corners", "<i4", 3)])
LONGEST_HEADER = 1 << 16


class PlyError(Exception):
    pass


def read(path):
    """(vertices, triangles, comments): a structured array, an array of n x 3, a list of lines."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.find(b"end_header\n", 0, LONGEST_HEADER)
    if not data.startswith(b"ply\n") or end < 0:
        raise PlyError("it is not a PLY file")
    lines = data[:end].decode("utf-8", "replace").splitlines()[1:]
    vertex, counts, comments = _header(lines)
    start = end + len(b"end_header\n")
    middle = start + counts["vertex"] * vertex.itemsize
    if len(data) != middle + counts["face"] * TRIANGLE.itemsize:
        raise PlyError("it is cut off, or longer than it should be")
    vertices = numpy.frombuffer(data, vertex, counts["vertex"], start)
    faces = numpy.frombuffer(data, TRIANGLE, counts["face"], middle)
    corners = faces["corners"]
    if len(faces) and ((faces["count"] != 3).any() or corners.min() < 0 or corners.max() >= len(vertices)):
        raise PlyError("a triangle has corners that are not there")
    return vertices, corners, comments


def _header(lines):
    fields, counts, comments, element = [], {"vertex": 0, "face": 0}, [], None
    for line in lines:
        words = line.split()
        try:
            if words[:1] == ["comment"]:
                comments.append(line[len("comment "):])
            elif words[:1] == ["format"]:
                if words[1] != "binary_little_endian":
                    raise PlyError(f"its format is {words[1]}, not binary_little_endian")
            elif words[:1] == ["element"]:
                element = words[1]
                counts[element] = int(words[2])
                if element not in ("vertex", "face") or counts[element] < 0:
                    raise PlyError(f'"{line}" is not understood')
            elif words[:1] == ["property"] and element == "vertex":
                fields.append((words[2], TYPES[words[1]]))
            elif words[:1] != ["property"] or words[1:4] != ["list", "uchar", "int"]:
                raise PlyError(f'"{line}" is not understood')
        except (IndexError, KeyError, ValueError) as error:
            raise PlyError(f'"{line}" is not understood') from error
    if not {"x", "y", "z"} <= {name for name, _ in fields}:
        raise PlyError("its vertices have no x, y and z")
    return numpy.dtype(fields), counts, comments
