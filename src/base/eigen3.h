// Eigenvalues and eigenvectors of a symmetric 3 x 3 matrix, also where they coincide, as for particles deep inside.
#pragma once

#include <array>
#include <utility>

#include "base/jacobi.h"
#include "base/vec.h"

namespace loam {

struct Symmetric3 {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

struct Eigen3 {
    std::array<double, 3> values{}; // largest first
    std::array<Vec3d, 3> vectors;   // of unit length, at right angles
};

inline Eigen3 eigen_of(const Symmetric3& m) {
    double a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    diagonalize(a, v);
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
