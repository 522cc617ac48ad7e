// What an elastic body is made of: its properties by body, and what follows from them.
#pragma once

#include <limits>
#include <vector>

#include "behaviors/behavior.h"

namespace loam {

enum class Integration { automatic, explicit_, implicit };

struct ElasticMaterial {
    bool used = false; // the body has the behavior at all
    double density = 0;
    double young = 0, poisson = 0;
    double lambda = 0, mu = 0; // Lame's constants
    double zero_energy = 0;    // resistance to what the deformation gradient does not see, as a part of E
    double damping = 0;        // viscosity over Young's modulus [s]
    double yield = std::numeric_limits<double>::infinity();
    double hardening = 0, creep = 0;
    double strength = std::numeric_limits<double>::infinity();
    double friction = 0, restitution = 0; // where it touches
    bool shown = false;                   // frames carry its stresses
    Integration integration = Integration::automatic;

    double wave_speed() const { return std::sqrt((lambda + 2 * mu) / density); }
    bool flows() const { return used && (std::isfinite(yield) || creep > 0); }
    bool breaks() const { return used && std::isfinite(strength); }
};

// By body.
std::vector<ElasticMaterial> elastic_materials(const BodyValues& all);
Declaration elastic_declaration();

} // namespace loam
