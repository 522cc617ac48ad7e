// What gives heat to particles from outside: walls with a temperature, air, heaters.
#pragma once

#include "behaviors/behavior.h"

namespace loam {

// What a particle gets: power + conductance (temperature - its own).
struct Supply {
    double power = 0;       // [W]
    double conductance = 0; // [W/K]
    double driven = 0;      // conductance times the temperatures that it leads to [W]
    double held_at = 0;     // [K]; above 0: it has this temperature

    void lead_to(double temperature, double by) { conductance += by, driven += by * temperature; }
};

// Through a wall whose surface has a temperature flows what a fluid behind it would conduct that goes on as in a
// mirror:
//
//   2 k V_i Gamma(d) / d (T_wall - T_i)        Gamma(d) = -d/dd of what the kernel has behind a plane at the distance d
//
// so a temperature that grows evenly from the wall on makes the flux that it should, and the temperature of the wall is
// that of its surface, not of the first particle.
class HeatedWalls {
public:
    void prepare(const StepContext& step);
    bool any() const { return !heated_.empty(); }
    void begin(const StepContext& step); // of this step: temperatures

    // `conductance`: of the particle's material times its volume [W m^2 / K].
    void add(const StepContext& step, std::size_t i, double conductance, Supply& supply) const;

private:
    struct Heated {
        std::size_t wall; // in Walls::bodies
        double temperature = 0;
    };
    double gamma(double distance) const; // scaled so that the layers of a lattice at rest give the flux exactly [1/m]
    std::vector<Heated> heated_;
    std::vector<std::uint8_t> is_heated_; // by body of the scene
    std::vector<double> table_;
    double support_ = 0, spacing_ = 0;
};

class Heaters {
public:
    bool any(const StepContext& step) const { return !step.scene.heaters.empty(); }
    void begin(const StepContext& step, const std::vector<std::uint8_t>& takes_heat); // by body
    void add(const StepContext& step, std::size_t i, Supply& supply) const;

private:
    struct On {
        const HeaterFacts* heater;
        Pose pose;
        double power_per_volume = 0, temperature = 0;
        bool has(const Vec3d& place) const { return heater->shape->distance(pose.point_at_rest(place)) <= 0; }
    };
    std::vector<On> on_;
};

} // namespace loam
