"""A reader for the HDF5 files that Loam writes, so that nothing has to be installed into Blender's Python.

It knows what the HDF5 library uses by default (HDF5 File Format Specification 3.0): superblock 0, groups as symbol
tables, object headers 1, data that is contiguous, compact, or in chunks that are shuffled and deflated. Anything else,
and any damage, raises Hdf5Error.
"""
import struct
import zlib

import numpy

SIGNATURE = b"\x89HDF\r\n\x1a\n"
NOWHERE = 0xFFFFFFFFFFFFFFFF
DATASPACE, DATATYPE, LAYOUT, FILTERS, ATTRIBUTE, CONTINUATION, SYMBOL_TABLE = 1, 3, 8, 11, 12, 16, 17
DEFLATE, SHUFFLE = 1, 2
LARGEST = 1 << 33  # bytes of one dataset; more can only be damage


class Hdf5Error(Exception):
    pass


class File:
    """file["VTKHDF/Points"] is an array, file.names("VTKHDF") a list, file.attributes("Loam") a dictionary."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._bytes = file.read()
        if self._bytes[:8] != SIGNATURE:
            raise Hdf5Error("it is not an HDF5 file")
        if self._bytes[8] != 0 or self._bytes[13:15] != b"\x08\x08":
            raise Hdf5Error("it is not an HDF5 file as Loam writes it")
        self._root = self._unpack("<Q", 64)[0]

    def __getitem__(self, path):
        return self._guarded(self._dataset, path)

    def __contains__(self, path):
        return self._guarded(self._find, path) is not None

    def names(self, path):
        return sorted(self._guarded(self._links, self._address(path)))

    def attributes(self, path):
        return self._guarded(self._attributes, self._address(path))

    # Objects
    # ------------------------------------------------------------------------------------------------------------

    @staticmethod
    def _guarded(function, *arguments):
        try:
            return function(*arguments)
        except (struct.error, IndexError, ValueError, TypeError, OverflowError, zlib.error, RecursionError,
                MemoryError) as error:
            raise Hdf5Error(f"it is damaged ({error})") from error

    def _unpack(self, layout, at):
        return struct.unpack_from(layout, self._bytes, at)

    def _find(self, path):
        address = self._root
        for name in path.strip("/").split("/"):
            address = self._links(address).get(name)
            if address is None:
                return None
        return address

    def _address(self, path):
        address = self._guarded(self._find, path)
        if address is None:
            raise Hdf5Error(f"it has no {path}")
        return address

    def _messages(self, address):
        """Of an object header: (type, place, size) of each message."""
        version, count, size = self._unpack("<BxH4xI", address)
        if version != 1:
            raise Hdf5Error("it is not an HDF5 file as Loam writes it")
        found, blocks = [], [(address + 16, size)]
        while blocks and len(found) < count:
            at, left = blocks.pop(0)
            end = at + left
            while at + 8 <= end and len(found) < count:
                kind, length = self._unpack("<HH", at)
                if kind == CONTINUATION:
                    blocks.append(self._unpack("<QQ", at + 8))
                found.append((kind, at + 8, length))
                at += 8 + length
        return found

    def _links(self, address):
        """Names in a group, with the addresses of their objects."""
        for kind, at, _ in self._messages(address):
            if kind == SYMBOL_TABLE:
                tree, heap = self._unpack("<QQ", at)
                names = self._unpack("<Q", heap + 24)[0]
                return dict(self._entries(tree, names))
        return {}

    def _entries(self, node, names):
        if self._bytes[node:node + 4] == b"SNOD":
            for k in range(self._unpack("<H", node + 6)[0]):
                name, header = self._unpack("<QQ", node + 8 + 40 * k)
                end = self._bytes.index(b"\0", names + name)
                yield self._bytes[names + name:end].decode(), header
            return
        for child in self._children(node, 8):
            yield from self._entries(child, names)

    def _children(self, node, key_size):
        if self._bytes[node:node + 4] != b"TREE":
            raise ValueError("a tree is missing")
        count = self._unpack("<H", node + 6)[0]
        for k in range(count):
            yield self._unpack("<Q", node + 24 + (key_size + 8) * k + key_size)[0]

    def _attributes(self, address):
        values = {}
        for kind, at, _ in self._messages(address):
            if kind != ATTRIBUTE:
                continue
            version, name_size, type_size, space_size = self._unpack("<BxHHH", at)
            padded = (lambda size: (size + 7) // 8 * 8) if version == 1 else (lambda size: size)
            at += 8 if version < 3 else 9
            name = self._bytes[at:at + name_size].split(b"\0")[0].decode()
            at += padded(name_size)
            shape = self._shape(at + padded(type_size))
            values[name] = self._attribute(at, shape, at + padded(type_size) + padded(space_size))
        return values

    def _attribute(self, datatype, shape, data):
        if self._bytes[datatype] & 15 == 3:
            size = self._unpack("<I", datatype + 4)[0]
            return self._bytes[data:data + size].split(b"\0")[0].decode()
        values = numpy.frombuffer(self._bytes, self._type(datatype), max(1, int(numpy.prod(shape))), data)
        return values.reshape(shape) if shape else values[0].item()

    # Data
    # ------------------------------------------------------------------------------------------------------------

    def _shape(self, at):
        version, rank = self._unpack("<BB", at)
        return self._unpack(f"<{rank}Q", at + (8 if version == 1 else 4))

    def _type(self, at):
        kind, flags, size = self._bytes[at] & 15, self._bytes[at + 1], self._unpack("<I", at + 4)[0]
        if kind == 0:
            return numpy.dtype(f"<{'i' if flags & 8 else 'u'}{size}")
        if kind == 1:
            return numpy.dtype(f"<f{size}")
        if kind == 9:  # text: length, place and number in a global heap
            return numpy.dtype([("length", "<u4"), ("heap", "<u8"), ("index", "<u4")])
        raise ValueError(f"a type of class {kind}")

    def _dataset(self, path):
        at = {kind: place for kind, place, _ in self._messages(self._address(path))}
        if LAYOUT not in at:
            raise Hdf5Error(f"{path} has no data")
        shape, kind = self._shape(at[DATASPACE]), self._type(at[DATATYPE])
        count = 1
        for extent in shape:
            count *= extent
        if count * kind.itemsize > LARGEST:
            raise ValueError("a size that cannot be")
        values = self._layout(at[LAYOUT], at.get(FILTERS), shape, kind, count)
        return [self._text(value) for value in values] if kind.names else values

    def _layout(self, at, filters, shape, kind, count):
        version, way = self._unpack("<BB", at)
        if version != 3:
            raise ValueError(f"a layout of version {version}")
        if way == 0:
            return numpy.frombuffer(self._bytes, kind, count, at + 4).reshape(shape)
        if way == 2:
            return self._chunked(at, self._filters(filters), shape, kind)
        place = self._unpack("<Q", at + 2)[0]
        if place == NOWHERE:  # never written: there is nothing in it
            return numpy.zeros(shape, kind)
        return numpy.frombuffer(self._bytes, kind, count, place).reshape(shape)

    def _filters(self, at):
        if at is None:
            return []
        version, count = self._unpack("<BB", at)
        if version != 1:
            raise ValueError("unknown filters")
        at, found = at + 8, []
        for _ in range(count):
            name, name_size, _, values = self._unpack("<HHHH", at)
            found.append(name)
            at += 8 + (name_size + 7) // 8 * 8 + 4 * (values + values % 2)
        return found

    def _chunked(self, at, filters, shape, kind):
        rank = self._bytes[at + 2] - 1
        tree = self._unpack("<Q", at + 3)[0]
        extent = self._unpack(f"<{rank}I", at + 11)
        values = numpy.zeros(shape, kind)
        if tree != NOWHERE:
            for size, start, place in self._chunks(tree, rank):
                chunk = self._unfiltered(self._bytes[place:place + size], filters, kind.itemsize)
                piece = numpy.frombuffer(chunk, kind, int(numpy.prod(extent))).reshape(extent)
                where = tuple(slice(a, min(a + b, c)) for a, b, c in zip(start, extent, shape))
                values[where] = piece[tuple(slice(0, w.stop - w.start) for w in where)]
        return values

    def _chunks(self, node, rank):
        """(size, start, place) of each chunk below a node."""
        key_size = 8 + 8 * (rank + 1)
        level = self._bytes[node + 5]
        for k, child in enumerate(self._children(node, key_size)):
            if level > 0:
                yield from self._chunks(child, rank)
                continue
            at = node + 24 + (key_size + 8) * k
            yield self._unpack("<I", at)[0], self._unpack(f"<{rank}Q", at + 8), child

    @staticmethod
    def _unfiltered(data, filters, item_size):
        for name in reversed(filters):
            if name == DEFLATE:
                data = zlib.decompress(data)
            elif name == SHUFFLE:
                data = numpy.frombuffer(data, "u1").reshape(item_size, -1).T.tobytes()
            else:
                raise ValueError(f"a filter {name}")
        return data

    def _text(self, value):
        at, end = int(value["heap"]) + 16, int(value["heap"]) + self._unpack("<Q", int(value["heap"]) + 8)[0]
        while at < end:
            index, size = self._unpack("<H6xQ", at)
            if index == value["index"]:
                return self._bytes[at + 16:at + 16 + int(value["length"])].decode()
            if index == 0:
                break
            at += 16 + (size + 7) // 8 * 8
        raise ValueError("a text is missing")
