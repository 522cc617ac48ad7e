#include "behaviors/viscosity/implicit.h"

#include <functional>

#include "base/reductions.h"
#include "behaviors/viscosity/arguments.h"

namespace loam {
namespace {

Float4 times(const Float4& first, const Float4& second, const Float4& u) { // a symmetric block by a vector
    return {first.x * u.x + first.y * u.y + first.z * u.z, first.y * u.x + first.w * u.y + second.x * u.z,
            first.z * u.x + second.x * u.y + second.y * u.z, 0};
}

double inner(const Float4& a, const Float4& b) {
    return static_cast<double>(a.x) * b.x + static_cast<double>(a.y) * b.y + static_cast<double>(a.z) * b.z;
}

// Rounding of single precision against the motion itself; nothing below it can be solved for.
constexpr double rounding = 1e-6;

} // namespace

void ImplicitViscosity::declare(Pool& pool) {
    change_ = pool.declare<Float4>({.name = "viscous_change", .unit = "m/s", .saved = true});
    residual_ = pool.declare<Float4>({.name = "viscous_residual"});
    direction_ = pool.declare<Float4>({.name = "viscous_direction"});
    product_ = pool.declare<Float4>({.name = "viscous_product"});
    own_first_ = pool.declare<Float4>({.name = "viscous_block_1"});
    own_second_ = pool.declare<Float4>({.name = "viscous_block_2"});
    inverse_first_ = pool.declare<Float4>({.name = "viscous_inverse_1"});
    inverse_second_ = pool.declare<Float4>({.name = "viscous_inverse_2"});
}

void ImplicitViscosity::find_blocks(const StepContext& step, Column<Float4> motion) {
    Pass pass(step, "viscosity blocks");
    pass.run(implicit_blocks, {.law = viscosity_arguments(pass, motion),
                               .dt = static_cast<float>(seconds_),
                               .own_first = pass.writes(own_first_),
                               .own_second = pass.writes(own_second_),
                               .inverse_first = pass.writes(inverse_first_),
                               .inverse_second = pass.writes(inverse_second_),
                               .right = pass.writes(residual_)});
}

void ImplicitViscosity::solve(StepContext& step, Column<Float4> motion, Column<Float4> before, bool thin) {
    constexpr double g = 0.29289321881345248; // 1 - 1 / sqrt 2
    Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity], moves = pool[motion], start = pool[before], change = pool[change_];
    const auto set = [&](std::size_t i, const Vec3d& v) { moves[i] = float4(v, moves[i].w); };
    const auto others = [&](std::size_t i) { return g * (velocity[i].xyz_double() - start[i].xyz_double()); };
    const auto solved = [&](std::size_t i) { return moves[i].xyz_double() + change[i].xyz_double(); };
    if (!thin) {
        parallel_each(pool.size(), [&](std::size_t i) { set(i, start[i].xyz_double() + others(i)); });
        solve_once(step, motion, g * step.dt);
        parallel_each(pool.size(), [&](std::size_t i) {
            const Vec3d v0 = start[i].xyz_double();
            set(i, v0 + ((1 - g) / g) * (solved(i) - v0) + others(i));
        });
    }
    solve_once(step, motion, thin ? step.dt : g * step.dt);
    parallel_each(pool.size(), [&](std::size_t i) {
        if (moves[i].w != 0) velocity[i] = float4(solved(i), velocity[i].w);
    });
}

void ImplicitViscosity::solve_once(StepContext& step, Column<Float4> motion, double seconds) {
    Pool& pool = step.particles;
    seconds_ = seconds;
    find_blocks(step, motion);
    const auto right = pool[residual_], first = pool[inverse_first_], second = pool[inverse_second_];
    const auto moves = pool[motion];
    const auto mass = pool[pool.mass];
    const double goal = tolerance_ * tolerance_ * parallel_sum(pool.size(), [&](std::size_t i) {
                            return inner(right[i], times(first[i], second[i], right[i]));
                        });
    const double floor = rounding * rounding *
                         parallel_sum(pool.size(), [&](std::size_t i) { return mass[i] * inner(moves[i], moves[i]); });
    const double enough = std::max(goal, floor), from_zero = goal / (tolerance_ * tolerance_);

    double error = start(step, motion);
    if (!(error < from_zero)) error = restart_at_zero(step);
    for (int round = 0; error > enough && round < at_most_; ++round) error = advance(step, error);
    if (!step.constrain) balance(step, motion); // a rigid body that is held takes up any momentum
}

