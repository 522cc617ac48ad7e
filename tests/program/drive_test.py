"""loam resume with --from, --set and --take: back to any frame, and on from there; frames that are gone come back."""
import json
import os
import shutil

from support import DAM, HEAVY, MIXER, SOLIDS, ProgramTest, main

HEAVIER = "behaviors.gravity.acceleration=[0,-20,0]"
LIGHTER = "behaviors.gravity.acceleration=[0,-2,0]"


def name(frame):
    return f"{frame:06}.vtkhdf"


class DriveTest(ProgramTest):
    def checkpoints(self, run):
        return sorted(int(path.stem) for path in (self.folder / run / "checkpoints").glob("*.h5"))

    def assert_differs_after(self, frame, first, second):
        """The same frames up to this one, and other ones after it."""
        one, two = self.frames(first), self.frames(second)
        self.assertEqual(list(one), list(two))
        for k in range(len(one)):
            self.assertEqual(one[name(k)] == two[name(k)], k <= frame, f"frame {k}")


class GoingBack(DriveTest):
    def test_without_changes_the_frames_are_the_same(self):
        for content in (MIXER, SOLIDS):
            scene = self.scene(content)
            self.loam("run", scene, "-o", "whole", "--force")
            self.loam("run", scene, "-o", "run", "--force", "--keep-checkpoints", 4)
            for frame in (0, 3, 4, 10, 12):
                with self.subTest(frame=frame):
                    told = self.events(self.loam("resume", "run", "--from", frame, "--json"))
                    starts = [(e["first_frame"], e["last_frame"]) for e in told if e["event"] == "start"]
                    self.assertEqual(starts[-1][0], frame)
                    if frame == 3:
                        self.assertEqual(starts[0], (0, 3))  # computed again on the way
                    self.assert_same_run("whole", "run")

    def test_other_values_replace_what_comes_after(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "whole")
        self.loam("run", scene, "-o", "run", "--keep-checkpoints", "all")
        self.loam("resume", "run", "--from", 6, "--set", HEAVIER)
        self.assert_differs_after(6, "whole", "run")
        self.assertEqual(json.loads((self.folder / "run/scene.json").read_text())["behaviors"]["gravity"]["acceleration"],
                         [0, -20, 0])
        self.assertIn("other values      after frame 6", self.loam("info", "run").stdout)
        self.assertEqual([line["frame"] for line in self.log("run")], list(range(13)))
        # Before the change the scene of then holds, after it the other one.
        edited = self.frames("run")
        self.loam("resume", "run", "--from", 2)
        self.assertEqual(self.frames("run"), edited)
        # Another change before that one takes it away.
        self.loam("resume", "run", "--from", 4, "--set", LIGHTER)
        self.assert_differs_after(4, "whole", "run")
        self.loam("resume", "run", "--from", 4, "--set", "behaviors.gravity.acceleration=[0,-9.81,0]")
        self.assertEqual(self.frames("run"), self.frames("whole"))

    def test_a_value_that_is_set_back_was_never_changed(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "whole")
        self.loam("run", scene, "-o", "run")
        for density in (301, 7, 613, 1000):
            self.loam("resume", "run", "--from", 5, "--set", f"bodies.water.behaviors.fluid.density={density}")
        self.assertEqual(self.frames("run"), self.frames("whole"))

    def test_at_the_start_everything_may_change(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "whole", "--set", "particle_radius=0.035", "--set", HEAVIER)
        self.loam("run", scene, "-o", "run")
        self.loam("resume", "run", "--from", 0, "--set", "particle_radius=0.035", "--set", HEAVIER)
        self.assert_same_run("whole", "run")

    def test_a_run_made_longer(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "whole", "--set", "duration=0.4")
        self.loam("run", scene, "-o", "run")
        self.assert_complains(self.loam("resume", "run", "--frames", 16, code=2), "--set duration=")
        self.loam("resume", "run", "--set", "duration=0.4")
        self.assert_same_run("whole", "run")

    def test_killed_while_it_goes_on_with_other_values(self):
        scene = self.scene(MIXER)
        self.loam("run", scene, "-o", "whole")
        self.loam("resume", "whole", "--from", 5, "--set", LIGHTER)
        self.loam("run", scene, "-o", "run")
        process = self.start("resume", "run", "--from", 5, "--set", LIGHTER, "--checkpoint", 0)
        self.wait_for(process, "frame", 8)
        process.kill()
        process.wait()
        self.loam("resume", "run")
        self.assert_same_run("whole", "run")

    def test_killed_while_an_edit_is_done_it_is_brought_to_its_end(self):
        scene = self.scene({**DAM, "fps": 400})  # many small files to take away
        self.loam("run", scene, "-o", "before", "--keep-checkpoints", "all")
        shutil.copytree(self.folder / "before", self.folder / "after")
        change = ["--from", 20, "--set", LIGHTER]
        self.loam("resume", "after", *change)
        before, after = self.frames("before"), self.frames("after")
        for patience in (0, 20, 30, 40, 60, 80, 100, 130, 160, 200):
            run = f"run-{patience}"
            shutil.copytree(self.folder / "before", self.folder / run)
            process = self.start("resume", run, *change)
            written_down = self.folder / run / "edit"
            while not written_down.exists() and len(self.frames_there(run)) == len(before) and process.poll() is None:
                pass
            for _ in range(patience):  # a moment later, each time a little more
                self.frames_there(run)
            process.kill()
            process.wait()
            self.assertNotEqual(self.frames(run), after, "it was killed too late to tell anything")
            self.loam("resume", run)
            self.assertTrue(self.frames(run) == after, f"killed after {patience}")

    def test_killed_before_an_edit_is_written_down_nothing_has_changed(self):
        self.loam("run", self.scene(HEAVY), "-o", "run", "--frames", 6)
        before = self.frames("run")
        process = self.start("resume", "run", "--from", 4, "--set", LIGHTER)
        self.wait_for(process, "start")  # of the way back
        process.kill()
        process.wait()
        self.assertEqual(self.frames("run"), before)
        self.loam("resume", "run", "--frames", 6)
        self.assertEqual(self.frames("run"), before)

    def frames_there(self, run):
        return os.listdir(self.folder / run / "frames")

    def test_stopped_on_the_way_back_nothing_has_changed(self):
        self.loam("run", self.scene(HEAVY), "-o", "run", "--frames", 6)
        (self.folder / "run/checkpoints/000005.h5").unlink(missing_ok=True)
        before = self.frames("run")
        process = self.start("resume", "run", "--from", 4, "--set", LIGHTER)
        self.wait_for(process, "start")
        process.terminate()
        told = self.wait_for(process, "end")
        self.assertEqual(process.wait(), 143)
        self.assertTrue(told["stopped"])
        self.assertEqual(self.frames("run"), before)
        self.assertFalse((self.folder / "run/scenes").exists())

    def test_what_cannot_be_done_changes_nothing(self):
        self.loam("run", self.scene(DAM), "-o", "run", "--frames", 6)
        before = self.frames("run"), (self.folder / "run/scene.json").read_text()
        for arguments, code, words in (
                (["--from", 9], 2, ["frame 9 is not there yet", "0 to 6"]),
                (["--from", "x"], 2, ["whole number"]),
                (["--from", 3, "--set", "particle_radius=0.02"], 3, ["particle_radius", "frame 0"]),
                (["--from", 3, "--set", "fps=50"], 3, ["fps", "frame 0"]),
                (["--from", 3, "--set", "bodies.watr.velocity=[1,0,0]"], 3, ["water"]),
                (["--from", 3, "--set", "behaviors.gravity.acceleration"], 2, ["path=value"]),
                (["--take", "a/b"], 2, ["--take", "letters"]),
                (["--from", 3, "--set", "duration=0.5", "--frames", 99], 2, ["99"]),
                (["--keep-checkpoints", "some"], 2, ["keep-checkpoints"])):
            with self.subTest(arguments=arguments):
                self.assert_complains(self.loam("resume", "run", *arguments, code=code), *words)
                self.assertEqual((self.frames("run"), (self.folder / "run/scene.json").read_text()), before)
        self.loam("resume", "run")  # it is whole, and goes on


