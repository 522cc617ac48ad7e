// What can be weighed and summed: volume, mass, momentum, energies and bounds, per body and in all.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/mat3.h"
#include "base/result.h"
#include "cache/frame.h"
#include "scene/scene.h"

namespace loam {

struct Measure {
    std::size_t particles = 0;
    double volume = 0;           // at rest [m^3], in 2D area [m^2]; layers count as one spacing thick
    double mass = 0;             // [kg]
    Vec3d momentum;              // [kg m/s]
    double kinetic_energy = 0;   // [J]
    double potential_energy = 0; // [J], 0 at the origin
    double elastic_energy = 0;   // [J], where that is known
    bool elastic_known = false;
    double resting_mass = 0; // [kg] of sand that rests, where something may
    bool may_rest = false;
    double top_speed = 0;           // [m/s]
    double largest_compression = 0; // the largest volume error: how far a density is above that at rest, as a fraction
    Bounds bounds;                  // of the particles' centers [m]
    Vec3d mass_place;               // sum of mass times place [kg m]
    Vec3d angular_momentum;         // about the origin [kg m^2/s]
    Mat3 mass_spread{};             // sum of mass times the product of place and place [kg m^2]

    double resting_share() const { return mass > 0 ? resting_mass / mass : 0; }
    Vec3d center() const { return mass > 0 ? mass_place / mass : Vec3d{}; } // of mass [m]
    Vec3d spin() const; // the angular velocity of a rigid body with this angular momentum about its center [rad/s]

    bool finite() const;
    void add(const Measure& other);
};

struct Measures {
    std::vector<Measure> bodies; // as many as asked for
    Measure total;
};

// Needs the columns position, velocity, mass and body; uses volume, density, elastic_energy and resting
// where they are there. `gravity` is by body. The sums are the same for any number of threads.
Result<Measures> measure(const Columns& columns, const FrameHeader& header, const std::vector<Vec3d>& gravity);

} // namespace loam
