"""The add-on in blender/, in a headless Blender, and files of `loam export` in Blender's own importers."""
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

import h5py
import numpy

from support import DAM, LONG, MIXER, PROGRAM, ProgramTest, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
INSIDE = ROOT / "tests/program/blender/inside.py"


def module(name):
    """A module of the add-on that needs no Blender."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"blender/loam_cache/{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


class BlenderTest(ProgramTest):
    def run_scene(self, scene=DAM, name="dam", frames=3, surface=False):
        self.loam("run", self.scene(scene), "-o", name, "--frames", frames)
        if surface:
            self.loam("surface", name)
        return self.folder / name

    def inside(self, task, *arguments):
        """Does a task of inside.py in Blender; returns what it told and the folder of what it left."""
        output = self.folder / task
        output.mkdir()
        done = subprocess.run(["blender", "-b", "--factory-startup", "--python-exit-code", "9", "--python", INSIDE, "--",
                               task, output, *arguments], capture_output=True, text=True, timeout=4 * LONG)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stdout + done.stderr)
        return json.loads((output / "told.json").read_text()), output

    def frame(self, run, number):
        """Positions and columns, by h5py."""
        with h5py.File(run / f"frames/{number:06}.vtkhdf") as file:
            data = file["VTKHDF/PointData"]
            return file["VTKHDF/Points"][:], {name: data[name][:] for name in data}

    def assert_same(self, found, points, columns):
        numpy.testing.assert_array_equal(found["position"], points)
        for name, values in columns.items():
            numpy.testing.assert_array_equal(found[name], values, err_msg=name)


class Reader(ProgramTest):
    """The add-on's own reader of frames against h5py; needs no Blender."""

    def test_reads_what_h5py_reads(self):
        self.loam("run", self.scene(MIXER), "-o", "mixer", "--frames", 2)
        path = self.folder / "mixer/frames/000002.vtkhdf"
        ours = module("hdf5").File(path)
        with h5py.File(path) as theirs:
            names = []
            theirs.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
            self.assertGreater(len(names), 10)
            for name in names:
                if name == "Loam/bodies":
                    self.assertEqual(ours[name], list(theirs[name].asstr()[:]))
                else:
                    numpy.testing.assert_array_equal(ours[name], theirs[name][:], err_msg=name)
            self.assertEqual(ours.names("VTKHDF/PointData"), sorted(theirs["VTKHDF/PointData"]))
            for name, value in theirs["Loam"].attrs.items():
                self.assertEqual(ours.attributes("Loam")[name], value.decode() if isinstance(value, bytes) else value)
        self.assertNotIn("VTKHDF/nothing", ours)

    def test_reads_many_chunks_and_deep_trees(self):
        path, hdf5 = self.folder / "many.h5", module("hdf5")
        values = numpy.arange(100_000, dtype="u4").reshape(-1, 2) * 7
        with h5py.File(path, "w", libver="earliest") as file:
            file.create_dataset("deep/down/values", data=values, chunks=(37, 2), shuffle=True, compression=1)
            file["empty"] = numpy.zeros((0, 3), "f4")
            for k in range(100):
                file[f"group/item{k}"] = k
        ours = hdf5.File(path)
        numpy.testing.assert_array_equal(ours["deep/down/values"], values)
        self.assertEqual(ours["empty"].shape, (0, 3))
        self.assertEqual(len(ours.names("group")), 100)
        self.assertEqual(ours["group/item42"], 42)

    def test_damage_is_an_error_of_its_own(self):
        self.loam("run", self.scene(DAM), "-o", "dam", "--frames", 0)
        hdf5, whole = module("hdf5"), (self.folder / "dam/frames/000000.vtkhdf").read_bytes()
        path, random = self.folder / "damaged.vtkhdf", numpy.random.default_rng(1)
        failures = 0
        for trial in range(300):
            data = bytearray(whole)
            if trial % 3 == 0:
                data = data[:random.integers(len(data))]
            else:
                for place in random.integers(0, min(len(data), 6000), 20):
                    data[place] = random.integers(256)
            path.write_bytes(data)
            try:
                file = hdf5.File(path)
                file["VTKHDF/Points"], file["VTKHDF/PointData/id"], file.attributes("Loam"), file["Loam/bodies"]
            except hdf5.Hdf5Error:
                failures += 1
        self.assertGreater(failures, 100)


