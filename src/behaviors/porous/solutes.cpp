// Two fluids in pores: water takes its solutes (behaviors/miscible) along as it goes into pores, through them and out;
// they stay where it dries; and a filter holds a part of them back.
//
//   d a_i / dt = -sum_j F_ij C_up        a: volume of a solute, C = a / water that of the side that gives
//   d b / dx   = -f b                    of what flows: Iwasaki 1937; f: filter [1/m]
//
// What is held back makes room for as much fluid. In pores a concentration is a part of what they can hold.
#include <algorithm>
#include <cmath>

#include "behaviors/porous/porous.h"
#include "particles/solutes.h"

namespace loam {

void Porous::find_solutes(StepContext& step) {
    Pool& pool = step.particles;
    for (std::size_t b = 0; b < values_.size(); ++b)
        filters_ |= filter_[b] > 0 || (values_.uses(b) && values_[b].track("filter"));
    for (const SoluteFacts& solute : step.scene.solutes) {
        const std::size_t amount = pool.find("amount_" + solute.name);
        if (amount == SIZE_MAX) continue; // nothing holds any
        Carried own{
            .name = solute.name, .amount = {amount}, .concentration = {pool.find(concentration_column(solute.name))}};
        if (filters_)
            own.held_back = pool.declare<double>(
                {.name = "held_back_" + solute.name, .unit = "m^3", .saved = true, .nature = Nature::amount});
        own.density = solute.density;
        solutes_.push_back(own);
    }
    filters_ &= !solutes_.empty();
}

double Porous::excess(const Pool& pool, std::size_t i) const {
    double sum = 0;
    for (const Carried& solute : solutes_)
        if (solute.density > 0)
            sum += (solute.density - density(pool[pool.body][i])) *
                   (pool[solute.amount][i] + (filters_ ? pool[solute.held_back][i] : 0));
    return sum;
}

double Porous::carried(const Pool& pool, std::size_t solute, std::size_t i) const {
    const double all = pool[water_][i] + pool[film_][i];
    return all > 0 ? std::min(1.0, pool[solutes_[solute].amount][i] / all) : 0;
}

double Porous::dissolved(const Pool& pool, std::size_t i) const {
    double sum = 0;
    for (const Carried& solute : solutes_) sum += pool[solute.amount][i];
    return sum;
}

void Porous::fill_solutes(StepContext& step, std::size_t i) {
    Pool& pool = step.particles;
    const BodyFacts& facts = step.scene.bodies[pool[pool.body][i]];
    const double room = materials_.pores[pool[pool.body][i]].porosity * pool[dry_mass_][i] / facts.density;
    for (std::size_t s = 0; s < solutes_.size(); ++s) {
        pool[solutes_[s].amount][i] = static_cast<double>(facts.concentrations[s]) * room;
        pool[solutes_[s].concentration][i] = facts.concentrations[s];
    }
}

// From a node to another one in this step [m^3]; the same from both sides but for its sign.
double Porous::flowing(std::size_t at, std::size_t node, const PorousEdge& edge) const {
    const double wanted = solve_.flow(at, node, edge, potential_);
    return wanted * given_[wanted > 0 ? node : edge.other];
}

void Porous::carry(StepContext& step) {
    Pool& pool = step.particles;
    const std::size_t count = network_.size();
    std::vector<double> part(count), change(count);
    for (std::size_t s = 0; s < solutes_.size(); ++s) {
        parallel_each(count, [&](std::size_t n) { part[n] = carried(pool, s, network_[n].particle); });
        parallel_each(count, [&](std::size_t n) {
            change[n] = 0;
            std::size_t at = network_.first_edge(n);
            for (const PorousEdge& edge : network_.edges(n)) {
                const double moved = flowing(at++, n, edge);
                change[n] -= moved * part[moved > 0 ? n : edge.other];
            }
        });
        const auto amount = pool[solutes_[s].amount];
        parallel_each(count, [&](std::size_t n) {
            double& own = amount[network_[n].particle];
            own = std::max(0.0, own + change[n]);
        });
    }
}

// Along with water that goes from one to another.
void Porous::give(Pool& pool, std::size_t from, std::size_t to, double water) const {
    for (std::size_t s = 0; s < solutes_.size(); ++s) {
        const double given = carried(pool, s, from) * water;
        pool[solutes_[s].amount][from] -= given;
        pool[solutes_[s].amount][to] += given;
    }
}

// What is taken up: by how far water has come in the step.
void Porous::filter(StepContext& step) {
    Pool& pool = step.particles;
    const auto velocity = pool[pore_velocity_];
    parallel_each(network_.porous(), [&](std::size_t n) {
        const PorousNode& node = network_[n];
        const std::uint32_t i = node.particle;
        const double water = pool[water_][i];
        if (!(filter_[node.pores] > 0 && water > 0)) return;
        const double flown = length(velocity[i].xyz_double()) * node.room / water * step.dt; // it fills a part of pores
        const double share = 1 - std::exp(-filter_[node.pores] * flown);
        for (const Carried& solute : solutes_) {
            const double kept = share * pool[solute.amount][i];
            pool[solute.amount][i] -= kept;
            pool[solute.held_back][i] += kept;
        }
    });
}

// What passes: whole particles leave it on the medium around, as they brake (through.cpp).
void Porous::filter_through(StepContext& step) {
    find_braking(step);
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto volume = pool[pool.volume];
    const double support = step.scene.kernel.support;
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!passes_[body[i]]) return;
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            if (!(braking_[j].share > 0 && braking_[j].kept > 0)) continue;
            const double r = length(PorousNetwork::way(step, i, j));
            if (!(r < support)) continue;
            const double part = braking_[j].kept * volume[i] * kernel_value(step.scene.kernel, r) / braking_[j].share;
            for (const Carried& solute : solutes_) pool[solute.held_back][i] += part * pool[solute.amount][j];
        }
        weigh(pool, i);
    });
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!(braking_[i].kept > 0)) return;
        for (const Carried& solute : solutes_) pool[solute.amount][i] *= 1 - braking_[i].kept;
        weigh(pool, i);
    });
}

void Porous::tell_concentrations(StepContext& step) const {
    Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const double real = step.scene.space / lattice_volume(step.scene.kernel, step.scene.spacing);
    for (const Carried& solute : solutes_)
        parallel_each(pool.size(), [&](std::size_t i) {
            const std::uint32_t b = body[i];
            double room = 0; // of which a concentration is a part
            if (materials_.is_absorbed[b]) room = pool[water_][i];
            if (materials_.is_porous[b]) // at rest: what a stain is a part of does not change by a squeeze
                room = materials_.pores[b].porosity * pool[matter_][i];
            if (passes_[b]) {
                const double porosity = materials_.pores[b].porosity;
                room = porosity / (1 - porosity) * real * pool[pool.volume][i];
            }
            const double held = pool[solute.amount][i] + (filters_ ? pool[solute.held_back][i] : 0);
            if (room > 0) pool[solute.concentration][i] = static_cast<float>(held / room);
        });
}

} // namespace loam
