#include "pressure/fields.h"

#include <cmath>
#include <numbers>

#include "base/reductions.h"
#include "passes/acceleration_limit.h"
#include "passes/lattice.h"
#include "passes/pass.h"
#include "pressure/correction.h"

namespace loam {
namespace {

constexpr double small = 1.0 / 3;     // of a full particle; what fills bodies at the start is larger
constexpr float no_pressure = -1e30f; // a source so negative that no pressure arises

// The largest eigenvalue of the relaxed matrix on a lattice, as a multiple of its diagonal: with g_j = V grad W_j,
//   largest over waves k of |sum_j g_j sin(k . x_j)|^2 / sum_j |g_j|^2
// It grows with the number of neighbors. Waves along edges and diagonals are tried.
double stiffest_wave(const Kernel& kernel, double spacing) {
    constexpr int waves = 32;
    double most = 0;
    for (int axes = 1; axes <= kernel.dimensions; ++axes)
        for (int wave = 1; wave < waves; ++wave) {
            double diagonal = 0;
            Vec3d sum;
            each_lattice_point(kernel, spacing, [&](int a, int b, int c) {
                const Vec3d x = spacing * Vec3d{double(a), double(b), double(c)};
                const Vec3d g = kernel_slope(kernel, length(x)) * x;
                const int along = a + (axes > 1 ? b : 0) + (axes > 2 ? c : 0);
                sum += std::sin(std::numbers::pi * wave / waves * along) * g;
                diagonal += dot(g, g);
            });
            most = std::max(most, dot(sum, sum) / diagonal);
        }
    return most;
}

// Of the particles that count. What takes up no room is nothing to the least.
template <class Counts> SpecificVolumes specific_volumes_of(const Pool& pool, const Counts& counts) {
    const auto mass = pool[pool.mass], volume = pool[pool.volume];
    return parallel_reduce(
        pool.size(), SpecificVolumes{},
        [&](Range range) {
            SpecificVolumes some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                if (!counts(i)) continue;
                const float s = volume[i] / mass[i];
                if (volume[i] > 0) some.least_volume = std::min(some.least_volume, volume[i]);
                some.most = std::max(some.most, s);
                if (s > 0)
                    some.least = std::min(some.least, s);
                else
                    some.any_is_0 = true;
            }
            return some;
        },
        [](const SpecificVolumes& a, const SpecificVolumes& b) {
            return SpecificVolumes{std::min(a.least, b.least), std::max(a.most, b.most),
                                   std::min(a.least_volume, b.least_volume), a.any_is_0 || b.any_is_0};
        });
}

} // namespace

void PressureFields::declare(StepContext& step, Use use) {
    Pool& pool = step.particles;
    gradient = pool.declare<Float4>({.name = "kernel_gradient"});
    if (step.scene.has_solids) solid_ = pool.declare<float>({.name = "solid"});
    if (use == Use::iterated_with_kept_gradients) {
        kept_.emplace(step.scene.kernel, step.scene.has_solids ? &step.scene.solid_kernel : nullptr);
        weighted_pressure_ = pool.declare<float>({.name = "weighted_pressure"});
        push = pool.acceleration; // which has done its work when implicit solvers begin theirs
    } else {
        pressure_place_ = pool.declare<Float4>({.name = "pressure_place"});
    }
    once_ = use == Use::once;
    if (once_) return;
    if (use == Use::iterated) push = pool.declare<Float4>({.name = "pressure_push"});
    kappa = pool.declare<float>({.name = "kappa"});
    kappa_before = pool.declare<float>({.name = "kappa_before"});
    source = pool.declare<float>({.name = "pressure_source"});
    residual = pool.declare<float>({.name = "pressure_residual"});
    residual_before = pool.declare<float>({.name = "pressure_residual_before"});
    full_volume_ = lattice_volume(step.scene.kernel, step.scene.spacing);
    full_diagonal_ = lattice_diagonal(step.scene.kernel, step.scene.spacing);
    relaxation_ = std::min(0.4, 1.4 / stiffest_wave(step.scene.kernel, step.scene.spacing));
}

void PressureFields::find_specific_volumes(StepContext& step) {
    Pool& pool = step.particles;
    specific_ = specific_volumes_of(pool, [](std::size_t) { return true; });
    if (specific_.alike()) return;
    specific_volume_ = pool.declare<float>({.name = "specific_volume", .unit = "m^3/kg"});
    const auto mass = pool[pool.mass], volume = pool[pool.volume], s = pool[specific_volume_];
    parallel_each(pool.size(), [&](std::size_t i) { s[i] = volume[i] / mass[i]; });
    pool.padding(specific_volume_) = 0;
}

