"""Gauges: what a scene measures while it runs, in the log, by info and plot, and after a restart."""
import math
from xml.etree import ElementTree

from support import ProgramTest, main

GRAVITY = 9.81
SVG = "{http://www.w3.org/2000/svg}"


def box(lo, hi, **more):
    return {"box": {"min": lo, "max": hi}, **more}


def wall(lo, hi, **more):
    return {"shape": box(lo, hi, **more), "boundary": {}}


def mean(values):
    values = list(values)
    return sum(values) / len(values)


WATER = {"shape": box([0, 0, 0], [0.4, 0.36, 0.32]), "behaviors": {"fluid": {"density": 900}}}
TANK = {
    "duration": 1.5, "fps": 20, "particle_radius": 0.02, "behaviors": {"gravity": {}},
    "bodies": {"water": WATER, "tank": wall([0, 0, 0], [0.4, 0.8, 0.32], invert=True)},
    "gauges": {
        "weight": {"force": {"on": "tank"}},
        "depth": {"height": {"at": [0.2, 0, 0.16]}},
        "at_wall": {"height": {"at": [0, 0.1, 0.16]}},
        "dry": {"height": {"at": [5, 0, 0]}},
        "floor": {"pressure": {"at": [0.2, 0, 0.16], "radius": 0.1}},
        "side": {"pressure": {"at": [0, 0.16, 0.16], "normal": [1, 0, 0]}, "every": "step"},
        "above": {"pressure": {"at": [0.2, 0.7, 0.16]}},
    },
}
BALLS = {
    "duration": 0.2, "fps": 25, "particle_radius": 0.02, "behaviors": {"gravity": {}},
    "bodies": {
        "ball": {"shape": {"sphere": {"center": [0, 1, 0], "radius": 0.12}}, "behaviors": {"rigid": {"density": 700}},
                 "start": {"velocity": {"spin": [0, 0, 2]}}},
        "block": {"shape": box([0.4, 0.88, -0.1], [0.64, 1.12, 0.1]), "behaviors": {"rigid": {}}},
        "floor": wall([-2, -1, -2], [2, 0, 2]),
    },
    "gauges": {
        "pose": {"pose": {"body": "ball"}, "every": "step"},
        "apart": {"distance": {"from": "ball", "to": "block"}},
        "gap": {"distance": {"from": "block", "to": "ball", "between": "surfaces"}},
        "drop": {"distance": {"from": "block", "to": "floor", "between": "surfaces"}},
        "push": {"force": {"on": "ball"}},
    },
}


