#include "behaviors/sand/friction.h"

#include <algorithm>
#include <functional>

#include "base/reductions.h"
#include "behaviors/sand/passes.h"
#include "passes/pass.h"

namespace loam {
namespace {

#define LAW inline
#include "behaviors/sand/sand.law.h"
#undef LAW

Float4 row(float x, float y, float z, const Float4& a, const Float4& b, const Float4& c) {
    return {x * a.x + y * b.x + z * c.x, x * a.y + y * b.y + z * c.y, x * a.z + y * b.z + z * c.z};
}

} // namespace

void SandFriction::declare(StepContext& step) {
    Pool& pool = step.particles;
    kept_.emplace(step.scene.kernel, step.scene.has_solids ? &step.scene.solid_kernel : nullptr);
    const auto two = [&](const std::string& name, bool saved) {
        return Columns2{pool.declare<Float4>({.name = name, .unit = "Pa", .saved = saved}),
                        pool.declare<Float4>({.name = name + "_shear", .unit = "Pa", .saved = saved})};
    };
    stress_ = two("sand_stress", true);
    applied_ = two("sand_applied", false);
    change_ = two("sand_change", false);
    before_ = two("sand_before", false);
    strain_ = two("sand_strain", false);
    strain_before_ = two("sand_strain_before", false);
    const char* const axes[]{"x", "y", "z"};
    for (std::size_t k = 0; k < 3; ++k) {
        inverse_[k] = pool.declare<Float4>({.name = std::string("sand_inverse_") + axes[k]});
        weighted_[k] = pool.declare<Float4>({.name = std::string("sand_weighted_") + axes[k]});
    }
    push_ = pool.declare<Float4>({.name = "sand_push", .unit = "m/s"});
    moving_ = pool.declare<Float4>({.name = "sand_moving", .unit = "m/s"});
    touch = pool.declare<Float4>({.name = "sand_touch"});
    into_wall = pool.declare<Float4>({.name = "sand_into_wall"});
    wall_motion = pool.declare<Float4>({.name = "sand_wall_motion", .unit = "m/s"});
    stiffness_ = pool.declare<float>({.name = "sand_stiffness"});
    bearing_ = pool.declare<float>({.name = "sand_bearing", .unit = "m^d"});
    specific_volume_ = pool.declare<float>({.name = "sand_specific_volume"});
    mean_pressure = pool.declare<float>({.name = "sand_pressure", .unit = "Pa"});
    sand = pool.declare<float>({.name = "sand_is_sand"});
    grips = pool.declare<float>({.name = "sand_grips"});
    yield = pool.declare<float>({.name = "sand_yield", .unit = "Pa"});
    if (step.scene.has_solids) rub = pool.declare<float>({.name = "sand_rub"});
}

SandPairs SandFriction::pairs(Pass& pass) const {
    const StepContext& step = pass.step();
    Pool& pool = step.particles;
    return {.particles = pass.pairs(),
            .walls = pass.wall_pairs(),
            .kept = kept_->view(step.neighbors->particles),
            .kernel = step.scene.kernel,
            .wall_kernel = step.scene.wall_kernel,
            .solid_kernel = step.scene.solid_kernel,
            .wall_normal = pass.reads_walls(step.walls.normal),
            .solid = step.scene.has_solids ? pass.reads(pool.declare<float>({.name = "solid"})) : nullptr,
            .flat = step.scene.dimensions == 2};
}

void SandFriction::find_shape(StepContext& step) {
    Pool& pool = step.particles;
    kept_->fit(step.neighbors->particles);
    const auto s = pool[specific_volume_], mass = pool[pool.mass], volume = pool[pool.volume];
    parallel_each(pool.size(), [&](std::size_t i) { s[i] = volume[i] / mass[i]; });
    pool.padding(specific_volume_) = 0;
    pool.padding(grips) = 0;
    Pass pass(step, "sand shape");
    pass.run(sand_shape, {.pairs = pairs(pass),
                          .sand = pass.reads(sand),
                          .grips = pass.reads(grips),
                          .specific_volume = pass.reads(specific_volume_),
                          .rub = step.scene.has_solids ? pass.reads(rub) : nullptr,
                          .wall_velocity = pass.reads_walls(step.walls.velocity),
                          .inverse_x = pass.writes(inverse_[0]),
                          .inverse_y = pass.writes(inverse_[1]),
                          .inverse_z = pass.writes(inverse_[2]),
                          .stiffness = pass.writes(stiffness_),
                          .bearing = pass.writes(bearing_),
                          .into_wall = pass.writes(into_wall),
                          .wall_motion = pass.writes(wall_motion),
                          .touch = pass.writes(touch)});
}

void SandFriction::find_means(StepContext& step) {
    Pool& pool = step.particles;
    const auto diagonal = pool[stress_.diagonal];
    const auto pressure = pool[pool.pressure], mean = pool[mean_pressure];
    parallel_each(pool.size(), [&](std::size_t i) { diagonal[i].w = pressure[i]; });
    pool.padding(sand) = 0;
    Pass pass(step, "sand means");
    pass.run(sand_mean, {.pairs = pairs(pass),
                         .sand = pass.reads(sand),
                         .own_value = static_cast<float>(kernel_value(step.scene.kernel, 0)),
                         .diagonal = pass.reads(stress_.diagonal),
                         .shear = pass.reads(stress_.shear),
                         .mean_diagonal = pass.writes(change_.diagonal),
                         .mean_shear = pass.writes(change_.shear)});
    const auto means = pool[change_.diagonal];
    parallel_each(pool.size(), [&](std::size_t i) { mean[i] = means[i].w; });
}

void SandFriction::smooth(StepContext& step) {
    constexpr float share = 0.5f;
    find_means(step);
    Pool& pool = step.particles;
    parallel_each(pool.size(), [&](std::size_t i) {
        put(pool, stress_, i, (1 - share) * get(pool, stress_, i) + share * get(pool, change_, i));
    });
}

void SandFriction::find_push(StepContext& step, const Columns2& of) {
    Pool& pool = step.particles;
    const auto volume = pool[bearing_];
    const auto x = pool[inverse_[0]], y = pool[inverse_[1]], z = pool[inverse_[2]];
    const auto to_x = pool[weighted_[0]], to_y = pool[weighted_[1]], to_z = pool[weighted_[2]];
    parallel_each(pool.size(), [&](std::size_t i) {
        const Stress s = volume[i] * get(pool, of, i);
        to_x[i] = row(s.diagonal.x, s.shear.z, s.shear.y, x[i], y[i], z[i]);
        to_y[i] = row(s.shear.z, s.diagonal.y, s.shear.x, x[i], y[i], z[i]);
        to_z[i] = row(s.shear.y, s.shear.x, s.diagonal.z, x[i], y[i], z[i]);
    });
    for (const Column<Float4>& rows : weighted_) pool.padding(rows) = {};
    Pass pass(step, "sand push");
    pass.run(sand_push, {.pairs = pairs(pass),
                         .dt = static_cast<float>(step.dt),
                         .grips = pass.reads(grips),
                         .specific_volume = pass.reads(specific_volume_),
                         .own_x = pass.reads(inverse_[0]),
                         .own_y = pass.reads(inverse_[1]),
                         .own_z = pass.reads(inverse_[2]),
                         .diagonal = pass.reads(of.diagonal),
                         .shear = pass.reads(of.shear),
                         .stress_x = pass.reads(weighted_[0]),
                         .stress_y = pass.reads(weighted_[1]),
                         .stress_z = pass.reads(weighted_[2]),
                         .push = pass.writes(push_)});
    if (step.constrain) step.constrain(FieldKind::change, pool[push_]);
}

void SandFriction::bound(StepContext& step) {
    Pool& pool = step.particles;
    const auto limit = pool[yield], stiff = pool[stiffness_];
    parallel_each(pool.size(), [&](std::size_t i) {
        const Stress s = get(pool, stress_, i);
        put(pool, stress_, i, (stiff[i] > 0 ? kept_by_yield(size(s), limit[i]) : 0) * s);
    });
}

void SandFriction::push_again(StepContext& step) {
    Pool& pool = step.particles;
    bound(step);
    find_push(step, stress_);
    const auto velocity = pool[pool.velocity], push = pool[push_];
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& v = velocity[i];
        v = {v.x + push[i].x, v.y + push[i].y, v.z + push[i].z, v.w};
        put(pool, applied_, i, get(pool, stress_, i));
    });
}

