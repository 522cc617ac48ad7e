#include "run/measure.h"

#include <cmath>

#include "base/parallel.h"
#include "cache/particle_sizes.h"

namespace loam {
namespace {

// A column as it stands in memory, found by name: simulations keep positions in double precision, frames do not.
struct Raw {
    const std::byte* bytes = nullptr;
    std::size_t stride = 0;
    bool wide = false;

    Vec3d vector(std::size_t i) const {
        if (wide) return reinterpret_cast<const Vec3d*>(bytes)[i];
        return reinterpret_cast<const Float4*>(bytes)[i].xyz_double();
    }
    double number(std::size_t i) const { return reinterpret_cast<const float*>(bytes)[i]; }
    std::uint32_t count(std::size_t i) const { return reinterpret_cast<const std::uint32_t*>(bytes)[i]; }
};

Result<Raw> raw(const Columns& columns, const char* name, std::size_t components, bool counts = false) {
    const std::size_t index = columns.find(name);
    const auto fits = [&](const ColumnInfo& info) {
        return info.components == components && (info.type == ElementType::u32) == counts &&
               (components == 3 || info.stride == 4);
    };
    if (index == SIZE_MAX || !fits(columns.info(index)))
        return Error{Fault::file, "", std::string("there is no usable column \"") + name + "\" to measure",
                     "it is needed for mass, momentum and energies"};
    return Raw{columns.bytes(index), columns.info(index).stride, columns.info(index).type == ElementType::f64};
}

} // namespace

Vec3d Measure::spin() const {
    const Vec3d at = center();
    const Mat3 spread = mass_spread - mass * Mat3::outer(at, at);
    const double size = spread.trace();
    if (!(size > 0)) return {};
    constexpr double slight = 1e-12; // a row of particles has no inertia about itself
    const Mat3 inertia = (size * (1 + slight)) * Mat3::identity() - spread;
    return inertia.inverse() * (angular_momentum - cross(at, momentum));
}

bool Measure::finite() const {
    return std::isfinite(mass) && is_finite(momentum) && std::isfinite(kinetic_energy) &&
           std::isfinite(potential_energy);
}

void Measure::add(const Measure& other) {
    particles += other.particles;
    volume += other.volume;
    mass += other.mass;
    momentum += other.momentum;
    kinetic_energy += other.kinetic_energy;
    potential_energy += other.potential_energy;
    elastic_energy += other.elastic_energy;
    elastic_known |= other.elastic_known;
    resting_mass += other.resting_mass;
    may_rest |= other.may_rest;
    mass_place += other.mass_place;
    angular_momentum += other.angular_momentum;
    mass_spread = mass_spread + other.mass_spread;
    top_speed = std::max(top_speed, other.top_speed);
    largest_compression = std::max(largest_compression, other.largest_compression);
    bounds.add(other.bounds);
}

Result<Measures> measure(const Columns& columns, const FrameHeader& header, const std::vector<Vec3d>& gravity) {
    const auto position = raw(columns, "position", 3), velocity = raw(columns, "velocity", 3);
    const auto mass = raw(columns, "mass", 1), body = raw(columns, "body", 1, true);
    for (const Result<Raw>* needed : {&position, &velocity, &mass, &body})
        if (!*needed) return needed->error();
    const auto density = raw(columns, "density", 1), elastic = raw(columns, "elastic_energy", 1),
               resting = raw(columns, "resting", 1);
    const ParticleSizes sizes(columns, header);

    const auto sums = [&](Range range) {
        std::vector<Measure> some(gravity.size());
        for (std::size_t i = range.begin; i != range.end; ++i) {
            const std::uint32_t b = body->count(i);
            if (b >= some.size()) continue;
            Measure& m = some[b];
            const Vec3d p = position->vector(i), v = velocity->vector(i);
            const double weight = mass->number(i), speed2 = dot(v, v);
            ++m.particles;
            m.volume += sizes.volume(i);
            m.mass += weight;
            m.momentum += weight * v;
            m.kinetic_energy += 0.5 * weight * speed2;
            m.potential_energy -= weight * dot(gravity[b], p);
            m.top_speed = std::max(m.top_speed, std::sqrt(speed2));
            if (density) m.largest_compression = std::max(m.largest_compression, density->number(i) - 1);
            m.bounds.add(p);
            m.mass_place += weight * p;
            m.angular_momentum += weight * cross(p, v);
            m.mass_spread = m.mass_spread + weight * Mat3::outer(p, p);
            if (elastic) m.elastic_energy += elastic->number(i), m.elastic_known = true;
            if (resting) m.resting_mass += resting->number(i) > 0 ? weight : 0, m.may_rest = true;
        }
        return some;
    };
    Measures all;
    all.bodies = parallel_reduce(columns.size(), std::vector<Measure>(gravity.size()), sums,
                                 [](std::vector<Measure> a, const std::vector<Measure>& b) {
                                     for (std::size_t k = 0; k < a.size(); ++k) a[k].add(b[k]);
                                     return a;
                                 });
    for (const Measure& m : all.bodies) all.total.add(m);
    return all;
}

} // namespace loam
