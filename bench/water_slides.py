#!/usr/bin/env python3
"""What each setting of water costs, and how freely water slides in it, in one table.

    bench/water_slides.py [path of loam]

Plain sums between particles, smooth weight, corrected gradients and carried densities, on small 2D scenes:
a square of 12 particles across that is let go in water ten times as deep (its way as a part of what added mass says),
a tank at rest (speed that is left, steps and time per second of it), a dam break (time, and the height of its center
when it has come to rest, over that of packed water).
"""
import json
import subprocess
import sys
import tempfile
import time

SETTINGS = {
    "plain": {"smooth_weight": False},
    "smooth weight": {},
    "corrected": {"dfsph": {"gradients": "corrected"}},
    "carried": {"pressure": "wcsph", "wcsph": {"density": "carried"}},
}
G = 9.81


def box(low, high):
    return {"box": {"min": low, "max": high}}


def scene(radius, duration, solver, water, width, height, more=None):
    bodies = {"water": {"shape": water, "behaviors": {"fluid": {}, "viscosity": {"model": "xsph", "rate": 2}}},
              "tank": {"shape": {**box([0, 0], [width, height]), "invert": True}, "boundary": {"slip": "free"}}}
    return {"dimensions": 2, "duration": duration, "fps": 50, "particle_radius": radius, "solver": solver,
            "behaviors": {"gravity": {}}, "bodies": {**bodies, **(more or {})}}


def run(loam, description):
    """The lines of its log, and the seconds it took."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/scene.json", "w", encoding="utf-8") as file:
            json.dump(description, file)
        begin = time.monotonic()
        subprocess.run([loam, "run", f"{folder}/scene.json", "-o", f"{folder}/out", "--no-video"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds = time.monotonic() - begin
        with open(f"{folder}/out/log.jsonl", encoding="utf-8") as file:
            return [line for line in map(json.loads, file) if "bodies" in line], seconds


def way_of_square(loam, solver, ratio):
    size, dx = 0.12, 0.01
    width, depth = 5 * size, 10 * size
    low, high = [2 * size, 4.5 * size], [3 * size, 5.5 * size]
    acceleration = (1 - ratio) * G / (ratio + 1.19)
    duration = round(abs(0.3 * size / acceleration) ** 0.5 * 50) / 50
    log, _ = run(loam, scene(dx / 2, duration, solver, {"difference": [box([0, 0], [width, depth]), box(low, high)]},
                             width, 1.3 * depth,
                             {"body": {"shape": box(low, high),
                                       "behaviors": {"rigid": {"density": 1000 * ratio, "turns": False}}}}))
    way = log[-1]["bodies"]["body"]["center"][1] - 5 * size
    return way / (0.5 * acceleration * duration ** 2)


def tank_at_rest(loam, solver):
    log, seconds = run(loam, scene(0.01, 2, solver, box([0, 0], [0.5, 0.6]), 0.5, 0.9))
    last = log[-1]
    return (2 * last["kinetic_energy"] / last["mass"]) ** 0.5, sum(line["steps"] for line in log) / 2, seconds / 2


def dam_break(loam, solver):
    log, seconds = run(loam, scene(0.01, 6, solver, box([0, 0], [0.6, 0.8]), 1.6, 1.6))
    return seconds, log[-1]["bodies"]["water"]["center"][1] / (0.5 * 0.6 * 0.8 / 1.6)


def main():
    loam = sys.argv[1] if len(sys.argv) > 1 else "./loam"
    print("| setting | square 0.3 | 0.9 | 1.2 | 2.0 | rest: speed [m/s] | steps / s | time / s | dam break [s] | height |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, solver in SETTINGS.items():
        ways = " | ".join(f"{way_of_square(loam, solver, s):.2f}" for s in (0.3, 0.9, 1.2, 2.0))
        speed, steps, per_second = tank_at_rest(loam, solver)
        seconds, height = dam_break(loam, solver)
        print(f"| {name} | {ways} | {speed:.3f} | {steps:.0f} | {per_second:.2f} | {seconds:.1f} | {height:.3f} |",
              flush=True)


if __name__ == "__main__":
    main()
