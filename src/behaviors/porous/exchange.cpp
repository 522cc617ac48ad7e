// What flows in a step, between pores and to and from free fluid.
#include <algorithm>
#include <cmath>

#include "base/reductions.h"
#include "behaviors/porous/porous.h"
#include "passes/lattice.h"

namespace loam {

Status Porous::transfer(StepContext& step) {
    const auto some = [](const std::vector<std::uint8_t>& of) {
        return std::find(of.begin(), of.end(), 1) != of.end();
    };
    inertia_ = {step.particles.find("inertia")}; // others may have come to it after this law
    step.profile.time("porous flow", [&] {
        if (some(passes_) && filters_) filter_through(step);
        if (some(materials_.is_porous)) {
            find_room(step);
            take_back(step);
            network_.build(step, materials_, step.particles[matter_], step.particles[room_]);
            network_holds_ = true;
            solve(step);
            move(step);
            dry(step);
            if (filters_) filter(step);
        }
        if (!solutes_.empty()) tell_concentrations(step);
    });
    return Done{};
}

// Layers of cloth that are folded and twisted on each other press their pores together (Lenaerts eq. 6.4): by as much
// as they are more crowded than layers that lie on each other loosely.
void Porous::crowd_sheets(StepContext& step) {
    constexpr double loosely = 1.25;
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto place = pool[pool.place];
    const auto ratio = pool[volume_ratio_], volume = pool[pool.volume];
    const Kernel& kernel = step.scene.kernel;
    double flat = 0;
    const double usual = lattice_volume(kernel, step.scene.spacing);
    each_layer_point(kernel, step.scene.spacing, [&](int a, int b) {
        flat += usual * kernel_value(kernel, step.scene.spacing * std::hypot(a, b));
    });
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!materials_.is_porous[body[i]] || !step.scene.sheets[body[i]].sheet) return;
        double crowd = volume[i] * kernel_value(kernel, 0);
        for (const std::uint32_t j : step.neighbors->particles.of(i))
            if (materials_.is_porous[body[j]]) {
                const Vec3d d = shortest_way(place[j].xyz_double() - place[i].xyz_double(), step.scene.periodic_length);
                crowd += volume[j] * kernel_value(kernel, std::min(length(d), static_cast<double>(kernel.support)));
            }
        ratio[i] = static_cast<float>(std::min(1.0, loosely * flat / crowd));
    });
}

// By how much a body's volume grows within a second, as a part of it, by its velocities.
double Porous::growth(const StepContext& step, std::size_t i) const {
    const Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity];
    const auto volume = pool[pool.volume], yields = pool[materials_.yields];
    const Vec3d own = velocity[i].xyz_double();
    double apart = 0, moment = 0;
    for (const std::uint32_t j : step.neighbors->particles.of(i)) {
        if (!(yields[j] > 0)) continue;
        const Vec3d d = PorousNetwork::way(step, i, j);
        const double r2 = dot(d, d), part = volume[j] * network_.steepness(r2);
        apart += part * dot(velocity[j].xyz_double() - own, d), moment += part * r2;
    }
    return moment > 0 ? step.scene.dimensions * apart / moment : 0;
}

// Of what deforms it is that at the end of the next step, in which it feels the pressure that is found now: its size is
// known as it was before this step.
void Porous::find_room(StepContext& step) {
    if (sheets_) crowd_sheets(step);
    const auto yields = step.particles[materials_.yields];
    yields_ = parallel_max(yields.size(), [&](std::size_t i) { return static_cast<double>(yields[i]); }) > 0;
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto dry = pool[dry_mass_], matter = pool[matter_], room = pool[room_], ratio = pool[volume_ratio_];
    constexpr double least_pores = 0.02; // of those at rest: none are squeezed flat
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!materials_.is_porous[body[i]]) return;
        matter[i] = static_cast<float>(dry[i] / step.scene.bodies[body[i]].density);
        // The solid part keeps its volume: phi V = V0 (J - (1 - phi0)).
        const double pores = materials_.pores[body[i]].porosity;
        const double size = ratio[i] * (yields[i] > 0 ? 1 + 2 * step.dt * growth(step, i) : 1);
        room[i] = static_cast<float>(matter[i] * std::max(size - 1 + pores, least_pores * pores));
    });
}

// What has seeped out and is still there goes back where pores have room.
void Porous::take_back(StepContext& step) {
    Pool& pool = step.particles;
    const auto water = pool[water_], film = pool[film_];
    const auto body = pool[pool.body];
    const auto room = pool[room_];
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!(film[i] > 0) || !materials_.is_porous[body[i]]) return;
        const double back = std::min(film[i], std::max(0.0, room[i] - water[i]));
        film[i] -= back, water[i] += back;
    });
}

// The pressure around a particle of free fluid, as fluid at rest would have it at its place. Its own says little where
// it is small.
double Porous::free_pressure(const StepContext& step, std::size_t i) const {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto pressure = pool[pool.pressure], volume = pool[pool.volume];
    const Kernel& kernel = step.scene.kernel;
    const bool falls = pool.falls();
    const Vec3d weight = falls ? density(body[i]) * pool[pool.gravity][i].xyz_double() : Vec3d{};
    double share = volume[i] * kernel_value(kernel, 0), sum = share * pressure[i];
    for (const std::uint32_t j : step.neighbors->particles.of(i)) {
        if (body[j] != body[i] || !(pressure[j] > 0)) continue;
        const Vec3d d = PorousNetwork::way(step, i, j);
        const double part = volume[j] * kernel_value(kernel, std::min(length(d), static_cast<double>(kernel.support)));
        share += part, sum += part * (pressure[j] - dot(weight, d));
    }
    return std::max(0.0, sum / share);
}

