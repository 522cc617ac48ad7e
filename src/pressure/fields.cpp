#include "pressure/fields.h"

#include <cmath>

namespace loam {
namespace {

template <class Function, class Args> void run(const StepContext& step, const Function& pass, const Args& args) {
    auto* const function = pass.on(step.isa);
    parallel_ranges(step.particles.size(), [&](Range range) { function(args, range); });
}

PairView at(PairView view, const Float4* particles, const Float4* targets) {
    view.query_place = particles;
    view.target_place = targets;
    return view;
}

} // namespace

void PressureFields::declare(StepContext& step) {
    Pool& pool = step.particles;
    gradient = pool.declare<Float4>({.name = "kernel_gradient"});
    pressure_place = pool.declare<Float4>({.name = "pressure_place"});
    kappa = pool.declare<float>({.name = "kappa"});
    source = pool.declare<float>({.name = "pressure_source"});
    push = pool.declare<Float4>({.name = "pressure_push"});
    residual = pool.declare<float>({.name = "pressure_residual"});
    residual_before = pool.declare<float>({.name = "pressure_residual_before"});
    kappa_before = pool.declare<float>({.name = "kappa_before"});
    if (!step.one_density) specific_volume = pool.declare<float>({.name = "specific_volume", .unit = "m^3/kg"});
}

const float* PressureFields::specific_volumes(const StepContext& step) const {
    return step.one_density ? nullptr : step.particles[specific_volume].data();
}

float PressureFields::common_specific_volume(const StepContext& step) const {
    const Pool& pool = step.particles;
    return pool.size() == 0 ? 0 : pool[pool.volume][0] / pool[pool.mass][0];
}

PressureFields::Places PressureFields::places_now(const StepContext& step) {
    return {step.particles[step.particles.place].data(), step.walls[step.walls.place].data()};
}

void PressureFields::find_densities(StepContext& step, const Places& places, Column<float> to) {
    Pool& pool = step.particles;
    if (!step.one_density) {
        const auto mass = pool[pool.mass], volume = pool[pool.volume], s = pool[specific_volume];
        parallel_each(pool.size(), [&](std::size_t i) { s[i] = volume[i] / mass[i]; });
        pool.padding(specific_volume) = 0;
    }
    run(step, density_and_gradient,
        DensityArgs{at(step.particle_pairs(), places.particles, places.particles),
                    at(step.wall_pairs(), places.particles, places.walls), step.kernel,
                    static_cast<float>(kernel_value(step.kernel, 0)), specific_volumes(step),
                    common_specific_volume(step), pool[to].data(), pool[gradient].data()});
}

void PressureFields::find_densities_alone(StepContext& step, const Places& places, Column<float> to) {
    Pool& pool = step.particles;
    run(step, density_alone,
        DensityArgs{.particles = at(step.particle_pairs(), places.particles, places.particles),
                    .walls = at(step.wall_pairs(), places.particles, places.walls),
                    .kernel = step.kernel,
                    .own_value = static_cast<float>(kernel_value(step.kernel, 0)),
                    .density = pool[to].data()});
}

double PressureFields::mean_compression(const StepContext& step, double& largest) const {
    const auto density = step.particles[step.particles.density];
    const RelaxError all = parallel_reduce(
        density.size(), RelaxError{},
        [&](Range range) {
            RelaxError error;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const float compression = std::max(density[i] - 1, 0.0f);
                error.sum += compression;
                error.largest = std::max(error.largest, compression);
            }
            return error;
        },
        [](RelaxError a, const RelaxError& b) {
            return RelaxError{a.sum + b.sum, std::max(a.largest, b.largest)};
        });
    largest = all.largest;
    return density.empty() ? 0 : all.sum / static_cast<double>(density.size());
}

void PressureFields::scatter_pressure(StepContext& step, const Places& places, Column<float> of) {
    Pool& pool = step.particles;
    const auto to = pool[pressure_place];
    const auto p = pool[of];
    parallel_each(pool.size(), [&](std::size_t i) {
        const Float4& place = places.particles[i];
        to[i] = {place.x, place.y, place.z, place.w * p[i]};
    });
    pool.padding(pressure_place) = pool.padding(pool.place);
}

void PressureFields::find_push(StepContext& step, const Places& places, Column<float> of, Column<Float4> to, bool add) {
    Pool& pool = step.particles;
    const Float4* const targets = pool[pressure_place].data();
    run(step, pressure_push,
        PushArgs{at(step.particle_pairs(), places.particles, targets), step.kernel, specific_volumes(step),
                 common_specific_volume(step), pool[gradient].data(), pool[of].data(), targets, pool[to].data(), add});
}

void PressureFields::find_divergence(StepContext& step, Column<Float4> field, Column<float> to) {
    Pool& pool = step.particles;
    const Walls& walls = step.walls;
    const bool with_walls = step.walls_move && field.index != push.index;
    run(step, field_divergence,
        DivergenceArgs{step.particle_pairs(), step.wall_pairs(), step.kernel, pool[gradient].data(), pool[field].data(),
                       with_walls ? walls[walls.velocity].data() : nullptr, pool[to].data()});
}

TimeStepLimit PressureFields::limit_by_acceleration(const StepContext& step, double fraction) {
    const auto acceleration = step.particles[step.particles.acceleration];
    const float most = parallel_reduce(
        acceleration.size(), 0.0f,
        [&](Range range) {
            float m = 0;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const Float4& a = acceleration[i];
                m = std::max(m, a.x * a.x + a.y * a.y + a.z * a.z);
            }
            return m;
        },
        [](float a, float b) { return std::max(a, b); });
    if (!(most > 0)) return {};
    return {fraction * std::sqrt(step.spacing / std::sqrt(most)), "acceleration"};
}

} // namespace loam
