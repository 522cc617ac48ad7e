#include "pressure/correction.h"

#include <algorithm>
#include <limits>

#include "passes/run_pass.h"
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
    run_pass(step, loam::find_correction,
             CorrectionArgs{step.particle_pairs(), kept_->view(step.neighbors->particles), step.scene.kernel,
                            solids(step), static_cast<float>(kernel_value(step.scene.kernel, 0)),
                            pool[pool.density].data(), step.scene.has_solids ? pool[away_from_solids].data() : nullptr,
                            pool[gradient].data(), specific_volumes(step), specific_.most, pool[c.straight].data(),
                            pool[c.across].data(), pool[c.gradient].data(), free ? pool[*free].data() : nullptr});
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
    run_pass(step, corrected_push,
             CorrectedPushArgs{kept_->view(step.neighbors->particles), specific_volumes(step), specific_.most,
                               pool[gradient].data(), p.data(), weighted_n.data(), weighted_o.data(), volume.data(),
                               pool[push].data()});
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
    run_pass(step, corrected_divergence,
             CorrectedDivergenceArgs{kept_->view(step.neighbors->particles), step.wall_pairs(), step.scene.kernel,
                                     step.scene.wall_kernel, walls[walls.normal].data(), pool[c.straight].data(),
                                     pool[c.across].data(), pool[gradient].data(), field.data(),
                                     step.walls.move() ? walls[walls.velocity].data() : nullptr, pool[to].data()});
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
    run_pass(step, reference_push,
             ReferenceArgs{kept_->view(step.neighbors->particles), pool[c.straight].data(), pool[c.across].data(),
                           record.data(), pool[push].data()});
}

void PressureFields::take_velocities_along(StepContext& step) {
    Pool& pool = step.particles;
    const Correction& c = *correction_;
    const auto velocity = pool[pool.velocity], change = pool[c.record];
    run_pass(step, change_along,
             AlongArgs{kept_->view(step.neighbors->particles), pool[c.straight].data(), pool[c.across].data(),
                       pool[push].data(), velocity.data(), change.data()});
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& v = velocity[i];
        v = {v.x + change[i].x, v.y + change[i].y, v.z + change[i].z, v.w};
    });
}

void PressureFields::find_around(StepContext& step, const Dispatch<void(const AroundArgs&, Range)>& pass,
                                 Column<float> from, Column<float> into) {
    Pool& pool = step.particles;
    run_pass(step, pass,
             AroundArgs{step.particle_pairs(), step.scene.kernel, solids(step),
                        static_cast<float>(kernel_value(step.scene.kernel, 0)), pool[from].data(), pool[into].data()});
}

void PressureFields::find_mean(StepContext& step, Column<float> of, Column<float> to) {
    find_around(step, mean_around, of, to);
}

void PressureFields::find_least_twice(StepContext& step, Column<float> to) {
    find_around(step, least_around, source, residual);
    find_around(step, least_around, residual, source);
    find_around(step, mean_around, source, to);
}

void PressureFields::find_reference(StepContext& step, Column<float> pressure, Column<float> to) {
    Pool& pool = step.particles;
    find_around(step, mean_around, pressure, source);
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
