// What tests of solids share: where particles were at rest, copies of a state, and scenes of bars and beams.
#pragma once

#include "run_scene.h"

namespace loam::test {

inline Vec3d rest_of(const Simulation& s, std::size_t i) {
    const Pool& pool = s.particles();
    return reinterpret_cast<const Float4*>(pool.bytes(pool.find("rest_place")))[i].xyz_double();
}

// The mean displacement of the particles whose place at rest fulfils a condition.
template <class Condition> Vec3d displacement_of(const Simulation& s, const Condition& condition) {
    const Pool& pool = s.particles();
    Vec3d sum;
    double count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (const Vec3d rest = rest_of(s, i); condition(rest)) sum += pool[pool.position][i] - rest, count += 1;
    return sum / count;
}

// A bar or beam along x in 2D, from 0 to `length`, held where x < 0.
struct Beam {
    double length, height;
    int across; // particles
    double young, poisson, gravity = 0;
    std::string integration = "explicit";
    std::string elastic = ""; // more properties, as , "name": value
    std::string solver = "";  // of the solver block
    std::string pin = "";     // more of the pin, as , "motion": {...}
    std::string more_pins = "";

    double spacing() const { return height / across; }
    std::string scene() const {
        const double d = spacing();
        return fmt::format(R"({{"dimensions": 2, "duration": 100, "fps": 100, "particle_radius": {},
            "solver": {{"pressure": "wcsph", "wcsph": {{"sound_speed": 1e-6}} {}}},
            "behaviors": {{"gravity": {{"acceleration": [0, {}, 0]}}}},
            "bodies": {{"beam": {{"shape": {{"box": {{"min": [{}, {}, 0], "max": [{}, {}, 0]}}}},
                "pins": {{"root": {{"shape": {{"box": {{"min": [-9, -9, -9], "max": [0, 9, 9]}}}} {}}} {}}},
                "behaviors": {{"elastic": {{"density": 1000, "young_modulus": {}, "poisson_ratio": {},
                    "integration": "{}" {}}}}}}}}}}})",
                           d / 2, solver, -gravity, -4 * d, -height / 2, length, height / 2, pin, more_pins, young,
                           poisson, integration, elastic);
    }
    Vec3d tip(const Simulation& s) const { // of the end, from the last two columns of particles
        const double d = spacing();
        double last = 0;
        for (std::size_t i = 0; i < s.particles().size(); ++i) last = std::max(last, rest_of(s, i).x);
        const Vec3d end = displacement_of(s, [&](const Vec3d& x) { return x.x > last - 0.5 * d; });
        const Vec3d before =
            displacement_of(s, [&](const Vec3d& x) { return x.x < last - 0.5 * d && x.x > last - 1.5 * d; });
        return end + ((length - last) / d) * (end - before);
    }
};

// Brings a second simulation of the same scene to the state of the first.
inline void copy_state(const Simulation& from, Simulation& to) {
    if (const Status done = to.restore(from.snapshot()); !done) throw std::runtime_error(done.error().text());
}

// Positions by id: to compare runs bit by bit.
inline std::vector<Vec3d> positions_by_id(const Simulation& s) {
    const Pool& pool = s.particles();
    std::vector<Vec3d> all(pool.next_id);
    for (std::size_t i = 0; i < pool.size(); ++i) all[pool[pool.id][i]] = pool[pool.position][i];
    return all;
}

} // namespace loam::test