class Takes(DriveTest):
    def test_a_take_leaves_the_run_and_shares_its_frames(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "run", "--keep-checkpoints", 4)
        whole = self.frames("run")
        told = self.loam("resume", "run", "--from", 7, "--set", LIGHTER, "--take", "light").stderr
        self.assertIn("run/takes/light", told)
        self.assertEqual(self.frames("run"), whole)
        self.assert_differs_after(7, "run", "run/takes/light")
        inode = lambda run, frame: os.stat(self.folder / run / "frames" / name(frame)).st_ino
        self.assertEqual(inode("run", 7), inode("run/takes/light", 7))
        self.assertIn("takes             light", self.loam("info", "run").stdout)
        self.assertEqual(json.loads(self.loam("info", "run", "--json").stdout)["takes"], ["light"])
        # It is what replacing would have made.
        take = self.frames("run/takes/light")
        self.assertIn("finished", self.loam("info", "run/takes/light").stdout)
        self.assertIn("nothing to do", self.loam("resume", "run/takes/light").stderr)
        self.loam("plot", "run/takes/light")
        self.assert_complains(self.loam("resume", "run", "--take", "light", code=4), "already", "loam resume run/takes/light")
        self.loam("resume", "run", "--from", 7, "--set", LIGHTER)
        self.assertEqual(self.frames("run"), take)

    def test_takes_of_takes_from_any_frame(self):
        self.loam("run", self.scene(DAM), "-o", "run")
        self.loam("resume", "run", "--from", 6, "--set", LIGHTER, "--take", "a")
        self.loam("resume", "run/takes/a", "--from", 3, "--set", HEAVIER, "--take", "b")
        self.assert_differs_after(3, "run", "run/takes/a/takes/b")
        self.loam("resume", "run", "--from", 0, "--take", "again")
        self.assert_same_run("run", "run/takes/again")
        self.loam("resume", "run", "--set", "duration=0.35", "--take", "longer")  # from the last frame
        self.assertEqual(len(self.frames("run/takes/longer")), 15)

    def test_a_killed_take_goes_on(self):
        scene = self.scene(MIXER)
        self.loam("run", scene, "-o", "run")
        self.loam("resume", "run", "--from", 5, "--set", LIGHTER, "--take", "whole")
        process = self.start("resume", "run", "--from", 5, "--set", LIGHTER, "--take", "killed", "--checkpoint", 0)
        self.wait_for(process, "frame", 8)
        process.kill()
        process.wait()
        self.loam("resume", "run/takes/killed")
        self.assert_same_run("run/takes/whole", "run/takes/killed")

    def test_the_run_is_free_while_a_take_goes_on(self):
        self.loam("run", self.scene(HEAVY), "-o", "run", "--frames", 2)
        process = self.start("resume", "run", "--take", "other")
        self.wait_for(process, "frame", 3)
        self.loam("resume", "run", "--frames", 2)


