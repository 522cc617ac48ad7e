#include "pressure/correction.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "passes/pass.h"
#include "pressure/fields.h"

namespace loam {

void PressureFields::declare_correction(StepContext& step) {
    Pool& pool = step.particles;
    correction_ = Correction{.straight = pool.declare<Float4>({.name = "gradient_correction"}),
                             .across = pool.declare<Float4>({.name = "gradient_correction_across"}),
                             .weighted_straight = pool.declare<Float4>({.name = "weighted_correction"}),
                             .weighted_across = pool.declare<Float4>({.name = "weighted_correction_across"}),
                             .gradient = pool.declare<Float4>({.name = "corrected_gradient"}),
                             .record = pool.declare<Float4>({.name = "reference_record"})};
    if (step.scene.has_solids) away_from_solids = pool.declare<float>({.name = "away_from_solids"});
}

void PressureFields::find_correction(StepContext& step, const Column<float>* free) {
    Pool& pool = step.particles;
    if (step.scene.has_solids) {
        const auto all = pool[source];
        parallel_each(pool.size(), [&](std::size_t i) { all[i] = 1; });
        find_least_twice(step, away_from_solids);
    }
    const Correction& c = *correction_;
    Pass pass(step, "correction");
    pass.run(loam::find_correction, {.particles = pass.pairs(),
                                     .pairs = kept_pairs(step),
                                     .kernel = step.scene.kernel,
                                     .solid = solids(pass),
                                     .own_value = static_cast<float>(kernel_value(step.scene.kernel, 0)),
                                     .density = pass.reads(pool.density),
                                     .away_from_solids = step.scene.has_solids ? pass.reads(away_from_solids) : nullptr,
                                     .gradient = pass.reads(gradient),
                                     .specific_volume = specific_volumes(pass),
                                     .common_specific_volume = specific_.most,
                                     .straight = pass.writes(c.straight),
                                     .across = pass.writes(c.across),
                                     .corrected = pass.writes(c.gradient),
                                     .free = free ? pass.writes(*free) : nullptr});
}

void PressureFields::correct(bool on) {
    if (correction_->on == on) return;
    correction_->on = on;
    std::swap(gradient, correction_->gradient);
}

void PressureFields::find_corrected_push(StepContext& step, Column<float> pressure) {
    Pool& pool = step.particles;
    const Correction& c = *correction_;
    const auto n = pool[c.straight], o = pool[c.across];
    const auto weighted_n = pool[c.weighted_straight], weighted_o = pool[c.weighted_across];
    const auto p = pool[pressure], volume = pool[pool.volume];
    parallel_each(pool.size(), [&](std::size_t i) {
        const float vp = volume[i] * p[i], b = vp * n[i].w;
        weighted_n[i] = {vp + b * n[i].x, vp + b * n[i].y, vp + b * n[i].z, 0};
        weighted_o[i] = {b * o[i].x, b * o[i].y, b * o[i].z, 0};
    });
    Pass pass(step, "corrected push");
    pass.run(corrected_push, {.pairs = kept_pairs(step),
                              .specific_volume = specific_volumes(pass),
                              .common_specific_volume = specific_.most,
                              .gradient = pass.reads(gradient),
                              .pressure = pass.reads(pressure),
                              .straight = pass.reads(c.weighted_straight),
                              .across = pass.reads(c.weighted_across),
                              .volume = pass.reads(pool.volume),
                              .push = pass.writes(push)});
    if (step.constrain) step.constrain(FieldKind::change, pool[push]);
}

void PressureFields::find_corrected_divergence(StepContext& step, Column<float> to) {
    Pool& pool = step.particles;
    const Walls& walls = step.walls;
    const Correction& c = *correction_;
    const auto field = pool[push], velocity = pool[pool.velocity];
    const auto volume = pool[pool.volume];
    parallel_each(pool.size(), [&](std::size_t i) {
        const Float4& v = velocity[i];
        field[i] = {v.x, v.y, v.z, volume[i]};
    });
    Pass pass(step, "corrected divergence");
    pass.run(corrected_divergence, {.pairs = kept_pairs(step),
                                    .walls = pass.wall_pairs(),
                                    .kernel = step.scene.kernel,
                                    .wall_kernel = step.scene.wall_kernel,
                                    .wall_normal = pass.reads_walls(walls.normal),
                                    .straight = pass.reads(c.straight),
                                    .across = pass.reads(c.across),
                                    .gradient = pass.reads(gradient),
                                    .field = pass.reads(push),
                                    .wall_field = walls.move() ? pass.reads_walls(walls.velocity) : nullptr,
                                    .divergence = pass.writes(to)});
}

ResidualSums PressureFields::find_corrected_residual(const StepContext& step, const Diagonals& diagonals) const {
    Pass pass(step, "corrected residual");
    return pass.reduce(corrected_residual,
                       {.of = residual_arguments(pass, diagonals),
                        .straight = pass.reads(correction_->straight),
                        .across = pass.reads(correction_->across)},
                       std::plus<ResidualSums>{});
}

void PressureFields::push_by_reference(StepContext& step, Column<float> reference, Column<float> rest) {
    const auto dt = static_cast<float>(step.dt);
    find_corrected_push(step, rest);
    take_push(step, dt);
    find_reference_push(step, reference);
    take_push(step, dt);
}

void PressureFields::find_reference_push(StepContext& step, Column<float> reference) {
    Pool& pool = step.particles;
    const Correction& c = *correction_;
    const auto value = pool[reference], mass = pool[pool.mass], volume = pool[pool.volume];
    const auto record = pool[c.record];
    parallel_each(pool.size(), [&](std::size_t i) {
        record[i] = {value[i], mass[i] / volume[i], step.is_solid(i) ? 0 : volume[i], 0};
    });
    Pass pass(step, "reference push");
    pass.run(reference_push, {.pairs = kept_pairs(step),
                              .straight = pass.reads(c.straight),
                              .across = pass.reads(c.across),
                              .record = pass.reads(c.record),
                              .acceleration = pass.writes(push)});
}

void PressureFields::take_velocities_along(StepContext& step) {
    Pool& pool = step.particles;
    const Correction& c = *correction_;
    const auto velocity = pool[pool.velocity], change = pool[c.record];
    Pass pass(step, "change along");
    pass.run(change_along, {.pairs = kept_pairs(step),
                            .straight = pass.reads(c.straight),
                            .across = pass.reads(c.across),
                            .way = pass.reads(push),
                            .velocity = pass.reads(pool.velocity),
                            .change = pass.writes(c.record)});
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& v = velocity[i];
        v = {v.x + change[i].x, v.y + change[i].y, v.z + change[i].z, v.w};
    });
}

