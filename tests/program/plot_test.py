"""loam plot: energies, errors and time steps of a run, as SVG or PNG."""
import shutil
import struct
import unittest
from xml.etree import ElementTree

from support import DAM, HEAVY, ProgramTest, main

SVG = "{http://www.w3.org/2000/svg}"


class Plot(ProgramTest):
    def words(self, file):
        """All that is written on a page."""
        return [item.text for item in ElementTree.parse(file).iter(f"{SVG}text")]

    def lines(self, file):
        return [item.get("points").split() for item in ElementTree.parse(file).iter(f"{SVG}polyline")]

    def test_of_a_run(self):
        self.loam("run", self.scene(DAM), "-o", "dam")
        done = self.loam("plot", "dam")
        self.assertIn("13 frames", done.stderr)
        page = self.folder / "dam/plot.svg"
        words = self.words(page)
        for word in ("a small dam", "Energy [J]", "kinetic", "potential", "total", "Volume error [%]", "mean", "largest",
                     "Time step [ms]", "limited by", "Particles", "Top speed [m/s]", "time [s]"):
            self.assertIn(word, words)
        self.assertTrue({"velocity", "acceleration", "frame"} & set(words), "what limited the time step")
        self.assertIn("frame 12 of 12", words[1])
        self.assertIn(13, {len(points) for points in self.lines(page)})
        self.assertNotIn("nan", page.read_text())

    def test_explicit_solver_has_no_iterations(self):
        self.loam("run", self.scene(DAM), "-o", "dam", "--frames", 3, "--set", "solver.pressure=wcsph")
        self.loam("plot", "dam", "-o", "new/folder/dam.svg")
        self.assertNotIn("Iterations per step", self.words(self.folder / "new/folder/dam.svg"))

    def test_while_the_run_goes_on(self):
        run = self.start("run", self.scene(HEAVY), "-o", "heavy")
        self.wait_for(run, "frame", 1)
        self.loam("plot", "heavy")
        run.kill()
        words = self.words(self.folder / "heavy/plot.svg")
        self.assertIn("heavy", words)
        self.assertRegex(words[1], r"frame \d+ of 800")

    def test_one_frame(self):
        self.loam("run", self.scene(DAM), "-o", "dam", "--frames", 0)
        self.loam("plot", "dam")
        self.assertIn("Particles", self.words(self.folder / "dam/plot.svg"))

    @unittest.skipUnless(shutil.which("rsvg-convert"), "rsvg-convert is not installed: no PNG")
    def test_png(self):
        self.loam("run", self.scene(DAM), "-o", "dam", "--frames", 3)
        self.loam("plot", "dam", "-o", "dam.png")
        data = (self.folder / "dam.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", data[16:24])
        self.assertEqual(width, 2 * 1120)
        self.assertGreater(height, 1000)
        self.assertGreater(len(data), 20_000)  # letters and lines, not a blank page

    def test_wrong(self):
        self.assert_complains(self.loam("plot", "nowhere", code=4), "there is no run of Loam here")
        self.loam("run", self.scene(DAM), "-o", "dam", "--frames", 2)
        self.assert_complains(self.loam("plot", "dam", "-o", "dam.pdf", code=2), "dam.pdf", ".svg or .png")
        self.assert_complains(self.loam("plot", "dam", "-o", "dam.png", code=4, environment={"PATH": "/nowhere"}),
                              "rsvg-convert", "librsvg2-bin")
        self.assertFalse((self.folder / "dam.png").exists())
        log = self.folder / "dam/log.jsonl"
        whole = log.read_text()
        log.write_text("rubbish\n" + whole + '{"frame": 3, "ti')
        self.assertIn("1 line cannot be understood and is left out", self.loam("plot", "dam").stderr)
        log.write_text("rubbish\n")
        self.assert_complains(self.loam("plot", "dam", code=4), "log.jsonl", "none of its 1 line can")
        log.write_text("")
        self.assert_complains(self.loam("plot", "dam", code=4), "no frame yet")
        log.unlink()
        self.assert_complains(self.loam("plot", "dam", code=4), "no frame yet")

    def test_no_space_leaves_what_was_there(self):
        self.loam("run", self.scene(DAM), "-o", "dam", "--frames", 3)
        self.loam("plot", "dam")
        before = (self.folder / "dam/plot.svg").read_bytes()
        self.assert_complains(self.loam("plot", "dam", code=4, largest_file=len(before) // 2), "plot.svg")
        self.assertEqual((self.folder / "dam/plot.svg").read_bytes(), before)


if __name__ == "__main__":
    main()
