"""loam export: what other programs read back is what the frames hold, and what is told when something is wrong."""
import json
import shutil
import struct
import subprocess
import unittest
from xml.etree import ElementTree

import h5py
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from support import DAM, LONG, MIXER, PROGRAM, ProgramTest, main

COLUMNS = {"body": 1, "id": 1, "radius": 1, "velocity": 3}  # at least


def read_bgeo(data):
    """Points with their attributes of a classic bgeo file, and how many bytes are left: big-endian, version 5."""
    magic, version, points, *rest = struct.unpack_from(">5s9i", data)
    assert magic == b"BgeoV" and version == 5, (magic, version)
    at, row = struct.calcsize(">5s9i"), [("P", ">f4", 4)]
    for _ in range(rest[3]):
        (length,) = struct.unpack_from(">H", data, at)
        name = data[at + 2:at + 2 + length].decode()
        size, kind = struct.unpack_from(">Hi", data, at + 2 + length)
        at += 2 + length + 6 + 4 * size
        kind = {0: ">f4", 1: ">i4", 5: ">f4"}[kind]
        row.append((name, kind, size) if size > 1 else (name, kind))
    values = numpy.frombuffer(data, numpy.dtype(row), points, at)
    return values, len(data) - at - values.nbytes


class ExportTest(ProgramTest):
    def run_dam(self, frames=2, surface=False):
        self.loam("run", self.scene(DAM), "-o", "dam", "--frames", frames, "--quality", "preview")
        if surface:
            self.loam("surface", "dam")

    def frame(self, number, run="dam"):
        """Points and columns of a frame, by h5py."""
        with h5py.File(self.folder / run / f"frames/{number:06}.vtkhdf") as file:
            data = {name: array[()] for name, array in file["VTKHDF/PointData"].items()}
            return file["VTKHDF/Points"][()], data

    def exported(self, kind):
        return str(self.folder / "dam/export" / kind)

    def by_vtk(self, reader, path):
        reader.SetFileName(path)
        reader.Update()
        self.assertEqual(reader.GetErrorCode(), 0, path)
        return reader.GetOutput()

    def assert_same_mesh(self, mesh, number=1):
        """As many triangles as `loam surface` made, closed, and of the same volume."""
        made = self.by_vtk(vtk.vtkPLYReader(), str(self.folder / f"dam/surfaces/{number:06}.ply"))
        self.assertGreater(mesh.GetNumberOfPolys(), 100)
        self.assertEqual(mesh.GetNumberOfPolys(), made.GetNumberOfPolys())
        self.assertEqual(mesh.GetNumberOfPoints(), made.GetNumberOfPoints())
        volumes = []
        for data in (mesh, made):
            mass = vtk.vtkMassProperties()
            mass.SetInputData(data)
            mass.Update()
            volumes.append(mass.GetVolume())
        self.assertAlmostEqual(volumes[0] / volumes[1], 1, delta=1e-4)


