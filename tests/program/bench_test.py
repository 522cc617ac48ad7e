"""loam bench: what it tells, and what it says to wrong arguments. How fast the machine is, no test can say."""
import json
import signal
import xml.etree.ElementTree

from support import LONG, ProgramTest, main

TINY = ("--quick", "--sizes", "2k,4k", "--threads", "1,2", "--simd", "best,scalar")


class Bench(ProgramTest):
    def test_json_has_every_row_with_sane_values(self):
        told = json.loads(self.loam("bench", *TINY, "--json", environment={"LOAM_SIMD": ""}).stdout)
        self.assertTrue(told["complete"])
        self.assertGreaterEqual(told["machine"]["cores"], 1)
        self.assertTrue(told["machine"]["processor"])
        sets = {told["machine"]["best_simd"], "scalar"}
        rows = {(row["solver"], row["threads"], row["simd"]) for row in told["steps"]}
        self.assertEqual(rows, {(s, t, i) for s in ("wcsph", "dfsph") for t in (1, 2) for i in sets})
        self.assertEqual(len(told["steps"]), 2 * len(rows))
        rest = {}  # the least by solver: other programs may interrupt a row
        for row in told["steps"]:
            self.assertTrue(1900 < row["particles"] < 4100, row["particles"])
            for name in ("steps", "repeats", "seconds_per_step", "million_particle_steps_per_second", "search_share",
                         "searches_per_step", "iterations", "neighbors", "wall_neighbors", "bytes_per_particle"):
                self.assertGreater(row[name], 0, name)
            self.assertAlmostEqual(row["million_particle_steps_per_second"] * row["ns_per_particle_step"], 1000, places=3)
            passes = {one["name"]: one for one in row["passes"]}
            self.assertAlmostEqual(sum(one["share"] for one in passes.values()), 1, delta=0.02)
            rest[row["solver"]] = min(rest.get(row["solver"], 1), passes["rest"]["share"])
            wanted = {"wcsph": ("neighbors", "density", "pressure"),
                      "dfsph": ("neighbors", "density", "divergence solve", "pressure solve")}[row["solver"]]
            for name in wanted:
                self.assertGreater(passes[name]["ns_per_interaction"], 0, name)
            self.assertIsNone(passes["integrate"]["ns_per_interaction"])
        for solver, share in rest.items():
            self.assertLess(share, 0.1, f"nothing large of {solver} is left unnamed")
        for row in told["searches"]:
            self.assertTrue(15 < row["neighbors"] < 45, row)
            self.assertGreater(row["million_particles_per_second"], 0)
        self.assertEqual(len(told["searches"]), 2 * 2 * len(sets))
        self.assertEqual(told["growth"], [], "too small to say")

    def test_tables_and_plot(self):
        text = self.loam("bench", "--quick", "--sizes", "2k", "--threads", 1, "--simd", "best", "--plot",
                         "plots/speed.svg").stdout
        for word in ("core", "M particle-steps/s", "Passes of wcsph", "Passes of dfsph", "pressure solve", "M particles/s"):
            self.assertIn(word, text)
        plot = xml.etree.ElementTree.parse(self.folder / "plots/speed.svg")
        shown = "".join(plot.getroot().itertext())
        for word in ("wcsph, 1 thread", "dfsph, 1 thread", "fluid particles"):
            self.assertIn(word, shown)
        self.assertEqual([p.name for p in self.folder.iterdir()], ["plots"])

    def test_a_run_beside_an_earlier_one(self):
        small = ("bench", "--quick", "--sizes", "2k", "--threads", "1", "--simd", "scalar", "--solvers", "wcsph")
        told = json.loads(self.loam(*small, "--json").stdout)
        told["steps"][0]["ns_per_particle_step"] *= 1000
        (self.folder / "before.json").write_text(json.dumps(told))
        now = json.loads(self.loam(*small, "--json", "--compare", "before.json").stdout)
        row, = now["compared"]["steps"]
        self.assertLess(row["time_ratio"], 0.1)
        self.assertAlmostEqual(row["ns_per_particle_step"], now["steps"][0]["ns_per_particle_step"])
        text = self.loam(*small, "--compare", "before.json").stdout
        self.assertIn("Beside before.json", text)
        self.assertRegex(text, r"-\d+ %")
        told["steps"][0]["threads"] = 7
        (self.folder / "before.json").write_text(json.dumps(told))
        self.assertIn("No row is in both", self.loam(*small, "--compare", "before.json").stdout)
        for wrong in ("", "[]", "{}", '{"steps": 1}'):
            (self.folder / "before.json").write_text(wrong)
            self.assert_complains(self.loam("bench", "--compare", "before.json", code=4), "loam bench --json")
        self.assert_complains(self.loam("bench", "--compare", "nowhere.json", code=4), "nowhere.json")

    def test_wrong_arguments(self):
        for arguments, word in ((("--sizes", "10x"), "10x"), (("--sizes", "10"), "1k to 100M"), (("--sizes", ""), "--sizes"),
                                (("--sizes", "90M"), "memory"), (("--solvers", "dfhsp"), '"dfsph"'),
                                (("--threads", "0"), "--threads"), (("--simd", "sse"), "scalar"),
                                (("--repeat", "0"), "--repeat"), (("--sized", "1k"), "--sized")):
            with self.subTest(arguments):
                done = self.loam("bench", *arguments, code=2)
                self.assert_complains(done, word)
                self.assertEqual(done.stdout, "")
        (self.folder / "file").write_text("")
        self.assert_complains(self.loam("bench", "--plot", "file/speed.svg", code=4), "file")

    def test_an_interrupt_ends_it_with_what_was_measured(self):
        process = self.start("bench", "--sizes", "2k,100k", "--repeat", "1000", json_events=False)
        process.stdout.readline()  # the machine; from then on it listens
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=LONG)
        self.assertEqual(process.returncode, 130)
        self.assertIn("stopped", told)


if __name__ == "__main__":
    main()