const float* PressureFields::specific_volumes(Pass& pass) const {
    return specific_.alike() ? nullptr : pass.reads(specific_volume_);
}

bool PressureFields::begin_flow(StepContext& step) {
    const bool flows = step.flow.anything(step.particles);
    step.profile.time("density", [&] { flows ? find_densities(step) : find_densities_alone(step); });
    return flows;
}

void PressureFields::find_densities(StepContext& step, const Places& places, Column<float> to) {
    Pool& pool = step.particles;
    find_specific_volumes(step);
    find_solids(step);
    rests_ = once_ && !step.flow.anything(step.particles);
    if (rests_) {
        const auto density = pool[to];
        parallel_each(pool.size(), [&](std::size_t i) { density[i] = 1; });
        return;
    }
    const KeptGradients keep = kept_ ? kept_->fit(step.neighbors->particles) : KeptGradients{};
    Pass pass(step, "density and gradient");
    pass.run(density_and_gradient, {.of = density_arguments(pass, places, to),
                                    .specific_volume = specific_volumes(pass),
                                    .common_specific_volume = specific_.most,
                                    .gradient = pass.writes(gradient),
                                    .keep = kept_ ? &keep : nullptr});
    find_compliance(step);
}

void PressureFields::find_compliance(StepContext& step) {
    some_are_small_ = !once_ && specific_.least_volume < small * full_volume_;
    if (!some_are_small_) return;
    Pool& pool = step.particles;
    compliance_ = pool.declare<float>({.name = "pressure_compliance"});
    const auto compliance = pool[compliance_], volume = pool[pool.volume], mass = pool[pool.mass];
    const auto g = pool[gradient];
    const auto per_small = static_cast<float>(1 / (small * full_volume_)), full = static_cast<float>(full_diagonal_);
    parallel_each(pool.size(), [&](std::size_t i) {
        const float lacks = std::max(1 - per_small * volume[i], 0.0f);
        compliance[i] = lacks > 0 && !step.is_solid(i) ? lacks * lacks * full * volume[i] / mass[i] : 0;
        g[i].w += compliance[i];
    });
}

double PressureFields::lattice_diagonal(const Kernel& kernel, double spacing) {
    const double volume = lattice_volume(kernel, spacing);
    double squares = 0;
    each_lattice_point(kernel, spacing, [&](int x, int y, int z) {
        const double r = spacing * length(Vec3d{double(x), double(y), double(z)});
        if (r <= 0 || r >= kernel.support) return;
        const double slope = kernel_slope(kernel, r) * r;
        squares += slope * slope;
    });
    return volume * volume * squares;
}

const float* PressureFields::rests(Pass& pass) {
    const Pool& pool = pass.step().particles;
    return pool.resting.index == SIZE_MAX ? nullptr : pass.reads(pool.resting);
}

DensityArgs PressureFields::density_arguments(Pass& pass, const Places& places, Column<float> to) const {
    const SceneFacts& scene = pass.step().scene;
    return {.particles = pass.pairs(places.particles, places.particles),
            .walls = pass.wall_pairs(places.particles, places.walls),
            .kernel = scene.kernel,
            .wall_kernel = scene.wall_kernel,
            .wall_normal = pass.reads_walls(pass.step().walls.normal),
            .solid = solids(pass),
            .solid_kernel = scene.solid_kernel,
            .own_value = static_cast<float>(kernel_value(scene.kernel, 0)),
            .density = pass.writes(to)};
}

void PressureFields::find_densities_alone(StepContext& step, const Places& places, Column<float> to) {
    Pass pass(step, "density");
    pass.run(density_alone, density_arguments(pass, places, to));
}

void PressureFields::find_densities_by(StepContext& step, const std::function<bool(std::size_t)>& counts,
                                       Column<float> to) {
    Pool& pool = step.particles;
    const auto place = pool[pool.place], counted = pool[pressure_place_];
    parallel_each(pool.size(), [&](std::size_t i) {
        counted[i] = {place[i].x, place[i].y, place[i].z, counts(i) ? place[i].w : 0};
    });
    pool.padding(pressure_place_) = pool.padding(pool.place);
    Walls& walls = step.walls; // which do not count either: without volume for the moment
    const auto at = walls[walls.place];
    parallel_each(walls.size(), [&](std::size_t i) { at[i].w = 0; });
    find_densities_alone(step, {pressure_place_, walls.place}, to);
    const auto volume = walls[walls.volume];
    parallel_each(walls.size(), [&](std::size_t i) { at[i].w = volume[i]; });
}

