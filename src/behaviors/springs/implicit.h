// Implicit integration of springs: the change of velocity over a step from a linear system.
//
//   (M + h C + h^2 K) dv = h (f - h K v)        Bayraktar 2013, eq. 5.37 (Baraff and Witkin 1998)
//
//   M masses, K and C stiffness and damping of the springs at the start of the step, h the step, f forces, v velocities
//
// Damping alone, after a step by another method:  (M + h C) dv = -h C v.
//
//   C = 2 z / w K along the springs       z damping as a fraction of critical, w the body's slowest stretching [1/s]
#pragma once

#include <vector>

#include "behaviors/sheets/motion.h"
#include "behaviors/springs/network.h"

namespace loam {

// By conjugate gradients on the exact K (without what would make it indefinite), the diagonal as preconditioner.
class ImplicitSprings {
public:
    explicit ImplicitSprings(double tolerance) : tolerance_(tolerance) {}
    struct Step {
        double seconds = 0;
        double damping_time = 0; // 2 / w
        bool damping_only = false;
    };
    const std::vector<Float4>& solve(const SpringNetwork& network, const SlotMotion& motion, const Step& step,
                                     InstructionSet isa);
    int iterations() const { return iterations_; } // of the last solve

private:
    void make_blocks(const SpringNetwork& network, const SlotMotion& motion, const Step& step, InstructionSet isa);

    double tolerance_;
    int iterations_ = 0;
    std::vector<float> nx_, ny_, nz_, across_, along_;
    SpringBlocks blocks_{};
    std::vector<Float4> residual_, diagonal_, direction_, product_, change_, smooth_;
};

} // namespace loam