class Gauges(ProgramTest):
    def run_log(self, scene, *more, name="run"):
        self.loam("run", self.scene(scene), "-o", name, "--force", "--threads", 1, *more)
        return self.log(name)

    def late(self, log, gauge, part=None):
        """Its mean over the second half."""
        values = [line["gauges"][gauge] for line in log[len(log) // 2:]]
        return mean(values if part is None else (value[part] for value in values))

    def test_a_tank_at_rest(self):
        for solver in ("dfsph", "wcsph"):
            with self.subTest(solver=solver):
                log = self.run_log(TANK, "--set", f"solver.pressure={solver}")
                weight = log[-1]["mass"] * GRAVITY
                depth = 0.36
                self.assertLess(abs(self.late(log, "weight", 1) + weight), 0.01 * weight)
                self.assertLess(abs(self.late(log, "weight", 0)), 0.01 * weight)
                self.assertLess(abs(self.late(log, "depth") - depth), 0.015)
                self.assertLess(abs(self.late(log, "at_wall") - (depth - 0.1)), 0.015)
                self.assertIsNone(log[-1]["gauges"]["dry"])
                self.assertEqual(log[-1]["gauges"]["above"], 0)
                bottom = 900 * GRAVITY * depth
                self.assertLess(abs(self.late(log, "floor") - bottom), 0.03 * bottom)
                self.assertLess(abs(self.late(log, "side") - 900 * GRAVITY * (depth - 0.16)), 0.03 * bottom)

    def test_walls_share_the_weight_and_bear_their_thrust(self):
        sides = {"left": wall([-0.2, 0, -0.1], [0, 0.8, 0.1]), "right": wall([0.4, 0, -0.1], [0.6, 0.8, 0.1]),
                 "bottom": wall([-0.2, -0.2, -0.1], [0.6, 0, 0.1])}
        scene = {"dimensions": 2, "duration": 1.5, "fps": 20, "particle_radius": 0.01, "behaviors": {"gravity": {}},
                 "bodies": {"water": {"shape": box([0, 0], [0.4, 0.3]), "behaviors": {"fluid": {}}}, **sides},
                 "gauges": {name: {"force": {"on": name}} for name in sides}}
        log = self.run_log(scene)
        weight, thrust = log[-1]["mass"] * GRAVITY, 0.5 * 1000 * GRAVITY * 0.3**2
        self.assertLess(abs(self.late(log, "bottom", 1) + weight), 0.02 * weight)
        # 0.99 where particles bear the weight, 0.93 where a smooth pressure does.
        self.assertLess(abs(self.late(log, "right", 0) - thrust), 0.09 * thrust)
        self.assertLess(abs(self.late(log, "left", 0) + thrust), 0.09 * thrust)
        total = sum(self.late(log, name, 1) for name in sides)
        self.assertLess(abs(total + weight), 0.005 * weight)

    def test_a_box_that_stands(self):
        for material in ({"rigid": {"density": 800}}, {"elastic": {"density": 800, "young_modulus": 1e5, "damping": 0.01}}):
            with self.subTest(material=list(material)[0]):
                scene = {"duration": 1, "fps": 20, "particle_radius": 0.02, "behaviors": {"gravity": {}},
                         "bodies": {"box": {"shape": box([0, 0, 0], [0.2, 0.2, 0.2]), "behaviors": material},
                                    "floor": wall([-1, -0.2, -1], [1, 0, 1]), "far": wall([-1, 0, -1], [-0.9, 1, 1])},
                         "gauges": {"on_floor": {"force": {"on": "floor"}}, "on_box": {"force": {"on": "box"}},
                                    "on_far": {"force": {"on": "far"}}}}
                log = self.run_log(scene)
                weight = log[-1]["mass"] * GRAVITY
                self.assertLess(abs(self.late(log, "on_floor", 1) + weight), 0.01 * weight)
                self.assertLess(abs(self.late(log, "on_box", 1) - weight), 0.01 * weight)
                self.assertLess(abs(self.late(log, "on_far", 1)), 0.01 * weight)

    def test_a_held_body_bears_its_buoyancy(self):
        ball = {"shape": {"sphere": {"center": [0.2, 0.18, 0.16], "radius": 0.09}},
                "behaviors": {"rigid": {"density": 3000, "held": True}}}
        water = {**WATER, "shape": {"difference": [box([0, 0, 0], [0.4, 0.36, 0.32]), ball["shape"]]}}
        scene = {**TANK, "bodies": {**TANK["bodies"], "water": water, "ball": ball},
                 "gauges": {"ball": {"force": {"on": "ball"}}, "tank": {"force": {"on": "tank"}}}}
        log = self.run_log(scene)
        lift = 900 * GRAVITY * 4 / 3 * math.pi * 0.09**3
        water_weight = sum(line["volume_by_body"]["water"] for line in log[-1:]) * 900 * GRAVITY
        self.assertLess(abs(self.late(log, "ball", 1) - lift), 0.4 * lift)  # a ball of some 50 particles: docs/validation.md
        total = self.late(log, "ball", 1) + self.late(log, "tank", 1)
        self.assertLess(abs(total + water_weight), 0.01 * water_weight)

    def test_flow_of_a_jet(self):
        scene = {"duration": 1, "fps": 20, "particle_radius": 0.01, "bodies": {"water": {
            "behaviors": {"fluid": {}}, "emitters": {"tap": {
                "shape": {"cylinder": {"from": [0, 0, 0], "to": [0.02, 0, 0], "radius": 0.06}},
                "direction": [1, 0, 0], "speed": 1.5}}}},
            "domain": {"min": [-1, -1, -1], "max": [0.8, 1, 1]},
            "gauges": {"along": {"flow": {"center": [0.3, 0, 0], "radius": 0.15}},
                       "against": {"flow": {"center": [0.3, 0, 0], "normal": [-2, 0, 0], "radius": 0.15}},
                       "beside": {"flow": {"center": [0.3, 0.4, 0], "radius": 0.2}}}}
        log = self.run_log(scene)
        self.assertIsNone(log[0]["gauges"]["along"])
        self.assertEqual(log[1]["gauges"]["along"], 0)
        per_frame = [line["born"] for line in log[-8:]]
        volume = log[-1]["volume"] / log[-1]["particles"]
        self.assertLess(abs(mean(line["gauges"]["along"] for line in log[-8:]) - mean(per_frame) * volume * 20),
                        0.1 * mean(per_frame) * volume * 20)
        for line in log[1:]:
            self.assertEqual(line["gauges"]["along"], -line["gauges"]["against"])
            self.assertEqual(line["gauges"]["beside"], 0)

    def test_bodies_in_flight(self):
        log = self.run_log(BALLS)
        for line in log:
            fall = 0.5 * GRAVITY * line["time"]**2
            pose = line["gauges"]["pose"]
            self.assertAlmostEqual(pose[1], 1 - fall, delta=0.02)
            self.assertAlmostEqual(pose[5], math.degrees(2 * line["time"]), delta=0.02)
            self.assertAlmostEqual(line["gauges"]["apart"], 0.52, places=4)
            self.assertAlmostEqual(line["gauges"]["gap"], 0.28, delta=0.005)
            self.assertAlmostEqual(line["gauges"]["drop"], line["bodies"]["block"]["bounds"][0][1] - 0.02, places=5)
            ball = line["bodies"]["ball"]
            self.assertAlmostEqual(ball["spin"][2], 2, places=4)
            self.assertAlmostEqual(ball["turn"][2], pose[5], places=6)
            self.assertAlmostEqual(ball["center"][1], pose[1], places=5)
            self.assertAlmostEqual(ball["extent"][0], 0.2, delta=0.02)  # of centers
        for line in log[1:]:
            self.assertLess(abs(line["gauges"]["push"][1]), 1e-3)
            self.assertEqual(len(line["gauge_steps"]["pose"]), line["steps"])
            self.assertEqual(line["gauge_steps"]["pose"][-1], line["gauges"]["pose"])
            self.assertEqual(line["step_times"][-1], line["time"])

    def test_a_run_in_parts_shows_the_same(self):
        scene = {**TANK, "duration": 0.3}
        scene["gauges"] = {**TANK["gauges"], "through": {"flow": {"center": [0.2, 0.2, 0.16], "radius": 0.1}, "every": "step"}}
        for name, content in (("tank", scene), ("balls", BALLS)):
            with self.subTest(scene=name):
                self.loam("run", self.scene(content), "-o", "whole", "--force")
                self.loam("run", self.scene(content), "-o", "parts", "--force", "--frames", 1)
                self.loam("resume", "parts", "--frames", 3)
                self.loam("resume", "parts")
                self.assert_same_run("whole", "parts")

    def test_whatever_the_threads_and_integrator(self):
        scene = {**TANK, "duration": 0.2}
        scene["gauges"] = {name: {**gauge, "every": "step"} for name, gauge in TANK["gauges"].items()}
        verlet = [word for setting in ("solver.pressure=wcsph", "solver.integrator=velocity-verlet")
                  for word in ("--set", setting)]
        for settings in ([], verlet):
            self.loam("run", self.scene(scene), "-o", "one", "--force", "--threads", 1, *settings)
            self.loam("run", self.scene(scene), "-o", "two", "--force", "--threads", 3, "--frames", 2, *settings)
            self.loam("resume", "two", "--threads", 2)
            self.assert_same_run("one", "two")
        weight = self.log("one")[-1]["mass"] * GRAVITY
        mean_force = mean(line["gauges"]["weight"][1] for line in self.log("one")[1:])
        self.assertLess(abs(mean_force + weight), 0.1 * weight)  # it has only begun to settle

    def test_gauges_only_look(self):
        scene = {**TANK, "duration": 0.2}
        self.loam("run", self.scene(scene), "-o", "with")
        del scene["gauges"]
        self.loam("run", self.scene(scene), "-o", "without")
        self.assertEqual(self.frames("with"), self.frames("without"))

    def test_info_and_plot(self):
        self.run_log(BALLS)
        told = self.loam("info", "run").stdout
        for word in ("center of mass", "turned by", "spin", "gauges", "pose", "degrees", "gap"):
            self.assertIn(word, told)
        self.loam("plot", "run", "--bodies", "ball")
        page = self.folder / "run/plot.svg"
        words = [item.text for item in ElementTree.parse(page).iter(f"{SVG}text")]
        for word in ("pose [m]", "pose [degrees]", "gap [m]", "push [N]", "ball: center of mass [m]", "ball: spin [rad/s]",
                     "ball: turn [degrees]", "ball: extent [m]", "ball: energy [J]", "ball: momentum [kg m/s]"):
            self.assertIn(word, words)
        self.assertFalse([word for word in words if word.startswith("block:")])
        steps = sum(line["steps"] for line in self.log("run"))
        lines = {len(item.get("points").split()) for item in ElementTree.parse(page).iter(f"{SVG}polyline")}
        self.assertIn(steps, lines)
        self.assert_complains(self.loam("plot", "run", "--bodies", "bal", code=2), "no body \"bal\"", "did you mean \"ball\"")

    def test_wrong(self):
        def complains(gauge, *words):
            scene = {**TANK, "gauges": {"g": gauge}}
            self.assert_complains(self.loam("check", self.scene(scene), code=3), "scene.json:", *words)
        complains({}, "gauges.g", "what the gauge shows", "height")
        complains({"force": {"on": "tnak"}}, "gauges.g.force.on", "no body \"tnak\"", "did you mean \"tank\"")
        complains({"force": {}}, "gauges.g.force", "\"on\" is missing")
        complains({"force": {"on": "tank"}, "pose": {"body": "water"}}, "gauges.g.pose", "make two gauges")
        complains({"height": {"at": [0, 0, 0], "direction": [0, 0, 0]}}, "gauges.g.height.direction", "no direction")
        complains({"hight": {"at": [0, 0, 0]}}, "unknown key \"hight\"", "did you mean \"height\"")
        complains({"flow": {"center": [0, 0, 0], "radius": 0}}, "gauges.g.flow.radius", "greater than 0")
        complains({"height": {"at": [0, 0, 0]}, "every": "day"}, "gauges.g.every", "frame")


if __name__ == "__main__":
    main()
