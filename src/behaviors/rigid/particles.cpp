#include "behaviors/rigid/particles.h"

#include <cmath>

namespace loam {
namespace {

Float4 moving(const RigidBody& body, const Float4& arm, float w) {
    return float4(body.velocity_at(arm.xyz_double()), w);
}

} // namespace

void RigidParticles::declare(StepContext& step) { slots_.declare(step.particles, "rigid_slot"); }

void RigidParticles::add(RigidBody& body, std::span<const MassPoint> points) {
    const auto body_index = static_cast<std::uint32_t>(parts_.empty() ? 0 : parts_.back().body + 1);
    body.begin = rest_.size();
    for (const MassPoint& point : points) {
        points_.push_back(point);
        rest_.push_back(point.position - body.rest_center);
        arm_.push_back(float4(rest_.back(), point.mass));
    }
    body.end = rest_.size();
    for (std::size_t begin = body.begin; begin < body.end; begin += block_size)
        parts_.push_back({body_index, begin, std::min(begin + block_size, body.end)});
    slots_.resize(rest_.size());
}

void RigidParticles::mark(StepContext& step, const RigidBody& body, std::span<const std::uint32_t> indices) {
    for (std::size_t k = 0; k < indices.size();) { // in runs without those that have left the scene
        std::size_t end = k;
        while (end < indices.size() && indices[end] != gone) ++end;
        if (end > k) slots_.give(step.particles, indices.subspan(k, end - k), body.begin + k);
        k = end + 1;
    }
}

void RigidParticles::release(StepContext& step, const RigidBody& body) {
    for (std::size_t s = body.begin; s != body.end; ++s) slots_.take(step.particles, s);
}

bool RigidParticles::weigh(const StepContext& step, const RigidBody& body) {
    slots_.find(step.particles);
    const auto mass = step.particles[step.particles.mass];
    bool changed = false;
    for (std::size_t s = body.begin; s != body.end; ++s) {
        if (slots_[s] == gone || mass[slots_[s]] == arm_[s].w) continue;
        points_[s].mass = arm_[s].w = mass[slots_[s]];
        changed = true;
    }
    return changed;
}

void RigidParticles::measure_from(const RigidBody& body) {
    for (std::size_t s = body.begin; s != body.end; ++s) {
        rest_[s] = points_[s].position - body.rest_center;
        arm_[s] = float4(body.rotation * rest_[s], arm_[s].w);
    }
}

void RigidParticles::release_all(StepContext& step) {
    slots_.take_all(step.particles);
    clear();
}

std::vector<std::uint32_t> RigidParticles::indices(const StepContext& step, const RigidBody& body) {
    slots_.find(step.particles);
    std::vector<std::uint32_t> all;
    for (std::size_t s = body.begin; s != body.end; ++s) all.push_back(slots_[s]);
    return all;
}

void RigidParticles::clear() {
    parts_.clear(), points_.clear(), rest_.clear(), arm_.clear();
    slots_.resize(0);
}

// Of mass times value(slot, index), for each body: in the order of slots, whatever the threads.
template <class Value>
std::vector<RigidParticles::Sums> RigidParticles::sums(std::size_t bodies, const Value& value) const {
    std::vector<Sums> partial(parts_.size());
    parallel_blocks(parts_.size(), 1, [&](Range, std::size_t p) {
        Sums some;
        for (std::size_t s = parts_[p].begin; s != parts_[p].end; ++s) {
            if (slots_[s] == gone) continue;
            const Vec3d amount = static_cast<double>(arm_[s].w) * value(parts_[p].body, s, slots_[s]);
            some.linear += amount;
            some.angular += cross(arm_[s].xyz_double(), amount);
        }
        partial[p] = some;
    });
    std::vector<Sums> all(bodies);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
        all[parts_[p].body].linear += partial[p].linear;
        all[parts_[p].body].angular += partial[p].angular;
    }
    return all;
}

void RigidParticles::project(const StepContext& step, std::span<const RigidBody> bodies, FieldKind kind,
                             std::span<Float4> field) {
    slots_.find(step.particles);
    const std::vector<Sums> total =
        sums(bodies.size(), [&](std::uint32_t, std::size_t, std::uint32_t i) { return field[i].xyz_double(); });
    parallel_blocks(parts_.size(), 1, [&](Range, std::size_t p) {
        const RigidBody& body = bodies[parts_[p].body];
        RigidBody mean = body; // a held one keeps its velocity, and nothing accelerates it
        if (!body.held) {
            mean.velocity = total[parts_[p].body].linear / body.mass;
            mean.spin = body.points_inverse * total[parts_[p].body].angular;
        } else if (kind != FieldKind::velocity) {
            mean.velocity = mean.spin = {};
        }
        for (std::size_t s = parts_[p].begin; s != parts_[p].end; ++s)
            if (const std::uint32_t i = slots_[s]; i != gone) field[i] = moving(mean, arm_[s], field[i].w);
    });
}

