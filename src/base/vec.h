// Small fixed-size vectors. Vec3 is for geometry and set-up (usually double); Float4 is the 16-byte record that hot
// columns use, three components and one more value that travels with them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace loam {

template <class T> struct Vec3 {
    T x{}, y{}, z{};

    T& operator[](std::size_t axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    const T& operator[](std::size_t axis) const { return axis == 0 ? x : axis == 1 ? y : z; }

    Vec3& operator+=(const Vec3& b) { return *this = {x + b.x, y + b.y, z + b.z}; }
    Vec3& operator-=(const Vec3& b) { return *this = {x - b.x, y - b.y, z - b.z}; }
    Vec3& operator*=(T s) { return *this = {x * s, y * s, z * s}; }

    friend Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
    friend Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
    friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
    friend Vec3 operator*(Vec3 a, T s) { return a *= s; }
    friend Vec3 operator*(T s, Vec3 a) { return a *= s; }
    friend Vec3 operator/(const Vec3& a, T s) { return {a.x / s, a.y / s, a.z / s}; }
    friend bool operator==(const Vec3&, const Vec3&) = default;
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;

template <class T> T dot(const Vec3<T>& a, const Vec3<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T> T length(const Vec3<T>& a) { return std::sqrt(dot(a, a)); }
template <class T> Vec3<T> normalized(const Vec3<T>& a) {
    const T l = length(a);
    return l > T(0) ? a / l : Vec3<T>{};
}
template <class T> Vec3<T> min(const Vec3<T>& a, const Vec3<T>& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
template <class T> Vec3<T> max(const Vec3<T>& a, const Vec3<T>& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}
template <class T> bool is_finite(const Vec3<T>& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

// In a world that repeats itself: the image of a place that is nearest to another. Axes with a period of 0 do not
// repeat.
inline Vec3d image_near(Vec3d place, const Vec3d& near, const Vec3d& period) {
    for (std::size_t k = 0; k < 3; ++k)
        if (period[k] > 0) place[k] -= period[k] * std::round((place[k] - near[k]) / period[k]);
    return place;
}
// And the one within the period that begins here.
inline Vec3d image_within(Vec3d place, const Vec3d& begin, const Vec3d& period) {
    for (std::size_t k = 0; k < 3; ++k)
        if (period[k] > 0) place[k] -= period[k] * std::floor((place[k] - begin[k]) / period[k]);
    return place;
}
inline Vec3d shortest_way(const Vec3d& way, const Vec3d& period) { return image_near(way, {}, period); }

struct alignas(16) Float4 {
    float x = 0, y = 0, z = 0, w = 0;

    Vec3f xyz() const { return {x, y, z}; }
    Vec3d xyz_double() const { return {x, y, z}; }
    friend bool operator==(const Float4&, const Float4&) = default;
};

inline Float4 float4(const Vec3d& a, double w = 0) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z), static_cast<float>(w)};
}

// An axis-aligned box; empty until something is added.
struct Bounds {
    Vec3d lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};

    bool empty() const { return lo.x > hi.x; }
    void add(const Vec3d& p) { lo = min(lo, p), hi = max(hi, p); }
    void add(const Bounds& b) { lo = min(lo, b.lo), hi = max(hi, b.hi); }
    Bounds grown(double by) const { return {lo - Vec3d{by, by, by}, hi + Vec3d{by, by, by}}; }
    Vec3d center() const { return 0.5 * (lo + hi); }
    Vec3d size() const { return hi - lo; }
    bool contains(const Vec3d& p) const {
        return p.x >= lo.x && p.x <= hi.x && p.y >= lo.y && p.y <= hi.y && p.z >= lo.z && p.z <= hi.z;
    }
};

} // namespace loam
