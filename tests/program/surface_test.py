"""loam surface: meshes of a run, closed and readable by others, and what is told when something is wrong."""
import json

import vtk

from support import DAM, MIXER, ProgramTest, main

DROP_2D = {
    "dimensions": 2, "duration": 0.1, "fps": 20, "particle_radius": 0.01, "behaviors": {"gravity": {}},
    "bodies": {
        "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0]}}, "behaviors": {"fluid": {}}},
        "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 0]}, "invert": True}, "boundary": {}},
    },
}
METHODS = ("active", "anisotropic", "color-field", "solenthaler", "surface-value", "zhu-bridson")


class SurfaceTest(ProgramTest):
    def run_dam(self, frames=6, name="dam", quality="preview"):
        self.loam("run", self.scene(DAM), "-o", name, "--frames", frames, "--quality", quality)
        return name

    def surfaces(self, folder):
        return sorted(path.name for path in (self.folder / folder).glob("*.ply"))

    def surface_events(self, *arguments):
        return [e for e in self.events(self.loam("surface", *arguments, "--json")) if e["event"] == "surface"]

    def read(self, path):
        """Vertices' properties and triangles of a binary PLY, by its header alone."""
        data = (self.folder / path).read_bytes()
        head, body = data.split(b"end_header\n", 1)
        counts, properties = {}, []
        for line in head.decode().splitlines():
            words = line.split()
            if words[0] == "element":
                counts[words[1]] = int(words[2])
            elif words[0] == "property" and words[1] in ("float", "uint"):
                properties.append(words[2])
        self.assertEqual(len(body), counts["vertex"] * 4 * len(properties) + counts["face"] * 13)
        return properties, counts

    def assert_closed(self, path):
        """VTK reads it, and finds neither rims nor edges with more than two triangles."""
        reader = vtk.vtkPLYReader()
        reader.SetFileName(str(self.folder / path))
        edges = vtk.vtkFeatureEdges()
        edges.SetInputConnection(reader.GetOutputPort())
        edges.FeatureEdgesOff()
        edges.ManifoldEdgesOff()
        edges.BoundaryEdgesOn()
        edges.NonManifoldEdgesOn()
        edges.Update()
        self.assertGreater(reader.GetOutput().GetNumberOfCells(), 100)
        self.assertEqual(edges.GetOutput().GetNumberOfCells(), 0)
        mass = vtk.vtkMassProperties()
        mass.SetInputConnection(reader.GetOutputPort())
        mass.Update()
        return mass.GetVolume(), mass.GetSurfaceArea()


