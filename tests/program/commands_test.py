"""The commands that tell something: check, info, behaviors, schema, reference, completion, help."""
import json
import shutil
import subprocess

from support import DAM, MIXER, PROGRAM, ProgramTest, main


class Check(ProgramTest):
    def test_presets_are_listed_and_shown(self):
        (self.folder / "presets").mkdir()
        (self.folder / "presets/tar.json").write_text('{"help": "Black and slow.", "behaviors": {"like": "honey"}}')
        listed = self.loam("behaviors", "--presets").stdout
        for part in ("honey ", "steel ", "tar ", "Black and slow. [presets/tar.json]"):
            self.assertIn(part, listed)
        self.assertIn('"density": 1420', self.loam("behaviors", "--presets", "honey").stdout)
        self.assertIn('"honey"', self.loam("behaviors", "--presets", "hony", code=2).stderr)

    def test_tells_what_a_scene_needs_and_writes_nothing(self):
        scene = self.scene(MIXER)
        text = self.loam("check", scene).stdout
        for word in ("water", "1 emitter", "moving wall", "dfsph", "limited by", "memory", "pours", "whole run     about"):
            self.assertIn(word, text)
        told = json.loads(self.loam("check", scene, "--json").stdout)
        self.assertEqual([body["name"] for body in told["bodies"]], ["water", "oil", "tank", "blade"])
        self.assertEqual(told["last_frame"], 16)
        self.assertGreater(told["bytes"], 100 * told["particles"])
        self.assertGreater(told["time_step"], 0)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["scene.json"])

    def test_counts_are_those_of_the_run(self):
        told = json.loads(self.loam("check", self.scene(DAM), "--quality", "preview", "--json").stdout)
        self.loam("run", self.scene(DAM), "--quality", "preview", "--frames", 0)
        self.assertEqual(told["particles"], self.log("out/scene")[0]["particles"])

    def test_wrong_scenes_fail_as_in_run(self):
        scene = self.scene(json.dumps(DAM).replace("density", "densty"))
        check, run = self.loam("check", scene, code=3), self.loam("run", scene, code=3)
        self.assertEqual(check.stderr, run.stderr)
        self.assert_complains(check, "densty", "density")

    def test_bodies_that_cannot_begin_where_they_are(self):
        def layout(radius, **boxes):
            bodies = {name: {"shape": {"box": {"min": low, "max": high}}, "behaviors": {"fluid": {}}}
                      for name, (low, high) in boxes.items()}
            bodies["tank"] = {"shape": {"box": {"min": [0, 0, 0], "max": [2, 2, 1]}, "invert": True}, "boundary": {}}
            return self.scene({"duration": 1, "particle_radius": radius, "bodies": bodies})
        oil = ([1, 0, 0], [2, 1, 1])
        self.loam("check", layout(0.05, water=([0, 0, 0], [1, 1, 1]), oil=oil))
        self.assert_complains(self.loam("check", layout(0.05, water=([0, 0, 0], [1.5, 1, 1]), oil=oil), code=3),
                              "bodies.water", "500 of its 1500", "within bodies.oil", "difference")
        self.assert_complains(self.loam("check", layout(0.05, water=([-0.5, 0, 0], [1, 1, 1])), code=3),
                              "bodies.water", "inside of the wall bodies.tank")
        self.assert_complains(self.loam("check", layout(0.6, water=([0.9, 0.9, 0], [1.2, 1.2, 1])), code=3),
                              "bodies.water", "radius 0.6 m", "too large", "particle_radius")

    def test_tells_volumes_and_what_is_missing(self):
        def alone(**more):
            drop = {"shape": {"sphere": {"radius": 0.13}}, "behaviors": {"fluid": {}}}
            return self.scene({"duration": 1, "particle_radius": 0.02, "bodies": {"drop": drop}, **more})
        told = json.loads(self.loam("check", alone(), "--json").stdout)
        volume = 4 / 3 * 3.14159265 * 0.13 ** 3
        self.assertAlmostEqual(told["bodies"][0]["shape_volume"] / volume, 1, delta=0.003)
        self.assertAlmostEqual(told["bodies"][0]["sampled_volume"] / volume, 1, delta=0.005)
        self.assertEqual(told["warnings"], ["there is neither gravity nor a wall"])
        text = self.loam("check", alone(behaviors={"gravity": {}})).stdout
        self.assertIn("volume 0.009", text)
        self.assertEqual(text.count("warning: there is no wall"), 1)
        self.assertNotIn("warning", self.loam("check", self.scene(DAM)).stdout)

    def test_what_can_have_no_effect(self):
        def block(**more):
            body = {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}}, **more}
            return self.scene({"duration": 1, "particle_radius": 0.02, "bodies": {"block": body}})
        def part(x, **behaviors):
            return {"part": {"shape": {"box": {"min": [x, 0, 0], "max": [x + 0.2, 1, 1]}}, "behaviors": behaviors}}
        both = self.loam("check", block(behaviors={"rigid": {}, "fluid": {}}), code=3)
        self.assert_complains(both, "bodies.block.behaviors.fluid", "no effect", "weight")
        keyed = {"rigid": {"weight": {"keys": [[0, 1], [1, 0]]}}, "fluid": {"weight": {"keys": [[0, 0], [1, 1]]}}}
        self.loam("check", block(behaviors=keyed))
        self.assert_complains(self.loam("check", block(behaviors={"fluid": {}}, groups=part(0, rigid={})), code=3),
                              "bodies.block.groups.part.behaviors.fluid", "no effect")
        self.assert_complains(self.loam("check", block(behaviors={"fluid": {}}, groups=part(5, fluid={"density": 9})),
                                        code=3), "bodies.block.groups.part.shape", "no particle")
        same = self.loam("check", block(behaviors={"fluid": {}}, groups=part(0, fluid={}))).stdout
        self.assertIn("bodies.block.groups.part.behaviors: the group behaves as the body", same)
        pins = {"top": {"shape": {"box": {"min": [0, 0.3, 0], "max": [1, 1, 1]}}}}
        self.assertIn("bodies.block.pins", self.loam("check", block(behaviors={"fluid": {}}, pins=pins)).stdout)
        self.assertNotIn("pins", self.loam("check", block(behaviors={"elastic": {}}, pins=pins)).stdout)

    def test_rigid_bodies_within_fluids(self):
        def crate(bottom, command="check", code=0):
            boxes = {"water": ([0, 0, 0], [0.8, 0.4, 0.4], "fluid"),
                     "crate": ([0.02, bottom, 0.02], [0.22, bottom + 1, 0.22], "rigid")}
            bodies = {name: {"shape": {"box": {"min": low, "max": high}}, "behaviors": {kind: {}}}
                      for name, (low, high, kind) in boxes.items()}
            return self.loam(command, self.scene({"duration": 0.01, "particle_radius": 0.02, "bodies": bodies}), code=code)
        # Half a spacing off along each axis no two particles are near each other.
        self.assert_complains(crate(0.1, code=3), "bodies.", "within bodies.", "difference")
        self.assertIn("within bodies.", crate(0.36).stdout)
        self.assertIn("within bodies.", crate(0.36, command="run").stderr)
        self.assertNotIn("within", crate(0.4).stdout)

    def test_emitters_within_walls(self):
        def spout(x):
            disk = {"shape": {"disk": {"center": [x, 0.5, 0.5], "normal": [1, 0, 0], "radius": 0.2}}, "direction": [1, 0, 0]}
            return self.scene({"particle_radius": 0.05, "bodies": {
                "water": {"behaviors": {"fluid": {}}, "emitters": {"spout": disk}},
                "block": {"shape": {"box": {"min": [1, 0, 0], "max": [2, 1, 1]}}, "boundary": {}}}})
        self.loam("check", spout(2.01))
        self.assert_complains(self.loam("check", spout(1.5), code=3), "bodies.water.emitters.spout", "bodies.block")

    def test_bodies_that_would_vanish_at_once(self):
        sides = lambda low, high: self.scene({**DAM, "domain": {"min": low, "max": high}})
        self.assert_complains(self.loam("check", sides([50, 0, 0], [60, 9, 9]), code=3), "bodies.water", "domain")
        self.loam("check", sides([0.1, -1, -1], [9, 9, 9]))  # a cut through the body

    def test_corners_count_only_where_they_matter(self):
        land = {"heightfield": {"min": [-1, 0.5, -1], "max": [3, 0, 3]}}
        flat = {"box": {"min": [0, 2, 5], "max": [1, 3, 0]}}
        water = lambda shape: {"shape": shape, "behaviors": {"fluid": {}}}
        ground = {"shape": land, "boundary": {}}
        self.loam("check", self.scene({"particle_radius": 0.1, "bodies": {
            "water": water({"box": {"min": [0, 2, 0], "max": [1, 3, 1]}}), "ground": ground}}))
        self.loam("check", self.scene({"particle_radius": 0.1, "dimensions": 2, "bodies": {"water": water(flat)}}))
        self.assert_complains(self.loam("check", self.scene({"bodies": {"water": water(flat)}}), code=3), "max", "min")

    def test_a_mesh_in_millimetres(self):
        corners = [(x, y, z) for x in (0, 300) for y in (0, 300) for z in (0, 300)]
        faces = ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")
        (self.folder / "box.obj").write_text("".join("v %g %g %g\n" % c for c in corners)
                                             + "".join(f"f {face}\n" for face in faces))
        scene = self.scene({"particle_radius": 0.02, "bodies": {
            "water": {"shape": {"mesh": {"file": "box.obj"}}, "behaviors": {"fluid": {}}}}})
        self.assert_complains(self.loam("check", scene, code=3), "too large", "millimetres", "0.001")


