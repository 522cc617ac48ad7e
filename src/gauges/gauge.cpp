#include "gauges/gauge.h"

namespace loam {

std::size_t body_index(const Scene& scene, const std::string& name) {
    std::size_t b = 0;
    while (b < scene.bodies.size() && scene.bodies[b].name != name) ++b;
    return b;
}

Members::Members(const Scene& scene, const std::string& body) {
    const std::size_t named = body_index(scene, body);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        is_member_.push_back(body.empty() || b == named || scene.whole_body(b) == named);
}

Vec3d center_of(const Simulation& simulation, const Members& members) {
    const Pool& pool = simulation.particles();
    const Vec3d period = simulation.context().scene.periodic_length;
    double mass = 0;
    Vec3d sum, first;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        if (!members[pool[pool.body][i]]) continue;
        if (mass == 0) first = pool[pool.position][i];
        mass += pool[pool.mass][i];
        sum += static_cast<double>(pool[pool.mass][i]) * image_near(pool[pool.position][i], first, period);
    }
    return sum / mass;
}

} // namespace loam
