"""Shapes that move by animation files, from outside: walls, guides and pins; restarts; what is wrong with files."""
import json
import pathlib

import h5py

from support import ProgramTest, main

FIGURES = pathlib.Path(__file__).resolve().parents[2] / "examples/figures"
FACES = ("1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6")


def ramp(folder, name, places, size=(1, 1, 1)):
    """A box, one OBJ per frame, whose lower corner is at these places."""
    for number, (x, y, z) in enumerate(places):
        corners = [(x + size[0] * (k & 1), y + size[1] * (k >> 1 & 1), z + size[2] * (k >> 2)) for k in range(8)]
        lines = ["v {} {} {}".format(*corner) for corner in corners] + [f"f {face}" for face in FACES]
        (folder / f"{name}_{number:03}.obj").write_text("\n".join(lines) + "\n")


class Animation(ProgramTest):
    def points(self, run, frame, body):
        with h5py.File(self.folder / run / f"frames/{frame:06}.vtkhdf") as file:
            names = list(file["Loam/bodies"].asstr()[:])
            return file["VTKHDF/Points"][:][file["VTKHDF/PointData/body"][:] == names.index(body)]

    def scene_with_piston(self):
        ramp(self.folder, "piston", [(-1 + 0.1 * k, 0, 0) for k in range(6)], (1, 0.6, 0.4))  # 1 m/s
        return {
            "duration": 0.4, "fps": 25, "particle_radius": 0.03, "behaviors": {"gravity": {}},
            "bodies": {
                "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.6, 0.3, 0.4]}}, "behaviors": {"fluid": {}}},
                "piston": {"shape": {"animation": {"file": "piston_###.obj", "fps": 10, "loop": False}}, "boundary": {}},
                "tank": {"shape": {"box": {"min": [-1, 0, 0], "max": [1.4, 1, 0.4]}, "invert": True}, "boundary": {}}}}

    def test_a_piston_pushes_water(self):
        scene = self.scene(self.scene_with_piston())
        self.assertIn("moving wall", self.loam("check", scene).stdout)
        self.loam("run", scene, "-o", "run")
        for frame in (0, 5, 10):
            self.assertGreater(self.points("run", frame, "water")[:, 0].min(), 0.1 * frame / 2.5 - 0.005)
        # The bits do not hang on threads, nor on being stopped on the way.
        self.loam("run", scene, "-o", "again", "--threads", 1, "--frames", 4)
        self.loam("resume", "again", "--threads", 2)
        self.assert_same_run("run", "again")
        self.loam("render", "run", "-o", "picture.png", "--size", "64x36", "--samples", 1)

    def test_times_are_stretched_and_repeated(self):
        content = self.scene_with_piston()
        content["bodies"]["piston"]["shape"]["animation"].update(speed=2, begin=0.2)
        self.loam("run", self.scene(content), "-o", "run")
        self.assertLess(self.points("run", 4, "water")[:, 0].min(), 0.06)    # it stands
        self.assertGreater(self.points("run", 10, "water")[:, 0].min(), 0.38)  # 0.2 s at 2 m/s

    def test_cloth_follows_a_figure(self):
        ramp(self.folder, "hand", [(0, 1 + 0.05 * k, 0) for k in range(6)], (0.2, 0.1, 0.2))
        scene = {
            "duration": 0.4, "fps": 25, "particle_radius": 0.02, "behaviors": {"gravity": {}},
            "bodies": {
                "flag": {"shape": {"sheet": {"corner": [0, 1.2, 0], "u": [0.4, 0, 0], "v": [0, 0, 0.2]}}, "behaviors": {"cloth": {}},
                         "pins": {"edge": {"shape": {"box": {"min": [-1, 0, -1], "max": [0.05, 2, 1]}}, "follow": "hand"}}},
                "hand": {"shape": {"animation": {"file": "hand_###.obj", "fps": 10, "loop": False}}, "boundary": {"method": "none"}}}}
        self.loam("run", self.scene(scene), "-o", "run")
        self.assertAlmostEqual(self.points("run", 0, "flag")[:, 1].min(), 1.2, delta=1e-5)
        last = self.points("run", 10, "flag")
        held = last[last[:, 0] < 0.02]
        self.assertAlmostEqual(held[:, 1].max(), 1.4, delta=1e-3)  # 0.4 s at 0.5 m/s
        scene["bodies"]["flag"]["pins"]["edge"]["follow"] = "hnad"
        self.assert_complains(self.loam("check", self.scene(scene), code=3), "pins.edge.follow", "hnad", "hand")

    def test_a_figure_leads_water(self):
        scene = {
            "duration": 0.2, "fps": 25, "particle_radius": 0.02, "behaviors": {"gravity": {}},
            "bodies": {
                "water": {"shape": {"animation": {"file": str(FIGURES / "horse.glb")}},
                          "behaviors": {"fluid": {}, "control": {"by": "horse", "attraction": 150, "rate": 300}}},
                "horse": {"shape": {"animation": {"file": str(FIGURES / "horse.glb")}},
                          "boundary": {"method": "none", "motion": {"velocity": [2, 0, 0]}}}}}
        self.loam("run", self.scene(scene), "-o", "run")
        way = self.points("run", 5, "water").mean(axis=0) - self.points("run", 0, "water").mean(axis=0)
        self.assertAlmostEqual(way[0], 0.4, delta=0.08)
        self.assertLess(abs(way[1]), 0.08)  # it does not fall

    def test_wrong_files(self):
        def complains(shape, *words, code=3):
            scene = self.scene_with_piston()
            scene["bodies"]["piston"]["shape"] = shape
            self.assert_complains(self.loam("check", self.scene(scene), code=code), "bodies.piston.shape", *words)
        complains({"animation": {"file": "nothing_##.obj"}}, "no first frame", "#", code=4)
        complains({"animation": {"file": "scene.json"}}, "neither glTF nor a sequence", code=4)
        (self.folder / "bad.glb").write_bytes((FIGURES / "horse.glb").read_bytes()[:5000])
        complains({"animation": {"file": "bad.glb"}}, "bad.glb", "cut off", code=4)
        (self.folder / "bad.gltf").write_text(json.dumps({"asset": {"version": "2.0"}}))
        complains({"animation": {"file": "bad.gltf"}}, "no triangles", code=4)
        complains({"animation": {"file": "piston_###.obj"}, "invert": True}, "not changed further")
        complains({"union": [{"animation": {"file": "piston_###.obj"}}]}, "cannot be a part")


if __name__ == "__main__":
    main()
