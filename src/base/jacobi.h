// Eigenvalues and eigenvectors of small symmetric matrices by Jacobi rotations: exact to rounding in a few sweeps, and
// well-behaved where eigenvalues coincide.
#pragma once

#include <cmath>

namespace loam {

// Leaves the eigenvalues on the diagonal of a, and the eigenvectors in the columns of v, which begins as the identity.
template <int N> void diagonalize(double (&a)[N][N], double (&v)[N][N]) {
    for (int sweep = 0; sweep < 20; ++sweep) {
        double off = 0, on = 0;
        for (int p = 0; p < N; ++p) {
            on += std::abs(a[p][p]);
            for (int q = p + 1; q < N; ++q) off += std::abs(a[p][q]);
        }
        if (off <= 1e-15 * on) return;
        for (int p = 0; p < N; ++p)
            for (int q = p + 1; q < N; ++q) {
                if (a[p][q] == 0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < N; ++k) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < N; ++k) {
                    const double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
                    const double vp = v[k][p], vq = v[k][q];
                    v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
                }
            }
    }
}

} // namespace loam
