// The potentials in pores at the end of a step, so that what flows by them is what the pores then hold: no step is too
// long for that.
//
//   a_i = room_i S_i(u_i) + dt sum_j c_ij (u_i - u_j + head_ij) + dt e_i max(0, u_i + air_head_i)
//         + dt^2 sum_j b_ij (p_i - p_j)
//
//   a     content before the step [m^3]          c  conductance times mobility of the giver before the step
//   b     how the body gives way to pressure (network.h), where pores get too small for what they hold: room_i is that
//         at the end of the next step if nothing pushed
//   e     conductance to the air                 S  saturation (pores.h); free fluid has the pressure of its solver
//
// S never falls with u and c is symmetric, so u is the minimum of a convex function: Newton's method, each step by
// conjugate gradients, shortened where it would lead away. (Casulli & Zanolli 2010 for such equations of soil.)
#pragma once

#include <vector>

#include "behaviors/porous/network.h"

namespace loam {

class PorousSolve {
public:
    struct System {
        const PorousNetwork& network;
        const PorousMaterials& materials;
        const std::vector<double>& content; // by node
        double dt = 0;
        bool yields = false; // some bodies deform
    };
    // `potential`, by node: a guess for pores, and what free fluid has; gets the solution.
    void run(const System& system, std::vector<double>& potential);

    // What the solution moves in the step, by edge and node [m^3].
    double flow(std::size_t at, std::size_t node, const PorousEdge& edge, const std::vector<double>& potential) const {
        return conductance_[at] * ((potential[node] - potential[edge.other]) + edge.head);
    }
    double seeping(const PorousNode& node, std::size_t index, const std::vector<double>& potential) const {
        return air_[index] * std::max(0.0, potential[index] + node.air_head);
    }
    int iterations() const { return iterations_; } // of conjugate gradients, in the last step

private:
    void find_yielding(const System& system, const std::vector<double>& potential);
    void find_conductances(const System& system, const std::vector<double>& potential);
    double find_residual(const System& system, const std::vector<double>& potential);
    void find_matrix(const System& system);
    void find_change(const System& system);

    std::vector<double> mobility_;                  // by node
    std::vector<double> conductance_;               // by edge, times mobility and dt
    std::vector<double> air_;                       // by node, the same
    bool yields_ = false;                           // some body does
    std::vector<std::uint8_t> full_;                // by node: it is pushed apart
    std::vector<double> yielding_, yielding_alone_; // by edge, between such; by node, to what is not: b dt^2
    struct Term {
        std::uint32_t other = 0;
        float amount = 0;
    };
    std::vector<Term> matrix_; // by edge, those of a node first
    std::vector<std::size_t> matrix_ends_;
    std::vector<double> residual_, diagonal_, change_, direction_, product_, left_, tried_;
    int iterations_ = 0;
};

} // namespace loam
