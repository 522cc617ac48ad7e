#include "behaviors/shell/damping.h"

#include "base/reductions.h"

namespace loam {
namespace {

constexpr int at_most = 100;
constexpr double tolerance = 1e-3; // of the change of velocities

} // namespace

void PlateDamping::slow(Plate& plate, std::span<const Vec3d> x, std::span<Vec3d> v, std::span<const double> per_mass,
                        double seconds2) {
    const std::size_t count = v.size();
    for (auto* all : {&residual_, &direction_, &product_}) all->resize(count);
    plate.look(x);
    plate.resistance(v, residual_);
    // The residual is a change of velocity: forces over mass.
    const auto energy = [&](const Vec3d& a, const Vec3d& b, std::size_t i) {
        return per_mass[i] > 0 ? dot(a, b) / per_mass[i] : 0;
    };
    double error = parallel_sum(count, [&](std::size_t i) {
        residual_[i] = direction_[i] = (seconds2 * per_mass[i]) * residual_[i];
        return energy(residual_[i], residual_[i], i);
    });
    const double enough = tolerance * tolerance * error;
    for (int k = 0; k < at_most && error > enough; ++k) {
        plate.resistance(direction_, product_);
        const double along = parallel_sum(count, [&](std::size_t i) {
            product_[i] = direction_[i] - (seconds2 * per_mass[i]) * product_[i];
            return energy(direction_[i], product_[i], i);
        });
        if (!(along > 0)) return;
        const double step = error / along;
        const double after = parallel_sum(count, [&](std::size_t i) {
            v[i] += step * direction_[i];
            residual_[i] -= step * product_[i];
            return energy(residual_[i], residual_[i], i);
        });
        const double kept = after / error;
        error = after;
        parallel_each(count, [&](std::size_t i) { direction_[i] = residual_[i] + kept * direction_[i]; });
    }
}

} // namespace loam
