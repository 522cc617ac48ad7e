#include "picture/camera.h"

#include <cmath>

namespace loam {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double margin = 1.06; // room around what is framed

Vec3f single(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

struct Axes {
    Vec3d forward, right, up;
};

Axes axes_of(const Camera& camera) {
    const Vec3d forward = normalized(camera.to - camera.from);
    const bool steep = std::abs(forward.y) > 0.999; // looking straight down: -z is up in the picture
    const Vec3d right = normalized(cross(forward, steep ? Vec3d{0, 0, -1} : Vec3d{0, 1, 0}));
    return {forward, right, cross(right, forward)};
}

Vec3d corner(const Bounds& box, int k) {
    return {k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y, k & 4 ? box.hi.z : box.lo.z};
}

} // namespace

Lens::Lens(const Camera& camera, Size size) : size_(size), parallel_(camera.height > 0) {
    const Axes axes = axes_of(camera);
    from_ = single(camera.from), forward_ = single(axes.forward), right_ = single(axes.right), up_ = single(axes.up);
    const double focus = camera.focus > 0 ? camera.focus : length(camera.to - camera.from);
    const double half = parallel_ ? 0.5 * camera.height : std::tan(camera.view * pi / 360);
    half_height_ = static_cast<float>(half);
    half_width_ = half_height_ * static_cast<float>(size.width) / static_cast<float>(size.height);
    focus_ = static_cast<float>(focus);
    lens_ = static_cast<float>(0.5 * camera.aperture);
    pixel_ = 2 * half * (parallel_ ? 1 : focus) / size.height;
}

Ray Lens::ray(float x, float y, Sampler& sampler) const {
    const float u = (2 * x / static_cast<float>(size_.width) - 1) * half_width_;
    const float v = (1 - 2 * y / static_cast<float>(size_.height)) * half_height_;
    if (parallel_) return {from_ + u * right_ + v * up_, forward_};
    const Vec3f direction = forward_ + u * right_ + v * up_;
    if (lens_ == 0) return {from_, normalized(direction)};
    const auto [a, b] = sampler.next2();
    const float r = lens_ * std::sqrt(a), phi = static_cast<float>(2 * pi) * b;
    const Vec3f shift = r * std::cos(phi) * right_ + r * std::sin(phi) * up_;
    return {from_ + shift, normalized(focus_ * direction - shift)};
}

Camera fitted(Camera camera, const Bounds& bounds, Size size) {
    const Vec3d direction = normalized(camera.to - camera.from);
    camera.to = bounds.center();
    camera.from = camera.to - direction;
    const Axes axes = axes_of(camera);
    const double aspect = static_cast<double>(size.width) / size.height;
    // The picture's middle need not be the box's: the box's silhouette is centered in two rounds.
    double distance = 0;
    for (int round = 0; round < 3; ++round) {
        const double tangent_y = std::tan(camera.view * pi / 360) / margin, tangent_x = tangent_y * aspect;
        distance = 0;
        for (int k = 0; k < 8; ++k) {
            const Vec3d p = corner(bounds, k) - camera.to;
            const double depth = dot(p, axes.forward);
            distance = std::max({distance, std::abs(dot(p, axes.right)) / tangent_x - depth,
                                 std::abs(dot(p, axes.up)) / tangent_y - depth});
        }
        double lo_x = 1e300, hi_x = -1e300, lo_y = 1e300, hi_y = -1e300;
        for (int k = 0; k < 8; ++k) {
            const Vec3d p = corner(bounds, k) - camera.to;
            const double depth = std::max(dot(p, axes.forward) + distance, 1e-9);
            const double x = dot(p, axes.right) / depth, y = dot(p, axes.up) / depth;
            lo_x = std::min(lo_x, x), hi_x = std::max(hi_x, x), lo_y = std::min(lo_y, y), hi_y = std::max(hi_y, y);
        }
        camera.to += 0.5 * distance * ((lo_x + hi_x) * axes.right + (lo_y + hi_y) * axes.up);
    }
    camera.from = camera.to - std::max(distance, 1e-6) * direction;
    return camera;
}

Camera frame_bounds(const Bounds& bounds, int dimensions, Size size, double view) {
    Camera camera;
    camera.view = view;
    if (dimensions == 3) {
        camera.from = {0.55, 0.5, 1.25};
        return fitted(camera, bounds, size);
    }
    const Vec3d extent = bounds.size();
    camera.to = bounds.center();
    camera.from = camera.to + Vec3d{0, 0, std::max(extent.x, extent.y) + extent.z + 1e-6};
    camera.height = 1.1 * std::max(extent.y, extent.x * size.height / size.width) + 1e-9;
    return camera;
}

} // namespace loam
