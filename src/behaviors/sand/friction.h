// The stress of sand that stops its shear, as far as the yield allows: spectral projected gradients, as pressures are
// found (src/pressure/relaxation.cpp).
//
//   s <- P(s + alpha D(v) / k)      P: onto the yield;  v = v* + dt push(s) / m;  k: stiffness dt
//
// Pressure and stress are found by turns: stress of the step before pushes before the pressure is solved for, and what
// has changed is found after it. At rest nothing changes any more, and velocities are free of both shear and
// compression.
#pragma once

#include <optional>

#include "behaviors/sand/stress.h"
#include "passes/context.h"
#include "passes/kept_gradients.h"

namespace loam {

class Pass;
struct SandPairs;

class SandFriction {
public:
    void declare(StepContext& step);
    Column<float> sand, grips, rub; // see passes.h: filled by who knows
    Column<float> yield;            // [Pa]
    Column<Float4> into_wall, wall_motion;
    Column<Float4> touch; // what touches a particle, see passes.h

    // Neighbors as they are in this step.
    void find_shape(StepContext& step);
    // Pressure and stress differ from particle to particle in patterns that push nothing when taken together, and that
    // grow. So the yield is that of the mean pressure around, and half of the stress becomes its mean.
    void find_means(StepContext& step);
    void smooth(StepContext& step);
    Column<float> mean_pressure; // [Pa]
    // velocity += dt push of the last stress, within the yield.
    void push_again(StepContext& step);
    // Changes stress and velocity so that shear stops; returns how many iterations it took.
    int stop_shear(StepContext& step);

    Stress stress(const Pool& pool, std::size_t i) const { return {pool[stress_.diagonal][i], pool[stress_.shear][i]}; }
    Column<Float4> inverse_x() const { return inverse_[0]; }

private:
    struct Columns2 { // of a Stress
        Column<Float4> diagonal, shear;
    };
    struct Sums {
        double error = 0, ss = 0, sy = 0, yy = 0;
    };
    SandPairs pairs(Pass& pass) const;
    static Stress get(const Pool& pool, const Columns2& of, std::size_t i) {
        return {pool[of.diagonal][i], pool[of.shear][i]};
    }
    static void put(Pool& pool, const Columns2& to, std::size_t i, const Stress& s) {
        pool[to.diagonal][i] = s.diagonal, pool[to.shear][i] = s.shear;
    }
    void bound(StepContext& step);                         // the stress by the yield
    void find_push(StepContext& step, const Columns2& of); // change of velocity by it
    Sums find_strain(StepContext& step);
    double usual_shear(const StepContext& step) const;
    void advance(StepContext& step, float length);

    static constexpr double tolerance = 0.005; // shear that is left, of what gravity brings in a step
    static constexpr int at_most = 20;

    Columns2 stress_, applied_, change_, before_, strain_, strain_before_;
    Column<Float4> inverse_[3], weighted_[3]; // B^-T; V s B^-T
    Column<Float4> push_, moving_;            // moving: velocity with the push; w: V where it counts
    std::optional<GradientStore> kept_;
    Column<float> stiffness_, bearing_, specific_volume_;
};

} // namespace loam
