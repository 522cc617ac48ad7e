// Substeps of their own length (Bayraktar 2010, section 5.6.1; E. Fehlberg, NASA TR R-315, 1969).
#include <algorithm>
#include <array>
#include <cmath>

#include "base/reductions.h"
#include "behaviors/sheets/motion.h"

namespace loam {
namespace {

constexpr double safety = 0.9, most_shorter = 0.2, most_longer = 4;
constexpr double shortest = 1e-3; // of the usual substep: what is still not exact then is taken as it is

// Shares of earlier stages in each stage.
constexpr std::array<std::array<float, 5>, 6> fehlberg{{{},
                                                        {1.0f / 4},
                                                        {3.0f / 32, 9.0f / 32},
                                                        {1932.0f / 2197, -7200.0f / 2197, 7296.0f / 2197},
                                                        {439.0f / 216, -8, 3680.0f / 513, -845.0f / 4104},
                                                        {-8.0f / 27, 2, -3544.0f / 2565, 1859.0f / 4104, -11.0f / 40}}};
constexpr std::array<float, 6> fifth{16.0f / 135, 0, 6656.0f / 12825, 28561.0f / 56430, -9.0f / 50, 2.0f / 55};
constexpr std::array<float, 6> beyond_fourth{1.0f / 360, 0, -128.0f / 4275, -2197.0f / 75240, 1.0f / 50, 2.0f / 55};

void add(SlotMotion::Places& to, float scale, const SlotMotion::Places& what) {
    parallel_each(to.size(), [&](std::size_t s) {
        to[s].x += scale * what[s].x, to[s].y += scale * what[s].y, to[s].z += scale * what[s].z;
    });
}

} // namespace

void SlotMotion::find_stage(std::size_t k, float h, std::span<const float> shares, const Law& law) {
    stage_place_ = place, stage_velocity_[k] = velocity;
    for (std::size_t j = 0; j < k; ++j) {
        add(stage_place_, h * shares[j], stage_velocity_[j]);
        add(stage_velocity_[k], h * shares[j], stage_acceleration_[j]);
    }
    stage_acceleration_[k].resize(slots.padded());
    law(stage_place_, stage_velocity_[k], stage_acceleration_[k]);
    add(stage_acceleration_[k], 1, external);
}

// Goes on with the fifth order; the error is what that adds to the fourth.
void SlotMotion::substep_fehlberg(float h, const Law& law) {
    for (std::size_t k = 0; k < 6; ++k) find_stage(k, h, fehlberg[k], law);
    error_.assign(slots.padded(), {});
    for (std::size_t k = 0; k < 6; ++k) {
        add(error_, h * beyond_fourth[k], stage_velocity_[k]);
        move(h * fifth[k], stage_velocity_[k]), add(velocity, h * fifth[k], stage_acceleration_[k]);
    }
}

double SlotMotion::try_substep(float h, AdaptiveMethod method, const Law& law) {
    if (method == AdaptiveMethod::fehlberg) {
        substep_fehlberg(h, law);
    } else {
        const Places place_before = place, velocity_before = velocity, moved_before = moved_;
        substep_rk4(h, law);
        error_ = moved_;
        place = place_before, velocity = velocity_before, moved_ = moved_before;
        substep_rk4(0.5f * h, law), substep_rk4(0.5f * h, law);
        add(error_, -1, moved_);
        for (Float4& e : error_) e = {e.x / 15, e.y / 15, e.z / 15, 0};
    }
    return std::sqrt(static_cast<double>(parallel_max(slots.size(), [&](std::size_t s) {
        const Float4& e = error_[s];
        return velocity[s].w > 0 ? e.x * e.x + e.y * e.y + e.z * e.z : 0;
    })));
}

int SlotMotion::integrate(double seconds, double usual, double tolerance, AdaptiveMethod method, const Law& law) {
    begin_smoothly(seconds);
    int substeps = 0;
    double done = 0, h = std::min(usual, seconds);
    while (done < seconds) {
        const double left = seconds - done;
        if (h > 0.999 * left) h = left;
        const Places place_before = place, velocity_before = velocity, moved_before = moved_;
        const double error = try_substep(static_cast<float>(h), method, law);
        const double change =
            std::clamp(safety * std::pow(tolerance / std::max(error, 1e-300), 0.2), most_shorter, most_longer);
        if (error > tolerance && h > shortest * std::min(usual, seconds)) {
            place = place_before, velocity = velocity_before, moved_ = moved_before;
            h *= std::min(change, safety);
            continue;
        }
        ++substeps;
        done = h == left ? seconds : done + h;
        h *= change;
    }
    return substeps;
}

} // namespace loam
