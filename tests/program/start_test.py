"""How bodies begin: velocities and displacements as fields of place, and what frames and log show of strained bodies."""
import math

import h5py

from support import ProgramTest, main


def box(lo, hi):
    return {"box": {"min": lo, "max": hi}}


def fluid(start, **more):
    return {"duration": 0.02, "fps": 50, "particle_radius": 0.02, **more,
            "bodies": {"water": {"shape": box([0, 0, 0], [0.4, 0.4, 0.4]), "velocity": [0.5, 0, 0],
                                 "behaviors": {"fluid": {}}, "start": {"velocity": start}}}}


BAR = {"duration": 0.05, "fps": 200, "particle_radius": 0.02, "bodies": {"bar": {
    "shape": box([0, 0, 0], [0.8, 0.2, 0.2]),
    "behaviors": {"elastic": {"density": 1200, "young_modulus": 2e5, "poisson_ratio": 0.25, "stress_in_frames": True}},
    "start": {"displacement": {"stretch": [0.02, 0, 0]}}}}}


class Start(ProgramTest):
    def start(self, scene, *more):
        """Places and columns of frame 0."""
        self.loam("run", self.scene(scene), "-o", "run", "--force", "--frames", 0, *more)
        with h5py.File(self.folder / "run/frames/000000.vtkhdf") as file:
            return file["VTKHDF/Points"][:], {name: column[:] for name, column in file["VTKHDF/PointData"].items()}

    def assert_velocities(self, start, expected, **more):
        places, columns = self.start(fluid(start, **more))
        for place, velocity in zip(places, columns["velocity"]):
            for found, wanted in zip(velocity, expected(*map(float, place))):
                self.assertAlmostEqual(found, wanted, places=4)

    def test_fields_of_velocity(self):
        self.assert_velocities({"spin": [0, 0, 3]}, lambda x, y, z: (0.5 - 3 * (y - 0.2), 3 * (x - 0.2), 0))
        self.assert_velocities({"rates": [1, -2, 1], "about": [0, 0.1, 0]},
                               lambda x, y, z: (0.5 + x, -2 * (y - 0.1), z))
        self.assert_velocities({"gradient": {"x": [0, 4, 0]}, "formula": {"z": "0.3*sin(2*pi*x) + y^2"}},
                               lambda x, y, z: (0.5 + 4 * (y - 0.2), 0, 0.3 * math.sin(2 * math.pi * x) + y * y))
        self.assert_velocities({"spin": [0, 0, 3]}, lambda x, y, z: (0.5 - 3 * (y - 0.2), 3 * (x - 0.2), 0), dimensions=2)

    def test_a_rigid_body_turns_as_it_is_told(self):
        for shape in ({"sphere": {"center": [1, 1, 1], "radius": 0.13}}, box([0, 0, 0], [0.3, 0.1, 0.2])):
            scene = {"duration": 0.1, "fps": 50, "particle_radius": 0.02, "bodies": {"top": {
                "shape": shape, "behaviors": {"rigid": {}}, "velocity": [0, 2, 0],
                "start": {"velocity": {"spin": [1, -2, 0.5]}}}}}
            self.loam("run", self.scene(scene), "-o", "run", "--force", "--frames", 0)
            top = self.log("run")[0]["bodies"]["top"]
            for found, wanted in zip(top["spin"] + [p / self.log("run")[0]["mass"] for p in top["momentum"]],
                                     [1, -2, 0.5, 0, 2, 0]):
                self.assertAlmostEqual(found, wanted, delta=0.002)

    def test_a_strained_bar(self):
        places, columns = self.start(BAR)
        young, poisson, strain, volume = 2e5, 0.25, 0.02, 0.8 * 0.2 * 0.2
        mu = young / (2 * (1 + poisson))
        lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        self.assertAlmostEqual(float(max(places[:, 0])), 0.4 + 0.38 * 1.02, places=5)
        for i in range(len(places)):
            for name, wanted in (("strain", (strain, 0, 0)), ("shear_strain", (0, 0, 0))):
                for found, value in zip(columns[name][i], wanted):
                    self.assertAlmostEqual(found, value, delta=1e-5)
            for found, value in zip(columns["stress"][i], ((lame + 2 * mu) * strain, lame * strain, lame * strain)):
                self.assertAlmostEqual(found, value, delta=2)
            self.assertAlmostEqual(columns["von_mises"][i], 2 * mu * strain, delta=2)
        energy = volume * (0.5 * lame + mu) * strain**2
        self.assertAlmostEqual(float(sum(columns["elastic_energy"])), energy, delta=1e-3 * energy)
        self.assertAlmostEqual(self.log("run")[0]["elastic_energy"], energy, delta=1e-3 * energy)
        self.assertIn("elastic energy", self.loam("info", "run").stdout)

    def test_stress_turns_with_the_body(self):
        scene = {**BAR, "bodies": {"bar": {**BAR["bodies"]["bar"], "start": {"displacement": {
            "turn": [0, 0, 90], "gradient": {"y": [0.02, 0, 0]}}}}}}  # turned, then stretched along what is now y
        _, columns = self.start(scene)
        stress = 0.02 * 2e5 * (1 - 0.25) / ((1 + 0.25) * (1 - 2 * 0.25))
        for i in range(len(columns["stress"])):
            self.assertAlmostEqual(columns["strain"][i][1], 0.02, delta=1e-4)
            self.assertAlmostEqual(columns["stress"][i][1], stress, delta=10)
            self.assertAlmostEqual(columns["strain"][i][0], 0, delta=1e-4)

    def test_energy_swings_and_stays(self):
        self.loam("run", self.scene(BAR), "-o", "run", "--set", "duration=0.15",
                  "--set", "bodies.bar.behaviors.elastic.integration=explicit", "--set", "solver.time_step=2e-4")
        log = self.log("run")
        total = [line["kinetic_energy"] + line["elastic_energy"] for line in log]
        self.assertLess(max(total), 1.02 * total[0])
        self.assertGreater(min(total), 0.98 * total[0])
        self.assertLess(min(line["elastic_energy"] for line in log), 0.3 * total[0])
        self.loam("plot", "run")
        self.assertIn(">elastic<", (self.folder / "run/plot.svg").read_text())

    def test_columns_are_there_only_where_they_are_asked_for(self):
        _, columns = self.start(BAR, "--set", "bodies.bar.behaviors.elastic.stress_in_frames=false")
        self.assertNotIn("stress", columns)
        self.assertNotIn("elastic_energy", columns)
        self.assertGreater(self.log("run")[0]["elastic_energy"], 0)

    def test_goes_on_as_if_never_stopped(self):
        scene = self.scene({**BAR, "duration": 0.03})
        self.loam("run", scene, "-o", "whole")
        self.loam("run", scene, "-o", "parts", "--frames", 2)
        self.loam("resume", "parts")
        self.assert_same_run("whole", "parts")

    def test_wrong(self):
        def complains(scene, *words):
            self.assert_complains(self.loam("check", self.scene(scene), code=3), *words)
        complains(fluid({"formula": {"x": "3*sine(x)"}}), "bodies.water.start.velocity.formula.x", "column 3",
                  "did you mean \"sin\"")
        complains(fluid({"formula": {"y": "1/(x-"}}), "its end at column 6", "a number")
        complains(fluid({"formula": {"x": "log(x-0.2)"}}), "bodies.water.start.velocity", "not finite at")
        complains(fluid({"spin": [0, 1, 0]}, dimensions=2), "out of the plane")
        complains(fluid({"turn": [0, 1, 0]}), "unknown key \"turn\"")
        displaced = fluid({})
        displaced["bodies"]["water"]["start"] = {"displacement": {"stretch": [0.1, 0, 0]}}
        complains(displaced, "bodies.water.start.displacement", "only elastic bodies")


if __name__ == "__main__":
    main()
