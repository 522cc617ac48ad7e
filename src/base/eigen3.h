// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix by Jacobi rotations: exact to rounding in a few sweeps, and
// well-behaved where eigenvalues coincide, as they do for particles deep inside.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "base/vec.h"

namespace loam {

struct Symmetric3 {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

struct Eigen3 {
    std::array<double, 3> values; // largest first
    std::array<Vec3d, 3> vectors; // of unit length, at right angles
};

inline Eigen3 eigen_of(const Symmetric3& m) {
    double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    constexpr std::pair<int, int> off_diagonal[] = {{0, 1}, {0, 2}, {1, 2}};
    for (int sweep = 0; sweep < 12; ++sweep) {
        const double rest = std::abs(a[0][1]) + std::abs(a[0][2]) + std::abs(a[1][2]);
        if (rest <= 1e-15 * (std::abs(a[0][0]) + std::abs(a[1][1]) + std::abs(a[2][2]))) break;
        for (const auto& [p, q] : off_diagonal) {
            if (a[p][q] == 0) continue;
            const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
            const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
            const double c = 1 / std::sqrt(t * t + 1), s = t * c;
            for (int k = 0; k < 3; ++k) {
                const double kp = a[k][p], kq = a[k][q];
                a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
            }
            for (int k = 0; k < 3; ++k) {
                const double pk = a[p][k], qk = a[q][k];
                a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
                const double vp = v[k][p], vq = v[k][q];
                v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
            }
        }
    }
    std::array<int, 3> order{0, 1, 2};
    const auto exchange = [&](int i, int j) {
        if (a[order[i]][order[i]] < a[order[j]][order[j]]) std::swap(order[i], order[j]);
    };
    exchange(0, 1), exchange(1, 2), exchange(0, 1);
    Eigen3 result;
    for (int k = 0; k < 3; ++k) {
        result.values[k] = a[order[k]][order[k]];
        result.vectors[k] = {v[0][order[k]], v[1][order[k]], v[2][order[k]]};
    }
    return result;
}

} // namespace loam
