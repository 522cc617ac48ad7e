// Births at emitters; deaths in drains and beyond open sides.
#include <cmath>
#include <limits>

#include "step/simulation.h"

namespace loam {

// Without an end along periodic axes: nothing gets out there.
Bounds Simulation::open_sides() const {
    Bounds sides{scene_.domain.vector("min"), scene_.domain.vector("max")};
    constexpr double endless = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k)
        if (context_.periodic_length[k] > 0) sides.lo[k] = -endless, sides.hi[k] = endless;
    return sides;
}

void Simulation::births_and_deaths() {
    std::vector<Pool::Birth> births;
    for (Emitter& emitter : emitters_) {
        const std::vector<Pool::Birth> some = emitter.emit(context_.time);
        births.insert(births.end(), some.begin(), some.end());
    }

    const Bounds sides = open_sides();
    const auto ends = [](const Vec3d& v) { return std::isfinite(v.x) || std::isfinite(v.y) || std::isfinite(v.z); };
    if (ends(sides.lo) || ends(sides.hi) || !scene_.drains.empty()) {
        std::vector<std::uint8_t> alive(pool_.size(), 1);
        const auto position = pool_[pool_.position];
        const auto body = pool_[pool_.body];
        parallel_each(pool_.size(), [&](std::size_t i) {
            const Vec3d& p = position[i];
            alive[i] = sides.contains(p);
            for (std::size_t d = 0; d < scene_.drains.size() && alive[i]; ++d)
                if (drain_takes_[d][body[i]] && scene_.drains[d].shape->distance(p) < 0) alive[i] = 0;
        });
        const std::size_t before = pool_.size();
        pool_.bury(alive);
        report_.died += before - pool_.size();
        if (pool_.size() != before) neighborhood_->invalidate();
    }
    if (!births.empty()) {
        pool_.give_birth(births);
        report_.born += births.size();
        neighborhood_->invalidate();
    }
    for (auto& behavior : behaviors_)
        if (behavior->births_and_deaths(context_)) neighborhood_->invalidate();
}

} // namespace loam
