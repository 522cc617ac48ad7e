"""Runs clang-tidy (checks: .clang-tidy at the root) on the sources of the library and the program.

    tidy.py CLANG_TIDY BUILD_DIRECTORY

Nearly all its time goes into headers of the standard library, so sources are checked many at a time: a unit includes a
number of them. Sources that use the same name for different things of their own go to different units; a unit that does
not compile all the same is halved. What passed is checked again only when its sources, headers, flags or the checks change.
"""
import functools
import hashlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNIT = 64  # sources at the most
LEFT_OUT = ("-W", "-DLOAM_OPENVDB")  # warnings are g++'s; the headers of OpenVDB alone take a minute
NOT_IN_INNER_LOOPS = "-cppcoreguidelines-pro-type-member-init"  # lanes are loaded, not cleared first


def sources(build):
    """Flags of every source; what is compiled for several instruction sets is checked as for the first of them."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["file"])
        if path.is_relative_to(ROOT / "src") or path.is_relative_to(ROOT / "apps"):
            words = shlex.split(entry["command"])
            words = words[words.index(next(word for word in words if word.startswith("-"))):words.index("-o")]
            words = [word for word in words if not word.startswith(LEFT_OUT)] + ["-w"]
            if not path.name.endswith("_test.cpp"):
                flags.setdefault(path, tuple(words))
    return flags


@functools.cache
def included(path):
    """The file and all of ours that it includes."""
    found = {path}
    for name in re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE):
        for folder in (ROOT / "src", path.parent):
            if (folder / name).is_file():
                found |= included((folder / name).resolve())
                break
    return frozenset(found)


def declared(text):
    """Names that stand at the start of a line: types and functions, more or less."""
    found = re.findall(r"^(?:struct|class|enum class|enum|using) (\w+)|^(?!namespace)[A-Za-z].*?(\w+)(?:[({;[]| = )", text, re.MULTILINE)
    return {name for pair in found for name in pair if name}


@functools.cache
def own(path):
    """Names in a source's unnamed namespaces."""
    parts = re.findall(r"^namespace \{$(.*?)^\} // namespace$", path.read_text(), re.MULTILINE | re.DOTALL)
    return set().union(*map(declared, parts))


@functools.cache
def seen(path):
    """Names that a source declares or includes."""
    return own(path).union(*(declared(file.read_text()) for file in included(path) if file.suffix == ".h"))


def units(flags):
    """Sources with the same flags, in order, each in the first unit that has room and where no name means two things."""
    found = []
    for path in sorted(flags, key=lambda path: (flags[path], path)):
        for unit in found:
            if flags[unit[0]] == flags[path] and len(unit) < UNIT:
                if not any(own(path) & seen(other) or own(other) & seen(path) for other in unit):
                    unit.append(path)
                    break
        else:
            found.append([path])
    return found


class Tidy:
    def __init__(self, program, build):
        self.program = program
        self.folder = build / "tidy"
        self.folder.mkdir(exist_ok=True)
        self.flags = sources(build)
        self.common = (ROOT / ".clang-tidy").read_bytes() + Path(__file__).read_bytes()

    def key(self, unit):
        files = sorted(set().union(*(included(path) for path in unit)))
        text = repr((self.flags[unit[0]], unit, files)).encode() + self.common
        return hashlib.sha256(text + b"".join(path.read_bytes() for path in files)).hexdigest()[:16]

    def check(self, unit):
        """Whether there is nothing to say of these sources."""
        file = self.folder / f"{self.key(unit)}.cpp"
        passed = file.with_suffix(".passed")
        if passed.exists():
            return True
        file.write_text("".join(f'#include "{path}" // NOLINT(bugprone-suspicious-include)\n' for path in unit))
        command = [self.program, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", file]
        if unit[0].name.endswith(".isa.cpp"):
            command.append(f"--checks={NOT_IN_INNER_LOOPS}")
        done = subprocess.run([*command, "--", *self.flags[unit[0]]], capture_output=True, text=True)
        if "clang-diagnostic-error" in done.stdout and len(unit) > 1:
            half = len(unit) // 2
            good = all([self.check(part) for part in (unit[:half], unit[half:])])
        else:
            good = done.returncode == 0
            if not good:
                print(done.stdout or done.stderr, flush=True)
        if good:
            passed.touch()
        return good

    def check_all(self):
        return all([self.check(unit) for unit in units(self.flags)])


if __name__ == "__main__":
    sys.exit(0 if Tidy(sys.argv[1], Path(sys.argv[2]).resolve()).check_all() else 1)
