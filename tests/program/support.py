"""What the tests of the whole program share: small scenes, starting the program, and comparing runs."""
import fcntl
import json
import os
import pathlib
import pty
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

PROGRAM = os.path.abspath(os.environ.get("LOAM", "build/release/apps/loam/loam"))  # tests run elsewhere
os.environ["LOAM_VIDEO"] = "off"  # no preview at the end of runs: that is what render_test.py is for
SLOWNESS = float(os.environ.get("LOAM_SLOWNESS", 1))  # of a program that is built to find faults
LONG = 120 * SLOWNESS  # seconds after which a program hangs; nothing waits for this in a good run

DAM = {
    "title": "a small dam", "duration": 0.3, "fps": 40, "particle_radius": 0.03,
    "behaviors": {"gravity": {}},
    "bodies": {
        "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.5, 0.3]}}, "behaviors": {"fluid": {"density": 1000}}},
        "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 0.3]}, "invert": True}, "boundary": {}},
    },
    "quality": {"preview": {"particle_radius": 0.05}, "final": {"particle_radius": 0.02}},
}

# All that has a memory: a wall that turns, particles that are born and die, two fluids.
MIXER = {
    "duration": 0.4, "fps": 40, "particle_radius": 0.03,
    "behaviors": {"gravity": {}},
    "bodies": {
        "water": {
            "shape": {"box": {"min": [0, 0, 0], "max": [0.6, 0.3, 0.6]}}, "behaviors": {"fluid": {"density": 1000}},
            "emitters": {"tap": {"shape": {"box": {"min": [0.2, 0.6, 0.2], "max": [0.4, 0.7, 0.4]}}, "speed": 1.5,
                                 "jitter": 0.1}},
        },
        "oil": {"shape": {"box": {"min": [0.1, 0.4, 0.1], "max": [0.5, 0.5, 0.5]}}, "jitter": 0.2,
                "behaviors": {"fluid": {"density": 800}}},
        "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [0.6, 1, 0.6]}, "invert": True}, "boundary": {}},
        "blade": {"shape": {"box": {"min": [0.1, 0.05, 0.25], "max": [0.5, 0.2, 0.35]}},
                  "boundary": {"motion": {"turns_per_second": 2, "pivot": [0.3, 0, 0.3]}}},
    },
    "drains": {"hole": {"shape": {"sphere": {"center": [0, 0, 0], "radius": 0.2}}}},
}

# Water goes into pores, is pressed out, is born, joins and dries, with what it holds.
PORES = {
    "duration": 0.6, "fps": 40, "dimensions": 2, "particle_radius": 0.005,
    "solutes": {"soap": {"density": 1100}},
    "behaviors": {"gravity": {}},
    "bodies": {
        "water": {"shape": {"box": {"min": [0, 0], "max": [0.3, 0.06]}}, "concentration": {"soap": 0.2},
                  "behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.02}, "miscible": {}}},
        "dry": {"shape": {"box": {"min": [0.02, 0.07], "max": [0.12, 0.11]}},
                "behaviors": {"rigid": {"density": 500}, "porous": {"porosity": 0.7, "permeability": 1e-9, "drying": 0.5, "axes": [1, 3, 1],
                                                                    "variation": "1 + x", "filter": 5}}},
        "wet": {"shape": {"box": {"min": [0.18, 0.065], "max": [0.26, 0.125]}}, "saturation": 1, "concentration": {"soap": 0.6},
                "behaviors": {"elastic": {"density": 100, "young_modulus": 2e4}, "porous": {"porosity": 0.7, "permeability": 1e-9, "capillary": 300}}},
        "press": {"shape": {"box": {"min": [0.16, 0.13], "max": [0.28, 0.15]}},
                  "boundary": {"motion": {"translation": {"keys": [[0, [0, 0, 0]], [0.5, [0, -0.06, 0]]]}}}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.3, 0.4]}, "invert": True}, "boundary": {}},
    },
}

# Every kind of body at once, each with a memory of its own: a turn, bonds that break, threads, a shape at rest, a pin
# that lets go, what becomes a solid while it falls.
SOLIDS = {
    "duration": 0.3, "fps": 40, "particle_radius": 0.025,
    "behaviors": {"gravity": {}},
    "bodies": {
        "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.8, 0.2, 0.6]}}, "behaviors": {"fluid": {}}},
        "box": {"shape": {"box": {"min": [0.05, 0.25, 0.05], "max": [0.2, 0.4, 0.2]}}, "velocity": [0.5, 0, 0.3],
                "behaviors": {"rigid": {"density": 400}}},
        "block": {"shape": {"box": {"min": [0.3, 0.25, 0.3], "max": [0.55, 0.4, 0.45]}}, "velocity": [0, -2, 0],
                  "behaviors": {"elastic": {"density": 900, "young_modulus": 1e5, "strength": 2000, "damping": 0.001}}},
        "stiff": {"shape": {"box": {"min": [0.3, 0.25, 0.05], "max": [0.45, 0.4, 0.2]}},
                  "behaviors": {"elastic": {"young_modulus": 1e8, "integration": "implicit"}}},
        "bowl": {"shape": {"dome": {"center": [0.65, 0.45, 0.15], "radius": 0.14, "angle": 80}},
                 "behaviors": {"shell": {"thickness": 0.005, "young_modulus": 1e6, "damping": 0.001}}},
        "cloth": {"shape": {"sheet": {"corner": [0.1, 0.6, 0.1], "u": [0.6, 0, 0], "v": [0, 0, 0.4]}},
                  "pins": {"side": {"shape": {"box": {"min": [0, 0, 0], "max": [0.12, 1, 1]}}, "until": 0.15}},
                  "behaviors": {"cloth": {"young_modulus": 1e5}}},
        "net": {"shape": {"sheet": {"corner": [0.1, 0.75, 0.1], "u": [0.5, 0, 0], "v": [0, 0, 0.3]}},
                "behaviors": {"springs": {}}},
        "drop": {"shape": {"box": {"min": [0.6, 0.25, 0.4], "max": [0.75, 0.4, 0.55]}},
                 "behaviors": {"fluid": {"weight": {"interpolation": "step", "keys": [[0, 1], [0.12, 0]]}},
                               "elastic": {"young_modulus": 1e5,
                                           "weight": {"interpolation": "step", "keys": [[0, 0], [0.12, 1]]}}}},
        "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [0.8, 1, 0.6]}, "invert": True}, "boundary": {}},
    },
}