@unittest.skipUnless(shutil.which("blender"), "blender is not installed: the add-on is not tested in it")
class AddOn(BlenderTest):
    def test_every_frame_is_what_was_simulated(self):
        run = self.run_scene(surface=True)
        told, output = self.inside("frames", run)
        self.assertEqual(told["range"], [1, 4])
        self.assertEqual(told["fps"], DAM["fps"])
        self.assertEqual(told["trouble"], ["", ""])
        numpy.testing.assert_allclose(told["top"], [0, 0, 1], atol=1e-6)  # y up becomes z up
        self.assertTrue(told["timer"])
        for number in range(4):
            points, columns = self.frame(run, number)
            found = numpy.load(output / f"points_{number}.npz")
            self.assert_same(found, points, columns)
            numpy.testing.assert_allclose(found["radius"], DAM["particle_radius"], rtol=0.01)  # cells fill the box
            numpy.testing.assert_allclose(found["speed"], numpy.linalg.norm(columns["velocity"], axis=1), rtol=1e-5)
            self.assertEqual(told["evaluated"][number], len(points))
            surface = numpy.load(output / f"surface_{number}.npz")
            text = (run / f"surfaces/{number:06}.ply").read_bytes().split(b"end_header\n", 1)[0].decode()
            self.assertIn(f"element vertex {len(surface['position'])}\n", text)
            self.assertIn(f"element face {len(surface['triangles'])}\n", text)
            near = points.min(axis=0) - 0.1, points.max(axis=0) + 0.1
            self.assertTrue((surface["position"] > near[0]).all() and (surface["position"] < near[1]).all())
            self.assertEqual(surface["velocity"].shape, surface["position"].shape)
            self.assertLess(surface["triangles"].max(), len(surface["position"]))
        self.assertEqual(told["beyond"], 3)
        self.assertEqual(told["offset"], 1)
        scaled, (_, columns) = numpy.load(output / "scaled.npz"), self.frame(run, 1)
        numpy.testing.assert_allclose(scaled["radius"], 2 * found["radius"], rtol=1e-6)
        self.assertGreater(told["switched"][0], 100)
        self.assertEqual(told["switched"][1], 0)

    def test_a_volume_may_be_active(self):
        told, _ = self.inside("beside_a_volume", self.run_scene(frames=0, surface=True))
        self.assertEqual(told["kinds"], ["", ""])
        self.assertEqual([told["POINTS"], told["SURFACE"]], 2 * ["BSDF_PRINCIPLED"])

    def test_a_scene_of_blender_goes_to_loam_and_back(self):
        told, output = self.inside("round_trip", PROGRAM)
        self.assertIn("Nothing is to be simulated", told["nothing"])
        self.assertIn("water: what is added to its behaviors is not JSON", told["json"])
        self.assertIn("There is no program /nowhere/loam", told["program"])
        self.assertEqual(told["trouble"], "")
        scene = told["scene"]
        self.assertEqual(list(scene["bodies"]), ["water", "the-floor", "pusher-001"])
        self.assertEqual(scene["behaviors"]["gravity"]["acceleration"], [0, -9.81, 0])
        self.assertEqual((scene["duration"], scene["fps"], scene["particle_radius"]), (0.2, 25, 0.04))
        self.assertEqual(scene["bodies"]["water"]["behaviors"]["viscosity"], {"model": "implicit", "viscosity": 0.5})
        self.assertEqual(scene["bodies"]["water"]["behaviors"]["surface_tension"], {"tension": 0.1})
        self.assertEqual(scene["bodies"]["pusher-001"]["shape"]["animation"]["file"], "pusher-001_#####.obj")
        self.assertEqual(scene["bodies"]["the-floor"]["boundary"], {"slip": "free"})
        numpy.testing.assert_allclose(scene["light"]["sun"], [0, 1, 0], atol=1e-5)  # from above
        self.assertIn("camera", scene)
        self.assertEqual(len([name for name in told["files"] if name.startswith("pusher-001_")]), 6)
        self.assertEqual((told["frames"], told["shown"], told["frame"]), ([0, 5], 5, 5))
        self.assertTrue(told["hidden"])
        self.assertGreater(told["count"], 300)
        self.assertGreater(told["low"][2], -0.02)  # above the floor: z is up again
        self.assertGreater(told["low"][0], -0.52)  # before the pusher, which ends at -0.5
        self.assertLess(told["high"][2], 0.9)

    def test_bodies(self):
        run = self.run_scene(MIXER, "mixer", frames=1)
        told, output = self.inside("bodies", run)
        points, columns = self.frame(run, 1)
        with h5py.File(run / "frames/000001.vtkhdf") as file:
            oil = list(file["Loam/bodies"].asstr()[:]).index("oil")
        chosen = columns["body"] == oil
        self.assertTrue(0 < chosen.sum() < len(points))
        self.assert_same(numpy.load(output / "oil.npz"), points[chosen],
                         {name: values[chosen] for name, values in columns.items()})
        self.assertIn("oil", told["names"])
        for message in (told["trouble"], told["refused"]):
            self.assertIn('there is no body "oli"', message)
            self.assertIn('"oil"', message)

    def test_follows_a_simulation_that_goes_on(self):
        run = self.run_scene()
        told, output = self.inside("following", run)
        self.assertEqual(told["before"], [1, 2])
        self.assertEqual(told["nothing"], 0)
        self.assertEqual(told["grown"], 1)
        self.assertEqual(told["after"], [2, 3])
        self.assert_same(numpy.load(output / "new.npz"), *self.frame(run, 2))
        self.assertIn("000003.vtkhdf: it is damaged", told["damaged"])
        self.assertIn("loam resume", told["damaged"])
        self.assertEqual(told["mended"], ["", 1])
        self.assertEqual(told["reopened"], [0, len(self.frame(run, 0)[0])])
        self.assertFalse(told["timer"])
        self.assertFalse(told["property"])

    def test_wrong_folders(self):
        run = self.run_scene(frames=0)
        damaged = self.folder / "damaged"
        shutil.copytree(run, damaged)
        (damaged / "frames/000000.vtkhdf").write_bytes(b"rubbish")
        bare = self.folder / "bare"
        shutil.copytree(run, bare)
        (bare / "frames/000000.vtkhdf").unlink()
        (self.folder / "else").mkdir()
        told, _ = self.inside("wrong", self.folder / "nowhere", self.folder / "else", damaged, bare)
        for message, words in zip(told["messages"], ("there is no such folder", "no run of Loam here",
                                                     "000000.vtkhdf: it is damaged", "there is no frame yet")):
            self.assertIn(words, message)
        self.assertIn("loam surface", told["surface"])
        self.assertEqual(told["objects"], [])  # nothing is left of what failed


