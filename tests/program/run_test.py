"""loam run: frames, log, options, and what is told while it runs."""
import json
import os
import subprocess
import time

from support import DAM, MIXER, PROGRAM, ProgramTest, main


class Run(ProgramTest):
    def test_frames_log_and_scene_are_there(self):
        done = self.loam("run", self.scene(DAM))
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 3, done.stderr)  # quiet: not a terminal
        self.assertIn("water kept its volume within", done.stderr.splitlines()[2])
        self.assertEqual(list(self.frames("out/scene")), [f"{k:06}.vtkhdf" for k in range(13)])
        log = self.log("out/scene")
        self.assertEqual([line["frame"] for line in log], list(range(13)))
        self.assertEqual(log[0]["steps"], 0)
        for k, line in enumerate(log):
            self.assertEqual(line["time"], k / 40)
            self.assertAlmostEqual(line["mass"], log[0]["mass"], delta=1e-6)
            self.assertEqual(line["particles"], log[0]["particles"])
            if k > 0:
                self.assertAlmostEqual(line["steps"] * line["mean_dt"], 1 / 40, delta=1e-9)
                self.assertTrue(line["dt_limited_by"])
        # Water falls: what it loses in height it gains in speed, or loses by splashing, but it never gains.
        energy = [line["kinetic_energy"] + line["potential_energy"] for line in log]
        self.assertGreater(log[6]["kinetic_energy"], 0)
        self.assertLess(energy[-1], energy[0] * 1.001)
        self.assertEqual(json.loads((self.folder / "out/scene/scene.json").read_text())["title"], "a small dam")

    def test_events_tell_the_same_as_the_log(self):
        events = self.events(self.loam("run", self.scene(DAM), "-o", "here", "--json"))
        self.assertEqual([e["event"] for e in events if e["event"] != "progress"], ["start"] + ["frame"] * 13 + ["end"])
        self.assertEqual(events[0]["last_frame"], 12)
        self.assertTrue(events[-1]["finished"])
        for event, line in zip(events[1:-1], self.log("here")):
            self.assertEqual({k: event[k] for k in line}, line)

    def test_progress_fits_the_terminal(self):
        for width in (80, 40, 12):
            with self.subTest(width=width):
                shown = self.on_a_terminal(width, "run", self.scene(DAM), "-o", "run", "--force")
                bars = [part for part in shown.split("\r\x1b[K") if part and "\n" not in part]
                self.assertTrue(any("12/12" in bar for bar in bars), shown)
                self.assertLess(max(map(len, bars)), width - 2)  # room for a ^C
                self.assertIn("frames up to 12", shown)

    def test_any_number_of_threads_gives_the_same_bits(self):
        scene = self.scene(MIXER)
        for threads in (1, 2, 3, 8):
            self.loam("run", scene, "-o", f"t{threads}", "--threads", threads, "--frames", 8)
        for threads in (2, 3, 8):
            self.assert_same_run("t1", f"t{threads}")

    def test_values_can_be_set(self):
        self.loam("run", self.scene(DAM), "--set", "bodies.water.behaviors.fluid.density=500", "--set", "duration=0.05",
                  "-o", "half")
        self.loam("run", self.scene(DAM), "--frames", 2, "-o", "full")
        self.assertEqual(len(self.frames("half")), 3)
        self.assertAlmostEqual(self.log("half")[0]["mass"] * 2, self.log("full")[0]["mass"], delta=1e-6)

    def test_quality_chooses_the_resolution(self):
        counts = {}
        for quality in ("preview", "final"):
            self.loam("run", self.scene(DAM), "--quality", quality, "--frames", 0, "-o", quality)
            counts[quality] = self.log(quality)[0]["particles"]
        self.assertGreater(counts["final"], 10 * counts["preview"])

    def test_instruction_set_can_be_chosen(self):
        self.loam("run", self.scene(DAM), "--frames", 2, "--simd", "scalar", "-o", "scalar")
        self.loam("run", self.scene(DAM), "--frames", 2, "-o", "best", environment={"LOAM_SIMD": ""})
        self.loam("run", self.scene(DAM), "--frames", 2, "-o", "wish", environment={"LOAM_SIMD": "scalar"})
        self.assertEqual(self.log("scalar")[1]["simd"], "scalar")
        self.assert_same_run("scalar", "wish")
        if self.log("best")[1]["simd"] != "scalar":  # the machine has more
            self.assertFalse(self.frames("scalar") == self.frames("best"), "eight lanes round otherwise than one")

    def test_particles_are_born_and_die(self):
        self.loam("run", self.scene(MIXER), "--frames", 12)
        log = self.log("out/scene")
        self.assertGreater(sum(line["born"] for line in log), 0)
        self.assertGreater(sum(line["died"] for line in log), 0)
        start = log[0]["particles"]
        self.assertEqual(log[-1]["particles"], start + sum(l["born"] - l["died"] for l in log[1:]))


