// A second solution of M1, by a method that shares nothing with particles: Navier-Stokes on a staggered grid, with the
// interface as a chain of points (Unverdi & Tryggvason 1992). It tells what a resolved computation of the stated
// equations gives, where published ones differ from it.
#pragma once

#include <span>
#include <vector>

namespace loam::test {

// Two fluids of one kinematic viscosity in a tank of 1 x 4, periodic, with floor and lid that do not slip, the heavy
// fluid above y = 2 + amplitude cos(2 pi x). Lengths in widths H, times in sqrt(H / g).
struct TwoLayers {
    int cells = 64; // across, even
    double reynolds = 256;
    double density_ratio = 3;
    double amplitude = 0.1;
    bool whole_stress = true; // mu (grad v + grad v^T); otherwise mu grad v alone, as the viscosity model morris has it
};

struct Tips {
    double bubble = 0, spike = 0; // heights of the interface at x = 0 and x = 1/2
};

// At each of the times, which ascend.
std::vector<Tips> track_front(const TwoLayers& layers, std::span<const double> times);

} // namespace loam::test