class Info(ProgramTest):
    def test_frame_and_run_agree_with_the_log(self):
        self.loam("run", self.scene(DAM), "-o", "run", "--frames", 4)
        run = json.loads(self.loam("info", "run", "--json").stdout)
        frame = json.loads(self.loam("info", "run/frames/000004.vtkhdf", "--json").stdout)
        self.assertEqual(run["last_frame"], frame)
        self.assertEqual((run["frames"], run["frames_full"], run["finished"]), (5, 13, False))
        last = self.log("run")[-1]
        water = frame["bodies"]["water"]
        self.assertEqual(frame["bodies"]["tank"]["particles"], 0)
        self.assertEqual(water["particles"], last["particles"])
        self.assertAlmostEqual(water["mass"], last["mass"], places=6)
        self.assertAlmostEqual(water["kinetic_energy"], last["kinetic_energy"], places=6)
        self.assertAlmostEqual(water["potential_energy"], last["potential_energy"], delta=1e-4)
        low, high = water["bounds"]
        self.assertTrue(all(-1e-6 <= low[k] < high[k] <= (1, 1, 0.3)[k] + 1e-6 for k in range(3)), (low, high))

    def test_for_people(self):
        self.loam("run", self.scene(DAM), "-o", "run", "--frames", 1)
        text = self.loam("info", "run").stdout
        for word in ("2 of 13", "loam resume run", "water", "kinetic energy", "kept its volume within"):
            self.assertIn(word, text)
        self.loam("resume", "run")
        self.assertIn("finished", self.loam("info", "run").stdout)

    def test_a_frame_on_its_own(self):
        self.loam("run", self.scene(DAM), "-o", "run", "--frames", 0)
        (self.folder / "run/frames/000000.vtkhdf").rename(self.folder / "lone.vtkhdf")
        frame = json.loads(self.loam("info", "lone.vtkhdf", "--json").stdout)
        self.assertIsNone(frame["bodies"]["water"]["potential_energy"])
        self.assertGreater(frame["bodies"]["water"]["mass"], 0)

    def test_what_is_not_there_or_damaged(self):
        self.assert_complains(self.loam("info", "nowhere", code=4), "nowhere")
        self.assert_complains(self.loam("info", ".", code=4), "no run")
        self.loam("run", self.scene(DAM), "-o", "run", "--frames", 0)
        frame = self.folder / "run/frames/000000.vtkhdf"
        frame.write_bytes(frame.read_bytes()[:-40])
        self.assert_complains(self.loam("info", frame, code=4), "000000.vtkhdf")


