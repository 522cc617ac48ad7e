// Who pushes whom, by momentum: what a body gains in a step beyond what acts from outside (gravity, wind, emitters) is
// what it is pushed by others. What is fixed (walls, bodies that are held or pinned) gains nothing, but takes up
// whatever all that is free has been given: so the sum of forces on it is exact, whichever laws have pushed.
//
// Several fixed things share that sum by loads.h.
#pragma once

#include "step/laws.h"

namespace loam {

class MomentumBalance : public Laws::Auditor {
public:
    explicit MomentumBalance(const StepContext& step) : step_(step) {}

    void begin();           // of a step
    void no_forces();       // accelerations begin from nothing
    void kicked(double dt); // velocities have taken up the accelerations for so long
    void end();             // of the step, before births

    // Of laws that push from outside.
    void before(const Law& law, const Act& act) override;
    void after(const Law& law, const Act& act) override;

    // By body of the scene, walls too: by all that touches it, the mean over the last step [N].
    const std::vector<Vec3d>& forces() const { return forces_; }

private:
    std::vector<Vec3d> momentum() const;              // with what velocities have not taken up yet (motion.h)
    std::vector<Vec3d> sums(Column<Float4> of) const; // of mass times the column, by body

    const StepContext& step_;
    std::vector<Vec3d> at_begin_;     // momentum
    std::vector<Vec3d> before_;       // the law that acts now
    std::vector<Vec3d> pull_, given_; // from outside: force of now, impulse in this step
    std::vector<Vec3d> forces_;
};

} // namespace loam
