// The motion of a law's particles within a step: gathered from the pool into the order of slots, moved on by an
// integrator in as many substeps as its stiffness needs, handed back as velocities.
//
// The step itself moves every particle by velocity * dt. So what is handed back is the mean velocity of the step, which
// brings particles to where the substeps ended and is what pressure and contacts have to see; the rest, the velocity at
// the end minus the mean, is added once they have moved. With one substep of symplectic Euler the two are the same.
#pragma once

#include <functional>
#include <span>

#include "behaviors/sheets/slots.h"

namespace loam {

enum class ExplicitMethod { symplectic, verlet, rk4 };
// Runge and Kutta's methods that know their error: a substep beside two of half its length (fourth order), or
// Fehlberg's six stages of fourth and fifth order.
enum class AdaptiveMethod { doubling, fehlberg };

class SlotMotion {
public:
    using Places = std::vector<Float4>;
    // Accelerations by the law's forces of particles at these places with these velocities.
    using Law = std::function<void(const Places& places, const Places& velocities, Places& accelerations)>;

    Slots slots;
    Places place;    // w: weight of the law, 0 to 1
    Places velocity; // w: 1 / mass, 0 for particles that are held
    Places external; // accelerations by all else in this step; w: 0

    std::vector<Vec3d> exact;                      // where particles are at the start of the step, in full precision
    const Places& moved() const { return moved_; } // since then

    void gather(const StepContext& step, const Numbers& weight);
    // From the velocities before the step's kick, which is dealt out over the substeps.
    void integrate(double seconds, int substeps, ExplicitMethod method, const Law& law);
    // In substeps as long as an error below `tolerance` [m] in each allows; `usual`: a substep to begin with. Says how
    // many it took.
    int integrate(double seconds, double usual, double tolerance, AdaptiveMethod method, const Law& law);
    // After an implicit solve for the change of velocity over the step.
    void take(const std::vector<Float4>& change, double seconds);
    // After a solve for the change of velocity that comes with the end of the step.
    void slow(const std::vector<Float4>& change);
    void hand_back(StepContext& step);
    void after_motion(StepContext& step);
    // What the next step has to know of this one; restore() says whether it fits, once slots have their number.
    std::vector<double> save() const;
    bool restore(const std::vector<double>& saved);
    // What acts from outside, drag too, is held over a step. It must not come too late for the swings that it damps.
    TimeStepLimit limit_by_load(const StepContext& step) const;

private:
    void kick(float seconds, const Law& law);
    void substep_rk4(float h, const Law& law);
    void substep_fehlberg(float h, const Law& law);
    void find_stage(std::size_t k, float h, std::span<const float> shares, const Law& law);
    void move(float seconds, const Places& velocities);
    // A substep, and its error [m].
    double try_substep(float h, AdaptiveMethod method, const Law& law);
    void begin_smoothly(double seconds); // takes the step's kick back, and gravity up in time

    Places start_;          // places at the beginning of the step
    Places moved_;          // since then: what rounding of places must not touch
    Places late_;           // velocity at the end of the step minus its mean
    Places gravity_, lack_; // see step/motion.h
    Places acceleration_;
    Places stage_place_, stage_velocity_[6], stage_acceleration_[6]; // of Runge and Kutta
    Places error_;                                                   // of places, in the last substep
};

} // namespace loam
