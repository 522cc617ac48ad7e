#include "behaviors/rigid/shape_fit.h"

#include <cmath>

#include "particles/moments.h"

namespace loam {
namespace {

constexpr double all_of_it = 0.05;  // by which the volume of the particles may differ from that of the shape
constexpr double most_change = 0.5; // of a particle's share, to bring the center where it belongs

Matrix3 inertia_of(const Mat3& spread) {
    const double sum = spread.trace();
    return {{Vec3d{sum, 0, 0} - spread.row[0], Vec3d{0, sum, 0} - spread.row[1], Vec3d{0, 0, sum} - spread.row[2]}};
}

} // namespace

void smooth_surface(StepContext& step, const Shape& shape, std::span<const std::uint32_t> own) {
    const double depth = 0.5 * step.scene.spacing;
    const auto position = step.particles[step.particles.position];
    for (const std::uint32_t i : own) {
        const double away = shape.distance(position[i]);
        if (away < -2 * depth || std::abs(away + depth) < 1e-6 * depth) continue;
        const Vec3d out = shape.normal(position[i]), moved = position[i] - (away + depth) * out;
        if (shape.distance(position[i] - (1.5 * depth) * out) > 0) continue; // it is all there is between two faces
        if (std::abs(shape.distance(moved) + depth) < 0.2 * depth) position[i] = moved; // else it is too thin for that
    }
}

// Shares become w_i V_i with w_i = a + b . (x_i - x), the smallest change that gives volume and center.
std::optional<Matrix3> fit_to_shape(StepContext& step, const Shape& shape, std::span<const std::uint32_t> own) {
    Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto mass = pool[pool.mass], volume = pool[pool.volume];
    const Moments solid = moments_of(shape, step.scene.spacing, step.scene.dimensions);
    const double per_space = lattice_volume(step.scene.kernel, step.scene.spacing) / step.scene.space;
    double sum = 0, weight = 0;
    Vec3d first;
    for (const std::uint32_t i : own) {
        const double space = volume[i] / per_space;
        sum += space, weight += mass[i], first += space * position[i];
    }
    if (!(std::abs(sum - solid.volume) < all_of_it * solid.volume)) return std::nullopt;
    const Vec3d middle = first / sum;
    Mat3 spread;
    for (const std::uint32_t i : own) {
        const Vec3d r = position[i] - middle;
        spread = spread + (volume[i] / per_space) * Mat3::outer(r, r);
    }
    // Particles in a row or a plane cannot shift the center out of it.
    const Mat3 held = spread + (1e-9 * spread.trace()) * Mat3::identity();
    const double a = solid.volume / sum;
    Vec3d b = held.inverse() * (solid.volume * (solid.center - middle));
    for (const std::uint32_t i : own)
        if (std::abs(dot(b, position[i] - middle)) > most_change * a) b = {};
    for (const std::uint32_t i : own) {
        const auto share = static_cast<float>(a + dot(b, position[i] - middle));
        mass[i] *= share;
        volume[i] *= share;
    }
    return (weight / sum) * inertia_of(solid.spread);
}

} // namespace loam
