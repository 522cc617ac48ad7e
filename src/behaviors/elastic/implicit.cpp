#include "behaviors/elastic/implicit.h"

#include "base/reductions.h"
#include "neighbors/list.h"
#include "passes/pass.h"

namespace loam {
namespace {

// The residual, as a velocity, may be this part of the change: no eigenvalue of the system is below 1, so the error of
// the change is not more. The right side is no measure: water that has pushed at the surface makes it huge.
constexpr double tolerance = 1e-3;
constexpr double answer_tolerance = 0.01; // of a push: what is left over is borne in the next step
constexpr double rounding = 1e-6;         // of the right side; nothing below it can be solved for
constexpr int at_most = 1000;

double inner(const Float4& a, const Float4& b) {
    return static_cast<double>(a.x) * b.x + static_cast<double>(a.y) * b.y + static_cast<double>(a.z) * b.z;
}

} // namespace

void ElasticSolve::make_room(std::size_t count) {
    const std::size_t padded = count + list_padding;
    if (change_.size() == padded) return;
    for (std::vector<Float4>* values : {&change_, &residual_, &direction_, &product_, &moved_, &moving_, &force_})
        values->assign(padded, {});
    for (std::vector<Float4>* rows : {&gradient_, &stress_}) rows->assign(3 * padded, {});
    fixed_.assign(padded, 1);
}

std::vector<Float4>& ElasticSolve::guess(std::size_t count) {
    make_room(count);
    return change_;
}

void ElasticSolve::response(InstructionSet isa, const System& system, const std::vector<Float4>& of) {
    const std::size_t count = fixed_.size() - list_padding;
    const float dt = system.dt;
    parallel_each(count, [&](std::size_t s) {
        moved_[s] = {dt * of[s].x, dt * of[s].y, dt * of[s].z, 0};
        moving_[s] = {of[s].x, of[s].y, of[s].z, system.viscosity[s]};
    });
    ElasticArgs args = system.args;
    args.displacement = moved_.data();
    args.gradient = gradient_.data(), args.stress = stress_.data(), args.force = force_.data();
    run_on_slots(isa, elastic_gradient, args, count);
    run_on_slots(isa, elastic_stress_change, args, count);
    run_on_slots(isa, elastic_force, args, count);
    if (!system.damped) return;
    args.displacement = system.args.displacement, args.velocity = moving_.data();
    run_on_slots(isa, elastic_damping, args, count);
}

// product = (1 - s dt^2 K - s dt D) direction, over s: symmetric
void ElasticSolve::product(InstructionSet isa, const System& system) {
    response(isa, system, direction_);
    parallel_each(fixed_.size() - list_padding, [&](std::size_t s) {
        const float mass = fixed_[s] ? 0 : 1 / system.specific_volume[s], dt = fixed_[s] ? 0 : system.dt;
        const Float4 &p = direction_[s], &f = force_[s];
        product_[s] = {mass * p.x - dt * f.x, mass * p.y - dt * f.y, mass * p.z - dt * f.z, 0};
    });
}

Float4 ElasticSolve::scaled_residual(const System& system, std::size_t s) const {
    const float v = fixed_[s] ? 0 : system.specific_volume[s];
    const Float4& r = residual_[s];
    return {v * r.x, v * r.y, v * r.z, 0};
}

// Sets the residual to the right side, dt (f + dt K v), and returns its size; damping is in f already, as it is at v.
double ElasticSolve::right_side(InstructionSet isa, const System& system) {
    System elastic_only = system;
    elastic_only.damped = false;
    response(isa, elastic_only, system.velocity);
    const float dt = system.dt;
    return parallel_sum(fixed_.size() - list_padding, [&](std::size_t s) {
        const Float4 &f = system.args.force[s], &k = force_[s];
        residual_[s] = fixed_[s] ? Float4{} : Float4{dt * (f.x + k.x), dt * (f.y + k.y), dt * (f.z + k.z), 0};
        return inner(residual_[s], scaled_residual(system, s));
    });
}

// Takes the impulses of the step before as a first guess where that is better than none: a body that rests under a load
// needs the same ones again and again. Returns the size of the residual.
double ElasticSolve::first_guess(InstructionSet isa, const System& system, double from_zero) {
    const std::size_t count = fixed_.size() - list_padding;
    const float scale = dt_before_ > 0 ? system.dt / dt_before_ : 0;
    parallel_each(count, [&](std::size_t s) {
        const float c = fixed_[s] ? 0 : scale;
        direction_[s] = {c * change_[s].x, c * change_[s].y, c * change_[s].z, 0};
    });
    product(isa, system);
    const auto add = [&](float sign) {
        return parallel_sum(count, [&](std::size_t s) {
            const Float4& p = product_[s];
            Float4& r = residual_[s];
            r = {r.x + sign * p.x, r.y + sign * p.y, r.z + sign * p.z, 0};
            return inner(r, scaled_residual(system, s));
        });
    };
    double error = add(-1);
    const bool better = error < from_zero;
    if (!better) error = add(1);
    parallel_each(count, [&](std::size_t s) {
        change_[s] = better ? direction_[s] : Float4{};
        direction_[s] = scaled_residual(system, s);
    });
    dt_before_ = system.dt;
    return error;
}

void ElasticSolve::run(InstructionSet isa, const System& system, std::size_t count,
                       const std::function<bool(std::size_t)>& fixed) {
    make_room(count);
    parallel_each(count, [&](std::size_t s) { fixed_[s] = fixed(s); });
    const double from_zero = right_side(isa, system);
    iterate(isa, system, rounding * rounding * from_zero, first_guess(isa, system, from_zero));
}

void ElasticSolve::answer(InstructionSet isa, const System& system, std::size_t count,
                          const std::function<bool(std::size_t)>& fixed, const std::vector<Float4>& push) {
    make_room(count);
    dt_before_ = system.dt;
    const double from_zero = parallel_sum(count, [&](std::size_t s) {
        fixed_[s] = fixed(s);
        const float mass = fixed_[s] ? 0 : 1 / system.specific_volume[s];
        residual_[s] = {mass * push[s].x, mass * push[s].y, mass * push[s].z, 0};
        return inner(residual_[s], scaled_residual(system, s));
    });
    iterations_ = 0;
    if (from_zero > 0)
        iterate(isa, system, answer_tolerance * answer_tolerance * from_zero, first_guess(isa, system, from_zero));
    else
        parallel_each(count, [&](std::size_t s) { change_[s] = {}; });
}

void ElasticSolve::iterate(InstructionSet isa, const System& system, double least, double error) {
    const std::size_t count = fixed_.size() - list_padding;
    const auto enough = [&] {
        const double change = parallel_sum(count, [&](std::size_t s) {
            return fixed_[s] ? 0 : inner(change_[s], change_[s]) / system.specific_volume[s];
        });
        return std::max(least, tolerance * tolerance * change);
    };
    for (iterations_ = 0; error > enough() && iterations_ < at_most; ++iterations_) {
        product(isa, system);
        const double along = parallel_sum(count, [&](std::size_t s) { return inner(direction_[s], product_[s]); });
        if (!(along > 0)) break;
        const float a = static_cast<float>(error / along);
        const double after = parallel_sum(count, [&](std::size_t s) {
            Float4 &x = change_[s], &r = residual_[s];
            const Float4 &p = direction_[s], &q = product_[s];
            x = {x.x + a * p.x, x.y + a * p.y, x.z + a * p.z, 0};
            r = {r.x - a * q.x, r.y - a * q.y, r.z - a * q.z, 0};
            return inner(r, scaled_residual(system, s));
        });
        const float b = static_cast<float>(after / error);
        error = after;
        parallel_each(count, [&](std::size_t s) {
            const Float4 z = scaled_residual(system, s);
            Float4& p = direction_[s];
            p = {z.x + b * p.x, z.y + b * p.y, z.z + b * p.z, 0};
        });
    }
}

} // namespace loam