class Points(ExportTest):
    def setUp(self):
        super().setUp()
        self.run_dam()
        self.points, self.columns = self.frame(1)

    def test_ply(self):
        done = self.loam("export", "dam", "--to", "ply")
        self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("", 1), done.stderr)
        self.assertEqual(sorted(p.name for p in (self.folder / "dam/export").iterdir()),
                         [f"points_{k:06}.ply" for k in range(3)])
        head, body = (self.folder / "dam/export/points_000001.ply").read_bytes().split(b"end_header\n", 1)
        words = [line.split() for line in head.decode().splitlines()]
        row = numpy.dtype([(w[2], {"float": "<f4", "uint": "<u4"}[w[1]]) for w in words if w[0] == "property"])
        values = numpy.frombuffer(body, row)
        numpy.testing.assert_array_equal(numpy.stack([values[a] for a in "xyz"], 1), self.points)
        numpy.testing.assert_array_equal(values["id"], self.columns["id"])
        numpy.testing.assert_array_equal(values["velocity_y"], self.columns["velocity"][:, 1])
        self.assertEqual(self.by_vtk(vtk.vtkPLYReader(), self.exported("points_000001.ply")).GetNumberOfPoints(),
                         len(self.points))

    def test_obj(self):
        self.loam("export", "dam", "--to", "obj", "--points")
        data = self.by_vtk(vtk.vtkOBJReader(), self.exported("points_000001.obj"))
        numpy.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()), self.points)
        self.assertEqual(data.GetNumberOfVerts(), len(self.points))

    def test_vtp(self):
        self.loam("export", "dam", "--to", "vtp", "--frames", 1)
        data = self.by_vtk(vtk.vtkXMLPolyDataReader(), self.exported("points_000001.vtp"))
        numpy.testing.assert_array_equal(vtk_to_numpy(data.GetPoints().GetData()), self.points)
        self.assertEqual(data.GetNumberOfVerts(), len(self.points))
        arrays = data.GetPointData()
        names = {arrays.GetArrayName(k): arrays.GetArray(k).GetNumberOfComponents()
                 for k in range(arrays.GetNumberOfArrays())}
        self.assertLessEqual(COLUMNS.items(), names.items())
        for name in self.columns:
            numpy.testing.assert_array_equal(vtk_to_numpy(arrays.GetArray(name)), self.columns[name].astype("f4"))
        self.assertAlmostEqual(data.GetFieldData().GetArray("TimeValue").GetValue(0), 1 / DAM["fps"])

    def test_vtp_files_are_listed_with_their_times(self):
        self.loam("export", "dam", "--to", "vtp", "--frames", "1-2")
        listed = ElementTree.parse(self.exported("points.pvd")).findall("Collection/DataSet")
        self.assertEqual([item.get("file") for item in listed], ["points_000001.vtp", "points_000002.vtp"])
        for number, item in enumerate(listed, 1):
            self.assertAlmostEqual(float(item.get("timestep")), number / DAM["fps"])
            self.assertTrue((self.folder / "dam/export" / item.get("file")).exists())

    def test_bgeo(self):
        self.loam("export", "dam", "--to", "bgeo", "--frames", "1-1")
        values, left = read_bgeo((self.folder / "dam/export/points_000001.bgeo").read_bytes())
        self.assertEqual(left, 2)  # the end mark
        numpy.testing.assert_array_equal(values["P"], numpy.hstack([self.points, numpy.ones((len(self.points), 1))]))
        numpy.testing.assert_array_equal(values["v"], self.columns["velocity"])
        numpy.testing.assert_array_equal(values["id"], self.columns["id"])
        self.assertTrue((values["pscale"] > 0.02).all() and (values["pscale"] < 0.08).all())

    def test_vdb_or_the_package_that_is_missing(self):
        done = subprocess.run([PROGRAM, "export", "dam", "--to", "vdb", "--frames", "1"], cwd=self.folder,
                              capture_output=True, text=True, timeout=LONG)
        if done.returncode == 0:  # src/export/vdb_test.cpp reads it back
            self.assertEqual((self.folder / "dam/export/points_000001.vdb").read_bytes()[:4], b" BDV")
        else:
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assert_complains(done, "libopenvdb-dev")

    def test_bodies_and_columns(self):
        self.loam("run", self.scene(MIXER), "-o", "mixer", "--frames", 1)
        _, columns = self.frame(1, "mixer")
        done = self.loam("export", "mixer", "--to", "vtp", "--frames", 1, "--bodies", "oil", "--columns", "velocity",
                         "-o", "oil", "--json")
        told = self.events(done)
        self.assertEqual([e["event"] for e in told], ["start", "file", "end"])
        data = self.by_vtk(vtk.vtkXMLPolyDataReader(), str(self.folder / "oil/points_000001.vtp"))
        bodies = set(vtk_to_numpy(data.GetPointData().GetArray("body")))
        self.assertEqual(len(bodies), 1)
        self.assertEqual(data.GetNumberOfPoints(), (columns["body"] == bodies.pop()).sum())
        self.assertEqual(told[1]["points"], data.GetNumberOfPoints())
        self.assertIsNone(data.GetPointData().GetArray("pressure"))


class Surfaces(ExportTest):
    def test_meshes(self):
        self.run_dam(surface=True)
        for kind, reader in (("ply", vtk.vtkPLYReader()), ("obj", vtk.vtkOBJReader()),
                             ("vtp", vtk.vtkXMLPolyDataReader())):
            with self.subTest(format=kind):
                self.loam("export", "dam", "--to", kind, "--surface")
                self.assert_same_mesh(self.by_vtk(reader, self.exported(f"surface_000001.{kind}")))
        self.assertEqual(reader.GetOutput().GetPointData().GetArray("velocity").GetNumberOfComponents(), 3)


    def test_one_mesh_per_body(self):
        self.loam("run", self.scene(MIXER), "-o", "mixer", "--frames", 1)
        self.assert_complains(self.loam("export", "mixer", "--to", "ply", "--surface", "--bodies", "each", code=4),
                              "no surface of a body", "--bodies each")
        self.loam("surface", "mixer", "--bodies", "each", "--frames", 1)
        self.loam("export", "mixer", "--to", "vtp", "--surface", "--bodies", "each", "--frames", 1)
        self.loam("export", "mixer", "--to", "obj", "--surface", "--bodies", "oil", "--frames", 1)
        self.assertEqual(sorted(path.name for path in (self.folder / "mixer/export").iterdir()),
                         ["surface.pvd", "surface_oil_000001.obj", "surface_oil_000001.vtp", "surface_water_000001.vtp"])
        oil = self.by_vtk(vtk.vtkXMLPolyDataReader(), str(self.folder / "mixer/export/surface_oil_000001.vtp"))
        self.assertGreater(oil.GetNumberOfPoints(), 100)
        self.assertEqual(len(set(vtk_to_numpy(oil.GetPointData().GetArray("body")))), 1)


