// Velocities and displacements that bodies begin with, as fields of place.
#include "base/text.h"
#include "step/start.h"

namespace loam {
namespace {

// Of mass, by whole body.
std::vector<Vec3d> centers(const Scene& scene, const Pool& pool) {
    std::vector<Vec3d> sums(scene.bodies.size());
    std::vector<double> masses(scene.bodies.size(), 0);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const std::size_t b = scene.whole_body(pool[pool.body][i]);
        const double mass = pool[pool.mass][i];
        sums[b] += mass * pool[pool.position][i];
        masses[b] += mass;
    }
    for (std::size_t b = 0; b < sums.size(); ++b)
        if (masses[b] > 0) sums[b] = sums[b] / masses[b];
    return sums;
}

// take(i, value) for each particle of bodies that have the field.
template <class Take>
Status each_value(const Scene& scene, const Pool& pool, std::optional<StartField> BodySpec::*field, const char* name,
                  const Take& take) {
    bool any = false;
    for (const BodySpec& body : scene.bodies) any |= (body.*field).has_value();
    if (!any) return Done{};
    const std::vector<Vec3d> center = centers(scene, pool);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const std::size_t b = scene.whole_body(pool[pool.body][i]);
        const BodySpec& body = scene.bodies[b];
        if (!(body.*field)) continue;
        const Vec3d place = pool[pool.position][i], value = (body.*field)->at(place, center[b]);
        if (!is_finite(value))
            return Error{Fault::scene, "bodies." + body.name + ".start." + name,
                         "is not finite at [" + number_text(place.x) + ", " + number_text(place.y) + ", " +
                             number_text(place.z) + "]",
                         "change the formula so that it gives a number everywhere in the body"};
        take(i, value);
    }
    return Done{};
}

} // namespace

Status give_start_velocities(const Scene& scene, Pool& pool) {
    const auto velocity = pool[pool.velocity];
    return each_value(scene, pool, &BodySpec::start_velocity, "velocity", [&](std::size_t i, const Vec3d& value) {
        const BodySpec& body = scene.bodies[scene.whole_body(pool[pool.body][i])];
        velocity[i] = float4(body.values.vector("velocity") + value, velocity[i].w);
    });
}

Status displace_start(const Scene& scene, Pool& pool) {
    const auto position = pool[pool.position];
    return each_value(scene, pool, &BodySpec::start_displacement, "displacement",
                      [&](std::size_t i, const Vec3d& value) { position[i] += value; });
}

} // namespace loam