@unittest.skipUnless(shutil.which("blender"), "blender is not installed: nothing is rendered in it")
class Pictures(BlenderTest):
    def difference(self, output, one, two):
        return numpy.abs(numpy.load(output / f"{one}.npy") - numpy.load(output / f"{two}.npy")).max(axis=2)

    def assert_shows_something(self, output, name):
        covered = self.difference(output, name, "empty") > 0.02
        self.assertGreater(covered.mean(), 0.03, name)
        self.assertLess(covered.mean(), 0.6, name)
        self.assertLess(covered[0].mean() + covered[:, 0].mean() + covered[:, -1].mean(), 0.1, name)  # it is framed

    def test_cycles_renders_particles_and_water_with_motion_blur(self):
        run = self.run_scene(frames=8, surface=True)
        told, output = self.inside("pictures", run)
        self.assertEqual(told["materials"], ["plain"])  # what the user has chosen stays over frames
        self.assert_shows_something(output, "water")
        for kind in ("points", "surface"):
            for name in (kind, f"{kind}_blurred"):
                self.assert_shows_something(output, name)
            moved = self.difference(output, kind, f"{kind}_blurred").mean()
            still = self.difference(output, kind, f"{kind}_still").mean()
            self.assertGreater(moved, 3 * still, kind)

    def test_exported_files_are_rendered(self):
        run = self.run_scene(frames=8, surface=True)
        formats = ["ply", "obj"]
        for kind in formats:
            self.loam("export", run, "--to", kind, "--surface", "--frames", 8)
        vdb = run / "export/surface_000008.vdb"
        done = subprocess.run([PROGRAM, "export", run, "--to", "vdb", "--surface", "--frames", "8"],
                              capture_output=True, text=True, timeout=LONG)
        told, output = self.inside("imports", *(run / f"export/surface_000008.{kind}" for kind in formats),
                                   vdb if done.returncode == 0 else "")
        mesh = (run / "surfaces/000008.ply").read_bytes().split(b"end_header\n", 1)[0].decode()
        for kind in formats:
            self.assertIn(f"element vertex {told[kind][0]}\n", mesh)
            self.assertIn(f"element face {told[kind][1]}\n", mesh)
            self.assert_shows_something(output, kind)
        if done.returncode == 0:
            self.assertEqual(told["vdb"], [["surface", "FLOAT"]])
            self.assert_shows_something(output, "vdb")
        else:
            self.assertIn("libopenvdb-dev", done.stderr)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