void PressureFields::find_around(StepContext& step, Around which, Column<float> from, Column<float> into) {
    const bool least = which == Around::least;
    Pass pass(step, least ? "least around" : "mean around");
    pass.run(least ? least_around : mean_around, {.particles = pass.pairs(),
                                                  .kernel = step.scene.kernel,
                                                  .solid = solids(pass),
                                                  .own_value = static_cast<float>(kernel_value(step.scene.kernel, 0)),
                                                  .values = pass.reads(from),
                                                  .to = pass.writes(into)});
}

void PressureFields::find_mean(StepContext& step, Column<float> of, Column<float> to) {
    find_around(step, Around::mean, of, to);
}

void PressureFields::find_least_twice(StepContext& step, Column<float> to) {
    find_around(step, Around::least, source, residual);
    find_around(step, Around::least, residual, source);
    find_around(step, Around::mean, source, to);
}

void PressureFields::find_reference(StepContext& step, Column<float> pressure, Column<float> to) {
    Pool& pool = step.particles;
    find_around(step, Around::mean, pressure, source);
    const auto values = pool[source], own = pool[pressure];
    const float largest = parallel_reduce(
        pool.size(), 0.0f,
        [&](Range range) {
            float most = 0;
            for (std::size_t i = range.begin; i != range.end; ++i)
                if (!step.is_solid(i)) most = std::max(most, values[i]);
            return most;
        },
        [](float one, float other) { return std::max(one, other); });
    // Deep inside, a particle that has no pressure for a moment is no free surface: neighbors must not lose theirs.
    parallel_each(pool.size(), [&](std::size_t i) { values[i] = std::max(own[i], values[i] - 0.25f * largest); });
    find_least_twice(step, to);
}

// Where no free surface is, pressure has no zero that it would fall back to, and warm starts pump it up.
void PressureFields::drop_constant(StepContext& step, Column<float> pressure, Column<float> reference) {
    Pool& pool = step.particles;
    const auto p = pool[pressure], c = pool[reference];
    const float least = parallel_reduce(
        pool.size(), std::numeric_limits<float>::max(),
        [&](Range range) {
            float some = std::numeric_limits<float>::max();
            for (std::size_t i = range.begin; i != range.end; ++i)
                if (!step.is_solid(i)) some = std::min(some, c[i]);
            return some;
        },
        [](float one, float other) { return std::min(one, other); });
    if (!(least > 0)) return;
    parallel_each(pool.size(), [&](std::size_t i) {
        c[i] -= least;
        p[i] = std::max(p[i] - least, 0.0f);
    });
}

} // namespace loam
