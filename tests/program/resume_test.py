"""loam resume: whatever happened to a run, it ends bit-identical to one that was never interrupted."""
import json
import shutil
import signal
import subprocess

from support import DAM, GRAINS, HEAVY, MIXER, PORES, PROGRAM, SOLIDS, ProgramTest, main


class Resume(ProgramTest):
    def test_killed_runs_end_as_if_never_killed(self):
        scene = self.scene(MIXER)
        self.loam("run", scene, "-o", "whole")
        for frame in (0, 1, 5, 11):
            with self.subTest(frame=frame):
                run = f"killed-{frame}"
                process = self.start("run", scene, "-o", run, "--checkpoint", 0)
                self.wait_for(process, "frame", frame)
                process.kill()
                process.wait()
                self.assertGreaterEqual(len(self.frames(run)), frame + 1)
                self.loam("resume", run)
                self.assert_same_run("whole", run)

    def assert_bears_kills(self, scene, kills):
        """Killed once each of these frames is there, and resumed each time with as many threads."""
        self.loam("run", scene, "-o", "whole", "--threads", 2)
        process = self.start("run", scene, "-o", "run", "--checkpoint", 0, "--threads", 1)
        for threads, frame in kills:
            self.wait_for(process, "frame", frame)
            process.kill()
            process.wait()
            process = self.start("resume", "run", "--checkpoint", 0, "--threads", threads)
        self.wait_for(process, "end")
        self.assertEqual(process.wait(), 0)
        self.assert_same_run("whole", "run")

    def test_bodies_of_every_kind_go_on_as_if_never_killed(self):
        # Before the drop is a solid and the cloth is let go, and after.
        self.assert_bears_kills(self.scene(SOLIDS), ((3, 3), (1, 8)))

    def test_grains_go_on_as_if_never_killed(self):
        self.assert_bears_kills(self.scene(GRAINS), ((3, 4), (1, 8)))

    def test_killed_again_and_again_with_other_threads(self):
        self.assert_bears_kills(self.scene(MIXER), ((3, 3), (8, 7), (1, 11)))

    def test_no_water_is_lost_where_it_goes_into_pores(self):
        self.assert_bears_kills(self.scene(PORES), ((3, 4), (1, 12)))
        budgets = [line["water"] for line in self.log("whole") if "water" in line]
        self.assertGreater(budgets[-1]["taken_up"], 0.1)
        self.assertGreater(budgets[-1]["emitted"], 0.1)
        for budget in budgets:
            self.assertAlmostEqual(budget["sum"] / budgets[0]["sum"], 1, delta=1e-6)

    def test_presets_hold_as_they_were(self):
        scene = {**MIXER, "bodies": {**MIXER["bodies"], "oil": {**MIXER["bodies"]["oil"], "behaviors": {"like": "sludge"}}}}
        preset = (self.folder / "presets/sludge.json")
        preset.parent.mkdir()
        preset.write_text('{"behaviors": {"like": "oil", "viscosity": {"viscosity": 2}}}')
        self.loam("run", self.scene(scene), "-o", "whole", "--set", "duration=0.1")
        self.loam("run", self.scene(scene), "-o", "parts", "--set", "duration=0.1", "--frames", 2)
        preset.write_text('{"behaviors": {"like": "oil", "viscosity": {"viscosity": 500}}}')
        self.loam("resume", "parts")
        self.assert_same_run("whole", "parts")
        self.loam("resume", "parts", "--from", 2, "--set", "bodies.oil.behaviors.like=honey")

    def test_solvers_with_other_memories(self):
        scene = self.scene(MIXER)
        solvers = [[f"solver.pressure={name}"] for name in ("wcsph", "iisph", "pcisph", "pbf")]
        for settings in solvers + [["solver.dfsph.gradients=corrected"], ["solver.pressure=wcsph", "solver.wcsph.density=carried"],
                                   ["solver.pressure=wcsph", "solver.integrator=velocity-verlet"],
                                   ["solver.time_step=0.002"]]:
            with self.subTest(settings=settings):
                self.assert_same_in_parts(scene, settings)

    def assert_same_in_parts(self, scene, settings):
        change = [word for setting in settings for word in ("--set", setting)] + ["--set", "duration=0.1"]
        self.loam("run", scene, "-o", "whole", "--force", *change)
        self.loam("run", scene, "-o", "parts", "--force", "--frames", 1, *change)
        self.loam("resume", "parts", "--frames", 3)
        self.loam("resume", "parts")
        self.assert_same_run("whole", "parts")

    def test_a_net_that_passes_a_periodic_side(self):
        net = {"shape": {"sheet": {"corner": [0.3, 0.4, 0.3], "u": [0.3, 0, 0], "v": [0, 0, 0.2]}}, "velocity": [4, 0, 0]}
        for law in ("springs", "cloth", "shell"):
            with self.subTest(law=law):
                scene = {"fps": 40, "particle_radius": 0.03, "bodies": {"net": {**net, "behaviors": {law: {}}}},
                         "domain": {"min": [0, 0, 0], "max": [0.8, 0.8, 0.8], "periodic": "x"}}
                self.assert_same_in_parts(self.scene(scene), [])

    def test_laws_that_remember_their_last_step(self):
        verlet = ["solver.pressure=wcsph", "solver.integrator=velocity-verlet", "solver.wcsph.sound_speed=10"]
        water = "bodies.water.behaviors."
        for scene, settings in (
                (SOLIDS, verlet), (MIXER, verlet + ["solver.shifting=2"]),
                (MIXER, verlet + ['bodies.tank.boundary={"method": "dem", "stiffness": 1e7}']),
                (MIXER, verlet + [water + 'wind={"velocity": [20, 0, 0], "coefficient": 1e4}']),
                (MIXER, verlet + [water + 'viscosity={"model": "artificial", "alpha": 2}']),
                (MIXER, [water + 'viscosity={"model": "artificial", "sound_speed": {"keys": [[0, 9], [0.02, 90], [0.03, 9]]}}']),
                (MIXER, [water + 'surface_tension={"tension": 900}', water + 'fluid.density={"keys": [[0, 500], [0.1, 2000]]}'])):
            with self.subTest(settings=settings):
                self.assert_same_in_parts(self.scene(scene), settings)

    def test_frames_limits_one_sitting(self):
        scene = self.scene(DAM)
        done = self.loam("run", scene, "-o", "run", "--frames", 5)
        self.assertIn("loam resume run", done.stderr)
        self.assertEqual(len(self.frames("run")), 6)
        self.loam("resume", "run")
        self.loam("run", scene, "-o", "whole")
        self.assert_same_run("whole", "run")
        again = self.loam("resume", "run").stderr
        self.assertIn("nothing to do", again)
        self.assertNotIn("going on", again)
        self.assert_complains(self.loam("resume", "run", "--frames", 99, code=2), "--set duration=")

    def test_the_scene_may_be_gone(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "run", "--frames", 2, "--set", "duration=0.1")
        scene.unlink()
        self.loam("resume", "run")
        self.assertEqual(len(self.frames("run")), 5)

    def test_files_of_the_scene_are_found_from_the_folder_of_the_run(self):
        corners = [(x, y, z) for x in (0.6, 0.8) for y in (0, 0.2) for z in (0.1, 0.2)]
        faces = ("1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4")
        (self.folder / "rock.obj").write_text("".join("v %g %g %g\n" % c for c in corners)
                                              + "".join(f"f {face}\n" for face in faces))
        rock = {"shape": {"mesh": {"file": "rock.obj"}}, "boundary": {}}
        scene = self.scene({**DAM, "duration": 0.1, "bodies": {**DAM["bodies"], "rock": rock}})
        for name in (scene.name, scene):  # as seen from where the program is started, and as a whole
            self.loam("run", name, "-o", "run", "--frames", 2, "--force")
            self.loam("resume", "run")
            self.loam("render", "run", "-o", "a.png", "--frames", "4-4", "--size", "32x32", "--samples", 1)

    def test_goes_on_with_the_instruction_set_it_began_with(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "whole", "--simd", "scalar")
        self.loam("run", scene, "-o", "run", "--simd", "scalar", "--frames", 3)
        self.loam("resume", "run")
        self.assert_same_run("whole", "run")


