// Implicit integration with a matrix that does not change: K is taken as the springs' stiffnesses alone, as if each
// pulled back its ends from wherever they are (Desbrun, Schroeder and Barr 1999). Two ways to use it:
//
//   filter   dv = (M + h^2 K)^-1 h f~          eq. 5.39 of Bayraktar 2013: the inverse is prepared once, as a band
//                                              factor; prepared again only when the step has changed by much
//   kang     eq. 5.45 (Kang et al. 2001): one step of Jacobi instead of the inverse
//
// with f~ = f + h sum k_ij (v_j - v_i), eq. 5.38. What both approximations do to the momentum and the angular momentum
// of a free body is taken out again.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "behaviors/sheets/motion.h"
#include "behaviors/springs/network.h"

namespace loam {

// A positive definite matrix as a band, factored by Cholesky.
class BandFactor {
public:
    // `order[s]`: place of slot s in the band.
    BandFactor(const SpringNetwork& network, std::span<const Float4> velocity, double h);
    void solve(std::vector<Float4>& right_side) const;

    static std::size_t bytes(const SpringNetwork& network);

private:
    double& at(std::size_t row, std::size_t column) { return band_[row * (width_ + 1) + width_ + column - row]; }
    double at(std::size_t row, std::size_t column) const { return band_[row * (width_ + 1) + width_ + column - row]; }

    std::vector<std::uint32_t> order_;
    std::size_t width_ = 0;
    std::vector<double> band_;
};

class FilteredSprings {
public:
    const std::vector<Float4>& solve(const SpringNetwork& network, const SlotMotion& motion, double h,
                                     InstructionSet isa);
    void forget() { factor_.clear(); } // springs have broken

private:
    std::vector<BandFactor> factor_; // none or one
    double step_ = 0;
    std::vector<Float4> change_, held_;
};

class KangSprings {
public:
    const std::vector<Float4>& solve(const SpringNetwork& network, const SlotMotion& motion, double h,
                                     InstructionSet isa);

private:
    std::vector<Float4> impulse_, first_, change_;
};

} // namespace loam