class Surface(SurfaceTest):
    def test_every_frame_gets_a_closed_mesh(self):
        run = self.run_dam()
        done = self.loam("surface", run)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)  # quiet: not a terminal
        self.assertEqual(self.surfaces(f"{run}/surfaces"), [f"{k:06}.ply" for k in range(7)])
        properties, _ = self.read(f"{run}/surfaces/000003.ply")
        self.assertEqual(properties, ["x", "y", "z", "nx", "ny", "nz", "body", "velocity_x", "velocity_y", "velocity_z"])
        for k in (0, 6):
            self.assert_closed(f"{run}/surfaces/{k:06}.ply")

    def test_methods_keep_the_volume(self):
        run = self.run_dam(quality="final")
        for method in METHODS:
            with self.subTest(method=method):
                told = self.surface_events(run, "--method", method, "--frames", "4-6", "-o", method)
                self.assertEqual([e["frame"] for e in told], [4, 5, 6])
                for event in told:
                    # Edges are round: the dam is only 10 x 12 x 7 particles.
                    self.assertAlmostEqual(event["volume"] / event["particle_volume"], 1, delta=0.1)
                volume, area = self.assert_closed(f"{method}/000006.ply")
                self.assertAlmostEqual(volume / told[-1]["volume"], 1, delta=1e-3)
                self.assertAlmostEqual(area / told[-1]["area"], 1, delta=1e-3)

    def test_same_bytes_for_any_number_of_threads(self):
        run = self.run_dam()
        for threads in (1, 2, 3):
            self.loam("surface", run, "--threads", threads, "-o", f"t{threads}", "--method", "active")
        for name in self.surfaces("t1"):
            one = (self.folder / "t1" / name).read_bytes()
            for threads in (2, 3):
                self.assertTrue(one == (self.folder / f"t{threads}" / name).read_bytes(), name)

    def test_options(self):
        run = self.run_dam(2)
        coarse = self.surface_events(run, "--frames", "1")
        fine = self.surface_events(run, "--frames", "1-1", "--cell", "0.015")
        even = self.surface_events(run, "--frames", "1-", "--smooth", "5")
        self.assertGreater(fine[0]["triangles"], 3 * coarse[0]["triangles"])
        self.assertEqual(len(even), 2)
        self.assertAlmostEqual(even[0]["volume"], coarse[0]["volume"], delta=1e-3 * coarse[0]["volume"])
        wide = self.surface_events(run, "--frames", "1", "--method", "zhu-bridson", "--set", "radius=0.8")
        self.assertGreater(wide[0]["volume"], 1.1 * coarse[0]["volume"])
        self.surface_events(run, "--frames", "-0", "--columns", "pressure,velocity")
        self.assertIn("pressure", self.read(f"{run}/surfaces/000000.ply")[0])

    def test_bodies_together_and_apart(self):
        self.loam("run", self.scene(MIXER), "-o", "mixer", "--frames", 2)
        self.loam("surface", "mixer", "--bodies", "each")
        self.assertEqual(sorted(p.name for p in (self.folder / "mixer/surfaces").iterdir()), ["oil", "water"])
        self.assertEqual(len(self.surfaces("mixer/surfaces/oil")), 3)
        oil = self.surface_events("mixer", "--bodies", "oil", "--frames", "2", "-o", "oil")[0]
        both = self.surface_events("mixer", "--frames", "2", "-o", "both")[0]
        self.assertGreater(both["particles"], oil["particles"])
        self.assert_closed("both/000002.ply")

    def test_2d_scenes_are_slabs(self):
        self.loam("run", self.scene(DROP_2D), "-o", "flat")
        for method in METHODS:
            told = self.surface_events("flat", "--method", method, "-o", method)
            self.assertAlmostEqual(told[0]["volume"], 0.4 * 0.4 * 0.02, delta=0.07 * 0.4 * 0.4 * 0.02, msg=method)
            self.assert_closed(f"{method}/000002.ply")

    def test_progress_fits_the_terminal(self):
        run = self.run_dam(3)
        shown = self.on_a_terminal(40, "surface", run)
        bars = [part for part in shown.split("\r\x1b[K") if part and "\n" not in part]
        self.assertTrue(bars, shown)
        self.assertLess(max(map(len, bars)), 38)


class Wrong(SurfaceTest):
    def setUp(self):
        super().setUp()
        self.run_dam(2)

    def test_command_line(self):
        for arguments, words in ((("--method", "anisotopic"), ('"anisotropic"',)),
                                 (("--cell", "0"), ("--cell", "more than 0")),
                                 (("--cell", "-1"), ("--cell",)),
                                 (("--cell", "1e-9"), ("--cell", "m")),
                                 (("--cell", "1e-5"), ("GB of memory", "try cells of")),
                                 (("--frames", "x"), ("--frames", "A-B")),
                                 (("--frames", "2-1"), ("--frames",)),
                                 (("--set", "levle=0.4"), ('"level"',)),
                                 (("--set", "level=7"), ("out of range",)),
                                 (("--bodies", "watr"), ('"water"',)),
                                 (("--columns", "presure"), ('"pressure"',))):
            with self.subTest(arguments=arguments):
                self.assert_complains(self.loam("surface", "dam", *arguments, code=2), *words)
                self.assertEqual(list((self.folder / "dam").glob("surfaces/*.ply")), [])

    def test_no_run_and_no_frames(self):
        self.assert_complains(self.loam("surface", "nowhere", code=4), "there is no run of Loam here")
        self.assert_complains(self.loam("surface", "dam", "--frames", "1-7", code=4), "frame 3 is not there", "0 to 2")
        (self.folder / "dam/frames/000001.vtkhdf").unlink()
        self.assert_complains(self.loam("surface", "dam", code=4), "frame 1 is not there")

    def test_damaged_frame_keeps_finished_surfaces(self):
        path = self.folder / "dam/frames/000001.vtkhdf"
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        done = self.loam("surface", "dam", "--json", code=4)
        self.assert_complains(done, "000001.vtkhdf")
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["event"], "error")
        self.assertEqual(self.surfaces("dam/surfaces"), ["000000.ply"])

    def test_no_space_keeps_finished_surfaces(self):
        self.loam("surface", "dam", "--frames", "0")
        before = (self.folder / "dam/surfaces/000000.ply").read_bytes()
        done = self.loam("surface", "dam", "--cell", "0.01", code=4, largest_file=len(before) // 2)
        self.assert_complains(done, "000000.ply")
        self.assertEqual((self.folder / "dam/surfaces/000000.ply").read_bytes(), before)
        self.assertEqual([p.name for p in (self.folder / "dam/surfaces").iterdir()], ["000000.ply"])


if __name__ == "__main__":
    main()
