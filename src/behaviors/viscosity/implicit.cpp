#include "behaviors/viscosity/implicit.h"

#include "base/reductions.h"

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

void ImplicitViscosity::solve(StepContext& step, const ViscosityArgs& law) {
    Pool& pool = step.particles;
    const ImplicitArgs args{law,
                            static_cast<float>(step.dt),
                            pool[own_first_].data(),
                            pool[own_second_].data(),
                            pool[inverse_first_].data(),
                            pool[inverse_second_].data(),
                            pool[residual_].data()};
    auto* const blocks = implicit_blocks.on(step.scene.isa);
    parallel_ranges(pool.size(), [&](Range range) { blocks(args, range); });

    const auto right = pool[residual_];
    const double goal = tolerance_ * tolerance_ * parallel_sum(pool.size(), [&](std::size_t i) {
                            return inner(right[i], times(args.inverse_first[i], args.inverse_second[i], right[i]));
                        });
    const double floor = rounding * rounding * parallel_sum(pool.size(), [&](std::size_t i) {
                             return law.mass[i] * inner(law.motion[i], law.motion[i]);
                         });
    const double enough = std::max(goal, floor), from_zero = goal / (tolerance_ * tolerance_);

    double error = start(step, args);
    if (!(error < from_zero)) error = restart_at_zero(step, args);
    for (iterations_ = 0; error > enough && iterations_ < at_most_; ++iterations_) error = advance(step, args, error);

    if (!step.constrain) balance(step, args); // a rigid body that is held takes up any momentum
    const auto velocity = pool[pool.velocity], change = pool[change_];
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& v = velocity[i];
        v = {v.x + change[i].x, v.y + change[i].y, v.z + change[i].z, v.w};
    });
}

// What is left of the residual adds up to a momentum that no pair force gave. The uniform velocity that takes it away:
// the sum over all rows of A has the masses and the walls on it, pairs cancel.
void ImplicitViscosity::balance(StepContext& step, const ImplicitArgs& args) {
    Pool& pool = step.particles;
    const auto change = pool[change_], residual = pool[residual_];
    struct Sums {
        Vec3d residual, weight;
    };
    const Sums sums = parallel_reduce(
        pool.size(), Sums{},
        [&](Range range) {
            Sums some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                if (args.law.motion[i].w == 0) continue;
                some.residual += residual[i].xyz_double();
                some.weight += Vec3d{args.own_first[i].x, args.own_first[i].w, args.own_second[i].y};
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
        if (args.law.motion[i].w != 0) x = {x.x + shift.x, x.y + shift.y, x.z + shift.z, 0};
    });
}

// The change of the step before as first guess: r = b - A x, p = r / D. Returns r . p.
double ImplicitViscosity::start(StepContext& step, const ImplicitArgs& args) {
    Pool& pool = step.particles;
    const auto change = pool[change_], residual = pool[residual_], direction = pool[direction_];
    if (step.constrain) step.constrain(FieldKind::change, change);
    parallel_each(pool.size(), [&](std::size_t i) {
        direction[i] = {change[i].x, change[i].y, change[i].z, args.law.motion[i].w};
    });
    product(step, args);
    const auto a_x = pool[product_];
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& r = residual[i];
        r = {r.x - a_x[i].x, r.y - a_x[i].y, r.z - a_x[i].z, 0};
    });
    return precondition(step, args, direction_);
}

double ImplicitViscosity::restart_at_zero(StepContext& step, const ImplicitArgs& args) {
    Pool& pool = step.particles;
    const auto change = pool[change_], residual = pool[residual_], a_x = pool[product_];
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& r = residual[i];
        r = {r.x + a_x[i].x, r.y + a_x[i].y, r.z + a_x[i].z, 0};
        change[i] = {};
    });
    return precondition(step, args, direction_);
}

// z <- C r with the inverse blocks as C; where particles move as one, C is the inverse of their common mass, so that
// everything that is made of z stays within what they can do. Returns r . z. Keeps w.
double ImplicitViscosity::precondition(StepContext& step, const ImplicitArgs& args, Column<Float4> to) {
    Pool& pool = step.particles;
    const auto residual = pool[residual_], z = pool[to];
    if (!step.constrain)
        return parallel_sum(pool.size(), [&](std::size_t i) {
            const float w = z[i].w;
            z[i] = times(args.inverse_first[i], args.inverse_second[i], residual[i]);
            z[i].w = w;
            return inner(residual[i], z[i]);
        });
    parallel_each(pool.size(), [&](std::size_t i) {
        const float w = z[i].w, s = 1 / args.law.mass[i];
        const Float4& r = residual[i];
        z[i] = step.is_solid(i) ? Float4{s * r.x, s * r.y, s * r.z, 0}
                                : times(args.inverse_first[i], args.inverse_second[i], r);
        z[i].w = w;
    });
    step.constrain(FieldKind::change, z);
    return parallel_sum(pool.size(), [&](std::size_t i) { return inner(residual[i], z[i]); });
}

double ImplicitViscosity::product(StepContext& step, const ImplicitArgs& args) {
    Pool& pool = step.particles;
    auto* const function = implicit_product.on(step.scene.isa);
    const Float4* direction = pool[direction_].data();
    Float4* to = pool[product_].data();
    return parallel_reduce(
        pool.size(), 0.0, [&](Range range) { return function(args, direction, to, range); },
        [](double a, double b) { return a + b; });
}

// One step of conjugate gradients along the direction; returns the new r . r / D.
double ImplicitViscosity::advance(StepContext& step, const ImplicitArgs& args, double before) {
    Pool& pool = step.particles;
    const auto change = pool[change_], residual = pool[residual_], direction = pool[direction_], a_p = pool[product_];
    const float a = static_cast<float>(before / product(step, args));
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4 &x = change[i], &r = residual[i];
        const Float4& p = direction[i];
        x = {x.x + a * p.x, x.y + a * p.y, x.z + a * p.z, 0};
        r = {r.x - a * a_p[i].x, r.y - a * a_p[i].y, r.z - a * a_p[i].z, 0};
    });
    const double after = precondition(step, args, product_); // which is free again
    const float b = static_cast<float>(after / before);
    parallel_each(pool.size(), [&](std::size_t i) {
        const Float4& z = a_p[i];
        Float4& p = direction[i];
        p = {z.x + b * p.x, z.y + b * p.y, z.z + b * p.z, p.w};
    });
    return after;
}

} // namespace loam