# Grains with all that they touch: each other, a wall that turns, a rigid body, water, newborns.
GRAINS = {
    "duration": 0.3, "fps": 40, "particle_radius": 0.025,
    "behaviors": {"gravity": {}},
    "bodies": {
        "gravel": {"shape": {"box": {"min": [0.1, 0.25, 0.1], "max": [0.4, 0.45, 0.4]}}, "behaviors": {"grains": {"spread": 2}},
                   "emitters": {"spout": {"shape": {"box": {"min": [0.5, 0.6, 0.2], "max": [0.6, 0.7, 0.3]}}, "speed": 1}}},
        "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.8, 0.1, 0.6]}}, "behaviors": {"fluid": {}}},
        "box": {"shape": {"box": {"min": [0.15, 0.12, 0.15], "max": [0.35, 0.22, 0.35]}}, "behaviors": {"rigid": {"density": 400}}},
        "blade": {"shape": {"box": {"min": [0.5, 0.1, 0.3], "max": [0.7, 0.2, 0.36]}},
                  "boundary": {"motion": {"turns_per_second": 1, "pivot": [0.6, 0, 0.3]}}},
        "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [0.8, 1, 0.6]}, "invert": True}, "boundary": {}},
    },
}

# 12000 particles: long enough to be interrupted at any moment.
HEAVY = {
    "duration": 4, "fps": 200, "particle_radius": 0.01,
    "behaviors": {"gravity": {}},
    "bodies": {
        "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.6, 0.4]}}, "behaviors": {"fluid": {}}},
        "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 0.4]}, "invert": True}, "boundary": {}},
    },
}


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="loam-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def scene(self, content, name="scene.json"):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
        return path

    def loam(self, *arguments, code=0, largest_file=None, environment=None):
        """Runs the program to its end and checks the exit code."""
        def limit():
            if largest_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=LONG, preexec_fn=limit, env={**os.environ, **(environment or {})})
        self.assertEqual(done.returncode, code, f"loam {arguments}\nstdout: {done.stdout}\nstderr: {done.stderr}")
        return done

    def on_a_terminal(self, width, *arguments):
        """What the program shows on a terminal of that width."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stderr=theirs,
                                   env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"})
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # how Linux says that the other side is gone
            pass
        os.close(ours)
        self.assertEqual(process.wait(timeout=LONG), 0, shown)
        return shown.decode()

    def start(self, *arguments, json_events=True):
        """Starts the program with --json, if not told otherwise, and leaves it running."""
        def listen_to_interrupts():  # also where the tests themselves run in the background
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        if json_events:
            arguments = (*arguments, "--json")
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=listen_to_interrupts)

        def clean_up():
            if process.poll() is None:
                process.kill()
            process.communicate()
        self.addCleanup(clean_up)
        return process

    def wait_for(self, process, event, frame=None):
        """Reads the events until the wanted one has come, and returns it."""
        for line in process.stdout:
            told = json.loads(line)
            if told["event"] == event and (frame is None or told["frame"] >= frame):
                return told
        self.fail(f"the program ended before: {event} {frame}; stderr: {process.stderr.read()}")

    def events(self, done):
        return [json.loads(line) for line in done.stdout.splitlines()]

    def frames(self, run):
        return {path.name: path.read_bytes() for path in sorted((self.folder / run / "frames").iterdir())}

    def log(self, run):
        return [json.loads(line) for line in (self.folder / run / "log.jsonl").read_text().splitlines()]

    def assert_same_run(self, first, second):
        """The same frames, bit for bit, and the same log but for how it was computed."""
        one, two = self.frames(first), self.frames(second)
        self.assertEqual(list(one), list(two))
        for name in one:
            self.assertTrue(one[name] == two[name], f"{name} differs between {first} and {second}")

        def without_wall_time(log):
            return [{k: v for k, v in line.items() if k not in ("wall_seconds", "bytes_per_particle", "simd")} for line in log]
        self.assertEqual(without_wall_time(self.log(first)), without_wall_time(self.log(second)))

    def assert_complains(self, done, *words):
        """One message for people: our name in front, and all of these words in it."""
        self.assertRegex(done.stderr, r"(?m)^loam: ")
        self.assertEqual(done.stderr.count("loam: "), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertNotIn("Traceback", done.stderr)


def main():
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"no program at {PROGRAM}: set LOAM")
    unittest.main()
