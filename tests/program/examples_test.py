"""Every scene in examples/: it is well formed, gives the same bytes whatever the threads, lanes and interruptions, and
nothing gets into its walls. All at a resolution far below its own, to be quick."""
import functools
import json
import pathlib
import re
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from support import ProgramTest, main

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples"
SCENES = sorted(FOLDER.glob("*.json"))
COARSER = 4    # times its own radius: 1/64 of the particles in 3D
# Particles must fit blades, stone, taps, vent.
LESS_COARSE = {"mixer": 2, "fountain": 2, "adhesion": 2, "lava": 2, "beads": 2, "dye": 2, "tea": 2, "candle": 3, "chocolate": 3,
               "lava-crust": 2, "sand-castle": 2, "sand-cohesion": 2, "hourglass": 3, "bulldozer": 3, "craters": 3, "pour-on-cloth": 2,
                "explosion": 2, "soaked-ball": 2, "honey-water": 2, "honey-coil": 2, "glass-of-water": 2, "funnel": 3, "jet-on-sand": 3,
                "sand-on-figure": 2, "soap": 3, "filter": 2}
FRAMES = 3     # in each of the runs that are compared
LONG_RUN = 40  # frames in which things have fallen, hit and run along walls
MOST_PARTICLES = 8000
# How deep a particle may be in a wall, in radii: rounding, and what distances to curved terrain are not exact by.
SKIN = 0.001


class Examples(ProgramTest):
    def check(self, scene, *arguments):
        return json.loads(self.loam("check", scene, "--json", *arguments).stdout)

    def coarse(self, scene):
        """The radius, and the setting that makes it so."""
        own = re.search(r'"particle_radius": *([0-9.e-]+)', scene.read_text())  # no JSON parser: scenes have comments
        radius = LESS_COARSE.get(scene.stem, COARSER) * float(own[1])
        return radius, ["--set", f"particle_radius={radius}"]

    def is_well_formed(self, scene):
        final, preview = self.check(scene), self.check(scene, "--quality", "preview")
        self.assertTrue(final["title"])
        self.assertLess(preview["particles"] + preview["wall_particles"], final["particles"] + final["wall_particles"])

    def follows_the_schema(self, scene):
        self.loam("run", scene, "-o", "run", "--frames", 0, *self.coarse(scene)[1])
        kept = json.loads((self.folder / "run/scene.json").read_text())  # without comments
        schema = jsonschema.Draft202012Validator(json.loads(self.loam("schema").stdout))
        self.assertEqual([f"{error.json_path}: {error.message}" for error in schema.iter_errors(kept)], [])

    def gives_the_same_bytes(self, scene):
        _, coarse = self.coarse(scene)
        self.assertLess(self.check(scene, *coarse)["particles"], MOST_PARTICLES)
        for threads in (1, 2, 3, 8):
            self.loam("run", scene, "-o", f"threads-{threads}", "--frames", FRAMES, "--threads", threads, *coarse)
        for threads in (2, 3, 8):
            self.assert_same_run("threads-1", f"threads-{threads}")
        lanes = ["--simd", "avx2"] if self.log("threads-1")[0]["simd"] == "avx512" else []
        process = self.start("run", scene, "-o", "killed", "--frames", FRAMES, "--checkpoint", 0, *lanes, *coarse)
        self.wait_for(process, "frame", 1)
        process.kill()
        process.wait()
        self.loam("resume", "killed", "--frames", FRAMES, "--threads", 3)
        self.assert_same_run("threads-1", "killed")

    def stays_out_of_walls(self, scene):
        radius, coarse = self.coarse(scene)
        self.loam("run", scene, "-o", "long", "--frames", LONG_RUN, *coarse)
        log = self.log("long")
        self.assertEqual(len(log), LONG_RUN + 1)
        self.assertGreater(max(line["particles"] for line in log), 100)
        deepest = max(log, key=lambda line: line["deepest_in_walls"])
        self.assertLessEqual(deepest["deepest_in_walls"], SKIN * radius, f"in frame {deepest['frame']}")


def add_tests():
    for scene in SCENES:
        for what in ("is_well_formed", *(["follows_the_schema"] if jsonschema else []), "gives_the_same_bytes", "stays_out_of_walls"):
            test = functools.partialmethod(getattr(Examples, what), scene)
            setattr(Examples, f"test_{scene.stem.replace('-', '_')}_{what}", test)


add_tests()


class Folder(unittest.TestCase):
    def test_the_page_shows_every_scene(self):
        page = (FOLDER / "README.md").read_text()
        self.assertGreater(len(SCENES), 0)
        for scene in SCENES:
            self.assertIn(f"examples/{scene.name}", page)
            self.assertIn(f"pictures/{scene.stem}.", page)


if __name__ == "__main__":
    main()
