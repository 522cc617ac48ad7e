#include "step/balance.h"

#include "base/parallel.h"
#include "step/loads.h"

namespace loam {
namespace {

using Vectors = std::vector<Vec3d>;

Vectors sum(Vectors a, const Vectors& b, double scale = 1) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] += scale * b[k];
    return a;
}

// By body: walls, what is held, and what has pins.
std::vector<std::uint8_t> fixed_bodies(const StepContext& step) {
    std::vector<std::uint8_t> fixed(step.scene.bodies.size(), 0);
    for (const WallBody& wall : step.walls.bodies) fixed[wall.body] = 1;
    for (std::size_t b = 0; b < fixed.size(); ++b) fixed[b] |= step.traits[b].held;
    const Pool& pool = step.particles;
    if (pool.pin.index != SIZE_MAX)
        for (std::size_t i = 0; i < pool.size(); ++i) fixed[pool[pool.body][i]] |= pool.is_held(i);
    return fixed;
}

} // namespace

Vectors MomentumBalance::sums(Column<Float4> of) const {
    const Pool& pool = step_.particles;
    const Vectors none(step_.scene.bodies.size());
    const auto some = [&](Range range) {
        Vectors all = none;
        for (std::size_t i = range.begin; i != range.end; ++i)
            all[pool[pool.body][i]] += static_cast<double>(pool[pool.mass][i]) * pool[of][i].xyz_double();
        return all;
    };
    return parallel_reduce(pool.size(), none, some, [](Vectors a, const Vectors& b) { return sum(std::move(a), b); });
}

Vectors MomentumBalance::momentum() const {
    const Pool& pool = step_.particles;
    Vectors all = sums(pool.velocity);
    return pool.falls() ? sum(std::move(all), sums(pool.lack)) : all;
}

void MomentumBalance::begin() {
    at_begin_ = momentum();
    given_.assign(at_begin_.size(), {});
    pull_.resize(at_begin_.size());
}

void MomentumBalance::no_forces() { pull_.assign(step_.scene.bodies.size(), {}); }

void MomentumBalance::before(const Law& law, const Act& act) {
    if (!law.from_outside) return;
    const bool first = act.stage == Stage::force;
    if (first || writes(act, "velocity")) before_ = first ? sums(step_.particles.acceleration) : momentum();
}

void MomentumBalance::after(const Law& law, const Act& act) {
    if (!law.from_outside) return;
    if (act.stage == Stage::force)
        pull_ = sum(sum(std::move(pull_), sums(step_.particles.acceleration)), before_, -1);
    else if (writes(act, "velocity"))
        given_ = sum(sum(std::move(given_), momentum()), before_, -1);
}

void MomentumBalance::kicked(double dt) { given_ = sum(std::move(given_), pull_, dt); }

void MomentumBalance::end() {
    const std::vector<std::uint8_t> fixed = fixed_bodies(step_);
    forces_ = sum(sum(momentum(), at_begin_, -1), given_, -1);
    for (Vec3d& force : forces_) force = force / step_.dt;
    share_among_fixed(step_, fixed, forces_);
}

} // namespace loam
