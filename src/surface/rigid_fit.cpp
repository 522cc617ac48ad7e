#include "surface/rigid_fit.h"

#include <cmath>

namespace loam {
namespace {

using Matrix4 = std::array<std::array<double, 4>, 4>;

// The eigenvector of the largest eigenvalue of a symmetric matrix, by Jacobi rotations.
std::array<double, 4> largest_eigenvector(Matrix4 a) {
    Matrix4 v{};
    for (std::size_t k = 0; k < 4; ++k) v[k][k] = 1;
    for (int sweep = 0; sweep < 20; ++sweep)
        for (std::size_t p = 0; p < 4; ++p)
            for (std::size_t q = p + 1; q < 4; ++q) {
                if (a[p][q] == 0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (std::size_t k = 0; k < 4; ++k) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < 4; ++k) {
                    const double pk = a[p][k], qk = a[q][k], vp = v[k][p], vq = v[k][q];
                    a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
                    v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
                }
            }
    std::size_t best = 0;
    for (std::size_t k = 1; k < 4; ++k)
        if (a[k][k] > a[best][best]) best = k;
    return {v[0][best], v[1][best], v[2][best], v[3][best]};
}

} // namespace

RigidFit fit_rigid(std::span<const Vec3d> at_rest, std::span<const Vec3d> now) {
    RigidFit fit;
    if (at_rest.empty()) return fit;
    const double share = 1 / static_cast<double>(at_rest.size());
    for (std::size_t i = 0; i < at_rest.size(); ++i) {
        fit.rest_center += share * at_rest[i];
        fit.center += share * now[i];
    }
    Vec3d m[3]; // m[a][b] = sum (x_a) (y_b), x at rest, y now
    for (std::size_t i = 0; i < at_rest.size(); ++i) {
        const Vec3d x = at_rest[i] - fit.rest_center, y = now[i] - fit.center;
        for (std::size_t a = 0; a < 3; ++a) m[a] += x[a] * y;
    }
    const auto [w, x, y, z] =
        largest_eigenvector({{{m[0].x + m[1].y + m[2].z, m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x},
                              {m[1].z - m[2].y, m[0].x - m[1].y - m[2].z, m[0].y + m[1].x, m[2].x + m[0].z},
                              {m[2].x - m[0].z, m[0].y + m[1].x, m[1].y - m[0].x - m[2].z, m[1].z + m[2].y},
                              {m[0].y - m[1].x, m[2].x + m[0].z, m[1].z + m[2].y, m[2].z - m[0].x - m[1].y}}});
    fit.rows = {Vec3d{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                Vec3d{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                Vec3d{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    double squares = 0;
    for (std::size_t i = 0; i < at_rest.size(); ++i) {
        const Vec3d left = fit.point(at_rest[i]) - now[i];
        squares += share * dot(left, left);
    }
    fit.error = std::sqrt(squares);
    return fit;
}

} // namespace loam
