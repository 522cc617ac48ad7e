// Figures for docs/validation.md: a case puts down its reference and the curve that it found. Nothing happens unless
// LOAM_FIGURES names a folder:
//
//     LOAM_FIGURES=docs/validation build/release/tests/physics/loam_physics_tests --gtest_filter='All/DamBreak*'
//
// The solvers and resolutions of a case are tests of their own, run at different times. So each of them keeps its
// curves in FOLDER/CASE/NAME.json, and FOLDER/CASE.svg is drawn anew from all curves that are there.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "plot/plot.h"
#include "step/simulation.h"

namespace loam::test {

using Curve = std::vector<std::pair<double, double>>;

class Figure {
public:
    // Ask before work that is done for the figure alone.
    static bool wanted();

    // `name` is that of the file; the plot has its titles and labels, and no lines.
    Figure(std::string name, Plot plot);

    // References: an exact curve is dashed, measured or tabulated values are hollow points.
    void exact(const std::string& source, Curve curve, std::size_t panel = 0);
    void measured(const std::string& source, Curve points, std::size_t panel = 0);

    // What was found, one curve for each panel, under the name of a solver, model or resolution. Draws the figure.
    void ours(const std::string& name, const std::vector<Curve>& curves) const;

private:
    std::string name_;
    Plot plot_; // with its references
};

// A function as a curve.
Curve curve_of(double from, double to, const std::function<double(double)>& value);

// For advance(): looks about every `interval` seconds, if figures are wanted. Steps are the same with it and without.
std::function<void()> every(double interval, const Simulation& simulation, std::function<void()> look);

// The word after "pressure" in the settings of a solver.
std::string solver_of(const std::string& settings);

} // namespace loam::test
