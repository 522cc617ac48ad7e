#include "passes/transfer/transfer.h"

#include <algorithm>
#include <utility>

#include "passes/run_pass.h"

namespace loam {
namespace {

template <class T> const T* data_or_null(const Pool& pool, Column<T> column) {
    return column.index == SIZE_MAX ? nullptr : pool[column].data();
}

} // namespace

// Only what has to last from one step to the next, and from filling to moving, is of this amount alone.
void Transfer::declare(Pool& pool, Kind kind) {
    kind_ = std::move(kind);
    line_ = kind_.name + " transfer";
    state_ = pool.declare<Float4>({.name = kind_.name + "_transfer_state"});
    record_ = pool.declare<Float4>({.name = "transfer_record"});
    limits_ = pool.declare<Float4>({.name = "transfer_limits"});
    net_ = pool.declare<double>({.name = "transfer_net"});
    solver_.declare(pool);
    if (kind_.mass == 0) return;
    received_ = pool.declare<Float4>({.name = "transfer_received"});
    unrounded_ = pool.declare<Float4>({.name = kind_.name + "_velocity_unrounded", .unit = "m/s", .saved = true});
}

// Records of pairs from what the law has said: u, 1 / k, m, and 0 for the change.
TransferArgs Transfer::arguments(const StepContext& step, double dt, const Vec3d& drive) const {
    Pool& pool = step.particles;
    const auto state = pool[state_], record = pool[record_];
    parallel_each(pool.size(), [&](std::size_t i) { record[i] = {state[i].x, 1 / state[i].y, state[i].z, 0}; });
    pool.padding(record_) = {};
    return {.particles = step.particle_pairs(),
            .kernel = step.scene.kernel,
            .dt = static_cast<float>(dt),
            .drive = float4(drive),
            .record = record.data()};
}

TimeStepLimit Transfer::time_step(const StepContext& step, const Vec3d& drive) const {
    TimeStepLimit limit;
    const TransferArgs pairs = arguments(step, 1, drive);
    const Float4* const state = step.particles[state_].data();
    auto* const headroom = transfer_headroom.on(step.scene.isa);
    const double longest = parallel_reduce(
        step.particles.size(), limit.seconds, [&](Range range) { return headroom(pairs, state, range); },
        [](double a, double b) { return std::min(a, b); });
    if (longest < limit.seconds) limit = {longest, kind_.reason};
    return limit;
}

void Transfer::move(StepContext& step, const Terms& terms) {
    step.profile.time(line_, [&] {
        Pool& pool = step.particles;
        const TransferArgs pairs = arguments(step, step.dt, terms.drive);
        if (terms.implicit) solver_.solve(step, pairs, state_, record_);
        find_limits(step, pairs, terms);
        const bool heavy = kind_.mass != 0;
        const auto net = pool[net_], amount = pool[terms.amount];
        run_pass(step, transfer_move,
                 MoveArgs{.pairs = pairs,
                          .limits = pool[limits_].data(),
                          .velocity = heavy ? pool[pool.velocity].data() : nullptr,
                          .net = net.data(),
                          .received = heavy ? pool[received_].data() : nullptr});
        parallel_each(pool.size(), [&](std::size_t i) { amount[i] -= net[i]; });
        if (heavy) take_along(step, terms);
    });
}

void Transfer::find_limits(const StepContext& step, const TransferArgs& pairs, const Terms& terms) {
    Pool& pool = step.particles;
    run_pass(step, transfer_limits,
             LimitArgs{.pairs = pairs,
                       .amount = pool[terms.amount].data(),
                       .capacity = data_or_null(pool, terms.capacity),
                       .limits = pool[limits_].data()});
    pool.padding(limits_) = {};
}

// Masses follow from amounts, so their rounding does not add up. Nor does that of velocities: what a float cannot hold
// of a change is kept for the next step (Kahan 1965). Without that, water that seeps slowly from slow to fast would not
// slow them at all.
void Transfer::take_along(StepContext& step, const Terms& terms) {
    Pool& pool = step.particles;
    const float* const dry = data_or_null(std::as_const(pool), terms.dry_mass);
    const auto amount = pool[terms.amount];
    const auto mass = pool[pool.mass];
    const auto velocity = pool[pool.velocity], unrounded = pool[unrounded_];
    const auto received = pool[received_];
    const auto state = pool[state_];
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!(state[i].y > 0)) return; // takes no part
        const double after = (dry ? dry[i] : 0) + kind_.mass * amount[i];
        mass[i] = static_cast<float>(after);
        if (!(after > 0)) return;
        Float4& v = velocity[i];
        const float share = static_cast<float>(kind_.mass / after);
        const Vec3f then = v.xyz(), change = share * received[i].xyz() + unrounded[i].xyz(), now = then + change;
        const Vec3f left = change - (now - then);
        v = {now.x, now.y, now.z, v.w};
        unrounded[i] = {left.x, left.y, left.z, 0};
    });
}

} // namespace loam