// What is left of the residual adds up to a momentum that no pair force gave. The uniform velocity that takes it away:
// the sum over all rows of A has the masses and the walls on it, pairs cancel.
void ImplicitViscosity::balance(StepContext& step, Column<Float4> motion) {
    Pool& pool = step.particles;
    const auto change = pool[change_], residual = pool[residual_], moves = pool[motion];
    const auto first = pool[own_first_], second = pool[own_second_];
    struct Sums {
        Vec3d residual, weight;
    };
    const Sums sums = parallel_reduce(
        pool.size(), Sums{},
        [&](Range range) {
            Sums some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                if (moves[i].w == 0) continue;
                some.residual += residual[i].xyz_double();
                some.weight += Vec3d{first[i].x, first[i].w, second[i].y};
            }
            return some;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{a.residual + b.residual, a.weight + b.weight};
        });
    if (!(sums.weight.x > 0)) return;
    const Float4 shift =
        float4({sums.residual.x / sums.weight.x, sums.residual.y / sums.weight.y, sums.residual.z / sums.weight.z});
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& x = change[i];
        if (moves[i].w != 0) x = {x.x + shift.x, x.y + shift.y, x.z + shift.z, 0};
    });
}

// The change of the step before as first guess: r = b - A x, p = r / D. Returns r . p.
double ImplicitViscosity::start(StepContext& step, Column<Float4> motion) {
    Pool& pool = step.particles;
    const auto change = pool[change_], residual = pool[residual_], direction = pool[direction_], moves = pool[motion];
    if (step.constrain) step.constrain(FieldKind::change, change);
    parallel_each(pool.size(), [&](std::size_t i) {
        direction[i] = {change[i].x, change[i].y, change[i].z, moves[i].w};
    });
    product(step);
    const auto a_x = pool[product_];
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& r = residual[i];
        r = {r.x - a_x[i].x, r.y - a_x[i].y, r.z - a_x[i].z, 0};
    });
    return precondition(step, direction_);
}

double ImplicitViscosity::restart_at_zero(StepContext& step) {
    Pool& pool = step.particles;
    const auto change = pool[change_], residual = pool[residual_], a_x = pool[product_];
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& r = residual[i];
        r = {r.x + a_x[i].x, r.y + a_x[i].y, r.z + a_x[i].z, 0};
        change[i] = {};
    });
    return precondition(step, direction_);
}

// z <- C r with the inverse blocks as C; where particles move as one, C is the inverse of their common mass, so that
// everything that is made of z stays within what they can do. Returns r . z. Keeps w.
double ImplicitViscosity::precondition(StepContext& step, Column<Float4> to) {
    Pool& pool = step.particles;
    const auto residual = pool[residual_], z = pool[to];
    const auto first = pool[inverse_first_], second = pool[inverse_second_];
    const auto mass = pool[pool.mass];
    if (!step.constrain)
        return parallel_sum(pool.size(), [&](std::size_t i) {
            const float w = z[i].w;
            z[i] = times(first[i], second[i], residual[i]);
            z[i].w = w;
            return inner(residual[i], z[i]);
        });
    parallel_each(pool.size(), [&](std::size_t i) {
        const float w = z[i].w, s = 1 / mass[i];
        const Float4& r = residual[i];
        z[i] = step.is_solid(i) ? Float4{s * r.x, s * r.y, s * r.z, 0} : times(first[i], second[i], r);
        z[i].w = w;
    });
    step.constrain(FieldKind::change, z);
    return parallel_sum(pool.size(), [&](std::size_t i) { return inner(residual[i], z[i]); });
}

double ImplicitViscosity::product(const StepContext& step) {
    Pass pass(step, "viscosity product");
    return pass.reduce(implicit_product,
                       {.particles = pass.pairs(),
                        .kernel = step.scene.kernel,
                        .dt = static_cast<float>(seconds_),
                        .volume = pass.reads(step.particles.volume),
                        .own_first = pass.reads(own_first_),
                        .own_second = pass.reads(own_second_),
                        .direction = pass.reads(direction_),
                        .product = pass.writes(product_)},
                       std::plus<double>{});
}

// One step of conjugate gradients along the direction; returns the new r . r / D.
double ImplicitViscosity::advance(StepContext& step, double before) {
    Pool& pool = step.particles;
    const auto change = pool[change_], residual = pool[residual_], direction = pool[direction_], a_p = pool[product_];
    const float a = static_cast<float>(before / product(step));
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4 &x = change[i], &r = residual[i];
        const Float4& p = direction[i];
        x = {x.x + a * p.x, x.y + a * p.y, x.z + a * p.z, 0};
        r = {r.x - a * a_p[i].x, r.y - a * a_p[i].y, r.z - a * a_p[i].z, 0};
    });
    const double after = precondition(step, product_); // which is free again
    const float b = static_cast<float>(after / before);
    parallel_each(pool.size(), [&](std::size_t i) {
        const Float4& z = a_p[i];
        Float4& p = direction[i];
        p = {z.x + b * p.x, z.y + b * p.y, z.z + b * p.z, p.w};
    });
    return after;
}

} // namespace loam