// Of free fluid it is the pressure, steadied over some steps: what flows answers to it, and it to what flows.
void Porous::solve(StepContext& step) {
    constexpr double steadiness = 0.9, nearly_full = 0.999;
    Pool& pool = step.particles;
    const auto water = pool[water_], guess = pool[pore_potential_];
    const std::size_t count = network_.size();
    content_.resize(count), potential_.resize(count), given_.resize(count);
    parallel_each(count, [&](std::size_t n) {
        const std::uint32_t i = network_[n].particle;
        content_[n] = water[i];
        const PorousNode& node = network_[n];
        if (node.pores == free_fluid) guess[i] += (1 - steadiness) * (free_pressure(step, i) - guess[i]);
        potential_[n] = guess[i];
        // Where pores have got wider or narrower than they were, what they hold says more than what was found for them.
        if ((sheets_ || yields_) && node.pores != free_fluid && content_[n] < nearly_full * node.room)
            potential_[n] = materials_.pores[node.pores].potential(content_[n] / node.room, node.fineness);
    });
    solve_.run({network_, materials_, content_, step.dt, yields_}, potential_);
}

// Nobody gives more than it holds. What moves has the giver's velocity: what is free takes up that of pores, and the
// other way round, so momentum stays.
void Porous::move(StepContext& step) {
    constexpr double nearly_all = 1 - 1e-12;
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto water = pool[water_], film = pool[film_], kept_potential = pool[pore_potential_];
    const auto velocity = pool[pool.velocity], pore_velocity = pool[pore_velocity_];
    const auto saturation = pool[saturation_];
    const std::size_t count = network_.size();
    parallel_each(count, [&](std::size_t n) {
        double out = n < network_.porous() ? solve_.seeping(network_[n], n, potential_) : 0;
        std::size_t at = network_.first_edge(n);
        for (const PorousEdge& edge : network_.edges(n)) out += std::max(0.0, solve_.flow(at++, n, edge, potential_));
        given_[n] = out > content_[n] ? std::max(0.0, nearly_all * content_[n] / out) : 1;
    });
    if (!solutes_.empty()) carry(step);
    struct Change {
        double net = 0, seeped = 0, absorbed = 0, emitted = 0;
        Vec3d received;
    };
    std::vector<Change> changes(count);
    parallel_each(count, [&](std::size_t n) {
        Change& own = changes[n];
        const std::uint32_t i = network_[n].particle;
        const bool free = network_[n].pores == free_fluid;
        const Vec3d v = velocity[i].xyz_double();
        Vec3d flux;
        std::size_t at = network_.first_edge(n);
        for (const PorousEdge& edge : network_.edges(n)) {
            const double moved = flowing(at++, n, edge);
            const std::uint32_t j = network_[edge.other].particle;
            own.net -= moved;
            if (moved < 0) own.received -= moved * (velocity[j].xyz_double() - v);
            if (free) {
                (moved > 0 ? own.absorbed : own.emitted) += std::abs(moved);
                continue;
            }
            flux += moved * network_.way(step, i, j);
        }
        if (free) return;
        own.seeped = given_[n] * solve_.seeping(network_[n], n, potential_);
        own.net -= own.seeped;
        const Pores& pores = materials_.pores[network_[n].pores];
        const double through = step.dt > 0 ? 1 / (2 * pores.porosity * pool[matter_][i] * step.dt) : 0;
        pore_velocity[i] = float4(through * flux);
    });
    const auto pressure = pool[pore_pressure_];
    const double full = whole(step);
    const double volume_of_full = lattice_volume(step.scene.kernel, step.scene.spacing);
    parallel_each(count, [&](std::size_t n) {
        const PorousNode& node = network_[n];
        const std::uint32_t i = node.particle;
        const Change& own = changes[n];
        if (node.pores != free_fluid) {
            kept_potential[i] = potential_[n];
            pressure[i] = static_cast<float>(std::max(0.0, potential_[n]));
            saturation[i] = static_cast<float>(std::clamp((water[i] + own.net) / node.room, 0.0, 1.0));
        }
        if (own.net == 0 && own.seeped == 0 && own.received == Vec3d{}) return;
        water[i] += own.net;
        if (node.pores == free_fluid) {
            pool[exchanged_][i] = 1;
            pool[pool.volume][i] = static_cast<float>(volume_of_full * water[i] / full);
        } else {
            film[i] += own.seeped;
        }
        weigh(pool, i);
        if (const double mass = pool[pool.mass][i]; mass > 0)
            velocity[i] = float4(velocity[i].xyz_double() + (density(body[i]) / mass) * own.received, velocity[i].w);
    });
    for (std::size_t n = network_.porous(); n < count; ++n)
        counts_.absorbed += changes[n].absorbed, counts_.emitted += changes[n].emitted;
}

// By the surface that is not covered.
void Porous::dry(StepContext& step) {
    if (std::all_of(drying_.begin(), drying_.end(), [](double rate) { return rate == 0; })) return;
    Pool& pool = step.particles;
    const auto water = pool[water_];
    const double area = std::pow(step.scene.spacing, step.scene.dimensions - 1);
    for (std::size_t n = 0; n < network_.porous(); ++n) {
        const PorousNode& node = network_[n];
        const std::uint32_t i = node.particle;
        const double rate = drying_[node.pores];
        if (!(rate > 0 && node.exposure > 0)) continue;
        const double dries = std::max(0.0, water[i] - dissolved(pool, i)); // what is dissolved stays
        const double lost = std::min(dries, rate / density(node.pores) * area * node.exposure * step.dt);
        water[i] -= lost, counts_.dried += lost;
        pool[saturation_][i] = static_cast<float>(std::clamp(water[i] / node.room, 0.0, 1.0));
        weigh(pool, i);
    }
}

} // namespace loam