void PressureFields::find_solids(StepContext& step) const {
    if (!step.scene.has_solids) return;
    const auto solid = step.particles[solid_];
    const auto body = step.particles[step.particles.body];
    parallel_each(solid.size(),
                  [&](std::size_t i) { solid[i] = step.is_solid(i) && !step.traits[body[i]].passable ? 1 : 0; });
}

const float* PressureFields::solids(Pass& pass) const {
    return pass.step().scene.has_solids ? pass.reads(solid_) : nullptr;
}

double PressureFields::mean_compression(const StepContext& step, double& largest, const TakenBack& taken) const {
    const auto density = step.particles[step.particles.density];
    struct All {
        double sum = 0;
        float largest = 0;
    };
    const All all = parallel_reduce(
        density.size(), All{},
        [&](Range range) {
            All some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const float squeezed = density[i] - 1, compression = step.is_solid(i) ? 0 : squeezed - taken(squeezed);
                some.sum += compression;
                some.largest = std::max(some.largest, compression);
            }
            return some;
        },
        [](const All& a, const All& b) {
            return All{a.sum + b.sum, std::max(a.largest, b.largest)};
        });
    largest = all.largest;
    return density.empty() ? 0 : all.sum / static_cast<double>(step.flowing());
}

void PressureFields::find_push(StepContext& step, const Places& places, Column<float> of, Column<Float4> to, Put put) {
    Pool& pool = step.particles;
    if (rests_) return;
    const auto place = pool[places.particles], targets = pool[pressure_place_];
    const auto p = pool[of];
    parallel_each(pool.size(), [&](std::size_t i) {
        targets[i] = {place[i].x, place[i].y, place[i].z, place[i].w * p[i]};
    });
    pool.padding(pressure_place_) = pool.padding(pool.place);
    Pass pass(step, "pressure push");
    pass.run(pressure_push, {.particles = pass.pairs(places.particles, pressure_place_),
                             .kernel = step.scene.kernel,
                             .solid = solids(pass),
                             .solid_kernel = step.scene.solid_kernel,
                             .specific_volume = specific_volumes(pass),
                             .common_specific_volume = specific_.most,
                             .gradient = pass.reads(gradient),
                             .pressure = pass.reads(of),
                             .push = pass.writes(to),
                             .put = put});
    if (step.constrain) step.constrain(FieldKind::change, pool[to]);
}

void PressureFields::find_kept_push(StepContext& step) {
    if (correction_ && correction_->on) return find_corrected_push(step, kappa);
    Pool& pool = step.particles;
    const auto weighted = pool[weighted_pressure_], p = pool[kappa], volume = pool[pool.volume];
    parallel_each(pool.size(), [&](std::size_t i) { weighted[i] = volume[i] * p[i]; });
    Pass pass(step, "kept push");
    pass.run(kept_push, {.pairs = kept_pairs(step),
                         .specific_volume = specific_volumes(pass),
                         .common_specific_volume = specific_.most,
                         .gradient = pass.reads(gradient),
                         .pressure = pass.reads(kappa),
                         .weighted_pressure = pass.reads(weighted_pressure_),
                         .volume = pass.reads(pool.volume),
                         .rests = rests(pass),
                         .push = pass.writes(push)});
    if (step.constrain) step.constrain(FieldKind::change, pool[push]);
    if (bear) bear(pool[push]);
}

void PressureFields::find_divergence(StepContext& step, Column<float> to) {
    if (correction_ && correction_->on) return find_corrected_divergence(step, to);
    const Pool& pool = step.particles;
    const Walls& walls = step.walls;
    Pass pass(step, "divergence");
    pass.run(field_divergence, {.pairs = kept_pairs(step),
                                .walls = pass.wall_pairs(),
                                .kernel = step.scene.kernel,
                                .wall_kernel = step.scene.wall_kernel,
                                .wall_normal = pass.reads_walls(walls.normal),
                                .gradient = pass.reads(gradient),
                                .volume = pass.reads(pool.volume),
                                .field = pass.reads(pool.velocity),
                                .wall_field = walls.move() ? pass.reads_walls(walls.velocity) : nullptr,
                                .divergence = pass.writes(to)});
}

void PressureFields::leave_out_solids(const StepContext& step, std::span<float> equation) {
    if (step.flow.all) return;
    const auto share = step.flow.share.of(step.particles);
    parallel_each(step.particles.size(),
                  [&](std::size_t i) { equation[i] = share[i] > 0 ? share[i] * equation[i] : no_pressure; });
}