@unittest.skipUnless(shutil.which("povray"), "povray is not installed: its scenes are not rendered")
class PovRay(ExportTest):
    def render(self, name):
        """The picture that POV-Ray makes of it, as rows of RGB."""
        picture = self.folder / "picture.ppm"
        done = subprocess.run(["povray", "+W160", "+H120", "-D", "+FP8", f"+O{picture}", f"+I{self.exported(name)}"],
                              capture_output=True, text=True, timeout=LONG)
        self.assertEqual(done.returncode, 0, done.stderr)
        data = picture.read_bytes()
        self.assertTrue(data.startswith(b"P6"), data[:20])
        return numpy.frombuffer(data[-160 * 120 * 3:], numpy.uint8).reshape(120, 160, 3).astype(int)

    def test_particles_and_water(self):
        self.run_dam(surface=True)
        self.loam("export", "dam", "--to", "pov", "--frames", 1)
        self.loam("export", "dam", "--to", "pov", "--frames", 1, "--surface")
        spheres = self.render("points_000001.pov")
        blue = (spheres[:, :, 2] > 1.5 * spheres[:, :, 0]) & (numpy.arange(120)[:, None] > 30)  # below: not the sky
        self.assertGreater(blue.mean(), 0.02)
        self.assertLess(blue.mean(), 0.9)
        self.assertLess(max(blue[:, 0].mean(), blue[:, -1].mean()), 0.05)  # framed
        water = self.render("surface_000001.pov")
        self.assertGreater(numpy.abs(water - spheres).mean(), 0.5)
        self.assertGreater(water[40:80, 50:110].std(), 5)


class Wrong(ExportTest):
    def setUp(self):
        super().setUp()
        self.run_dam()

    def test_command_line(self):
        for arguments, words in ((("--to", "vtpp"), ('"vtpp"', 'did you mean "vtp"?')),
                                 (("--to", "step"), ("ply", "bgeo")),
                                 (("--to", "bgeo", "--surface"), ("points only",)),
                                 (("--to", "ply", "--surface", "--points"), ("--surface",)),
                                 (("--to", "ply", "--frames", "2-1"), ("--frames",)),
                                 (("--to", "ply", "--frames", "x"), ("A-B",)),
                                 (("--to", "ply", "--bodies", "watr"), ('"water"',)),
                                 (("--to", "ply", "--columns", "presure"), ('"pressure"',)),
                                 ((), ("--to",))):
            with self.subTest(arguments=arguments):
                self.assert_complains(self.loam("export", "dam", *arguments, code=2), *words)
                self.assertEqual(list((self.folder / "dam").glob("export/*")), [])

    def test_missing_things(self):
        self.assert_complains(self.loam("export", "nowhere", "--to", "ply", code=4), "there is no run of Loam here")
        self.assert_complains(self.loam("export", "dam", "--to", "ply", "--frames", "1-7", code=4),
                              "frame 3 is not there", "0 to 2")
        self.assert_complains(self.loam("export", "dam", "--to", "obj", "--surface", code=4), "has no surface",
                              "loam surface dam")

    def test_damaged_frame_keeps_finished_files(self):
        path = self.folder / "dam/frames/000001.vtkhdf"
        path.write_bytes(path.read_bytes()[:-100])
        done = self.loam("export", "dam", "--to", "ply", "--json", code=4)
        self.assert_complains(done, "000001.vtkhdf")
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["event"], "error")
        self.assertEqual([p.name for p in (self.folder / "dam/export").iterdir()], ["points_000000.ply"])

    def test_no_space_leaves_what_was_there(self):
        self.loam("export", "dam", "--to", "ply", "--frames", 0)
        file = self.folder / "dam/export/points_000000.ply"
        before = file.read_bytes()
        done = self.loam("export", "dam", "--to", "ply", code=4, largest_file=len(before) // 2)
        self.assert_complains(done, "points_000000.ply")
        self.assertEqual([p.name for p in file.parent.iterdir()], [file.name])
        self.assertEqual(file.read_bytes(), before)


if __name__ == "__main__":
    main()
