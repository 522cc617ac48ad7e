// How stiff the bonds of a sheet are.
//
// A pair with rest length r, direction n and stiffness k takes the energy 1/2 k r^2 (n e n)^2 at the strain e, half of
// it at either end. Those of a point make a membrane of the stiffness Y [N/m] with Poisson's ratio 1/3 on its area A,
//   1/4 sum_j k r^2 (n e n)^2 = 3/16 Y A (tr(e)^2 + 2 e:e)   for every e,
// if and only if
//   sum k r^2 = 6 Y A,    sum k r^2 cos 2a = sum k r^2 sin 2a = sum k r^2 cos 4a = sum k r^2 sin 4a = 0,
// a the angle of the pair in the sheet. Of a rope of the stiffness Y [N] on its length l:  sum k r^2 = 2 Y l.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/eigen3.h"
#include "behaviors/springs/network.h"
#include "particles/point_grid.h"

namespace loam {
namespace {

constexpr std::size_t moments = 5;
using Moments = std::array<double, moments>;

struct Near { // a neighbor of a point
    std::uint32_t point = 0;
    double stiffness = 0; // of this end's half, by the kernel at first
    double length2 = 0;
    Moments turn{}; // 1, cos 2a, sin 2a, cos 4a, sin 4a
};

// Symmetric and not negative; directions that it does not know give nothing.
Moments solve(std::array<Moments, moments> m, Moments right) {
    double size = 0;
    for (std::size_t k = 0; k < moments; ++k) size += m[k][k];
    for (std::size_t k = 0; k < moments; ++k) m[k][k] += 1e-9 * size;
    for (std::size_t k = 0; k < moments; ++k)
        for (std::size_t row = k + 1; row < moments; ++row) {
            const double share = m[row][k] / m[k][k];
            for (std::size_t c = k; c < moments; ++c) m[row][c] -= share * m[k][c];
            right[row] -= share * right[k];
        }
    for (std::size_t k = moments; k-- > 0;) {
        for (std::size_t c = k + 1; c < moments; ++c) right[k] -= m[k][c] * right[c];
        right[k] /= m[k][k];
    }
    return right;
}

// Angles from the two directions in which neighbors spread most.
void find_turns(const Sheet& sheet, std::uint32_t i, std::vector<Near>& near) {
    Symmetric3 spread;
    for (const Near& n : near) {
        const Vec3d d = sheet.points[n.point] - sheet.points[i];
        const double w = n.stiffness;
        spread.xx += w * d.x * d.x, spread.xy += w * d.x * d.y, spread.xz += w * d.x * d.z;
        spread.yy += w * d.y * d.y, spread.yz += w * d.y * d.z, spread.zz += w * d.z * d.z;
    }
    const Eigen3 plane = eigen_of(spread);
    for (Near& n : near) {
        const Vec3d d = sheet.points[n.point] - sheet.points[i];
        const double a = std::atan2(dot(d, plane.vectors[1]), dot(d, plane.vectors[0]));
        n.turn = {1, std::cos(2 * a), std::sin(2 * a), std::cos(4 * a), std::sin(4 * a)};
    }
}

// The stiffnesses that fulfil the conditions above and are nearest to those by the kernel. A spring cannot push apart
// what it should hold: those that would have to are left out. At a corner the conditions cannot be met, and are as
// nearly as they can.
void make_isotropic(std::vector<Near>& near) {
    for (bool again = true; again;) {
        std::array<Moments, moments> known{};
        Moments missing{};
        for (const Near& n : near)
            for (std::size_t r = 0; r < moments; ++r) {
                const double part = n.stiffness * n.length2 * n.turn[r];
                for (std::size_t c = 0; c < moments; ++c) known[r][c] += part * n.turn[c];
                if (r > 0) missing[r] -= part;
            }
        const Moments add = solve(known, missing);
        const auto changed = [&](const Near& n) {
            double sum = 1;
            for (std::size_t k = 0; k < moments; ++k) sum += add[k] * n.turn[k];
            return sum;
        };
        again = std::erase_if(near, [&](const Near& n) { return changed(n) < 0; }) > 0;
        if (again) continue;
        for (Near& n : near) n.stiffness *= changed(n);
    }
}

std::vector<Near> neighbors_of(const Sheet& sheet, const PointGrid& grid, const Kernel& kernel, std::uint32_t i) {
    std::vector<Near> near;
    grid.near(sheet.points[i], kernel.support, [&](std::uint32_t j, double r2) {
        const double w = kernel_value(kernel, std::sqrt(r2));
        if (j != i && w > 1e-6 * kernel_value(kernel, 0)) near.push_back({j, w, r2, {}});
        return false;
    });
    std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) { return a.point < b.point; });
    return near;
}

} // namespace

std::vector<Bond> bonds_of(const Sheet& sheet, const Kernel& kernel, double membrane) {
    PointGrid grid(kernel.support);
    for (const Vec3d& p : sheet.points) grid.add(p);
    const double full = sheet.is_rope() ? 2 : 6;
    std::vector<Bond> bonds;
    for (std::uint32_t i = 0; i < sheet.points.size(); ++i) {
        std::vector<Near> near = neighbors_of(sheet, grid, kernel, i);
        if (!sheet.is_rope()) find_turns(sheet, i, near), make_isotropic(near);
        double sum = 0;
        for (const Near& n : near) sum += n.stiffness * n.length2;
        for (const Near& n : near)
            bonds.push_back({std::min(i, n.point), std::max(i, n.point),
                             0.5 * full * membrane * sheet.shares[i] * n.stiffness / sum});
    }
    // The halves of both ends in one.
    std::sort(bonds.begin(), bonds.end(),
              [](const Bond& a, const Bond& b) { return std::pair(a.a, a.b) < std::pair(b.a, b.b); });
    std::vector<Bond> whole;
    for (const Bond& half : bonds)
        if (!whole.empty() && whole.back().a == half.a && whole.back().b == half.b)
            whole.back().stiffness += half.stiffness;
        else
            whole.push_back(half);
    return whole;
}

} // namespace loam
