"""Volumes of particles: in frames, in what `loam info` and the log tell, and in what other programs get."""
import importlib
import json
import pathlib
import sys
import types

import h5py
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from support import ProgramTest, main

ADD_ON = pathlib.Path(__file__).resolve().parents[2] / "blender/loam_cache"

# Water that a ball leads, which takes up no volume itself; and a sheet, whose rim has less of it.
POOL = {
    "duration": 0.1, "fps": 40, "particle_radius": 0.025,
    "bodies": {
        "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.3, 0.2, 0.3]}},
                  "behaviors": {"fluid": {"density": 800}, "control": {"by": "leader"}}},
        "leader": {"shape": {"box": {"min": [0.1, 0.3, 0.1], "max": [0.2, 0.4, 0.2]}}, "behaviors": {"rigid": {}}},
        "cloth": {"shape": {"sheet": {"corner": [0, 0.5, 0], "u": [0.3, 0, 0], "v": [0, 0, 0.3]}},
                  "behaviors": {"cloth": {}}},
    },
}
FLAT = {
    "dimensions": 2, "duration": 0.1, "fps": 40, "particle_radius": 0.025,
    "bodies": {"water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.2, 0]}}, "behaviors": {"fluid": {}}}},
}


def reader_of_the_add_on():
    """Its module for the folder of a run, without the rest of the package, which needs Blender."""
    package = sys.modules["loam_cache"] = types.ModuleType("loam_cache")
    package.__path__ = [str(ADD_ON)]
    return importlib.import_module("loam_cache.cache")


class Volume(ProgramTest):
    def run_pool(self):
        self.loam("run", self.scene(POOL), "-o", "pool", "--frames", 1)
        with h5py.File(self.folder / "pool/frames/000001.vtkhdf") as file:
            data, self.bodies = file["VTKHDF/PointData"], list(file["Loam/bodies"].asstr()[:])
            self.assertEqual(data["volume"].attrs["unit"], b"m^3")
            self.full = file["Loam"].attrs["particle_volume"]
            return {name: data[name][:] for name in data}

    def of(self, body, columns, name):
        return columns[name][columns["body"] == self.bodies.index(body)]

    def radii(self, columns):
        """As they should be: of a full particle 0.025, of others by the third root of the volume; leaders in full."""
        size = numpy.cbrt(columns["volume"] / self.full)
        size[(columns["body"] == self.bodies.index("leader"))] = 1
        return 0.025 * size

    def test_frames_have_it(self):
        columns = self.run_pool()
        self.assertAlmostEqual(self.full / 0.05**3, 1, delta=0.05)
        numpy.testing.assert_allclose(self.of("water", columns, "volume"), self.full, rtol=1e-6)
        self.assertTrue((self.of("leader", columns, "volume") == 0).all())
        self.assertTrue((self.of("leader", columns, "mass") > 0).all())
        cloth = self.of("cloth", columns, "volume") / self.full
        self.assertAlmostEqual(cloth.max(), 1, delta=0.01)
        self.assertAlmostEqual(cloth.min(), 0.25, delta=0.01)  # a corner

    def test_info_and_log_tell_it(self):
        self.run_pool()
        told = json.loads(self.loam("info", "pool", "--json").stdout)["last_frame"]
        volumes = {name: body["volume"] for name, body in told["bodies"].items()}
        self.assertAlmostEqual(volumes["water"], 0.3 * 0.2 * 0.3, delta=1e-6)
        self.assertAlmostEqual(volumes["water"], told["bodies"]["water"]["mass"] / 800, delta=1e-6)
        self.assertEqual(volumes["leader"], 0)
        self.assertAlmostEqual(volumes["cloth"], 0.3 * 0.3 * 0.05, delta=1e-5)  # one spacing thick
        self.assertAlmostEqual(told["total"]["volume"], sum(volumes.values()), delta=1e-9)
        line = self.log("pool")[-1]
        self.assertAlmostEqual(line["volume"], told["total"]["volume"], delta=1e-9)
        self.assertEqual(set(line["volume_by_body"]), {"water", "leader", "cloth"})
        self.assertAlmostEqual(line["volume_by_body"]["water"], volumes["water"], delta=1e-9)
        self.assertRegex(self.loam("info", "pool").stdout, r"(?m)^water\n.*\n  volume +0\.018 m\^3$")

    def test_flat_scenes_have_areas(self):
        self.loam("run", self.scene(FLAT), "-o", "flat", "--frames", 0)
        self.assertRegex(self.loam("info", "flat").stdout, r"volume +0\.08 m\^2")

    def test_exports_have_it(self):
        columns = self.run_pool()
        self.loam("export", "pool", "--to", "vtp", "--frames", 1)
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(self.folder / "pool/export/points_000001.vtp"))
        reader.Update()
        arrays = reader.GetOutput().GetPointData()
        numpy.testing.assert_array_equal(vtk_to_numpy(arrays.GetArray("volume")), columns["volume"])
        numpy.testing.assert_allclose(vtk_to_numpy(arrays.GetArray("radius")), self.radii(columns), rtol=1e-5)

    def test_the_add_on_for_blender_uses_it(self):
        cache, columns = reader_of_the_add_on(), self.run_pool()
        frame = cache.Cache(str(self.folder / "pool")).read(cache.POINTS, 1)
        numpy.testing.assert_allclose(frame.radii, self.radii(columns), rtol=1e-5)
        water = columns["body"] == self.bodies.index("water")
        self.assertTrue((frame.radii[water] == numpy.float32(0.025)).all())

    def test_surfaces_are_as_large_as_the_volume(self):
        self.run_pool()
        done = self.loam("surface", "pool", "--frames", 1, "--bodies", "each", "--json")
        told = {e["body"]: e for e in self.events(done) if e["event"] == "surface"}
        self.assertAlmostEqual(told["water"]["particle_volume"], 0.3 * 0.2 * 0.3, delta=1e-6)
        self.assertAlmostEqual(told["cloth"]["particle_volume"], 0.3 * 0.3 * 0.05, delta=1e-5)
        self.assertGreater(told["leader"]["volume"], 0.5 * 0.1**3)  # shown, though it takes up none


if __name__ == "__main__":
    main()