class Interrupted(ProgramTest):
    def stop(self, signal_number, code):
        process = self.start("run", self.scene(HEAVY), "-o", "run")
        self.wait_for(process, "frame", 1)
        process.send_signal(signal_number)
        end = self.wait_for(process, "end")
        self.assertEqual(process.wait(), code)
        self.assertTrue(end["stopped"])
        self.assertFalse(end["finished"])
        self.assertEqual(len(self.frames("run")), end["frame"] + 1)
        return end

    def test_control_c_stops_between_steps_and_can_go_on(self):
        end = self.stop(signal.SIGINT, 130)
        goal = end["frame"] + 2
        self.loam("resume", "run", "--frames", goal)
        self.loam("run", "scene.json", "-o", "whole", "--frames", goal)
        self.assert_same_run("whole", "run")

    def test_terminate_does_the_same(self):
        self.stop(signal.SIGTERM, 143)

    def test_people_are_told_how_to_go_on(self):
        process = subprocess.Popen([PROGRAM, "run", self.scene(HEAVY), "-o", "run"], cwd=self.folder, text=True,
                                   stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        first = process.stderr.readline()  # comes after the handler is in place
        self.assertIn("particles", first)
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("loam resume run", rest)

    def test_two_runs_in_one_folder(self):
        process = self.start("run", self.scene(HEAVY), "-o", "run")
        self.wait_for(process, "frame", 0)
        for arguments in (["run", "scene.json", "-o", "run", "--force"], ["resume", "run"],
                          ["run", "scene.json", "-o", "run"]):
            done = self.loam(*arguments, code=4)
            self.assert_complains(done, "going on", str(process.pid))
            self.assertNotIn("loam resume", done.stderr)
        self.assertIsNone(process.poll())
        self.loam("info", "run")  # looking is allowed


class Faults(ProgramTest):
    def test_an_existing_run_is_kept_unless_forced(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "--frames", 1)
        before = self.frames("out/scene")
        self.assert_complains(self.loam("run", scene, code=4), "loam resume", "--force")
        self.assertEqual(self.frames("out/scene"), before)
        self.loam("run", scene, "--frames", 0, "--force")
        self.assertEqual(len(self.frames("out/scene")), 1)

    def test_a_folder_of_something_else_is_never_touched(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine/letter.txt").write_text("dear")
        for force in ([], ["--force"]):
            self.assert_complains(self.loam("run", self.scene(DAM), "-o", "mine", *force, code=4), "mine")
        self.assertEqual([p.name for p in (self.folder / "mine").iterdir()], ["letter.txt"])
        self.assert_complains(self.loam("resume", "mine", code=4), "mine", "no run")
        self.assert_complains(self.loam("resume", "nowhere", code=4), "nowhere")

    def test_a_full_disk_ends_the_run_and_loses_nothing(self):
        scene = self.scene({**MIXER, "drains": {}})  # particles are only born, so files grow
        self.loam("run", scene, "-o", "whole")
        whole = self.frames("whole")
        sizes = [len(frame) for frame in whole.values()]
        self.assertGreater(sizes[-1], sizes[1] + 100)
        for limit in (sizes[0] - 1, sizes[0], sizes[len(sizes) // 2], sizes[-1] - 1):
            with self.subTest(limit=limit):
                done = self.loam("run", scene, "-o", "run", "--json", "--force", largest_file=limit, code=4)
                self.assert_complains(done, "loam resume run")
                told = [e["frame"] for e in self.events(done) if e["event"] == "frame"]
                self.assertLess(len(told), len(whole))
                kept = self.frames("run")
                self.assertTrue(all(kept[f"{k:06}.vtkhdf"] == whole[f"{k:06}.vtkhdf"] for k in told))
                self.assertTrue(all(name in whole for name in kept), kept.keys())  # nothing half-written
                self.loam("resume", "run")
                self.assert_same_run("whole", "run")

    def test_a_disk_too_full_to_begin(self):
        scene = self.scene(DAM)
        self.assert_complains(self.loam("run", scene, "-o", "run", largest_file=100, code=4), "run/scene.json")
        self.loam("run", scene, "-o", "run", "--frames", 0)  # nothing is in the way of a second try

    def checkpoints(self):
        return sorted((self.folder / "run/checkpoints").iterdir())

    def run_in_part(self):
        self.loam("run", self.scene(DAM), "-o", "whole")
        self.loam("run", self.scene(DAM), "-o", "run", "--frames", 6, "--checkpoint", 0)
        self.assertEqual([p.name for p in self.checkpoints()], ["000005.h5", "000006.h5"])

    def test_altered_and_missing_frames_are_computed_again(self):
        self.loam("run", self.scene(MIXER), "-o", "good")
        self.loam("run", self.scene(MIXER), "-o", "bad")
        self.assertIn("17 frames", self.loam("info", "bad", "--verify").stdout)
        frames = self.folder / "bad" / "frames"
        for number, place in ((3, 1000), (16, -10)):  # a bit in the middle, and one in the seal of the last frame
            frame = frames / f"{number:06}.vtkhdf"
            content = bytearray(frame.read_bytes())
            content[place] ^= 4
            frame.write_bytes(content)
        (frames / "000007.vtkhdf").unlink()
        (frames / "000009.vtkhdf").write_bytes(b"")
        log = (self.folder / "bad/log.jsonl").read_text().splitlines(keepends=True)
        (self.folder / "bad/log.jsonl").write_text("".join(log[:12] + log[13:]))
        told = self.loam("info", "bad", "--verify", code=4)
        for word in ("13 frames", "000003.vtkhdf", "000007.vtkhdf", "is missing", "000009.vtkhdf", "000016.vtkhdf",
                     "log.jsonl", "the first is 12"):
            self.assertIn(word, told.stdout)
        self.assert_complains(told, "loam resume bad")
        flaws = json.loads(self.loam("info", "bad", "--verify", "--json", code=4).stdout)["flaws"]
        self.assertEqual(len(flaws), 5)
        done = self.loam("resume", "bad")
        self.assertIn("3, 7, 9, 12, 16", done.stderr)
        self.assert_same_run("good", "bad")
        self.loam("info", "bad", "--verify")

    def test_a_damaged_checkpoint_is_told(self):
        self.loam("run", self.scene(DAM), "-o", "dam")
        newest = sorted((self.folder / "dam/checkpoints").iterdir())[-1]
        newest.write_bytes(newest.read_bytes()[:-40])
        self.assertIn(newest.name, self.loam("info", "dam", "--verify", code=4).stdout)
        self.assert_complains(self.loam("info", "nothing", "--verify", code=4), "no run of Loam")

    def test_a_damaged_checkpoint_gives_way_to_the_one_before(self):
        self.run_in_part()
        newest = self.checkpoints()[-1]
        content = bytearray(newest.read_bytes())
        content[len(content) // 2] ^= 4
        newest.write_bytes(content)
        done = self.loam("resume", "run")
        self.assertIn("warning", done.stderr)
        self.assertIn("frame 5", done.stderr)
        self.assert_same_run("whole", "run")

    def test_all_checkpoints_damaged_or_missing(self):
        for harm in (lambda path: path.write_bytes(path.read_bytes()[:-100]), lambda path: path.unlink()):
            self.run_in_part()
            for path in self.checkpoints():
                harm(path)
            self.assertIn("from the beginning", self.loam("resume", "run").stderr)
            self.assert_same_run("whole", "run")
            for run in ("whole", "run"):
                shutil.rmtree(self.folder / run)

    def test_a_damaged_scene_in_the_folder(self):
        self.run_in_part()
        (self.folder / "run/scene.json").write_text("{")
        self.assert_complains(self.loam("resume", "run", code=3), "run/scene.json:1")
        (self.folder / "run/scene.json").write_text(json.dumps({**DAM, "fps": 50}))
        self.assert_complains(self.loam("resume", "run", code=4), "run/checkpoints")


if __name__ == "__main__":
    main()
