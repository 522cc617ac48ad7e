// Backward Euler for stiff shells: their slow bending, in steps of hundreds of those that their waves would need.
//
//   (M + h^2 (K + G) + h T K) dv = h f - (h^2 (K + G) + h T K) v
//
//   K stiffness as rates see it, G that by tension, at the start of the step; h the step, T damping [s], f forces, v
//   velocities
//
// Damping alone:  (M + h T K) dv = -h T K v.
//
// The matrix is a band, as points stand along the layer, and is factored in every step (Cholesky): conjugate gradients
// take as many iterations for bending as there are points along the layer, squared.
#pragma once

#include <span>
#include <vector>

#include "behaviors/shell/plate.h"

namespace loam {

class PlateSolve {
public:
    PlateSolve() = default;
    PlateSolve(std::span<const Vec3d> reference, Plate& plate);

    double multiplications() const; // of a factorization
    // The change of the velocities v of points at x; per_mass is 0 for those that are held.
    struct Step {
        double seconds = 0, damping = 0; // h, T
        bool damping_only = false;       // after explicit steps
    };
    const std::vector<Vec3d>& change(Plate& plate, std::span<const Vec3d> x, std::span<const Vec3d> v,
                                     std::span<const double> per_mass, const Step& step);

private:
    double& at(std::size_t row, std::size_t column) { return band_[row * (width_ + 1) + width_ + column - row]; }
    void factor();
    void substitute(std::vector<double>& x) const;

    std::vector<std::uint32_t> order_; // place of a point in the band
    std::size_t width_ = 0;            // beside the diagonal
    std::vector<double> band_, right_;
    std::vector<Vec3d> change_, forces_, none_;
};

} // namespace loam
