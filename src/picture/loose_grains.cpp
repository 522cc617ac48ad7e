#include "picture/loose_grains.h"

#include <cmath>

#include "picture/sampler.h"

namespace loam {
namespace {

constexpr double scatter = 0.06; // of a particle's speed
constexpr double rubs = 0.6;     // along walls

} // namespace

Vec3d LooseGrains::scattered(const Vec3d& velocity, std::uint32_t seed) {
    const auto random = [&](std::uint32_t k) { return (Sampler::hash(seed + k) >> 8) * 0x1p-23 - 1; };
    return velocity + scatter * length(velocity) * Vec3d{random(11), random(12), random(13)};
}

// Grains do not bounce: sand hardly does.
void LooseGrains::meet_walls(Flight& grain, double radius) const {
    if (!(walls_.distance(grain.at, radius) < radius)) return;
    const Vec3d out = walls_.pushed_out(grain.at, radius), deep = out - grain.at;
    if (const double depth = length(deep); depth > 0) {
        const Vec3d normal = (1 / depth) * deep;
        const double coming = -dot(grain.velocity, normal);
        grain.at = out;
        if (!(coming > 0)) return;
        grain.velocity += coming * normal;
        const double along = length(grain.velocity);
        grain.velocity = std::max(0.0, 1 - (along > 0 ? rubs * coming / along : 1)) * grain.velocity;
    }
}

} // namespace loam
