// How pressures are found: the spectral projected gradient method (Barzilai & Borwein 1988; with bounds: Dai & Fletcher
// 2005), preconditioned by the diagonal.
//
//   K p = b,  p >= 0       K_ij = V_i dr_i / dp_j is symmetric and positive: see passes.h
//   p <- max(0, p + alpha r / D)
//
//   r      residual b - K p, in units of compression
//   D      diagonal of K / V
//   alpha  length of the step. Jacobi's method keeps it near 1/2. Here two successive iterates, s = p - p' and
//          y = r' - r, tell the curvature along the way: alpha = (s.VDs) / (s.Vy) and (s.Vy) / (y.V/D y), by turns.
//          An iteration costs what one of Jacobi's costs, and a dam break needs 2 to 3 times fewer of them.
//
// Bounds change nothing in this, so splashes and free surfaces do no harm (a conjugate gradient method would have to
// start anew at each change of the set of particles under pressure, which is nearly every iteration).
#include <algorithm>
#include <cmath>
#include <functional>

#include "passes/pass.h"
#include "pressure/correction.h"
#include "pressure/fields.h"

namespace loam {
namespace {

constexpr double shortest = 0.2, longest = 50;

} // namespace

ResidualSums PressureFields::compare_with_last(const StepContext& step, const Diagonals& diagonals) const {
    const Pool& pool = step.particles;
    const auto p = pool[kappa], p_last = pool[kappa_before], r = pool[residual], r_last = pool[residual_before];
    const auto g = pool[gradient], place = pool[pool.place];
    return parallel_reduce(
        pool.size(), ResidualSums{},
        [&](Range range) {
            ResidualSums sums;
            for (std::size_t i = range.begin; i != range.end; ++i)
                add_residual(sums, r[i], r_last[i], p[i], p_last[i], place[i].w, std::max(diagonals.usual, g[i].w),
                             diagonals.least.of(i));
            return sums;
        },
        std::plus<ResidualSums>{});
}

void PressureFields::step_along_residual(StepContext& step, float length, const Diagonals& diagonals) {
    Pool& pool = step.particles;
    const auto p = pool[kappa], p_last = pool[kappa_before], r = pool[residual];
    const auto g = pool[gradient];
    parallel_each(pool.size(), [&](std::size_t i) {
        const float diagonal = std::max(diagonals.usual, g[i].w);
        p_last[i] = p[i];
        if (pool.rests(i)) return;
        const float after = diagonal > diagonals.least.of(i) ? p[i] + length * r[i] / diagonal : 0;
        p[i] = after > 0 ? after : 0;
    });
    std::swap(residual, residual_before);
}

PressureFields::Diagonals PressureFields::diagonals(const StepContext& step, const Goal& goal) const {
    constexpr double tiny = 1e-6;
    const double spacing = step.scene.spacing;
    return {.usual = static_cast<float>(goal.usual_diagonal),
            .least = {.specific_volume = specific_.alike() ? nullptr : step.particles[specific_volume_].data(),
                      .common_specific_volume = specific_.most,
                      .per_specific_volume = static_cast<float>(tiny / (spacing * spacing))}};
}

void PressureFields::take_compliance(StepContext& step) const {
    if (!some_are_small_) return;
    Pool& pool = step.particles;
    const auto r = pool[residual], p = pool[kappa], c = pool[compliance_];
    parallel_each(pool.size(), [&](std::size_t i) { r[i] -= c[i] * p[i]; });
}

PressureFields::Outcome PressureFields::relax(StepContext& step, const Goal& goal,
                                              const std::function<void()>& find_residual) {
    const Diagonals limits = diagonals(step, goal);
    return iterate(step, goal, [&] {
        find_residual();
        take_compliance(step);
        return compare_with_last(step, limits);
    });
}

PressureFields::Outcome PressureFields::iterate(StepContext& step, const Goal& goal,
                                                const std::function<ResidualSums()>& find_residual) {
    const auto count = static_cast<double>(step.flowing());
    const Diagonals limits = diagonals(step, goal);
    Outcome outcome;
    double first_error = 0;
    while (true) {
        const ResidualSums c = find_residual();
        ++outcome.iterations;
        outcome.mean = c.error / count;
        outcome.largest = c.largest;
        outcome.converged = outcome.iterations >= goal.at_least && outcome.mean <= goal.tolerance;
        if (outcome.converged || outcome.iterations >= goal.at_most) return outcome;

        double length = relaxation_;
        if (outcome.iterations == 1) first_error = c.error;
        // The error does not fall steadily. Near the last iteration, or when it got out of hand, smooth it out.
        const bool calm = outcome.iterations + 3 < goal.at_most && c.error <= 4 * first_error;
        if (outcome.iterations > 1 && calm && c.sy > 0) {
            length = outcome.iterations % 2 == 0 ? c.ss / c.sy : c.sy / c.yy;
            length = std::clamp(length, shortest, longest);
        }
        step_along_residual(step, static_cast<float>(length), limits);
    }
}

ResidualArgs PressureFields::residual_arguments(Pass& pass, const Diagonals& diagonals) const {
    return {.pairs = kept_pairs(pass.step()),
            .gradient = pass.reads(gradient),
            .push = pass.reads(push),
            .source = pass.reads(source),
            .pressure = pass.reads(kappa),
            .pressure_before = pass.reads(kappa_before),
            .residual_before = pass.reads(residual_before),
            .rests = rests(pass),
            .compliance = some_are_small_ ? pass.reads(compliance_) : nullptr,
            .usual_diagonal = diagonals.usual,
            .least_diagonal = diagonals.least,
            .residual = pass.writes(residual)};
}

PressureFields::Outcome PressureFields::relax_pressure(StepContext& step, const Goal& goal) {
    const Diagonals limits = diagonals(step, goal);
    return iterate(step, goal, [&] {
        find_kept_push(step);
        if (correction_ && correction_->on) return find_corrected_residual(step, limits);
        Pass pass(step, "residual");
        return pass.reduce(residual_of_push, residual_arguments(pass, limits), std::plus<ResidualSums>{});
    });
}

PressureFields::Outcome PressureFields::keep_volume(StepContext& step, const Goal& goal, float warm_start,
                                                    const TakenBack& taken, const float* held) {
    Pool& pool = step.particles;
    find_divergence(step, source);
    const auto b = pool[source], k = pool[kappa], density = pool[pool.density], pressure = pool[pool.pressure];
    const float dt = static_cast<float>(step.dt), dt2 = dt * dt;
    parallel_each(pool.size(), [&](std::size_t i) {
        const float squeezed = held && held[i] > 0 ? std::max(density[i] - 1, 0.0f) : density[i] - 1;
        b[i] = taken(squeezed) + dt * b[i];
        k[i] = (pool.rests(i) ? 1 : warm_start) * pressure[i] * dt2;
    });
    leave_out_solids(step, b);
    settle_closed(step);
    const Outcome outcome = relax_pressure(step, goal);
    take_push(step, 1 / dt);
    parallel_each(pool.size(), [&](std::size_t i) { pressure[i] = k[i] / dt2; });
    return outcome;
}

void PressureFields::take_push(StepContext& step, float scale) const {
    Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity], by = pool[push];
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& v = velocity[i];
        v = {v.x + scale * by[i].x, v.y + scale * by[i].y, v.z + scale * by[i].z, v.w};
    });
}

} // namespace loam
