"""loam render, from outside: pictures, sheets, videos, and what can go wrong."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import unittest

from support import DAM, HEAVY, ProgramTest, main

SMALL = ("--size", "64x36", "--samples", "2")
HAS_FFMPEG = shutil.which("ffmpeg") and shutil.which("ffprobe")


def png_size(path):
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    return struct.unpack(">II", data[16:24])


def stream_of(video):
    told = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-count_frames", "-of", "json",
                           "-show_entries", "stream=codec_name,pix_fmt,width,height,nb_read_frames,r_frame_rate",
                           str(video)], capture_output=True, text=True, check=True)
    return json.loads(told.stdout)["streams"][0]


# The tap is closed at first, so that pictures grow.
TAP = {
    "duration": 0.3, "fps": 40, "particle_radius": 0.05, "behaviors": {"gravity": {}},
    "bodies": {
        "water": {"behaviors": {"fluid": {}}, "emitters": {"tap": {
            "shape": {"box": {"min": [0, 0, 0], "max": [0.5, 0.5, 0.4]}}, "speed": 2, "start": 0.2}}},
    },
}


@unittest.skipUnless(HAS_FFMPEG, "no ffmpeg")
class Preview(ProgramTest):
    def test_preview_of_a_run_that_was_killed(self):
        scene = {**HEAVY, "duration": 0.6, "fps": 40}  # several seconds of computing
        os.environ["LOAM_VIDEO"] = "on"
        self.addCleanup(os.environ.__setitem__, "LOAM_VIDEO", "off")
        process = self.start("run", self.scene(scene), "-o", "heavy")
        for frame in range(6, 23, 2):
            self.wait_for(process, "frame", frame)
            if list((self.folder / "heavy/preview").glob("*.png")):
                break
        process.kill()
        process.wait()
        kept = sorted(path.name for path in (self.folder / "heavy" / "preview").glob("*.png"))
        self.assertTrue(kept)
        for name in kept:
            png_size(self.folder / "heavy" / "preview" / name)  # each is whole
        events = self.events(self.loam("resume", "heavy", "--json"))
        preview = next(event for event in events if event["event"] == "preview")
        self.assertEqual(preview["pictures"], preview["frames"])  # none is left out
        stream = stream_of(self.folder / "heavy" / "preview.mp4")
        self.assertGreaterEqual((stream["width"], stream["height"]), (640, 360))
        self.assertEqual((stream["nb_read_frames"], stream["r_frame_rate"]), ("25", "40/1"))
        self.assertFalse((self.folder / "heavy" / "preview").exists())

    def whole_pictures(self, run):
        """The names of the pictures that a run keeps for its video."""
        kept = sorted((self.folder / run / "preview").iterdir())
        self.assertTrue(all(path.suffix in (".png", ".json") for path in kept), kept)  # nothing half-written
        pictures = [path for path in kept if path.suffix == ".png"]
        for path in pictures:
            png_size(path)
        return [path.name for path in pictures]

    def test_a_full_disk_costs_the_preview_but_not_the_run(self):
        scene, on = self.scene(TAP), {"LOAM_VIDEO": "on"}
        self.loam("run", scene, "-o", "free", "--frames", 11, environment=on)
        sizes = {name: (self.folder / "free/preview" / name).stat().st_size for name in self.whole_pictures("free")}
        self.assertEqual(len(sizes), 12)  # every frame
        least = sizes["000000.png"]  # nothing but the ground
        self.assertGreater(sizes["000011.png"], least + 100)
        self.assertGreater(least, max(map(len, self.frames("free").values())))  # so frames have enough space
        done = self.loam("run", scene, "-o", "full", "--frames", 11, largest_file=least + 50, environment=on)
        self.assert_complains(done, "warning: no preview video: full/preview/0000", "ulimit -f")
        self.assertEqual(self.frames("full"), self.frames("free"))
        kept = self.whole_pictures("full")
        self.assertIn("000000.png", kept)
        self.assertNotIn("000011.png", kept)
        self.assertFalse((self.folder / "full/preview.mp4").exists())
        # With space again, the run goes on with these.
        events = self.events(self.loam("resume", "full", "--json", environment=on))
        preview = next(event for event in events if event["event"] == "preview")
        self.assertGreater(preview["pictures"], len(kept))
        self.assertEqual(stream_of(self.folder / "full/preview.mp4")["nb_read_frames"], "13")

    def test_no_space_for_the_video_leaves_the_pictures(self):
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "ffmpeg").write_text("#!/bin/sh\ncat > /dev/null\necho 'No space left on device' >&2\nexit 1\n")
        (tools / "ffmpeg").chmod(0o755)
        path = f"{tools}:{os.environ['PATH']}"
        done = self.loam("run", self.scene(TAP), "-o", "full", environment={"LOAM_VIDEO": "on", "PATH": path})
        self.assert_complains(done, "no preview video: full/preview.mp4", "No space left on device")
        self.assertEqual(len(self.frames("full")), 13)
        self.assertEqual(len(self.whole_pictures("full")), 13)
        self.assertFalse((self.folder / "full/preview.mp4").exists())

    def test_a_full_disk_leaves_the_good_preview(self):
        scene, on = self.scene(TAP), {"LOAM_VIDEO": "on"}
        self.loam("run", scene, "-o", "run", environment=on)
        video = self.folder / "run/preview.mp4"
        good = video.read_bytes()
        largest = max(max(map(len, self.frames("run").values())), 40_000)  # pictures fit as well
        if largest >= len(good):
            self.skipTest("the video is the smallest file of all")
        done = self.loam("run", scene, "-o", "run", "--force", largest_file=len(good) - 1, environment=on)
        self.assert_complains(done, "no preview video")
        self.assertTrue(not video.exists() or video.read_bytes() == good)

    def test_no_preview(self):
        self.loam("run", self.scene(DAM), "-o", "dam", "--no-video", environment={"LOAM_VIDEO": "on"})
        self.assertFalse((self.folder / "dam" / "preview.mp4").exists())


class Render(ProgramTest):
    def setUp(self):
        super().setUp()
        self.loam("run", self.scene(DAM), "-o", "dam", "--frames", 4)

    def picture(self, name, *arguments):
        self.loam("render", "dam", "-o", name, "--frames", 3, *SMALL, *arguments)
        return (self.folder / name).read_bytes()

    def test_pictures_in_a_folder(self):
        self.loam("render", "dam", "-o", "shown", "--frames", "1-3", *SMALL)
        shown = sorted(path.name for path in (self.folder / "shown").iterdir())
        self.assertEqual(shown, ["000001.png", "000002.png", "000003.png"])
        for name in shown:
            self.assertEqual(png_size(self.folder / "shown" / name), (64, 36))

    def test_something_is_seen(self):
        with_water = self.picture("a.png")
        without = self.picture("b.png", "--set", "bodies.water.look.material=hidden")
        self.assertNotEqual(with_water, without)
        self.assertNotEqual(with_water, self.picture("c.png", "--particles"))

    def test_same_picture_for_any_number_of_threads(self):
        self.assertEqual(self.picture("a.png", "--threads", 1), self.picture("b.png", "--threads", 2))
        self.assertNotEqual(self.picture("a.png"), self.picture("c.png", "--seed", 1))

    def test_sheet(self):
        self.loam("render", "dam", "--sheet", "sheet.png", "--sheet-frames", 4, *SMALL)
        width, height = png_size(self.folder / "sheet.png")
        self.assertGreater(width, 4 * 64)
        self.assertGreater(height, 36)
        self.assertFalse((self.folder / "dam" / "video.mp4").exists())

    def test_colors_and_events(self):
        done = self.loam("render", "dam", "-o", "speed.png", "--color", "speed", "--range", "0,2", "--json", *SMALL)
        events = self.events(done)
        self.assertEqual([event["event"] for event in events], ["start", "picture", "end"])
        self.assertEqual(events[1]["frame"], 4)
        self.assertEqual(events[2]["files"], ["speed.png"])

    @unittest.skipUnless(HAS_FFMPEG, "no ffmpeg")
    def test_video(self):
        self.loam("render", "dam", "-o", "dam.mp4", "--size", "65x37", "--samples", 1)  # odd sizes are made even
        stream = stream_of(self.folder / "dam.mp4")
        self.assertEqual((stream["codec_name"], stream["pix_fmt"]), ("h264", "yuv420p"))
        self.assertEqual((stream["width"], stream["height"]), (66, 38))
        self.assertEqual((stream["nb_read_frames"], stream["r_frame_rate"]), ("5", "40/1"))

    @unittest.skipUnless(HAS_FFMPEG, "no ffmpeg")
    def test_video_that_cannot_be_written(self):
        (self.folder / "dam.mp4.part").mkdir()
        done = self.loam("render", "dam", "-o", "dam.mp4", *SMALL, code=4)
        self.assert_complains(done, "dam.mp4", "ffmpeg failed")

    @unittest.skipUnless(HAS_FFMPEG, "no ffmpeg")
    def test_a_full_disk_leaves_the_good_video(self):
        for name in ("dam.mp4", "dam.mkv"):
            render = ("render", "dam", "-o", name, "--size", "64x36", "--samples", 1)
            self.loam(*render)
            video = self.folder / name
            good = video.read_bytes()
            # Too small for the pictures; for the index at the end; for moving that to the front, where it was reported.
            for limit in (len(good) // 2, len(good) - 700, len(good) - 1):
                done = self.loam(*render, code=4, largest_file=limit)
                self.assert_complains(done, name, "ffmpeg failed", "space on the disk")
                self.assertEqual(video.read_bytes(), good)
                self.assertFalse(pathlib.Path(f"{video}.part").exists())

    @unittest.skipUnless(HAS_FFMPEG, "no ffmpeg")
    def test_a_video_that_cannot_be_read_again_is_none(self):
        tools = self.folder / "tools"
        tools.mkdir()
        ffmpeg = shutil.which("ffmpeg")
        # Ends as if all were well, and leaves half of the file.
        (tools / "ffmpeg").write_text(f'#!/bin/sh\n"{ffmpeg}" "$@" || exit\nfor last; do :; done\n'
                                      'file=${last#file:}\n[ -f "$file" ] && truncate -s -300 "$file"\nexit 0\n')
        (tools / "ffmpeg").chmod(0o755)
        self.loam("render", "dam", "-o", "dam.mp4", *SMALL)
        good = (self.folder / "dam.mp4").read_bytes()
        done = self.loam("render", "dam", "-o", "dam.mp4", *SMALL, code=4,
                         environment={"PATH": f"{tools}:{os.environ['PATH']}"})
        self.assert_complains(done, "dam.mp4", "ffmpeg failed", "frames can be read again")
        self.assertEqual((self.folder / "dam.mp4").read_bytes(), good)

    def test_no_ffmpeg(self):
        done = self.loam("render", "dam", "-o", "dam.mp4", *SMALL, code=4, environment={"PATH": "/nowhere"})
        self.assert_complains(done, "ffmpeg is not there", "apt-get install ffmpeg")

    def test_camera_of_the_scene(self):
        given = self.picture("a.png", "--camera", "from=[3,2,4]", "--camera", "to=[0.5,0.3,0.1]")
        self.assertNotEqual(given, self.picture("b.png"))
        done = self.loam("render", "dam", "--camera", "form=[3,2,4]", code=3)
        self.assert_complains(done, "camera.form", 'did you mean "from"')

    def test_camera_inside_of_a_body(self):
        done = self.loam("render", "dam", "-o", "a.png", "--frames", 0, *SMALL, "--camera", "from=[0.2,0.2,0.15]",
                         "--camera", "to=[1,0.2,0.15]", code=2)
        self.assert_complains(done, "inside of a body", "--camera from=")

    def test_camera_beyond_all_rays(self):
        for where in ("from=[1e30,0,0]", "to=[-1e300,1e300,0]"):
            done = self.loam("render", "dam", "-o", "a.png", "--frames", 0, *SMALL, "--camera", where, code=2)
            self.assert_complains(done, "camera", "beyond a million kilometres")

    def test_faults(self):
        def complains(code, words, *arguments):
            self.assert_complains(self.loam("render", *arguments, code=code), *words)
        complains(2, ("0x36", "WIDTHxHEIGHT"), "dam", "--size", "0x36")
        complains(2, ("spede", 'did you mean "speed"'), "dam", "--color", "spede", *SMALL)
        complains(2, ("frames 0 to 4",), "dam", "--frames", "7-9", *SMALL)
        complains(4, ("there is no run of Loam here",), "nowhere")
        complains(3, ("look.color", "#rrggbb"), "dam", "--set", 'bodies.water.look.color="blue"')

    def test_damaged_frame_leaves_finished_pictures(self):
        frame = self.folder / "dam" / "frames" / "000002.vtkhdf"
        frame.write_bytes(frame.read_bytes()[:1000])
        done = self.loam("render", "dam", "-o", "shown", *SMALL, code=4)
        self.assert_complains(done, "000002.vtkhdf")
        self.assertEqual(sorted(os.listdir(self.folder / "shown")), ["000000.png", "000001.png"])

    def test_no_space(self):
        done = self.loam("render", "dam", "-o", "shown", *SMALL, code=4, largest_file=100)
        self.assert_complains(done, "000000.png")
        self.assertEqual(os.listdir(self.folder / "shown"), [])


if __name__ == "__main__":
    main()
