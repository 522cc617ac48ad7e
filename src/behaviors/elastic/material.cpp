#include "behaviors/elastic/material.h"

namespace loam {
namespace {

constexpr double never = 1e15; // Pa; more than any material bears

double bound(double stress) { return stress < never ? stress : std::numeric_limits<double>::infinity(); }

// Of what is keyed over particles: the largest that one may have.
double most(const Values& values, const std::string& name) {
    const Track* const track = values.track(name);
    double largest = values.number(name);
    if (track && track->driver != Driver::time)
        for (const Key& key : track->keys) largest = std::max(largest, key.value.x);
    return largest;
}

} // namespace

std::vector<ElasticMaterial> elastic_materials(const BodyValues& all) {
    std::vector<ElasticMaterial> materials(all.size());
    for (std::size_t b = 0; b < all.size(); ++b) {
        if (!all.uses(b)) continue;
        const Values& values = all[b];
        ElasticMaterial& m = materials[b];
        m.used = true;
        m.density = values.number("density");
        m.young = most(values, "young_modulus");
        m.poisson = values.number("poisson_ratio");
        m.lambda = m.young * m.poisson / ((1 + m.poisson) * (1 - 2 * m.poisson));
        m.mu = m.young / (2 * (1 + m.poisson));
        // What the same resistance does to a bent beam depends on how much the beam widens where it is pressed: found
        // with cantilevers of 4 particles across (plane strain, Poisson's ratio 0 to 0.45).
        m.zero_energy = values.number("hourglass_control") * (1 + 5.0 / 3 * (0.09 - m.poisson * m.poisson));
        m.damping = values.number("damping");
        m.yield = bound(values.number("yield"));
        m.hardening = values.number("hardening");
        m.creep = values.number("creep");
        m.strength = bound(values.number("strength"));
        m.friction = values.number("friction");
        m.restitution = values.number("restitution");
        m.shown = values.flag("stress_in_frames");
        const std::string& integration = values.text("integration");
        m.integration = integration == "explicit"   ? Integration::explicit_
                        : integration == "implicit" ? Integration::implicit
                                                    : Integration::automatic;
    }
    return materials;
}

Declaration elastic_declaration() {
    return {
        .name = "elastic",
        .help = "A solid that springs back to the shape it had at the start, and may yield and break.",
        .properties = {
            number("density", "kg/m^3", 1000, {1e-3, 1e5}, "Mass per volume at rest.").fixed(),
            number("young_modulus", "Pa", 1e5, {1, 1e13},
                   "Stiffness: stress per strain of a pulled bar. Jelly 1e4, rubber 1e6, wood 1e10, steel 2e11.")
                .keyed(Keying::particle),
            number("poisson_ratio", "", 0.3, {0, 0.499},
                   "How much it narrows when pulled: 0 cork, 0.3 metals, 0.49 rubber. 0.5 is a volume that cannot "
                   "change, which no solid has."),
            number("damping", "s", 0, {0, 1e3},
                   "Inner friction: viscosity over Young's modulus. A swing of period T loses the share "
                   "20 damping / T of its height each time; 0 rings on."),
            number("yield", "Pa", never, {1e-9, never}, "Stress (von Mises) beyond which it stays deformed.")
                .keyed(Keying::particle),
            number("hardening", "Pa", 0, not_negative, "By how much the yield stress grows per plastic strain."),
            number("creep", "1/s", 0, not_negative, "Rate at which it forgets its shape even below the yield stress."),
            number("strength", "Pa", never, {1e-9, never},
                   "Largest pull (principal stress) that it bears; then it cracks."),
            choice("integration", {"automatic", "explicit", "implicit"},
                   "How its motion is stepped: explicit is exact for waves and needs steps shorter than they take from "
                   "particle to particle; implicit keeps long steps for stiff bodies and damps their ringing."),
            number("hourglass_control", "", 0.7, {0, 10},
                   "Resistance to modes that strain does not see, as a part of Young's modulus; with 0.7 thin beams "
                   "are as stiff as they should be."),
            number("friction", "", 0.3, {0, 10}, "Coefficient of friction where it touches solids."),
            number("restitution", "", 0, fraction,
                   "Share of the speed with which touching surfaces part again, beside the body's own bounce."),
            flag("stress_in_frames", false, "Frames carry stress, strain and elastic energy of particles, as columns."),
        }};
}

} // namespace loam
