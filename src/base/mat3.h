// 3 x 3 matrices in double precision, for set-up and for the few per body; inner loops have their own.
#pragma once

#include "base/vec.h"

namespace loam {

struct Mat3 {
    Vec3d row[3];

    static Mat3 identity() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
    static Mat3 outer(const Vec3d& a, const Vec3d& b) { return {{a.x * b, a.y * b, a.z * b}}; }

    Vec3d column(std::size_t k) const { return {row[0][k], row[1][k], row[2][k]}; }
    Mat3 transposed() const { return {{column(0), column(1), column(2)}}; }
    double trace() const { return row[0].x + row[1].y + row[2].z; }
    double determinant() const { return dot(row[0], cross(row[1], row[2])); }
    // Of a matrix whose determinant is not 0.
    Mat3 inverse() const {
        const Vec3d a = cross(row[1], row[2]), b = cross(row[2], row[0]), c = cross(row[0], row[1]);
        const double s = 1 / dot(row[0], a);
        return Mat3{{s * a, s * b, s * c}}.transposed();
    }

    friend Vec3d operator*(const Mat3& m, const Vec3d& v) {
        return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
    }
    friend Mat3 operator*(const Mat3& a, const Mat3& b) {
        const Mat3 t = b.transposed();
        return {{t * a.row[0], t * a.row[1], t * a.row[2]}};
    }
    friend Mat3 operator*(double s, const Mat3& m) { return {{s * m.row[0], s * m.row[1], s * m.row[2]}}; }
    friend Mat3 operator+(const Mat3& a, const Mat3& b) {
        return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
    }
    friend Mat3 operator-(const Mat3& a, const Mat3& b) { return a + -1.0 * b; }
};

// The rotation R that maximizes trace(R^T m): the rotation of m's polar decomposition where det m > 0, and the best
// proper one elsewhere. Horn 1987: the quaternion is an eigenvector of a symmetric 4 x 4 matrix.
Mat3 nearest_rotation(const Mat3& m);

} // namespace loam