class Checkpoints(DriveTest):
    def test_are_kept_as_told_and_that_is_remembered(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "run", "--keep-checkpoints", 3, "--frames", 7, "--checkpoint", 1000)
        self.assertEqual(self.checkpoints("run"), [1, 3, 6, 7][-3:])
        self.loam("resume", "run", "--checkpoint", 1000)
        self.assertEqual(self.checkpoints("run"), [3, 6, 9, 12])
        self.loam("run", scene, "-o", "all", "--keep-checkpoints", "all")
        self.assertEqual(self.checkpoints("all"), list(range(1, 13)))
        self.loam("run", scene, "-o", "usual", "--checkpoint", 0)
        self.assertEqual(self.checkpoints("usual"), [11, 12])

    def test_make_going_back_short(self):
        self.loam("run", self.scene(DAM), "-o", "run", "--keep-checkpoints", "all")
        told = self.events(self.loam("resume", "run", "--from", 5, "--set", LIGHTER, "--json"))
        self.assertEqual([e["first_frame"] for e in told if e["event"] == "start"], [5])
        self.assertEqual([e["frame"] for e in told if e["event"] == "frame"], list(range(6, 13)))


class FramesThatAreGone(DriveTest):
    def harm(self, run, frames):
        for k, frame in enumerate(frames):
            path = self.folder / run / "frames" / name(frame)
            content = bytearray(path.read_bytes())
            path.unlink()
            if k % 3 == 1:
                path.write_bytes(content[:-100])
            if k % 3 == 2:
                content[len(content) // 2] ^= 1  # of the right size: only the whole seal tells
                path.write_bytes(content)

    def test_are_computed_again(self):
        for content in (MIXER, SOLIDS):
            scene = self.scene(content)
            self.loam("run", scene, "-o", "whole", "--force")
            for options in ([], ["--keep-checkpoints", 5]):
                self.loam("run", scene, "-o", "run", "--force", *options)
                for frames in ([3], [12], [0], [0, 1, 2, 7, 8, 11]):
                    with self.subTest(frames=frames, options=options):
                        self.harm("run", frames)
                        told = self.loam("resume", "run").stderr
                        self.assertIn(("s are" if len(frames) > 1 else " is") + " missing or damaged: " +
                                      ", ".join(map(str, frames)), told)
                        self.assert_same_run("whole", "run")
                        self.assertIn("nothing to do", self.loam("resume", "run").stderr)
        self.harm("run", [4])
        self.assertIn("loam resume run", self.loam("info", "run").stdout)

    def test_before_a_change_too(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "whole")
        self.loam("resume", "whole", "--from", 5, "--set", HEAVIER)
        self.loam("run", scene, "-o", "run")
        self.harm("run", [2])
        self.loam("resume", "run", "--from", 5, "--set", HEAVIER)
        self.assert_same_run("whole", "run")
        self.harm("run", [5, 6, 9])
        self.loam("resume", "run")
        self.assert_same_run("whole", "run")

    def test_in_a_run_that_is_not_finished(self):
        scene = self.scene(DAM)
        self.loam("run", scene, "-o", "whole")
        self.loam("run", scene, "-o", "run", "--frames", 8)
        self.harm("run", [4, 8])
        self.loam("resume", "run")
        self.assert_same_run("whole", "run")

    def test_killed_while_they_are_computed_again(self):
        self.loam("run", self.scene(HEAVY), "-o", "run", "--frames", 8)
        before = self.frames("run")
        self.harm("run", [3, 4, 5])
        process = self.start("resume", "run", "--frames", 8)
        self.wait_for(process, "frame", 4)
        process.kill()
        process.wait()
        self.loam("resume", "run", "--frames", 8)
        self.assertEqual(self.frames("run"), before)


if __name__ == "__main__":
    main()