void RigidParticles::unite(const StepContext& step, std::span<const RigidBody> bodies, std::span<float> quantity) {
    slots_.find(step.particles);
    const std::vector<Sums> total = sums(bodies.size(), [&](std::uint32_t, std::size_t, std::uint32_t i) {
        return Vec3d{quantity[i], 0, 0};
    });
    for (std::size_t b = 0; b < bodies.size(); ++b)
        for (std::size_t s = bodies[b].begin; s != bodies[b].end; ++s)
            if (slots_[s] != gone) quantity[slots_[s]] = static_cast<float>(total[b].linear.x / bodies[b].mass);
}

std::vector<Vec3d> RigidParticles::lacks(const StepContext& step, std::span<const RigidBody> bodies) {
    std::vector<Vec3d> mean(bodies.size());
    const Pool& pool = step.particles;
    if (!pool.falls()) return mean;
    slots_.find(pool);
    const std::vector<Sums> total = sums(
        bodies.size(), [&](std::uint32_t, std::size_t, std::uint32_t i) { return pool[pool.lack][i].xyz_double(); });
    for (std::size_t b = 0; b < bodies.size(); ++b) mean[b] = bodies[b].inverse_mass() * total[b].linear;
    return mean;
}

void RigidParticles::take_impulses(const StepContext& step, std::span<RigidBody> bodies) {
    slots_.find(step.particles);
    const auto velocity = step.particles[step.particles.velocity];
    const std::vector<Sums> total = sums(bodies.size(), [&](std::uint32_t b, std::size_t s, std::uint32_t i) {
        return velocity[i].xyz_double() - moving(bodies[b], arm_[s], 0).xyz_double(); // nothing, when nothing happened
    });
    for (std::size_t b = 0; b < bodies.size(); ++b)
        if (!bodies[b].held) bodies[b].push(total[b].linear, total[b].angular);
}

void RigidParticles::give_velocities(StepContext& step, std::span<const RigidBody> bodies) {
    slots_.find(step.particles);
    const auto velocity = step.particles[step.particles.velocity];
    parallel_blocks(parts_.size(), 1, [&](Range, std::size_t p) {
        for (std::size_t s = parts_[p].begin; s != parts_[p].end; ++s)
            if (const std::uint32_t i = slots_[s]; i != gone)
                velocity[i] = moving(bodies[parts_[p].body], arm_[s], velocity[i].w);
    });
}

void RigidParticles::give_positions(StepContext& step, std::span<const RigidBody> bodies) {
    slots_.find(step.particles);
    const auto position = step.particles[step.particles.position];
    parallel_blocks(parts_.size(), 1, [&](Range, std::size_t p) {
        const RigidBody& body = bodies[parts_[p].body];
        for (std::size_t s = parts_[p].begin; s != parts_[p].end; ++s) {
            if (slots_[s] == gone) continue;
            position[slots_[s]] = step.scene.in_period(body.center + body.rotation * rest_[s]);
        }
    });
}

void RigidParticles::turn(std::span<const RigidBody> bodies) {
    parallel_blocks(parts_.size(), 1, [&](Range, std::size_t p) {
        const RigidBody& body = bodies[parts_[p].body];
        for (std::size_t s = parts_[p].begin; s != parts_[p].end; ++s)
            arm_[s] = float4(body.rotation * rest_[s], arm_[s].w);
    });
}

std::vector<MassPoint> points_of(const Pool& pool, std::span<const std::uint32_t> particles) {
    std::vector<MassPoint> points;
    for (const std::uint32_t i : particles) points.push_back({pool[pool.position][i], pool[pool.mass][i]});
    return points;
}

std::vector<Vec3d> velocities_of(const Pool& pool, std::span<const std::uint32_t> particles) {
    std::vector<Vec3d> velocities;
    for (const std::uint32_t i : particles) velocities.push_back(pool[pool.velocity][i].xyz_double());
    return velocities;
}

} // namespace loam
