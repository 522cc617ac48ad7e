"""Opens frames with VTK's own reader and with h5py, and checks that both see the same whole frame.

    frames_readable.py FRAME... [--sample]

Needs Debian's python3-vtk9 and python3-h5py. With --sample the content must be that of frame_sample.
"""
import argparse
import sys

import h5py
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
from vtkmodules.vtkIOHDF import vtkHDFReader

VERTEX = 1


def check(good, message):
    if not good:
        raise AssertionError(message)


def with_vtk(path):
    """Points and arrays as VTK sees them; what VTK complains about is a failure."""
    complaints = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(complaints)
    reader = vtkHDFReader()
    check(reader.CanReadFile(path), "VTK says that it cannot read this file")
    reader.SetFileName(path)
    reader.Update()
    check(not complaints.GetOutput(), "VTK complains: " + complaints.GetOutput())
    grid = reader.GetOutput()
    count = grid.GetNumberOfPoints()
    check(grid.GetNumberOfCells() == count, f"{grid.GetNumberOfCells()} cells for {count} points")
    points = np.zeros((0, 3), np.float32)
    if count:
        points = vtk_to_numpy(grid.GetPoints().GetData())
        check((vtk_to_numpy(grid.GetCellTypesArray()) == VERTEX).all(), "cells are not vertices")
        used = vtk_to_numpy(grid.GetCells().GetConnectivityArray())
        check((used == np.arange(count)).all(), "cells do not name the points in order")
    data = grid.GetPointData()
    arrays = {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
    time = grid.GetFieldData().GetArray("TimeValue")
    check(time is not None and time.GetNumberOfTuples() == 1, "no TimeValue in the field data")
    return points, arrays, time.GetValue(0)


def with_h5py(path):
    with h5py.File(path, "r") as file:
        ours = file["Loam"]
        header = dict(ours.attrs)
        header["bodies"] = [name.decode() for name in ours["bodies"][()]]
        frame = file["VTKHDF"]
        check(tuple(frame.attrs["Version"]) == (1, 0), "VTKHDF version is not 1.0")
        arrays = {name: values[()] for name, values in frame["PointData"].items()}
        units = {name: values.attrs.get("unit", b"") for name, values in frame["PointData"].items()}
        return frame["Points"][()], arrays, header, units


def check_frame(path):
    points, arrays, time = with_vtk(path)
    points_again, arrays_again, header, units = with_h5py(path)
    check((points == points_again).all(), "VTK and h5py see different points")
    check(points_again.shape[1] == 3 and np.isfinite(points_again).all(), "points are not finite triples")
    check(header["dimensions"] != 2 or (points_again[:, 2] == 0).all(), "a 2D frame leaves the plane z = 0")
    if len(points) == 0:
        arrays = arrays_again  # VTK leaves out arrays without entries
    check(sorted(arrays) == sorted(arrays_again), f"arrays {sorted(arrays)} and {sorted(arrays_again)}")
    for name, values in arrays.items():
        check(values.dtype == arrays_again[name].dtype, f"{name}: {values.dtype} and {arrays_again[name].dtype}")
        check((values == arrays_again[name]).all(), f"VTK and h5py see different {name}, or it is not a number")
        check(len(values) == len(points), f"{name} has {len(values)} entries for {len(points)} points")
    check(time == header["time"] and time >= 0, f"time {time} and {header['time']}")
    check(header["particle_radius"] > 0, "the particle radius is not positive")
    if "id" in arrays:
        check((np.diff(arrays["id"].astype(np.int64)) > 0).all(), "ids are not in order")
    if "body" in arrays and len(points):
        check(arrays["body"].max() < len(header["bodies"]), "a particle of a body without a name")
    return points, arrays, header, units


def check_sample(points, arrays, header, units):
    count = len(points)
    check(header["frame"] == 12 and header["time"] == 0.48 and header["dimensions"] == 3, f"header {header}")
    check(header["bodies"] == ["water", "öl"], f"bodies {header['bodies']}")
    check(sorted(arrays) == ["body", "density", "id", "pressure", "velocity"], f"arrays {sorted(arrays)}")
    check(units["velocity"] == b"m/s" and units["pressure"] == b"Pa", f"units {units}")
    number = np.arange(count)
    angle = number * np.pi / 50
    helix = np.stack([np.cos(angle), number * 0.001, np.sin(angle)], axis=1)
    check(np.abs(points - helix).max(initial=0) < 1e-4, "points are not on the helix")
    check((arrays["id"] == number).all() and (arrays["body"] == number % 2).all(), "ids or bodies")
    check((arrays["density"] == 1000).all() and (arrays["pressure"] == number).all(), "density or pressure")
    velocity = np.stack([np.full(count, 1), np.full(count, 2), number], axis=1)
    check(arrays["velocity"].shape == (count, 3) and (arrays["velocity"] == velocity).all(), "velocity")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("frames", nargs="+")
    options.add_argument("--sample", action="store_true")
    chosen = options.parse_args()
    for path in chosen.frames:
        try:
            seen = check_frame(path)
            if chosen.sample:
                check_sample(*seen)
        except (AssertionError, OSError, KeyError) as error:
            sys.exit(f"{path}: {error}")
        print(f"{path}: {len(seen[0])} points, arrays {', '.join(sorted(seen[1]))}")


if __name__ == "__main__":
    main()
