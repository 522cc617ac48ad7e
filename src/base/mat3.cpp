#include "base/mat3.h"

#include "base/jacobi.h"

namespace loam {

Mat3 nearest_rotation(const Mat3& m) {
    const Vec3d &r = m.row[0], &s = m.row[1], &t = m.row[2];
    const Vec3d axial{t.y - s.z, r.z - t.x, s.x - r.y};
    double a[4][4]{{r.x + s.y + t.z, axial.x, axial.y, axial.z},
                   {axial.x, r.x - s.y - t.z, r.y + s.x, t.x + r.z},
                   {axial.y, r.y + s.x, s.y - r.x - t.z, s.z + t.y},
                   {axial.z, t.x + r.z, s.z + t.y, t.z - r.x - s.y}};
    double v[4][4]{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
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