class Words(ProgramTest):
    def test_behaviors(self):
        listed = self.loam("behaviors").stdout
        for name in ("gravity", "fluid"):
            self.assertRegex(listed, rf"(?m)^{name} ")
        self.assertIn("kg/m^3", self.loam("behaviors", "fluid").stdout)
        self.assert_complains(self.loam("behaviors", "fliud", code=2), "fluid")

    def test_schema_and_reference(self):
        schema = json.loads(self.loam("schema").stdout)
        self.assertIn("$schema", schema)
        self.assertIn("dfsph", json.dumps(schema))
        self.assertTrue(self.loam("reference").stdout.startswith("# Scene reference"))

    def test_help_has_examples_and_exit_codes(self):
        text = self.loam("--help").stdout
        self.assertIn("130", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        for command in ("run", "resume", "check", "info", "surface", "export", "plot", "bench", "behaviors", "schema",
                        "reference", "completion"):
            self.assertIn(command, text)
            self.assertIn(f"  loam {command}", self.loam(command, "--help").stdout.replace("<(", " "))
        self.assertRegex(self.loam("--version").stdout, r"^loam \d+\.\d+\.\d+")

    def test_wrong_commands(self):
        self.assert_complains(self.loam("rnu", code=2), "rnu", '"run"')
        self.assert_complains(self.loam("--sped", code=2), "--sped", "--help")
        self.assertIn("Usage", self.loam(code=2).stdout)

    def complete(self, *words):
        script = self.loam("completion", "bash").stdout
        line = " ".join(f"'{word}'" for word in words)
        done = subprocess.run(["bash", "-c", f'{script}\nloam() {{ "{PROGRAM}" "$@"; }}\nCOMP_WORDS=({line})\n'
                               f'COMP_CWORD={len(words) - 1}\n_loam\nprintf "%s\\n" "${{COMPREPLY[@]}}"'],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_completion(self):
        self.scene(DAM, "dam.json")
        (self.folder / "notes.txt").write_text("")
        self.assertEqual(self.complete("loam", "re"), ["resume", "render", "reference"])
        self.assertEqual(self.complete("loam", "run", ""), ["dam.json"])
        self.assertIn("--frames", self.complete("loam", "run", "dam.json", "--f"))
        self.assertNotIn("--force", self.complete("loam", "resume", "--"))
        self.assertEqual(self.complete("loam", "run", "--quality", "p"), ["preview"])
        self.assertEqual(self.complete("loam", "behaviors", "gr"), ["grains", "gravity"])
        self.assertEqual(self.complete("loam", "run", "--simd", "s"), ["scalar"])
        self.assertEqual(self.complete("loam", "bench", "--simd", "b"), ["best,scalar", "best"])
        self.assertEqual(self.complete("loam", "bench", "--pl"), ["--plot"])
        self.assertEqual(self.complete("loam", "export", "--to", "p"), ["ply", "pov"])
        self.assertEqual(self.complete("loam", "export", "--su"), ["--surface"])
        self.assertEqual(self.complete("loam", "pl"), ["plot"])
        self.assertEqual(self.complete("loam", "plot", "-o", "no"), ["notes.txt"])
        self.assertEqual(self.complete("loam", "export", "-o", "no"), [])
        self.assertEqual(self.complete("loam", "completion", "z"), ["zsh"])

    def test_completion_from_a_scene_and_a_run(self):
        def possible(*words):
            return self.loam("complete", "--", "loam", *words).stdout.split()
        self.scene({**DAM, "gauges": {"level": {"height": {"at": [0.1, 0, 0.1]}}}}, "dam.json")
        self.assertEqual(possible("run", "dam.json", "--set", "bod"), ["bodies."])
        self.assertEqual(possible("run", "dam.json", "--set", "bodies."), ["bodies.water.", "bodies.tank."])
        self.assertIn("bodies.water.behaviors.fluid.density=",
                      possible("run", "dam.json", "--set", "bodies.water.behaviors.fluid.d"))
        self.assertEqual(possible("run", "dam.json", "--set", "bodies.wine.x.y."), [])
        self.loam("run", "dam.json", "-o", "run", "--frames", 0)
        self.assertEqual(possible("plot", "run", "--bodies", ""), ["water"])
        self.assertEqual(possible("plot", "run", "--gauges", "l"), ["level"])
        self.assertIn("density,velocity", possible("export", "run", "--columns", "density,v"))
        self.assertEqual(possible("resume", "run", "--set", "fp"), ["fps="])
        for shell in ("zsh", "fish"):
            self.assertIn("loam complete --", self.loam("completion", shell).stdout)
            if program := shutil.which(shell):
                script = self.folder / "script"
                script.write_text(self.loam("completion", shell).stdout)
                subprocess.run([program, "-n", str(script)], check=True)


if __name__ == "__main__":
    main()
