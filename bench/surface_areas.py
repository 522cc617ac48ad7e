"""Area and volume of surfaces beside what the particles themselves tell, for runs that are there: a table in Markdown.

    python3 bench/surface_areas.py build/release/apps/loam/loam out/dam-break out/river ...
"""
import json
import pathlib
import subprocess
import sys
import tempfile

METHODS = ("anisotropic", "surface-value", "zhu-bridson")


def measured(program, run, method):
    """Mean deviations in percent over three frames: of the area and of the volume."""
    frames = sorted(int(path.stem) for path in (run / "frames").glob("*.vtkhdf"))
    areas, volumes = [], []
    for share in (0.4, 0.7, 1.0):
        frame = frames[round(share * (len(frames) - 1))]
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run([program, "surface", run, "--method", method, "--frames", str(frame), "-o", folder, "--json"],
                                  capture_output=True, text=True, check=True).stdout
        surface = next(event for event in map(json.loads, told.splitlines()) if event["event"] == "surface")
        if surface["particle_volume"] > 0:
            areas.append(100 * (surface["area"] / surface["particle_area"] - 1))
            volumes.append(100 * (surface["volume"] / surface["particle_volume"] - 1))
    return sum(areas) / len(areas), sum(volumes) / len(volumes)


def main():
    program, *runs = sys.argv[1:]
    print("| scene | " + " | ".join(f"{method}: area, volume" for method in METHODS) + " |")
    print("| --- |" + " --- |" * len(METHODS))
    for run in map(pathlib.Path, runs):
        cells = ["{:+.0f} %, {:+.1f} %".format(*measured(program, run, method)) for method in METHODS]
        print(f"| {run.name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