// The shear that is left, and how it compares with that before the last change of the stress.
SandFriction::Sums SandFriction::find_strain(StepContext& step) {
    Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity], push = pool[push_], moving = pool[moving_];
    const auto volume = pool[pool.volume], bearing = pool[bearing_], counts = pool[grips], stiff = pool[stiffness_],
               limit = pool[yield];
    parallel_each(pool.size(),
                  [&](std::size_t i) { put(pool, change_, i, get(pool, stress_, i) - get(pool, applied_, i)); });
    find_push(step, change_);
    parallel_each(pool.size(), [&](std::size_t i) {
        const Float4 &v = velocity[i], &u = push[i];
        moving[i] = {v.x + u.x, v.y + u.y, v.z + u.z, counts[i] * volume[i]};
    });
    pool.padding(moving_) = {};
    Pass pass(step, "sand strain");
    pass.run(sand_strain, {.pairs = pairs(pass),
                           .velocity = pass.reads(moving_),
                           .wall_velocity = pass.reads_walls(step.walls.velocity),
                           .inverse_x = pass.reads(inverse_[0]),
                           .inverse_y = pass.reads(inverse_[1]),
                           .inverse_z = pass.reads(inverse_[2]),
                           .diagonal = pass.writes(strain_.diagonal),
                           .shear = pass.writes(strain_.shear)});
    const auto dt = static_cast<float>(step.dt);
    return parallel_reduce(
        pool.size(), Sums{},
        [&](Range range) {
            Sums some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                if (!(stiff[i] > 0)) continue;
                const float k = dt * stiff[i];
                const Stress s = get(pool, stress_, i), r = get(pool, strain_, i);
                const Stress aim = s + (1 / k) * r;
                some.error += size(kept_by_yield(size(aim), limit[i]) * aim - s) * k;
                const Stress ds = s - get(pool, before_, i), dr = get(pool, strain_before_, i) - r;
                some.ss += bearing[i] * k * inner(ds, ds);
                some.sy += bearing[i] * inner(ds, dr);
                some.yy += bearing[i] / k * inner(dr, dr);
            }
            return some;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{a.error + b.error, a.ss + b.ss, a.sy + b.sy, a.yy + b.yy};
        });
}

