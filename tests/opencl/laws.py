#!/usr/bin/env python3
"""Every *.law.h compiles as OpenCL C 1.2, so that devices can run the same source. No device is needed.

usage: laws.py CLANG"""
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
flags = ["-x", "cl", "-cl-std=CL1.2", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wdouble-promotion", "-Wno-unused-function"]


def complaints(clang, law):
    source = f'#include "{here / "prelude.h"}"\n#include "{law}"\n'
    done = subprocess.run([clang, *flags, "-"], input=source, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr or f"{clang} failed"


def main():
    clang = sys.argv[1]
    laws = sorted((root / "src").rglob("*.law.h"))
    if not laws:
        sys.exit("no *.law.h found")
    failed = 0
    for law in laws:
        if text := complaints(clang, law):
            failed += 1
            print(f"{text}{law.relative_to(root)} is not OpenCL C: use only what C and C++ share, and the words of "
                  f"{(here / 'prelude.h').relative_to(root)}", file=sys.stderr)
    print(f"{len(laws) - failed} of {len(laws)} laws compile as OpenCL C")
    sys.exit(bool(failed))


main()
