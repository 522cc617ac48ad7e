"""White water: made along with a run or afterwards, the same either way and after any interruption."""
import struct
import zlib

import h5py

from support import DAM, ProgramTest, main

# Wild enough to foam early: a block of water that is thrown against the wall of its tank.
SPLASH = {**DAM, "foam": {"amount": 4}, "bodies": {**DAM["bodies"], "water": {**DAM["bodies"]["water"], "velocity": [3, 0, 0]}}}
CALM = {key: value for key, value in SPLASH.items() if key != "foam"}


class Foam(ProgramTest):
    def foam(self, run):
        return {path.name: path.read_bytes() for path in (self.folder / run / "foam").glob("*")}

    def test_along_with_a_run_and_afterwards_are_the_same(self):
        self.loam("run", self.scene(SPLASH), "-o", "along", "--threads", 2)
        made = self.foam("along")
        self.assertEqual(len(made), 14)  # frames 0 to 12, and the settings
        self.loam("run", self.scene(CALM), "-o", "after", "--threads", 1)
        self.assertEqual(self.foam("after"), {})
        done = self.loam("foam", "after", "--set", "foam.amount=4", "--threads", 1)
        self.assertIn("13 frames", done.stderr)
        self.assertEqual(self.foam("after"), made)
        # Frames are those of a run without it.
        for path in (self.folder / "along/frames").iterdir():
            self.assertEqual(path.read_bytes(), (self.folder / "after/frames" / path.name).read_bytes())

    def test_files_are_frames_of_spray_foam_and_bubbles(self):
        self.loam("run", self.scene(SPLASH), "-o", "run")
        with h5py.File(self.folder / "run/foam/000012.vtkhdf") as file:
            count = len(file["VTKHDF/Points"])
            self.assertGreater(count, 200)
            self.assertEqual(list(file["Loam/bodies"].asstr()[:]), ["spray", "foam", "bubbles"])
            self.assertEqual(set(file["VTKHDF/PointData"]), {"id", "body", "velocity", "life"})
            self.assertTrue((file["VTKHDF/PointData/life"][:] > 0).all())
        events = [e for e in self.events(self.loam("foam", "run", "--set", "foam.seed=2", "--json")) if e["event"] == "foam"]
        self.assertEqual([e["frame"] for e in events], list(range(13)))
        self.assertGreater(events[-1]["spray"] + events[-1]["foam"] + events[-1]["bubbles"], 200)

    def test_killed_runs_have_the_same_in_the_end(self):
        scene = self.scene(SPLASH)
        self.loam("run", scene, "-o", "whole")
        process = self.start("run", scene, "-o", "killed", "--checkpoint", 0)
        self.wait_for(process, "frame", 5)
        process.kill()
        process.wait()
        self.loam("resume", "killed")
        self.assertEqual(self.foam("killed"), self.foam("whole"))

    def test_a_full_disk_and_damage_are_mended(self):
        scene = self.scene(SPLASH)
        self.loam("run", scene, "-o", "run")
        whole = self.foam("run")
        self.loam("info", "run", "--verify")
        for name in whole:
            (self.folder / "run/foam" / name).unlink()
        done = self.loam("foam", "run", code=4, largest_file=len(whole["000009.vtkhdf"]) - 1)
        self.assertIn("foam/", done.stderr)
        self.loam("foam", "run")
        self.assertEqual(self.foam("run"), whole)
        damaged = bytearray(whole["000006.vtkhdf"])
        damaged[len(damaged) // 2] ^= 1
        (self.folder / "run/foam/000006.vtkhdf").write_bytes(damaged)
        self.assertIn("foam/000006.vtkhdf", self.loam("info", "run", "--verify", code=4).stdout)
        self.loam("foam", "run")
        self.assertEqual(self.foam("run"), whole)
        self.assertIn("of 13 frames", self.loam("info", "run").stdout)

    def test_another_way_from_a_frame_on_has_its_own(self):
        self.loam("run", self.scene(SPLASH), "-o", "run", "--keep-checkpoints", "all")
        before = self.foam("run")
        self.loam("resume", "run", "--from", 6, "--set", "behaviors.gravity.acceleration=[0,-3,0]")
        after = self.foam("run")
        self.assertEqual(after["000006.vtkhdf"], before["000006.vtkhdf"])
        self.assertNotEqual(after["000012.vtkhdf"], before["000012.vtkhdf"])
        self.loam("resume", "run", "--from", 8, "--take", "other", "--set", "behaviors.gravity.acceleration=[0,-9,0]")
        take = self.foam("run/takes/other")
        self.assertEqual(take["000008.vtkhdf"], after["000008.vtkhdf"])
        self.assertEqual(len(take), 14)

    def test_pictures_and_exports_show_it(self):
        self.loam("run", self.scene(SPLASH), "-o", "run")
        picture = ("render", "run", "--frames", 12, "--size", "64x36", "--samples", 2, "-o")
        self.loam(*picture, "with.png")
        self.loam(*picture, "without.png", "--set", "foam.amount=0")
        self.assertGreater(self.brightness("with.png"), self.brightness("without.png") + 0.5)
        self.loam("export", "run", "--to", "ply", "--foam", "--bodies", "spray,foam", "--frames", 12)
        self.assertIn(b"element vertex", (self.folder / "run/export/foam_000012.ply").read_bytes()[:400])

    def brightness(self, name):
        """The mean byte of a PNG without interlacing."""
        data, at, packed = (self.folder / name).read_bytes(), 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
            width = struct.unpack(">I", data[at + 8:at + 12])[0] if kind == b"IHDR" else width
            at += 12 + length
        rows, total, above = zlib.decompress(packed), 0, bytes(3 * width)
        for begin in range(0, len(rows), 3 * width + 1):
            row = bytearray(rows[begin + 1:begin + 1 + 3 * width])
            for i in range(len(row)):
                a, b = (row[i - 3] if i > 2 else 0), above[i]
                c = above[i - 3] if i > 2 else 0
                near = min((a, b, c), key=lambda v: abs(a + b - c - v))
                row[i] = (row[i] + (0, a, b, (a + b) // 2, near)[rows[begin]]) & 255
            total, above = total + sum(row), bytes(row)
        return total / (len(rows) / (3 * width + 1)) / (3 * width)

    def test_what_is_wrong_is_told(self):
        self.assertIn("nowhere", self.loam("foam", "nowhere", code=4).stderr)
        for foam, words in (({"of": "watr"}, ("foam.of", 'did you mean "water"')), ({"slow": 3}, ("foam.slow", "less than 2.5")),
                            ({"amont": 1}, ("foam.amont", "amount"))):
            told = self.loam("check", self.scene({**SPLASH, "foam": foam}), code=3).stderr
            for word in words:
                self.assertIn(word, told)
        dry = {**SPLASH, "bodies": {"tank": DAM["bodies"]["tank"],
                                    "box": {"shape": {"sphere": {"center": [0.5, 0.5, 0.1], "radius": 0.1}}, "behaviors": {"rigid": {}}}}}
        self.assertIn("no fluid", self.loam("check", self.scene(dry), code=3).stderr)


if __name__ == "__main__":
    main()
