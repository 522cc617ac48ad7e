#!/usr/bin/env python3
"""The studio's server from outside: who may come in, what may be asked for, what a slow or rude visitor can do."""
import base64
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest

from support import DAM, LONG, PROGRAM


class Studio:
    """A server in a folder of its own, with a page that is only a sentence."""

    def __init__(self, scene=DAM, argument="dam.json"):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name).resolve()
        (self.path / "page").mkdir()
        (self.path / "page/index.html").write_text("<p>a page</p>")
        (self.path / "work").mkdir()
        self.work = self.path / "work"
        (self.path / "secret.json").write_text('{"bodies": "secret"}')
        (self.work / "dam.json").write_text(json.dumps(scene, indent=1))
        self.process = subprocess.Popen(
            [PROGRAM, "studio", *([argument] if argument else []), "--no-open", "--port", "0", "--page", str(self.path / "page")],
            cwd=self.work, stdout=subprocess.PIPE, text=True)
        address = re.match(r"Loam studio: http://127\.0\.0\.1:(\d+)/(\w+)/", self.process.stdout.readline())
        self.port, self.token = int(address[1]), address[2]
        self.host = f"127.0.0.1:{self.port}"

    def ask(self, path, body=None, token=None, headers=None, method=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        sent = {"Host": self.host}
        if body is not None:
            sent["Origin"] = "http://" + self.host
        sent.update(headers or {})
        sent = {name: value for name, value in sent.items() if value is not None}
        data = json.dumps(body) if isinstance(body, (dict, list)) else body
        connection.putrequest(method or ("GET" if body is None else "POST"), f"/{token if token is not None else self.token}/{path}", skip_host=True)
        for name, value in sent.items():
            connection.putheader(name, value)
        if data is not None:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders()
        if data is not None:
            try:
                connection.send(data.encode() if isinstance(data, str) else data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # it was refused before all of it was sent
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, text, answer

    def json(self, path, body=None):
        status, text, _ = self.ask(path, body)
        assert status == 200, text
        return json.loads(text)

    def wait(self, done, what):
        end = time.time() + LONG
        while time.time() < end:
            state = self.json("api/state")
            if done(state):
                return state
            time.sleep(0.05)
        raise AssertionError("never: " + what)

    def simulate(self, **wish):
        self.json("api/simulate", wish)
        return self.wait(lambda s: s["job"]["state"] == "ended", "the simulation ends")

    def close(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(LONG)
        self.process.stdout.close()
        self.folder.cleanup()
        return code


class Guests(unittest.TestCase):
    """Nobody but the page that was opened gets anything."""

    @classmethod
    def setUpClass(cls):
        cls.studio = Studio()

    @classmethod
    def tearDownClass(cls):
        cls.code = cls.studio.close()
        assert cls.code == 0, cls.code

    def status(self, *arguments, **named):
        return self.studio.ask(*arguments, **named)[0]

    def test_the_page_and_its_policy(self):
        status, text, answer = self.studio.ask("")
        self.assertEqual((status, text), (200, b"<p>a page</p>"))
        policy = answer.getheader("Content-Security-Policy")
        self.assertIn("default-src 'none'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        self.assertNotIn("unsafe", policy)

    def test_no_token_no_answer(self):
        for token in ("", "0" * 32, self.studio.token[:-1], self.studio.token + "0", self.studio.token.upper() + "x"):
            for path in ("", "api/state", "api/frame?frame=0"):
                status, text, _ = self.studio.ask(path, token=token)
                self.assertEqual(status, 403)
                self.assertNotIn(b"water", text)

    def test_other_hosts(self):
        for host in ("evil.example", f"evil.example:{self.studio.port}", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "127.0.0.1:x"):
            self.assertEqual(self.status("api/state", headers={"Host": host}), 403, host)
        for host in ("localhost", f"localhost:{self.studio.port}", "127.0.0.1:9999"):
            self.assertEqual(self.status("api/state", headers={"Host": host}), 200, host)

    def test_other_origins(self):
        wish = {"text": "{}"}
        for origin in ("http://evil.example", "null", "https://" + self.studio.host, "http://127.0.0.1:1", None):
            self.assertEqual(self.status("api/text", body=wish, headers={"Origin": origin}), 403, origin)
        self.assertEqual(self.status("api/state", headers={"Origin": "http://evil.example"}), 403)
        self.assertEqual(self.status("api/state", method="DELETE", headers={"Origin": "http://" + self.studio.host}), 405)

    def test_only_this_machine(self):
        with open("/proc/net/tcp") as table:
            bound = [line.split()[1] for line in table if f":{self.studio.port:04X} " in line.split()[1] + " " and line.split()[3] == "0A"]
        self.assertEqual(bound, [f"0100007F:{self.studio.port:04X}"])

    def test_paths_that_lead_out(self):
        for path in ("../secret.json", "..%2fsecret.json", "assets/../../secret.json", "/etc/passwd", "%2e%2e/secret.json", "page/index.html"):
            self.assertEqual(self.status(path), 404, path)
        os.symlink(self.studio.path / "secret.json", self.studio.work / "link.json")
        os.symlink(self.studio.path, self.studio.work / "out-of-here")
        for name in ("../secret.json", "/etc/passwd", str(self.studio.path / "secret.json"), "link.json", "out-of-here/secret.json", "a/../../secret.json", "", "x" * 3000):
            self.assertEqual(self.status("api/open", body={"name": name}), 400, name)
        for name in ("../new.json", "link.json", "out-of-here/new.json", "/tmp/new.json", "new.txt", ".json", "dam.json/../../new.json"):
            self.assertEqual(self.status("api/new", body={"name": name, "text": "{}"}), 400, name)
            self.assertEqual(self.status("api/save", body={"name": name}), 400, name)
        self.assertFalse((self.studio.path / "new.json").exists())
        self.assertEqual((self.studio.path / "secret.json").read_text(), '{"bodies": "secret"}')
        for name in ("../a.obj", "a/b.obj", ".obj", "a.sh", "a.obj/"):
            self.assertEqual(self.status("api/mesh?name=" + name, body="x"), 400, name)
        for run in ("../..", "/etc", "a/../..", "%00"):
            self.assertEqual(self.status("api/frame?frame=0&run=" + run), 404, run)
            self.assertEqual(self.status("api/surface?frame=0&bodies=water&run=" + run), 404, run)
            self.assertEqual(self.status("api/make", body={"what": "still", "run": run}), 400, run)
            self.assertEqual(self.status("api/picture?name=" + run), 404, run)
        (self.studio.path / "pictures").mkdir(exist_ok=True)
        (self.studio.path / "pictures/secret.jpg").write_bytes(b"secret")
        for query in ("name=../secret.json", "name=out-of-here/secret.json", "gallery=../../secret", "gallery=%2e%2e/x", "gallery=/etc/passwd"):
            self.assertEqual(self.status("api/picture?" + query), 404, query)
        for name in ("../dam.json", "dam.json", "/etc/passwd", ""):
            self.assertEqual(self.status("api/made?name=" + name), 404, name)
        for like in ("../secret", "/etc/passwd", "no-such-scene"):
            self.assertEqual(self.status("api/new", body={"name": "copy.json", "gallery": like}), 400, like)

    def test_too_much(self):
        self.assertEqual(self.status("api/text", body="x" * (13 << 20)), 413)
        self.assertEqual(self.status("api/state", headers={"X-Long": "x" * 20000}), 431)
        with socket.create_connection(("127.0.0.1", self.studio.port)) as plug:  # says that it will send a lot, and sends nothing
            plug.sendall(f"POST /{self.studio.token}/api/text HTTP/1.1\r\nHost: {self.studio.host}\r\nOrigin: http://{self.studio.host}\r\n"
                         f"Content-Length: 99999999999\r\n\r\n".encode())
            self.assertIn(b" 413 ", plug.recv(4096))

    def test_nonsense(self):
        for body in ("", "{", "[]", "5", '{"text": 5}', '{"name": []}'):
            for path in ("api/text", "api/open", "api/new"):
                self.assertEqual(self.status(path, body=body), 400, (path, body))
        self.assertEqual(self.status("api/nothing"), 404)
        self.assertEqual(self.status("api/frame?frame=x"), 404)
        for bytes_ in (b"\x00\xff\xfe", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 100):
            with socket.create_connection(("127.0.0.1", self.studio.port)) as plug:
                plug.sendall(bytes_)
        self.assertEqual(self.status("api/state"), 200)

    def test_many_that_say_nothing(self):
        idle = [socket.create_connection(("127.0.0.1", self.studio.port)) for _ in range(40)]
        self.assertEqual(self.status("api/state"), 200)
        more = [socket.create_connection(("127.0.0.1", self.studio.port)) for _ in range(100)]
        for plug in idle + more:
            plug.close()
        end = time.time() + LONG
        while time.time() < end:
            try:
                if self.status("api/state") == 200:
                    return
            except (ConnectionResetError, http.client.RemoteDisconnected):
                time.sleep(0.05)
        self.fail("the server does not recover")


def watch(studio, token=None, origin=None):
    """A WebSocket by hand: the socket, after the answer to its greeting."""
    plug = socket.create_connection(("127.0.0.1", studio.port))
    key = base64.b64encode(os.urandom(16)).decode()
    origin = f"Origin: {origin}\r\n" if origin else ""
    plug.sendall((f"GET /{token or studio.token}/events HTTP/1.1\r\nHost: {studio.host}\r\n{origin}Upgrade: websocket\r\nConnection: Upgrade\r\n"
                  f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += plug.recv(1)
    return plug, int(answer.split()[1])


def hear(plug):
    """The next event."""
    def take(count):
        data = b""
        while len(data) < count:
            more = plug.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data
    head = take(2)
    size = head[1] & 127
    if size == 126:
        size = struct.unpack(">H", take(2))[0]
    elif size == 127:
        size = struct.unpack(">Q", take(8))[0]
    return json.loads(take(size))


class Watching(unittest.TestCase):
    def setUp(self):
        self.studio = Studio()
        self.addCleanup(self.studio.close)

    def test_events(self):
        own = "http://" + self.studio.host
        for token, origin in (("0" * 32, own), (None, "http://evil.example"), (None, None)):
            plug, status = watch(self.studio, token, origin)
            plug.close()
            self.assertEqual(status, 403)
        plug, status = watch(self.studio, None, own)
        self.assertEqual(status, 101)
        self.studio.json("api/simulate", {})
        kinds, frames = [], []
        while True:
            event = hear(plug)
            kinds.append(event["event"])
            if event["event"] == "frame":
                frames.append(event["frame"])
            if event["event"] == "job" and event["job"]["state"] == "ended":
                break
        self.assertEqual(frames, list(range(13)))
        self.assertIn("runs", kinds)
        plug.close()

    def test_slow_watchers_stop_nothing(self):
        own = "http://" + self.studio.host
        slow = [watch(self.studio, None, own)[0] for _ in range(4)]  # they never read
        quick, _ = watch(self.studio, None, own)
        for k in range(60):  # far more than waits for one of them
            self.studio.json("api/text", {"text": " " * 200000 + str(k)})
        state = self.studio.json("api/state")
        self.assertTrue(state["text"].endswith("59"))
        self.studio.json("api/text", {"text": json.dumps(DAM)})
        self.assertEqual(len(self.studio.simulate()["runs"][0]["frames"]), 1)
        for plug in [*slow, quick]:
            plug.close()


class Work(unittest.TestCase):
    def setUp(self):
        self.studio = Studio()
        self.addCleanup(self.studio.close)

    def frame(self, number, **query):
        status, data, _ = self.studio.ask(f"api/frame?frame={number}" + "".join(f"&{k}={v}" for k, v in query.items()))
        self.assertEqual(status, 200)
        size = struct.unpack("<I", data[:4])[0]
        return json.loads(data[4:4 + size]), data[4 + size:]

    def test_frames(self):
        self.studio.simulate()
        head, data = self.frame(3, column="velocity")
        self.assertEqual((head["frame"], head["count"], head["total"]), (3, head["total"], head["count"]))
        self.assertEqual(head["column"]["unit"], "m/s")
        count, pad = head["count"], lambda n: (n + 3) // 4 * 4
        self.assertEqual(len(data), pad(6 * count) + pad(count) + 2 * count)
        lo, hi = head["bounds"]
        self.assertTrue(all(a < b for a, b in zip(lo, hi)))
        particle = self.studio.json("api/particle?frame=3&nth=5")
        place = [lo[k] + struct.unpack_from("<H", data, 6 * 5 + 2 * k)[0] / 65535 * (hi[k] - lo[k]) for k in range(3)]
        for k in range(3):
            self.assertAlmostEqual(place[k], particle["values"]["position"][k], delta=(hi[k] - lo[k]) / 60000)
        curve = self.studio.json(f"api/particle?id={particle['id']}")
        self.assertEqual([p["frame"] for p in curve], list(range(13)))
        self.assertEqual(curve[3], particle)
        self.assertEqual([line["frame"] for line in self.studio.json("api/log")], list(range(13)))
        self.assertEqual(self.studio.ask("api/frame?frame=99")[0], 404)

    def test_many_particles_are_thinned(self):
        self.studio.json("api/quality", {"quality": ""})
        self.studio.json("api/text", {"text": json.dumps({**DAM, "particle_radius": 0.014, "duration": 0.05})})
        self.studio.simulate()
        first, _ = self.frame(0, most=1000)
        self.assertGreater(first["total"], 2000)
        self.assertLess(abs(first["count"] - 1000), 150)
        self.assertEqual(first["count"], self.frame(2, most=1000)[0]["count"])  # the same ones

    def test_surfaces(self):
        self.studio.simulate()
        status, data, _ = self.studio.ask("api/surface?frame=3&bodies=water,nobody&column=velocity")
        self.assertEqual(status, 200)
        size = struct.unpack("<I", data[:4])[0]
        head, count, pad = json.loads(data[4:4 + size]), 0, lambda n: (n + 3) // 4 * 4
        count = head["vertices"]
        self.assertGreater(count, 100)
        self.assertEqual(head["column"]["unit"], "m/s")
        self.assertEqual(len(data), 4 + size + pad(6 * count) + pad(3 * count) + pad(count) + pad(2 * count) + 12 * head["triangles"])
        corners = struct.unpack_from(f"<{3 * head['triangles']}I", data, len(data) - 12 * head["triangles"])
        self.assertEqual(max(corners), count - 1)
        status, data, _ = self.studio.ask("api/surface?frame=3&bodies=nobody")
        self.assertEqual((status, json.loads(data[4:4 + struct.unpack("<I", data[:4])[0]])["vertices"]), (200, 0))
        self.assertEqual(self.studio.ask("api/surface?frame=99&bodies=water")[0], 404)

    def make(self, **wish):
        self.studio.json("api/make", wish)
        return self.studio.wait(lambda s: s["making"]["state"] in ("done", "failed", "stopped"), "it is made")["making"]

    def test_pictures_and_files_are_made(self):
        self.assertEqual(self.studio.ask("api/make", {"what": "still", "frame": 0})[0], 400)  # of nothing
        self.studio.simulate()
        still = {"what": "still", "frame": 2, "size": [64, 36], "samples": 1, "camera": {"from": [1, 1, 3], "to": [0.5, 0.3, 0], "view": 30, "height": 0},
                 "set": {"light": {"sun": [0, 1, 0]}}}
        made = self.make(**still)
        self.assertEqual((made["state"], made["file"], made["done"]), ("done", "still-000002.png", 1))
        status, picture, answer = self.studio.ask("api/made?name=still-000002.png")
        self.assertEqual((status, picture[:4], answer.getheader("Content-Type")), (200, b"\x89PNG", "image/png"))
        self.assertEqual(self.make(**still)["file"], "still-000002-2.png")  # the first one stays
        made = self.make(what="vtp", first=0, last=2)
        self.assertEqual((made["state"], made["done"], len(list((self.studio.work / "out/dam-preview/export").glob("*.vtp")))), ("done", 3, 3))
        self.assertEqual(self.make(what="surfaces", first=1, last=1)["done"], 1)
        wrong = self.make(what="still", frame=2, camera={"from": "nowhere"})
        self.assertEqual(wrong["state"], "failed")
        self.assertIn("camera.from", wrong["error"]["where"])
        for wish in ({}, {"what": "mess"}, {"what": 5}, {"what": "still", "size": 5}, {"what": "still", "size": []}):
            self.assertEqual(self.studio.ask("api/make", wish)[0], 400, wish)

    def test_making_is_cancelled(self):
        self.studio.simulate()
        self.studio.json("api/make", {"what": "still", "frame": 2, "size": [1920, 1080], "samples": 4096})
        self.assertEqual(self.studio.ask("api/make", {"what": "still", "frame": 2})[0], 409)
        self.studio.json("api/cancel", {})
        self.studio.json("api/cancel", {})  # at once
        self.studio.wait(lambda s: s["making"]["state"] == "stopped", "it is stopped")

    def test_the_start_page(self):
        self.studio.simulate()
        self.assertEqual(self.studio.ask("api/thumbnail", "no picture")[0], 400)
        self.studio.json("api/thumbnail", "\u00ff\u00d8\u00ff small".encode("latin-1"))
        offers = self.studio.json("api/offers")
        run = offers["runs"][0]
        self.assertEqual((run["name"], run["frames"], run["pictured"]), ("out/dam-preview", 13, True))
        self.assertLess(abs(run["when"] - time.time()), 600)
        status, picture, answer = self.studio.ask("api/picture?name=out/dam-preview")
        self.assertEqual((status, picture[:3], answer.getheader("Content-Type")), (200, b"\xff\xd8\xff", "image/jpeg"))
        self.assertTrue(offers["scenes"][0]["pictured"])  # by its run
        self.assertEqual(self.studio.ask("api/picture?name=dam.json")[1][:3], b"\xff\xd8\xff")
        gallery = {offer["name"]: offer for offer in offers["gallery"]}
        self.assertTrue(gallery["dam-break"]["pictured"])
        self.assertEqual(self.studio.ask("api/picture?gallery=dam-break")[1][:3], b"\xff\xd8\xff")
        self.studio.json("api/new", {"name": "copy.json", "gallery": "dam-break"})
        self.assertIn("bodies", (self.studio.work / "copy.json").read_text())

    def bytes_of_frames(self, folder="out/dam"):
        return {path.name: path.read_bytes() for path in sorted((self.studio.work / folder / "frames").iterdir())}

    def test_back_and_on_with_another_scene(self):
        keyed = json.loads(json.dumps(DAM))
        keyed["bodies"]["water"]["behaviors"]["gravity"] = {"weight": {"keys": [[0, 1], [0.2, 1], [0.25, 0]]}}
        self.studio.json("api/quality", {"quality": ""})
        self.studio.json("api/text", {"text": "// a comment\n" + json.dumps(keyed)})
        self.studio.simulate()
        before = self.bytes_of_frames()
        keyed["bodies"]["water"]["behaviors"]["gravity"]["weight"]["keys"] = [[0, 1], [0.1, 1], [0.15, 0]]
        self.studio.json("api/text", {"text": json.dumps(keyed)})
        state = self.studio.simulate(**{"from": 4})
        after = self.bytes_of_frames()
        same = [before[name] == after[name] for name in before]
        self.assertEqual(same, [True] * 5 + [False] * 8)
        self.assertEqual(state["runs"][0]["changed_after"], [4])
        self.assertTrue((self.studio.work / "out/dam/checkpoints/000007.h5").exists())  # of a small run all are kept
        state = self.studio.simulate(**{"from": 2, "take": "other"})
        self.assertEqual([run["id"] for run in state["runs"]], ["", "other"])
        self.assertEqual(self.frame(12, run="other")[0]["frame"], 12)

    def test_preview_first(self):
        self.assertEqual(self.studio.json("api/state")["quality"], "preview")
        self.studio.simulate()
        self.assertTrue((self.studio.work / "out/dam-preview/frames").is_dir())

    def test_a_wrong_scene_runs_nothing(self):
        wrong = json.dumps(DAM).replace("1000", "-1")
        self.studio.json("api/text", {"text": wrong})
        state = self.studio.wait(lambda s: s["finding"] and not s["finding"]["good"], "the scene is found wrong")
        self.assertIn("bodies.water.behaviors.fluid.density", state["finding"]["error"]["where"])
        state = self.studio.simulate()
        self.assertEqual(state["job"]["code"], 3)
        self.assertEqual(state["messages"][-1]["kind"], "error")
        self.assertFalse((self.studio.work / "out").exists())

    def test_killed(self):
        self.studio.json("api/text", {"text": json.dumps({**DAM, "duration": 60})})
        self.studio.json("api/simulate", {})
        state = self.studio.wait(lambda s: s["job"]["frame"] and s["job"]["frame"] > 3, "frames are made")
        self.assertEqual(self.studio.ask("api/simulate", body={})[0], 409)
        os.kill(state["job"]["process"], signal.SIGKILL)
        state = self.studio.wait(lambda s: s["job"]["state"] == "ended", "the end is noticed")
        self.assertEqual(state["job"]["signal"], signal.SIGKILL)
        self.assertIn("killed", state["messages"][-1]["text"])
        last = state["runs"][0]["frames"][-1][1]
        self.studio.json("api/simulate", {})  # goes on
        state = self.studio.wait(lambda s: s["job"]["frame"] and s["job"]["frame"] > last, "it goes on")
        self.studio.json("api/stop", {})
        state = self.studio.wait(lambda s: s["job"]["state"] == "ended", "it stops")
        self.assertEqual((state["job"]["code"], state["job"]["signal"]), (130, 0))

    def test_the_server_takes_the_simulation_along(self):
        self.studio.json("api/text", {"text": json.dumps({**DAM, "duration": 60})})
        self.studio.json("api/simulate", {})
        state = self.studio.wait(lambda s: s["job"]["frame"], "frames are made")
        self.studio.process.kill()
        self.studio.process.wait(LONG)
        end = time.time() + LONG
        while pathlib.Path(f"/proc/{state['job']['process']}/stat").exists() and time.time() < end:
            time.sleep(0.05)
        self.assertFalse(pathlib.Path(f"/proc/{state['job']['process']}/stat").exists())

    def test_saving(self):
        text = "// mine\n" + json.dumps(DAM)
        self.studio.json("api/text", {"text": text})
        self.assertFalse(self.studio.json("api/state")["saved"])
        self.studio.json("api/save", {})
        self.assertEqual((self.studio.work / "dam.json").read_text(), text)
        self.studio.json("api/save", {"name": "other.json"})
        self.assertEqual((self.studio.work / "other.json").read_text(), text)
        self.assertEqual(self.studio.ask("api/save", body={"name": "dam.json"})[0], 400)  # is there already
        self.studio.json("api/mesh?name=a.obj", "v 0 0 0")
        self.assertEqual((self.studio.work / "a.obj").read_text(), "v 0 0 0")
        self.assertEqual(self.studio.ask("api/mesh?name=a.obj", body="v 1 0 0")[0], 409)

    def test_shapes_and_schema(self):
        status, data, _ = self.studio.ask("api/shapes")
        self.assertEqual(status, 200)
        size = struct.unpack("<I", data[:4])[0]
        parts = json.loads(data[4:4 + size])["parts"]
        self.assertEqual([part["name"] for part in parts], ["water", "tank"])
        self.assertEqual(parts[1]["box"], [[0, 0, 0], [1, 1, 0.3]])
        self.assertEqual(len(data), 4 + size + sum(12 * part["vertices"] + 12 * part["triangles"] for part in parts))
        self.assertIn("$defs", self.studio.json("api/schema"))


class Folder(unittest.TestCase):
    def test_a_folder_offers_scenes_and_runs(self):
        studio = Studio(argument="")
        self.addCleanup(studio.close)
        self.assertEqual(studio.json("api/state")["kind"], "none")
        offers = studio.json("api/offers")
        self.assertEqual([scene["name"] for scene in offers["scenes"]], ["dam.json"])
        self.assertEqual(offers["scenes"][0]["title"], DAM["title"])
        self.assertEqual(studio.ask("api/simulate", body={})[0], 400)
        studio.json("api/open", {"name": "dam.json"})
        studio.simulate()
        self.assertEqual([run["frames"] for run in studio.json("api/offers")["runs"]], [13])
        studio.json("api/open", {"name": "out/dam-preview"})
        self.assertEqual(studio.json("api/state")["kind"], "run")
        studio.json("api/new", {"name": "fresh.json", "text": json.dumps(DAM)})
        self.assertEqual(studio.json("api/state")["name"], "fresh.json")

    def test_no_page(self):
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run([PROGRAM, "studio", "--page", folder, "--port", "0", "--no-open"], capture_output=True, text=True, timeout=LONG)
        self.assertEqual(told.returncode, 4)
        self.assertIn("./loam studio", told.stderr)

    def test_what_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "index.html").write_text("a page")
            told = subprocess.run([PROGRAM, "studio", "nothing.json", "--page", folder, "--port", "0", "--no-open"], capture_output=True, text=True, timeout=LONG)
        self.assertEqual(told.returncode, 4)
        self.assertIn("nothing.json", told.stderr)


if __name__ == "__main__":
    unittest.main()
