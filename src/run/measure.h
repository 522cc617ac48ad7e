// What can be weighed and summed: volume, mass, momentum, energies and bounds, per body and in all.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/vec.h"
#include "cache/frame.h"

namespace loam {

struct Scene;

struct Measure {
    std::size_t particles = 0;
    double volume = 0;              // at rest [m^3], in 2D area [m^2]; layers count as one spacing thick
    double mass = 0;                // [kg]
    Vec3d momentum;                 // [kg m/s]
    double kinetic_energy = 0;      // [J]
    double potential_energy = 0;    // [J], 0 at the origin
    double top_speed = 0;           // [m/s]
    double largest_compression = 0; // the largest volume error: how far a density is above that at rest, as a fraction
    Bounds bounds;                  // of the particles' centers [m]

    bool finite() const;
    void add(const Measure& other);
};

struct Measures {
    std::vector<Measure> bodies; // as many as asked for
    Measure total;
};

// Needs the columns position, velocity, mass and body; uses volume and density where they are there. `gravity` is by
// body. The sums are the same for any number of threads.
Result<Measures> measure(const Columns& columns, const FrameHeader& header, const std::vector<Vec3d>& gravity);

// The acceleration that the scene's gravity gives to each of its bodies at a time. A weight that is keyed over
// particles counts as that of its first key.
std::vector<Vec3d> gravity_by_body(const Scene& scene, double time);

} // namespace loam
