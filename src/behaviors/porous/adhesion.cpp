#include "behaviors/porous/adhesion.h"

#include <algorithm>
#include <cmath>

#include "behaviors/contact/contact.h"
#include "passes/lattice.h"

namespace loam {

void WetAdhesion::set(const BodyValues& values) {
    adhesion_ = values.numbers("adhesion");
    reach_.assign(values.size(), 0);
    acts_ = adhesion_.differ();
    for (std::size_t b = 0; b < values.size(); ++b) {
        if (!values.uses(b)) continue;
        reach_[b] = values[b].number("bridge");
        acts_ |= values[b].number("adhesion") > 0 || values[b].track("adhesion");
    }
}

void WetAdhesion::prepare(StepContext& step) {
    if (acts_) rest_ = rest_places(step.particles);
}

// Solids and sand, but not sand with sand, whose cohesion that is; of one body what lies apart when it is at rest.
bool WetAdhesion::may_hold(const StepContext& step, std::size_t i, std::size_t j) const {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto grains = [&](std::size_t k) { return step.traits[body[k]].rubs; };
    if (!step.is_solid(j) && !grains(j)) return false;
    if (grains(i) && grains(j)) return false;
    const Float4 &own = pool[rest_][i], &other = pool[rest_][j];
    if (own.w == 0 || std::abs(own.w) != std::abs(other.w)) return body[i] != body[j];
    return length(own.xyz_double() - other.xyz_double()) > step.scene.kernel.support;
}

template <class Visit> void WetAdhesion::each_bridge(const StepContext& step, std::size_t i, const Visit& visit) const {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto position = pool[pool.position];
    const auto adhesion = adhesion_.of(pool);
    const double spacing = step.scene.spacing;
    for (const std::uint32_t j : step.neighbors->particles.of(i)) {
        const double strength = std::max(adhesion[i], adhesion[j]);
        if (!(strength > 0) || !may_hold(step, i, j)) continue;
        const double reach = std::min(std::max(reach_[body[i]], reach_[body[j]]), spacing);
        const Vec3d d = shortest_way(position[j] - position[i], step.scene.periodic_length);
        const double distance = length(d), near = 1 - std::max(0.0, distance - spacing) / reach;
        if (near > 0 && distance > 0) visit(j, strength, near * near, d / distance);
    }
}

Vec3d WetAdhesion::pull_of_walls(const StepContext& step, std::size_t i) const {
    const Pool& pool = step.particles;
    const double strength = adhesion_.of(pool)[i];
    if (!(strength > 0) || step.neighbors->walls.of(i).empty()) return {};
    const double spacing = step.scene.spacing, reach = std::min(reach_[pool[pool.body][i]], spacing);
    Vec3d pull;
    for (const WallBody& wall : step.walls.bodies) {
        const Vec3d rest = wall.pose.point_at_rest(pool[pool.position][i]);
        const double near = 1 - std::max(0.0, wall.shape->distance(rest) - 0.5 * spacing) / reach;
        if (near > 0) pull -= strength * near * near * wall.pose.rotate(wall.shape->normal(rest));
    }
    return pull;
}

// Who has several bridges shares its area out over them; both sides of a bridge find the same.
void WetAdhesion::apply(StepContext& step) {
    if (!acts_) return;
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto acceleration = pool[pool.acceleration];
    const Column<float> inertia{pool.find("inertia")}; // of points of sheets, some of whose mass may stand beside them
    const auto takes_part = [&](std::size_t i) { return step.is_solid(i) || step.traits[body[i]].rubs; };
    bridges_.assign(pool.size(), 0);
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!takes_part(i)) return;
        double sum = 0;
        each_bridge(step, i, [&](std::uint32_t, double, double near, const Vec3d&) { sum += near; });
        bridges_[i] = static_cast<float>(sum);
    });
    const auto volume = pool[pool.volume];
    const double per_volume = std::pow(step.scene.spacing, step.scene.dimensions - 1) /
                              lattice_volume(step.scene.kernel, step.scene.spacing); // area, of what is full
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!takes_part(i)) return;
        Vec3d pull = volume[i] * pull_of_walls(step, i);
        if (bridges_[i] > 0)
            each_bridge(step, i, [&](std::uint32_t j, double strength, double near, const Vec3d& way) {
                const double both = std::sqrt(static_cast<double>(volume[i]) * volume[j]);
                pull += (both * strength * near / std::max({bridges_[i], bridges_[j], 1.0f})) * way;
            });
        if (pull == Vec3d{}) return;
        const float carried = inertia.index == SIZE_MAX ? 0 : pool[inertia][i];
        const double mass = carried > 0 ? carried : pool[pool.mass][i];
        acceleration[i] = float4(acceleration[i].xyz_double() + (per_volume / mass) * pull, acceleration[i].w);
    });
}

} // namespace loam
