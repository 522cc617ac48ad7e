#!/usr/bin/env python3
"""Includes point one way. Each folder of src may include itself and the folders below it in this table; a law or a pressure
solver, beside its own folder, only what stands in the second one. Tests may include what they like."""
import pathlib
import re
import sys

# A folder: what it may include; their own are theirs too. From the top to the bottom.
below = {
    "apps": ["bench", "export", "picture"],
    "bench": ["run"],
    "run": ["plot", "gauges", "foam"],
    "gauges": ["step"],
    "picture": ["surface", "foam"],
    "export": ["surface"],
    "surface": ["cache", "passes"],
    "foam": ["cache", "passes", "scene"],
    "step": ["timeline", "behaviors", "pressure", "scene"],
    "timeline": ["behaviors"],
    "behaviors": ["passes"],
    "pressure": ["passes"],
    "passes": ["neighbors"],
    "neighbors": ["particles"],
    "scene": ["particles"],
    "cache": ["particles"],
    "particles": ["base"],
    "plot": ["base"],
    "base": [],
}
# Laws that are made of another one, by folder.
made_of = {
    "behaviors/cloth": ["behaviors/springs"],
    "behaviors/knit": ["behaviors/sheets", "behaviors/springs"],
    "behaviors/coat": ["behaviors/sheets"],
    "behaviors/contact": ["behaviors/sheets"],
    "behaviors/elastic": ["behaviors/contact"],
    "behaviors/grains": ["behaviors/sheets"],
    "behaviors/sheets": ["behaviors/contact"],
    "behaviors/shell": ["behaviors/sheets"],
    "behaviors/porous": ["behaviors/contact"],
    "behaviors/springs": ["behaviors/sheets"],
    "behaviors/wind": ["behaviors/drag"],
}


def all_below(folder):
    return {folder}.union(*(all_below(f) for f in below[folder]))


def law_of(path):  # behaviors/drag/air.h: behaviors/drag; "" for what all laws share
    return "/".join(path.parts[:2]) if len(path.parts) > 2 and path.parts[0] in ("behaviors", "pressure") else ""


def fault(file, target):
    """Why the file, as a path below src or apps, may not include the target; None if it may."""
    folder, wanted = file.parts[0], target.parts[0]
    if folder not in below:
        return f"{folder} has no place in the table of tests/includes.py"
    if wanted not in all_below(folder):
        return f"{folder} may include {', '.join(sorted(all_below(folder)))}, not {wanted}"
    law, other = law_of(file), law_of(target)
    if folder == wanted and other not in ("", law, *made_of.get(law, [])):
        return f"{law or folder} does not know {other}"
    return None


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    files, faults = 0, []
    for top, prefix in (("src", ""), ("apps", "apps/")):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".cpp", ".h") or path.name.endswith("_test.cpp"):
                continue
            files += 1
            file = pathlib.PurePosixPath(prefix + path.relative_to(root / top).as_posix())
            for line, text in enumerate(path.read_text().splitlines(), 1):
                match = re.match(r'\s*#\s*include "([^"]+)"', text)
                if match and (root / "src" / match[1]).exists():
                    if why := fault(file, pathlib.PurePosixPath(match[1])):
                        faults.append(f"{path.relative_to(root)}:{line}: includes {match[1]}, but {why}")
    print("\n".join(faults) or f"the includes of {files} files point one way")
    sys.exit(bool(faults) or files == 0)


main()
