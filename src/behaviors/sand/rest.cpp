#include "behaviors/sand/rest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/reductions.h"

namespace loam {

void SandRest::declare(StepContext& step) {
    Pool& pool = step.particles;
    pool.declare_resting();
    calm_ = pool.declare<float>({.name = "sand_calm", .unit = "s", .saved = true});
    mean_velocity_ = pool.declare<Float4>({.name = "sand_mean_velocity", .unit = "m/s", .saved = true});
    density_ = pool.declare<float>({.name = "sand_rest_density", .saved = true});
    pull_ = pool.declare<Float4>({.name = "sand_rest_pull", .unit = "m/s^2", .saved = true});
    cluster_ = pool.declare<std::uint32_t>({.name = "cluster",
                                            .help = "what rests together has one number; 0: it moves",
                                            .output = true,
                                            .nature = Nature::mark});
}

SandRest::Scale SandRest::scale(const StepContext& step) {
    const Pool& pool = step.particles;
    double g = 1;
    if (pool.falls()) {
        const auto gravity = pool[pool.gravity];
        g = parallel_max(pool.size(), [&](std::size_t i) { return length(gravity[i].xyz()); });
        if (!(g > 0)) g = 1;
    }
    return {static_cast<float>(std::sqrt(g * step.scene.spacing)),
            static_cast<float>(std::sqrt(step.scene.spacing / g))};
}

void SandRest::stop(Pool& pool, std::size_t i) { pool[pool.velocity][i] = {0, 0, 0, pool[pool.velocity][i].w}; }

void SandRest::wake_all(Pool& pool) {
    if (pool.resting.index == SIZE_MAX) return;
    const auto rests = pool[pool.resting], calm = pool[calm_];
    parallel_each(pool.size(), [&](std::size_t i) { rests[i] = 0, calm[i] = 0; });
}

namespace {

float speed2(const Float4& v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

bool within(const StepContext& step, std::size_t i, std::size_t j, float reach) {
    const auto position = step.particles[step.particles.position];
    const Vec3d d = shortest_way(position[i] - position[j], step.scene.periodic_length);
    return dot(d, d) <= static_cast<double>(reach) * reach;
}

} // namespace

bool SandRest::must_wake(const StepContext& step, const SandFriction& friction, std::size_t i,
                         bool something_moves) const {
    const Pool& pool = step.particles;
    if (!(pool[friction.sand][i] > 0)) return true;
    if (pool[pool.density][i] < pool[density_][i] - loosened) return true;
    if (pool.falls()) {
        const Vec3f now = pool[pool.gravity][i].xyz(), then = pool[pull_][i].xyz(), change = now - then;
        if (length(change) > pulled * std::max(length(now), length(then))) return true;
    }
    if (const float then = pool[pull_][i].w; std::abs(pool[pool.mass][i] - then) > wetted * then) return true;
    if (size(friction.stress(pool, i)) > overloaded * pool[friction.yield][i]) return true;
    if (step.walls.move() && speed2(pool[friction.wall_motion][i]) > 0) return true;
    if (!something_moves) return false;
    const float reach = reach_[pool[pool.body][i]];
    const auto velocity = pool[pool.velocity];
    const auto is = pool[friction.sand];
    for (const std::uint32_t j : step.neighbors->particles.of(i)) {
        if (pool.rests(j)) continue;
        const float least = (is[j] > 0 ? waking : slow) * scale_.speed;
        if (speed2(velocity[j]) > least * least && within(step, i, j, reach)) return true;
    }
    return false;
}

void SandRest::hold(StepContext& step, const SandFriction& friction) {
    Pool& pool = step.particles;
    const auto rests = pool[pool.resting], calm = pool[calm_];
    const auto velocity = pool[pool.velocity];
    scale_ = scale(step);
    // Velocities have taken up this step's forces: what falls freely for a step is not yet fast.
    const float least = slow * scale_.speed;
    const bool something_moves = parallel_max(pool.size(), [&](std::size_t i) {
                                     return rests[i] > 0 ? 0 : static_cast<double>(speed2(velocity[i]));
                                 }) > least * least;
    next_.assign(pool.size(), 0);
    parallel_each(pool.size(),
                  [&](std::size_t i) { next_[i] = rests[i] > 0 && !must_wake(step, friction, i, something_moves); });
    parallel_each(pool.size(), [&](std::size_t i) {
        if (next_[i]) return stop(pool, i);
        if (rests[i] > 0) calm[i] = 0;
        rests[i] = 0;
    });
    const auto is = pool[friction.sand];
    all_rest_ = parallel_max(pool.size(), [&](std::size_t i) { return is[i] > 0 && !(rests[i] > 0) ? 1 : 0; }) == 0;
}

bool SandRest::may_rest(const StepContext& step, const SandFriction& friction, std::size_t i) const {
    const Pool& pool = step.particles;
    const auto calm = pool[calm_], is = pool[friction.sand];
    const float long_enough = patience * scale_.time;
    if (!(calm[i] > 0.25f * long_enough)) return false;
    if (step.walls.move() && speed2(pool[friction.wall_motion][i]) > 0) return false;
    const float reach = reach_[pool[pool.body][i]];
    int near = 0, resting = 0;
    bool all_calm = true;
    for (const std::uint32_t j : step.neighbors->particles.of(i)) {
        if (!(is[j] > 0)) return false; // whatever else is near may move it
        if (!within(step, i, j, reach)) continue;
        ++near;
        resting += pool.rests(j);
        all_calm &= pool.rests(j) || calm[j] > 0.5f * long_enough;
    }
    return (all_calm && calm[i] > long_enough) || static_cast<float>(resting) > surrounded * static_cast<float>(near);
}

// Moist, and far from its limit: what moves it is not flow, but what solvers leave.
bool SandRest::is_bound(const Pool& pool, const SandFriction& friction, std::size_t i) const {
    if (moist_.index == SIZE_MAX || !(pool[moist_][i] > 0)) return false;
    const float yield = pool[friction.yield][i];
    return yield > 1.5f * std::max(pool[friction.mean_pressure][i], 0.0f) && 2 * size(friction.stress(pool, i)) < yield;
}

void SandRest::update(StepContext& step, const SandFriction& friction) {
    Pool& pool = step.particles;
    const auto rests = pool[pool.resting], calm = pool[calm_], density = pool[density_], is = pool[friction.sand],
               pressure = pool[pool.pressure];
    const auto velocity = pool[pool.velocity], mean = pool[mean_velocity_], pull = pool[pull_];
    moist_ = {pool.find("grain_suction")};
    const auto dt = static_cast<float>(step.dt);
    const float share = std::min(1.0f, dt / (2 * scale_.time));
    const float slow2 = slow * slow * scale_.speed * scale_.speed, quick2 = quick * quick * scale_.speed * scale_.speed;
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!(is[i] > 0)) return;
        if (rests[i] > 0) return stop(pool, i);
        const Float4& v = velocity[i];
        Float4& m = mean[i];
        m = {m.x + share * (v.x - m.x), m.y + share * (v.y - m.y), m.z + share * (v.z - m.z)};
        calm[i] = speed2(m) < (is_bound(pool, friction, i) ? quick2 : slow2) && speed2(v) < quick2 ? calm[i] + dt : 0;
    });
    parallel_each(pool.size(),
                  [&](std::size_t i) { next_[i] = is[i] > 0 && !(rests[i] > 0) && may_rest(step, friction, i); });
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!next_[i]) return;
        rests[i] = 1;
        stop(pool, i);
        mean[i] = {};
        density[i] = pool[pool.density][i];
        pressure[i] = pool[friction.mean_pressure][i]; // its own differs from it by the order of neighbors
        pull[i] = pool.falls() ? pool[pool.gravity][i] : Float4{};
        pull[i].w = pool[pool.mass][i];
    });
}

// Union by the smaller id, in the order of the pool: the outcome does not depend on it.
void SandRest::find_clusters(StepContext& step) {
    Pool& pool = step.particles;
    const auto cluster = pool[cluster_], id = pool[pool.id];
    const auto body = pool[pool.body];
    std::vector<std::uint32_t> root(pool.size());
    std::iota(root.begin(), root.end(), 0u);
    const auto find = [&](std::uint32_t k) {
        while (root[k] != k) k = root[k] = root[root[k]];
        return k;
    };
    for (std::uint32_t i = 0; i < pool.size(); ++i) {
        if (!pool.rests(i)) continue;
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            if (j > i || !pool.rests(j) || !within(step, i, j, reach_[body[i]])) continue;
            const std::uint32_t a = find(i), b = find(j);
            if (a != b) (id[a] < id[b] ? root[b] : root[a]) = id[a] < id[b] ? a : b;
        }
    }
    for (std::uint32_t i = 0; i < pool.size(); ++i) cluster[i] = pool.rests(i) ? id[find(i)] + 1 : 0;
}

} // namespace loam
