// Inner friction of a shell: stress in proportion to the rates of strain and curvature, as in a Kelvin-Voigt solid.
//
//   (M + dt T K) v' = M v        T damping [s], K the stiffness as it is seen by rates (Plate::resistance)
//
// By conjugate gradients: a swing of period P loses the share 2 pi^2 T / P of its height each time, and explicit steps
// would have to be as short as the stiffest triangle needs. Every product with K keeps momentum and angular momentum,
// so what is left of the solve does too.
#pragma once

#include <span>
#include <vector>

#include "behaviors/shell/plate.h"

namespace loam {

class PlateDamping {
public:
    // Changes the velocities v of points at x; per_mass is 0 for those that are held. seconds2 is dt T.
    void slow(Plate& plate, std::span<const Vec3d> x, std::span<Vec3d> v, std::span<const double> per_mass,
              double seconds2);

private:
    std::vector<Vec3d> residual_, direction_, product_;
};

} // namespace loam
