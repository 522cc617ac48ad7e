// What pores do to the water in them: how much of it they hold at which potential, and how easily it moves.
//
//   u  potential [Pa]: the pore pressure p where pores are full, minus the capillary suction psi where they are not
//
//   u >= 0   S = 1 + u / B             full; B: stiffness of water, so large that S is 1
//   u <  0   psi(S) = -u               power:     psi = k (1 - S)^a                         Lenaerts 2009 eq. 6.3
//                                      leverett:  psi = s J(S) / sqrt(K / phi)              Bayraktar 2010 eq. 3.31
//                                                 J = 1.417 x - 2.120 x^2 + 1.263 x^3, x = 1 - S       eq. 3.32
//
//   S  saturation [-]   K  permeability [m^2]   phi  porosity [-]   k  strength [Pa]   s  tension [N/m]
//
// So one number says both, and S(u) never falls: "the content is at most phi V" and "pressure only pushes" (p >= 0) are
// the same curve. d psi / d S has no bound at S = 1, dS/du has.
#pragma once

#include <cmath>

#include "base/declaration.h"

namespace loam {

class Pores {
public:
    static Pores of(const Values& values); // of the behavior `porous`

    struct Filling {
        double saturation = 0, slope = 0; // dS/du [1/Pa]
    };
    // Below the suction of dry pores it goes on as a straight line, below 0: what is solved for finds its way back.
    // `fineness`: of a part whose pores suck so many times as hard.
    Filling at(double potential, double fineness = 1) const;
    double potential(double saturation, double fineness = 1) const;
    // Of a part that lets so many times as much through: finer pores suck harder (Leverett 1941), by the other model
    // not.
    double fineness(double easier) const { return model_ == Model::leverett ? 1 / std::sqrt(easier) : 1; }
    double strongest() const { return strength_; } // suction, of dry pores
    // Lenaerts eq. 6.8: of what could flow, a share S^filling does. Pores are filled before they pass water on.
    double mobility(double saturation) const;

    // How long water takes into dry pores up to a depth [m] (Washburn 1921). What is not full yet lets little pass, so
    // only a part of the suction draws: the sum of mobility over it.
    double soaking_time(double depth) const;
    // And out of full ones of a height by its own weight [Pa/m]; infinite where suction carries the whole height.
    double draining_time(double height, double weight) const;
    double conductivity() const { return permeability / viscosity; } // [m^2/(Pa s)]

    double porosity = 0.5;
    double permeability = 0; // [m^2]
    Vec3d axes{1, 1, 1};     // along x, y, z: as a multiple of it
    double viscosity = 1e-3; // of what flows [Pa s]
    double filling = 0;

private:
    enum class Model { power, leverett };
    Model model_ = Model::power;
    double strength_ = 0; // psi of dry pores [Pa]
    double exponent_ = 0;
};

} // namespace loam
