// Free fluid that is born of what seeps out, and what becomes of particles that have grown or shrunk (Lenaerts 2009,
// section 6.5; places as in Adams 2007: away from others).
#include <algorithm>
#include <cmath>

#include "behaviors/porous/porous.h"
#include "particles/hash.h"

namespace loam {
namespace {

// Shares of a full particle.
constexpr double least_born = 1.0 / 8, least_alive = 1.0 / 20, may_join = 0.6, too_large = 1.5;
// In spacings.
constexpr double birth_distance = 1, least_distance = 0.6, least_from_wall = 0.4, joining_distance = 0.9;
constexpr int places_tried = 12;

Vec3d random_direction(std::uint64_t seed, std::int64_t k, bool flat) {
    for (std::int64_t round = 0;; ++round) {
        const auto number = [&](std::int64_t axis) { return 2 * unit_number(hash_of(seed, k, axis, round)) - 1; };
        const Vec3d v{number(0), number(1), flat ? 0 : number(2)};
        if (const double l = length(v); l > 0.1 && l <= 1) return v / l;
    }
}

} // namespace

void Porous::births(StepContext& step, Births& births) {
    newborns_.clear();
    if (!network_holds_) return;
    network_holds_ = false; // who is where changes now
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto water = pool[water_], film = pool[film_];
    const auto exchanged = pool[exchanged_];
    const double full = whole(step);
    Emission emission{births, std::vector<std::uint8_t>(pool.size(), 0), {}};
    for (std::size_t i = 0; births.died() > 0 && i < pool.size(); ++i) // others have asked before
        if (births.dies(i)) {
            emission.busy[i] = 1;
            if (materials_.is_absorbed[body[i]] || materials_.is_porous[body[i]]) counts_.drained += water[i] + film[i];
        }
    for (std::size_t n = 0; n < network_.porous(); ++n) {
        const std::uint32_t i = network_[n].particle;
        if (!(film[i] > 0) || emission.busy[i] || materials_.fluid[network_[n].pores] == PorousMaterials::none)
            continue;
        feed(step, n);
        if (film[i] >= least_born * full) give_birth(step, n, emission);
    }
    for (std::size_t i = 0; i < pool.size(); ++i) {
        if (!exchanged[i] || emission.busy[i] || !materials_.is_absorbed[body[i]]) continue;
        if (water[i] < least_alive * full)
            hand_on(step, i, emission);
        else if (water[i] < may_join * full)
            join(step, i, emission);
        else if (water[i] > too_large * full)
            births.split(i, 0.5,
                         pool[pool.position][i] +
                             0.4 * step.scene.spacing *
                                 random_direction(pool[pool.id][i], 0, step.scene.dimensions == 2));
    }
}

// Free neighbors that are not full, the nearest first.
void Porous::feed(StepContext& step, std::size_t node) {
    Pool& pool = step.particles;
    const std::uint32_t i = network_[node].particle;
    double& film = pool[film_][i];
    std::vector<std::pair<float, std::uint32_t>> near;
    for (const PorousEdge& edge : network_.edges(node))
        if (network_[edge.other].pores == free_fluid)
            near.emplace_back(-edge.conductance, network_[edge.other].particle);
    std::sort(near.begin(), near.end());
    const double full = whole(step);
    for (const auto& [conductance, j] : near) {
        const double given = std::min(film, full - pool[water_][j]);
        if (!(given > 0)) continue;
        give(pool, i, j, given);
        film -= given, pool[water_][j] += given;
        counts_.emitted += given;
        pool[exchanged_][j] = 1;
        pool[pool.volume][j] =
            static_cast<float>(lattice_volume(step.scene.kernel, step.scene.spacing) * pool[water_][j] / full);
        weigh(pool, j), weigh(pool, i);
        const double share = given / pool[water_][j];
        Float4& v = pool[pool.velocity][j];
        v = float4(v.xyz_double() + share * (pool[pool.velocity][i].xyz_double() - v.xyz_double()), v.w);
        if (!(film > 0)) return;
    }
}

void Porous::give_birth(StepContext& step, std::size_t node, Emission& emission) {
    const std::optional<Vec3d> place = birth_place(step, node, emission);
    if (!place) return; // later
    Pool& pool = step.particles;
    const std::uint32_t i = network_[node].particle, fluid = materials_.fluid[network_[node].pores];
    const double full = whole(step), given = std::min(pool[film_][i], full);
    Newborn newborn{.water = given};
    for (std::size_t s = 0; s < solutes_.size(); ++s) newborn.solutes.push_back(carried(pool, s, i) * given);
    for (std::size_t s = 0; s < solutes_.size(); ++s) pool[solutes_[s].amount][i] -= newborn.solutes[s];
    pool[film_][i] -= given;
    counts_.emitted += given;
    weigh(pool, i);
    newborn.index =
        emission.births.add({.position = *place,
                             .velocity = pool[pool.velocity][i].xyz_double() + pool[pore_velocity_][i].xyz_double(),
                             .volume = lattice_volume(step.scene.kernel, step.scene.spacing) * given / full,
                             .mass = density(fluid) * given,
                             .body = fluid});
    newborns_.push_back(std::move(newborn));
    emission.places.push_back(*place);
}

// Away from the body, and of some places there the one that is farthest from all others.
std::optional<Vec3d> Porous::birth_place(const StepContext& step, std::size_t node, const Emission& emission) const {
    const Pool& pool = step.particles;
    const std::uint32_t i = network_[node].particle;
    const Vec3d at = pool[pool.position][i];
    Vec3d towards = network_[node].outward;
    if (length(towards) < 0.5 && pool.falls()) towards += normalized(pool[pool.gravity][i].xyz_double());
    const bool flat = step.scene.dimensions == 2;
    const double l = step.scene.spacing;
    double best = least_distance * l;
    std::optional<Vec3d> chosen;
    for (int k = 0; k < places_tried; ++k) {
        const std::uint64_t seed = pool[pool.id][i] + 1000003ull * static_cast<std::uint64_t>(pool.next_id);
        const Vec3d way = normalized(normalized(towards) + (k == 0 ? 0 : 0.8) * random_direction(seed, k, flat));
        const Vec3d place = at + birth_distance * l * way;
        double nearest = 2 * l;
        const auto keep_from = [&](const Vec3d& other) {
            nearest = std::min(nearest, length(shortest_way(other - place, step.scene.periodic_length)));
        };
        for (const std::uint32_t j : step.neighbors->particles.of(i)) keep_from(pool[pool.position][j]);
        for (const Vec3d& other : emission.places) keep_from(other);
        for (const WallBody& wall : step.walls.bodies)
            if (wall.shape->distance(wall.pose.point_at_rest(place)) < least_from_wall * l) nearest = 0;
        if (nearest > best) best = nearest, chosen = step.scene.in_period(place);
    }
    return chosen;
}

// What is left of a particle goes to the nearest free one; where there is none, on the surface of the nearest pores.
void Porous::hand_on(StepContext& step, std::size_t particle, Emission& emission) {
    const std::size_t i = particle;
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto nearest = [&](const auto& counts) {
        std::size_t found = SIZE_MAX;
        double least = 1e300;
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            if (emission.busy[j] || !counts(j)) continue;
            const Vec3d d = PorousNetwork::way(step, i, j);
            if (const double r2 = dot(d, d); r2 < least) least = r2, found = j;
        }
        return found;
    };
    if (const std::size_t j = nearest([&](std::uint32_t k) { return body[k] == body[i]; }); j != SIZE_MAX) {
        emission.busy[i] = emission.busy[j] = 1;
        pool[exchanged_][j] = 1;
        emission.births.merge(i, j, -1.0 * PorousNetwork::way(step, i, j));
        return;
    }
    const std::size_t j =
        nearest([&](std::uint32_t k) { return materials_.is_porous[body[k]] && materials_.fluid[body[k]] == body[i]; });
    if (j == SIZE_MAX) return; // it flies on
    emission.busy[i] = 1;
    const double given = pool[water_][i];
    give(pool, i, j, given);
    pool[film_][j] += given;
    pool[water_][i] = 0;
    counts_.absorbed += given;
    weigh(pool, j);
    const double share = density(body[i]) * given / pool[pool.mass][j];
    Float4& v = pool[pool.velocity][j];
    v = float4(v.xyz_double() + share * (pool[pool.velocity][i].xyz_double() - v.xyz_double()), v.w);
    emission.births.die(i);
}

// Two that fit into one become one.
void Porous::join(StepContext& step, std::size_t particle, Emission& emission) {
    const std::size_t i = particle;
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const double most = joining_distance * step.scene.spacing;
    std::size_t partner = SIZE_MAX;
    double least = most * most;
    for (const std::uint32_t j : step.neighbors->particles.of(i)) {
        if (body[j] != body[i] || emission.busy[j] || !pool[exchanged_][j]) continue;
        if (pool[water_][i] + pool[water_][j] > whole(step)) continue;
        const Vec3d d = PorousNetwork::way(step, i, j);
        if (const double r2 = dot(d, d); r2 < least) least = r2, partner = j;
    }
    if (partner == SIZE_MAX) return;
    emission.busy[i] = emission.busy[partner] = 1;
    emission.births.merge(i, partner, -1.0 * PorousNetwork::way(step, i, partner));
}

} // namespace loam
