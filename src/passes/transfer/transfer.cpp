#include "passes/transfer/transfer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "passes/lattice.h"

namespace loam {
namespace {

bool is_given(Column<float> column) { return column.index != SIZE_MAX; }

} // namespace

LatticeExchange::LatticeExchange(const SceneFacts& scene) {
    const Kernel& kernel = scene.kernel;
    const double volume = lattice_volume(kernel, scene.spacing);
    moment = 0;
    each_lattice_point(kernel, scene.spacing, [&](int a, int b, int c) {
        const double r = scene.spacing * std::sqrt(a * a + b * b + c * c);
        if (!(r > 0 && r < kernel.support)) return;
        const double steep = -volume * kernel_slope(kernel, r);
        steepness += steep;
        moment += steep * a * a * scene.spacing * scene.spacing;
    });
}

double LatticeExchange::safe_step(double diffusivity) const {
    constexpr double denser = 2;
    return diffusivity > 0 ? 1 / (denser * 2 * steepness * diffusivity) : 1e300;
}

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
Exchange Transfer::fill_records(const StepContext& step, double dt, const Vec3d& drive) const {
    Pool& pool = step.particles;
    const auto state = pool[state_], record = pool[record_];
    parallel_each(pool.size(), [&](std::size_t i) { record[i] = {state[i].x, 1 / state[i].y, state[i].z, 0}; });
    pool.padding(record_) = {};
    return {.record = record_, .dt = dt, .drive = drive};
}

TimeStepLimit Transfer::time_step(const StepContext& step, const Vec3d& drive) const {
    TimeStepLimit limit;
    Pass pass(step, "transfer headroom");
    const double longest = pass.reduce(
        transfer_headroom, {.pairs = fill_records(step, 1, drive).arguments(pass), .state = pass.reads(state_)},
        [](double a, double b) { return std::min(a, b); }, limit.seconds);
    if (longest < limit.seconds) limit = {longest, kind_.reason};
    return limit;
}

void Transfer::move(StepContext& step, const Terms& terms) {
    step.profile.time(line_, [&] {
        Pool& pool = step.particles;
        const double time = terms.time > 0 ? terms.time : step.dt;
        const Exchange exchange = fill_records(step, time, terms.drive);
        constexpr int most_refinements = 6;
        if (terms.implicit) solver_.solve(step, exchange, state_, terms.source);
        for (int k = 0; terms.implicit && terms.refine && k < most_refinements && terms.refine(); ++k) {
            fill_records(step, time, terms.drive);
            solver_.solve(step, exchange, state_, terms.source);
        }
        if (terms.limited) find_limits(step, exchange, terms);
        const bool heavy = kind_.mass != 0;
        Pass pass(step, "transfer");
        pass.run(transfer_move, {.pairs = exchange.arguments(pass),
                                 .limits = terms.limited ? pass.reads(limits_) : nullptr,
                                 .velocity = heavy ? pass.reads(pool.velocity) : nullptr,
                                 .back = heavy ? static_cast<float>(kind_.back / kind_.mass) : 0,
                                 .net = pass.writes(net_),
                                 .received = heavy ? pass.writes(received_) : nullptr});
        const auto net = pool[net_], amount = pool[terms.amount];
        parallel_each(pool.size(), [&](std::size_t i) { amount[i] -= net[i]; });
        if (heavy) take_along(step, terms);
    });
}

void Transfer::find_limits(const StepContext& step, const Exchange& exchange, const Terms& terms) {
    Pass pass(step, "transfer limits");
    pass.run(transfer_limits, {.pairs = exchange.arguments(pass),
                               .amount = pass.reads(terms.amount),
                               .capacity = is_given(terms.capacity) ? pass.reads(terms.capacity) : nullptr,
                               .limits = pass.writes(limits_)});
    step.particles.padding(limits_) = {};
}

// Masses follow from amounts, so their rounding does not add up. Nor does that of velocities: what a float cannot hold
// of a change is kept for the next step (Kahan 1965). Without that, water that seeps slowly from slow to fast would not
// slow them at all.
void Transfer::take_along(StepContext& step, const Terms& terms) {
    Pool& pool = step.particles;
    const float* const dry = is_given(terms.dry_mass) ? pool[terms.dry_mass].data() : nullptr;
    const auto amount = pool[terms.amount];
    const auto mass = pool[pool.mass];
    const auto velocity = pool[pool.velocity], unrounded = pool[unrounded_];
    const auto received = pool[received_];
    const auto state = pool[state_];
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!(state[i].y > 0)) return; // takes no part
        const double after = (dry ? dry[i] : 0) + (kind_.mass - kind_.back) * amount[i];
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