class Wrong(ProgramTest):
    def test_a_wrong_scene_gets_one_message_and_leaves_nothing(self):
        for text, words in ((json.dumps(DAM).replace("gravity", "gravty"), ["scene.json:1", "gravty", "gravity"]),
                            ('{"bodies": {\n"water": ', ["scene.json:2"]),
                            ("", ["scene.json"]),
                            ("\x00\xff\x17 not json", ["scene.json"]),
                            (json.dumps({**DAM, "particle_radius": -1}), ["particle_radius", "-1"]),
                            (json.dumps({**DAM, "particle_radius": 1e-7}), ["scene.json", "bodies."])):
            with self.subTest(text=text[:40]):
                self.assert_complains(self.loam("run", self.scene(text), code=3), *words)
                self.assertFalse((self.folder / "out").exists())

    def test_a_material_is_needed(self):
        scene = json.loads(json.dumps(DAM))
        scene["bodies"]["water"]["behaviors"] = {}
        self.assert_complains(self.loam("run", self.scene(scene), code=3), "scene.json:25:17: bodies.water.behaviors", "fluid")

    def check_wrong(self, shape, *words, boundary=True, behaviors=None, code=3):
        """`loam check` of a small scene with a wall or a body of this shape; what was said, and in how many seconds."""
        body = {"shape": shape, **({"boundary": {}} if boundary else {"behaviors": behaviors})}
        scene = {"particle_radius": 0.07, "behaviors": {"gravity": {}}, "bodies": {
            "water": {"shape": {"sphere": {"center": [0, 3, 0], "radius": 0.3}}, "behaviors": {"fluid": {}}},
            "thing": body}}
        begun = time.monotonic()
        done = self.loam("check", self.scene(scene), code=code)
        self.assert_complains(done, *words)
        self.assertRegex(done.stderr, r"scene\.json:\d+:\d+: bodies\.thing")
        return done.stderr, time.monotonic() - begun

    def test_walls_that_reach_far_are_refused_at_once(self):
        def cylinder(end):
            return {"cylinder": {"from": [0, 0, 0], "to": [0, 0, end], "radius": 0.07}}
        self.assertLess(self.check_wrong(cylinder(1e8), "more than 50 million", "particle_radius")[1], 10)
        self.assertLess(self.check_wrong(cylinder(1e9), "bodies.thing.shape")[1], 10)
        self.assertLess(self.check_wrong(cylinder(1e308), "a million kilometres", "metres")[1], 10)
        self.assertLess(self.check_wrong({"box": {"min": [-1e308, 0, 0], "max": [1e308, 1, 1]}}, "kilometres")[1], 10)
        self.check_wrong({"heightfield": {"min": [0, 0, 0], "max": [4, 0, 5e-324]}}, "max", "wide in z", "less than")

    def test_messages_name_body_and_line(self):
        self.check_wrong({"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}, "not a sheet", boundary=False,
                         behaviors={"cloth": {}})
        self.check_wrong({"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}, "not a sheet", boundary=False,
                         behaviors={"shell": {}})
        self.check_wrong({"box": {"min": [0, 0, 0], "max": [1e-4, 1, 1]}}, "no particle fits", boundary=False,
                         behaviors={"fluid": {}})

    def test_a_value_from_the_command_line_is_named_as_such(self):
        flat = 'bodies.water.shape={"box": {"min": [0, 0, 0], "max": [1e-5, 1, 1]}}'
        done = self.loam("check", self.scene(DAM), "--set", flat, code=3)
        self.assert_complains(done, f"override {flat}: bodies.water.shape", "no particle fits")

    def test_files_that_are_no_meshes(self):
        os.mkfifo(self.folder / "pipe.obj")
        self.check_wrong({"mesh": {"file": "pipe.obj"}}, "pipe", "write what comes out of it", code=4)
        (self.folder / "secret").write_text("root:x:0:0:hunter2\n")
        said, _ = self.check_wrong({"heightfield": {"min": [0, 0, 0], "max": [1, 0, 1], "file": "secret"}},
                                   "secret:1", "value 1 is not a finite number", code=4)
        self.assertNotIn("hunter2", said)

    def test_text_that_turns_around_is_shown_as_bytes(self):
        scene = {**DAM, "title": "abc \u202e cba \u001b[31m"}
        shown = self.loam("check", self.scene(scene)).stdout
        self.assertIn("abc \\xe2\\x80\\xae cba \\x1b[31m", shown)
        done = self.loam("check", "no\u2066 such.json", code=4)
        self.assert_complains(done, "no\\xe2\\x81\\xa6 such.json")

    def test_a_path_that_is_too_long_leaves_nothing(self):
        for folder in ("a/b/" + 300 * "x", "/".join(["deep", *(25 * [200 * "y"])])):
            done = self.loam("run", self.scene(DAM), "-o", folder, "--frames", 0, code=4)
            self.assert_complains(done, "too long")
            self.assertEqual([path.name for path in self.folder.iterdir()], ["scene.json"])

    def test_wrong_values_on_the_command_line(self):
        scene = self.scene(DAM)
        for arguments, code, words in ((["--set", "bodies.watr.velocity=1"], 3, ["watr", "water"]),
                                       (["--set", "fps"], 2, ["fps"]),
                                       (["--quality", "finl"], 2, ["finl", "final"]),
                                       (["--frames", "99"], 2, ["--frames", "12"]),
                                       (["--frames", "-1"], 2, ["--frames", "-1", "whole number of at least 0"]),
                                       (["--frames", "1e3"], 2, ["--frames", "1e3", "whole number"]),
                                       (["--frame", "3"], 2, ['"--frame"', "did you mean \"--frames\""]),
                                       (["--outptu=x"], 2, ['"--outptu"', "--output"]),
                                       (["--checkpoint", "nan"], 2, ["--checkpoint", "nan"]),
                                       (["--frames", "x"], 2, ["--frames"]),
                                       (["--threads", "0"], 2, ["--threads"]),
                                       (["--simd", "neon"], 2, ["--simd", "avx2"]),
                                       (["--speed", "9"], 2, ["--speed"])):
            with self.subTest(arguments=arguments):
                self.assert_complains(self.loam("run", scene, *arguments, code=code), *words)
                self.assertFalse((self.folder / "out").exists())

    def test_a_scene_that_is_not_there(self):
        self.assert_complains(self.loam("run", "nowhere.json", code=4), "nowhere.json")
        self.assert_complains(self.loam("run", code=2), "SCENE")

    def test_errors_are_events_too(self):
        done = self.loam("run", self.scene("{}x"), "--json", code=3)
        event = self.events(done)[-1]
        self.assertEqual((event["event"], event["fault"], event["exit_code"]), ("error", "scene", 3))
        self.assertIn("scene.json:1", event["where"])

    def test_a_run_that_breaks_down_says_so_and_keeps_its_frames(self):
        done = self.loam("run", self.scene(DAM), "--set", "solver.min_time_step=0.02", code=5)
        self.assert_complains(done, "scene.json", "min_time_step", "bodies.water")
        self.assertIn("000000.vtkhdf", self.frames("out/scene"))

    def test_nobody_listens(self):
        scene = self.scene(DAM)

        def shell(redirection, *arguments):
            command = " ".join([PROGRAM, *arguments, redirection])
            return subprocess.run(["sh", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=60)
        run = ["run", "scene.json", "-o", "run", "--frames", "1", "--force"]
        for redirection in ("2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2>/dev/full"):
            with self.subTest(redirection=redirection):
                done = shell(redirection, *run)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(len(self.frames("run")), 2)
                self.assertEqual(shell(redirection, "check", "nowhere.json").returncode, 4)
        for arguments in (["schema"], ["info", "run"], [*run, "--json"]):
            done = shell(">/dev/full", *arguments)
            self.assertEqual(done.returncode, 4, arguments)
            self.assertIn("stdout", done.stderr)

    def test_a_fixed_step_that_cannot_be_held(self):
        for solver, step in (("dfsph", 0.025), ("wcsph", 0.005)):
            with self.subTest(solver=solver):
                done = self.loam("run", self.scene(DAM), "--force", "--set", f"solver.pressure={solver}",
                                 "--set", f"solver.time_step={step}", "--set", "bodies.water.velocity=[30, 0, 0]", code=5)
                self.assert_complains(done, "scene.json", str(step), "solver.time_step")


if __name__ == "__main__":
    main()
