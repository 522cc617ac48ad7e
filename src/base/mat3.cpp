#include "base/mat3.h"

namespace loam {
namespace {

using Mat4 = double[4][4];

// Jacobi rotations; the eigenvectors end up in the columns of v.
void diagonalize(Mat4& a, Mat4& v) {
    for (int sweep = 0; sweep < 20; ++sweep) {
        double off = 0, on = 0;
        for (int p = 0; p < 4; ++p)
            for (int q = 0; q < 4; ++q) (p == q ? on : off) += std::abs(a[p][q]);
        if (off <= 1e-16 * on) return;
        for (int p = 0; p < 4; ++p)
            for (int q = p + 1; q < 4; ++q) {
                if (a[p][q] == 0) continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 4; ++k) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 4; ++k) {
                    const double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
                    const double vp = v[k][p], vq = v[k][q];
                    v[k][p] = c * vp - s * vq, v[k][q] = s * vp + c * vq;
                }
            }
    }
}

} // namespace

Mat3 nearest_rotation(const Mat3& m) {
    const Vec3d &r = m.row[0], &s = m.row[1], &t = m.row[2];
    const Vec3d axial{t.y - s.z, r.z - t.x, s.x - r.y};
    Mat4 a{{r.x + s.y + t.z, axial.x, axial.y, axial.z},
           {axial.x, r.x - s.y - t.z, r.y + s.x, t.x + r.z},
           {axial.y, r.y + s.x, s.y - r.x - t.z, s.z + t.y},
           {axial.z, t.x + r.z, s.z + t.y, t.z - r.x - s.y}};
    Mat4 v{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    diagonalize(a, v);
    int best = 0;
    for (int k = 1; k < 4; ++k)
        if (a[k][k] > a[best][best]) best = k;
    const double w = v[0][best], x = v[1][best], y = v[2][best], z = v[3][best];
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

} // namespace loam
