// A system of equations over some cells, each tied to those beside it: of Poisson's kind.
//
//   diagonal_k x_k - sum over f of along_kf x_(neighbor kf) = right_k
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace loam {

struct CellEquations {
    static constexpr std::uint32_t none = UINT32_MAX;

    std::vector<std::uint32_t> cells;
    std::vector<std::array<std::uint32_t, 6>> neighbors; // by unknown; or none
    std::vector<std::array<float, 6>> along;
    std::vector<float> diagonal, right;
    std::vector<float> x; // what is found; at first, what to start from

    void clear();
    void add(std::uint32_t cell);
    // Until the residual is this share of the right side. Returns iterations.
    int solve(int at_most, double tolerance);

private:
    std::vector<float> residual_, way_, change_;
};

} // namespace loam