void SandFriction::advance(StepContext& step, float length) {
    Pool& pool = step.particles;
    const auto stiff = pool[stiffness_], limit = pool[yield];
    const auto dt = static_cast<float>(step.dt);
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!(stiff[i] > 0)) return;
        const Stress s = get(pool, stress_, i);
        put(pool, before_, i, s);
        const Stress aim = s + (length / (dt * stiff[i])) * get(pool, strain_, i);
        put(pool, stress_, i, kept_by_yield(size(aim), limit[i]) * aim);
    });
    std::swap(strain_, strain_before_);
}

// What gravity would add in this step to the shear of neighbors. Without gravity: what would move them apart in 1 s.
double SandFriction::usual_shear(const StepContext& step) const {
    const Pool& pool = step.particles;
    double falls = step.scene.spacing;
    if (pool.falls()) {
        const auto gravity = pool[pool.gravity];
        falls = std::max(falls, parallel_max(pool.size(), [&](std::size_t i) { return length(gravity[i].xyz()); }));
    }
    return falls * step.dt / step.scene.spacing;
}

int SandFriction::stop_shear(StepContext& step) {
    constexpr double shortest = 0.1, longest = 20, safe = 0.5;
    Pool& pool = step.particles;
    const auto is = pool[sand];
    const double count = parallel_sum(pool.size(), [&](std::size_t i) { return is[i]; });
    const double enough = tolerance * usual_shear(step) * count;
    bound(step);
    int iterations = 0;
    double first = 0;
    while (true) {
        const Sums sums = find_strain(step);
        ++iterations;
        if (iterations == 1) first = sums.error;
        if (sums.error <= enough || iterations >= at_most) break;
        double length = safe;
        const bool calm = iterations + 2 < at_most && sums.error <= 4 * first; // as for pressures
        if (iterations > 1 && calm && sums.sy > 0)
            length = std::clamp(iterations % 2 == 0 ? sums.ss / sums.sy : sums.sy / sums.yy, shortest, longest);
        advance(step, static_cast<float>(length));
    }
    const auto velocity = pool[pool.velocity], moving = pool[moving_];
    parallel_each(pool.size(), [&](std::size_t i) {
        velocity[i] = {moving[i].x, moving[i].y, moving[i].z, velocity[i].w};
    });
    return iterations;
}

} // namespace loam
