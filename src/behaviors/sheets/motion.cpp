#include "behaviors/sheets/motion.h"

#include "passes/acceleration_limit.h"

namespace loam {
namespace {

using Places = SlotMotion::Places;

void add(Places& to, float scale, const Places& what) {
    parallel_each(to.size(), [&](std::size_t s) {
        to[s].x += scale * what[s].x, to[s].y += scale * what[s].y, to[s].z += scale * what[s].z;
    });
}

constexpr double load_share = 0.12; // of the time in which the load moves a free particle by its spacing

} // namespace

void SlotMotion::gather(const StepContext& step, const Numbers& weight) {
    const Pool& pool = step.particles;
    slots.locate(pool);
    for (Places* all : {&place, &velocity, &external, &late_, &gravity_, &lack_}) all->resize(slots.padded());
    moved_.assign(slots.padded(), {});
    exact.resize(slots.size());
    const auto places = pool[pool.place], velocities = pool[pool.velocity], accelerations = pool[pool.acceleration];
    const Vec3d period = step.scene.periodic_length;
    const Numbers::View weights = weight.of(pool);
    parallel_each(slots.size(), [&](std::size_t s) {
        const std::uint32_t i = slots.where(s);
        if (i == Slots::missing) { // weight 0: nothing pulls at it
            place[s].w = 0, velocity[s] = external[s] = gravity_[s] = lack_[s] = {};
            return;
        }
        const Float4 &x = places[i], &v = velocities[i], &a = accelerations[i];
        Float4 now{x.x, x.y, x.z, weights[i]};
        // Beyond the end of a periodic axis a body goes on: it stays in one piece here.
        for (int k = 0; k < 3; ++k)
            if (const auto l = static_cast<float>(period[static_cast<std::size_t>(k)]); l > 0 && !start_.empty()) {
                float* const at = k == 0 ? &now.x : k == 1 ? &now.y : &now.z;
                const float before = k == 0 ? start_[s].x : k == 1 ? start_[s].y : start_[s].z;
                *at -= l * std::round((*at - before) / l);
            }
        place[s] = now;
        exact[s] = pool[pool.position][i] + (now.xyz_double() - x.xyz_double());
        const bool free = !slots.held(pool, s);
        velocity[s] = {v.x, v.y, v.z, free ? 1 / slots.inertia(pool, s) : 0};
        external[s] = free ? Float4{a.x, a.y, a.z, 0} : Float4{};
        gravity_[s] = free && pool.falls() ? pool[pool.gravity][i] : Float4{};
        lack_[s] = free && pool.falls() ? pool[pool.lack][i] : Float4{};
    });
    start_ = place;
}

void SlotMotion::begin_smoothly(double seconds) {
    add(velocity, -static_cast<float>(seconds), external);
    add(velocity, 1, lack_);
    lack_.assign(lack_.size(), {});
}

void SlotMotion::integrate(double seconds, int substeps, ExplicitMethod method, const Law& law) {
    const float h = static_cast<float>(seconds / substeps);
    add(velocity, -static_cast<float>(seconds), external);
    // As for whole steps (step/motion.h): velocities that move particles at once take up gravity half a substep ahead.
    const float behind = method == ExplicitMethod::symplectic ? 0.5f * h : 0;
    add(velocity, 1, lack_);
    add(velocity, -behind, gravity_);
    lack_.assign(lack_.size(), {});
    add(lack_, behind, gravity_);
    acceleration_.resize(slots.padded());
    if (method == ExplicitMethod::verlet) kick(0.5f * h, law); // the second half of one is the first of the next
    for (int n = 1; n <= substeps; ++n) {
        switch (method) {
        case ExplicitMethod::symplectic: kick(h, law), move(h, velocity); break;
        case ExplicitMethod::verlet: move(h, velocity), kick(n < substeps ? h : 0.5f * h, law); break;
        case ExplicitMethod::rk4: substep_rk4(h, law);
        }
    }
}

void SlotMotion::kick(float seconds, const Law& law) {
    law(place, velocity, acceleration_);
    parallel_each(slots.size(), [&](std::size_t s) {
        Float4& v = velocity[s];
        const Float4 &a = acceleration_[s], &e = external[s];
        v = {v.x + seconds * (a.x + e.x), v.y + seconds * (a.y + e.y), v.z + seconds * (a.z + e.z), v.w};
    });
}

void SlotMotion::move(float seconds, const Places& velocities) {
    parallel_each(slots.size(), [&](std::size_t s) {
        Float4& m = moved_[s];
        const Float4 &v = velocities[s], &from = start_[s];
        m = {m.x + seconds * v.x, m.y + seconds * v.y, m.z + seconds * v.z, 0};
        place[s] = {from.x + m.x, from.y + m.y, from.z + m.z, from.w};
    });
}

// The classical method of Runge and Kutta for x' = v, v' = a(x, v).
void SlotMotion::substep_rk4(float h, const Law& law) {
    const float at[4]{0, 0.5f * h, 0.5f * h, h}, share[4]{h / 6, h / 3, h / 3, h / 6};
    for (int k = 0; k < 4; ++k) {
        stage_place_ = place, stage_velocity_[k] = velocity;
        if (k > 0) {
            add(stage_place_, at[k], stage_velocity_[k - 1]);
            add(stage_velocity_[k], at[k], stage_acceleration_[k - 1]);
        }
        stage_acceleration_[k].resize(slots.padded());
        law(stage_place_, stage_velocity_[k], stage_acceleration_[k]);
        add(stage_acceleration_[k], 1, external);
    }
    for (int k = 0; k < 4; ++k) move(share[k], stage_velocity_[k]), add(velocity, share[k], stage_acceleration_[k]);
}

void SlotMotion::take(const std::vector<Float4>& change, double seconds) {
    add(velocity, 1, change);
    move(static_cast<float>(seconds), velocity);
}

void SlotMotion::slow(const std::vector<Float4>& change) { add(velocity, 1, change); }

void SlotMotion::hand_back(StepContext& step) {
    const auto velocities = step.particles[step.particles.velocity];
    const auto per_second = static_cast<float>(1 / step.dt);
    parallel_each(slots.size(), [&](std::size_t s) {
        const std::uint32_t i = slots.where(s);
        late_[s] = {};
        if (i == Slots::missing || velocity[s].w == 0) return;
        const Float4 &m = moved_[s], &v = velocity[s];
        const Vec3f mean{per_second * m.x, per_second * m.y, per_second * m.z};
        late_[s] = {v.x - mean.x, v.y - mean.y, v.z - mean.z, 0};
        velocities[i] = {mean.x, mean.y, mean.z, velocities[i].w};
        if (step.particles.falls()) step.particles[step.particles.lack][i] = lack_[s];
    });
}

TimeStepLimit SlotMotion::limit_by_load(const StepContext& step) const {
    const auto body = step.particles[step.particles.body];
    const double load = largest_acceleration(step, [&](std::size_t i) { return body[i] == slots.body(); });
    return acceleration_limit(step, load_share, load);
}

void SlotMotion::after_motion(StepContext& step) {
    slots.locate(step.particles); // velocity Verlet moves after the sort
    const auto velocities = step.particles[step.particles.velocity];
    parallel_each(std::min(slots.size(), late_.size()), [&](std::size_t s) {
        const std::uint32_t i = slots.where(s);
        if (i == Slots::missing) return;
        Float4& v = velocities[i];
        v = {v.x + late_[s].x, v.y + late_[s].y, v.z + late_[s].z, v.w};
        late_[s] = {};
    });
}

std::vector<double> SlotMotion::save() const {
    std::vector<double> all;
    for (const Places* some : {&start_, &late_})
        for (std::size_t s = 0; s < std::min(slots.size(), some->size()); ++s)
            all.insert(all.end(), {(*some)[s].x, (*some)[s].y, (*some)[s].z});
    return all;
}

bool SlotMotion::restore(const std::vector<double>& saved) {
    const std::size_t numbers = 3 * slots.size();
    if (saved.empty()) return true; // before the first step
    if (saved.size() != 2 * numbers) return false;
    for (Places* some : {&start_, &late_}) {
        some->assign(slots.padded(), {});
        const double* from = saved.data() + (some == &start_ ? 0 : numbers);
        for (std::size_t s = 0; s < slots.size(); ++s, from += 3) (*some)[s] = float4({from[0], from[1], from[2]});
    }
    return true;
}

} // namespace loam