void PressureFields::settle_closed(StepContext& step) {
    if (!step.flow.all) return; // what a solid leaves open is not known here
    Pool& pool = step.particles;
    const auto density = pool[pool.density], sources = pool[source], pressures = pool[kappa];
    const auto gradients = pool[gradient];
    struct All {
        float thinnest = 1e30f;
        float steepest2 = 0; // |G|^2: surface tension can crowd a free surface until its density says nothing
        double sum = 0;
    };
    const All all = parallel_reduce(
        pool.size(), All{},
        [&](Range range) {
            All some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const Float4& g = gradients[i];
                some.thinnest = std::min(some.thinnest, density[i]);
                some.steepest2 = std::max(some.steepest2, g.x * g.x + g.y * g.y + g.z * g.z);
                some.sum += sources[i];
            }
            return some;
        },
        [](const All& a, const All& b) {
            return All{std::min(a.thinnest, b.thinnest), std::max(a.steepest2, b.steepest2), a.sum + b.sum};
        });
    const float steepest = std::sqrt(all.steepest2) * step.scene.kernel.support; // about 1 at a free surface
    if (all.thinnest < free_density || steepest > free_gradient || pool.size() == 0) return;
    const float mean = static_cast<float>(all.sum / static_cast<double>(pool.size()));
    if (mean <= 0) return; // there is room
    parallel_each(pool.size(), [&](std::size_t i) {
        sources[i] -= mean;
        pressures[i] = 0;
    });
}

void find_felt_pressure(StepContext& step) {
    Pool& pool = step.particles;
    Pass pass(step, "felt pressure");
    pass.run(felt_pressure, {.particles = pass.pairs(),
                             .walls = pass.wall_pairs(),
                             .kernel = step.scene.kernel,
                             .wall_kernel = step.scene.wall_kernel,
                             .wall_normal = pass.reads_walls(step.walls.normal),
                             .solid = step.scene.has_solids // of this step, or the last
                                          ? pass.reads(pool.declare<float>({.name = "solid"}))
                                          : nullptr,
                             .solid_kernel = step.scene.solid_kernel,
                             .pressure = pass.reads(pool.pressure),
                             .density = pass.reads(pool.density),
                             .felt = pass.writes(pool.felt_pressure)});
}

namespace {

// p / rho, at most what forces of this acceleration hold that act all along the fluid: what it takes to undo an overlap
// in one step is pressure too, and the more so the shorter the step.
double largest_specific_pressure(const StepContext& step, double acceleration) {
    const Pool& pool = step.particles;
    const auto pressure = pool[pool.pressure], mass = pool[pool.mass];
    const auto place = pool[pool.place];
    struct Fluid {
        float most = 0;
        Bounds bounds;
    };
    const Fluid fluid = parallel_reduce(
        pool.size(), Fluid{},
        [&](Range range) {
            Fluid some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                if (step.is_solid(i)) continue;
                const Float4& at = place[i];
                some.most = std::max(some.most, pressure[i] * at.w / mass[i]);
                some.bounds.add(Vec3d{at.x, at.y, at.z});
            }
            return some;
        },
        [](Fluid a, const Fluid& b) {
            a.most = std::max(a.most, b.most);
            a.bounds.add(b.bounds);
            return a;
        });
    return fluid.most > 0 ? std::min<double>(fluid.most, acceleration * length(fluid.bounds.size())) : 0;
}

// What heavy fluids lay on light ones accelerates these by as much as their densities differ: what lies below a heavy
// layer is shot out from under it. Ratios up to this are within what the rest of the limit leaves.
double thrust(const StepContext& step) {
    constexpr double mild = 2;
    const SpecificVolumes s = specific_volumes_of(step.particles, [&](std::size_t i) { return !step.is_solid(i); });
    return s.most > 0 ? std::max(1.0, s.most / s.least / mild) : 1;
}

} // namespace

TimeStepLimit PressureFields::time_step(const StepContext& step, double share, double pull, double courant) {
    // Solids' own laws know what steps they need.
    const double acceleration = largest_acceleration(step, [&](std::size_t i) { return !step.is_solid(i); });
    const double speed = std::sqrt(largest_specific_pressure(step, std::max(acceleration, pull)));
    const TimeStepLimit by_force = acceleration_limit(step, share, acceleration * thrust(step));
    const double by_pressure = courant * step.scene.spacing / speed;
    return by_pressure < by_force.seconds ? TimeStepLimit{by_pressure, "pressure"} : by_force;
}

} // namespace loam
