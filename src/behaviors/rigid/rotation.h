// Rotations as unit quaternions, and the 3 x 3 matrices of inertia.
#pragma once

#include <array>

#include "base/vec.h"

namespace loam {

struct Matrix3 {
    std::array<Vec3d, 3> rows{};

    friend Vec3d operator*(const Matrix3& m, const Vec3d& v) {
        return {dot(m.rows[0], v), dot(m.rows[1], v), dot(m.rows[2], v)};
    }
    friend Matrix3 operator+(const Matrix3& a, const Matrix3& b) {
        return {{a.rows[0] + b.rows[0], a.rows[1] + b.rows[1], a.rows[2] + b.rows[2]}};
    }
    friend Matrix3 operator*(double s, const Matrix3& m) { return {{s * m.rows[0], s * m.rows[1], s * m.rows[2]}}; }
};

inline Matrix3 diagonal(double x, double y, double z) { return {{Vec3d{x, 0, 0}, Vec3d{0, y, 0}, Vec3d{0, 0, z}}}; }
inline Matrix3 transposed(const Matrix3& m) {
    const auto& [a, b, c] = m.rows;
    return {{Vec3d{a.x, b.x, c.x}, Vec3d{a.y, b.y, c.y}, Vec3d{a.z, b.z, c.z}}};
}
inline Matrix3 operator*(const Matrix3& a, const Matrix3& b) {
    const Matrix3 columns = transposed(b);
    Matrix3 product;
    for (std::size_t r = 0; r < 3; ++r) product.rows[r] = columns * a.rows[r];
    return product;
}
inline double trace(const Matrix3& m) { return m.rows[0].x + m.rows[1].y + m.rows[2].z; }
inline double determinant(const Matrix3& m) { return dot(m.rows[0], cross(m.rows[1], m.rows[2])); }
inline Matrix3 inverse(const Matrix3& m) {
    const auto& [a, b, c] = m.rows;
    return (1 / determinant(m)) * transposed({{cross(b, c), cross(c, a), cross(a, b)}});
}

// Inertia of a point of unit mass: |r|^2 I - r r^T.
inline Matrix3 point_inertia(const Vec3d& r) {
    const double s = dot(r, r);
    return {{Vec3d{s, 0, 0} - r.x * r, Vec3d{0, s, 0} - r.y * r, Vec3d{0, 0, s} - r.z * r}};
}

struct Quaternion {
    double w = 1;
    Vec3d v;

    friend Quaternion operator*(const Quaternion& a, const Quaternion& b) {
        return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
    }
};

inline Quaternion normalized(const Quaternion& q) {
    const double l = std::sqrt(q.w * q.w + dot(q.v, q.v));
    return {q.w / l, q.v / l};
}
inline Quaternion turn_about(const Vec3d& axis, double angle) { // axis of unit length
    return {std::cos(0.5 * angle), std::sin(0.5 * angle) * axis};
}
// About its direction, by its length [rad], at most half a turn.
inline Vec3d rotation_vector(const Quaternion& q) {
    const double half = length(q.v), angle = 2 * std::atan2(half, std::abs(q.w));
    return half > 0 ? (q.w < 0 ? -angle : angle) / half * q.v : Vec3d{};
}
inline Matrix3 matrix_of(const Quaternion& q) {
    const auto& [x, y, z] = q.v;
    return {{Vec3d{1 - 2 * (y * y + z * z), 2 * (x * y - q.w * z), 2 * (x * z + q.w * y)},
             Vec3d{2 * (x * y + q.w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - q.w * x)},
             Vec3d{2 * (x * z - q.w * y), 2 * (y * z + q.w * x), 1 - 2 * (x * x + y * y)}}};
}

} // namespace loam
