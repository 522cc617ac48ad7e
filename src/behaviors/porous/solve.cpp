#include "behaviors/porous/solve.h"

#include <algorithm>
#include <cmath>

#include "base/reductions.h"

namespace loam {
namespace {

constexpr double tolerance = 1e-7; // of what pores hold, on average over those where something happens
constexpr int most_rounds = 12, most_iterations = 60, most_halvings = 4;
constexpr double enough = 0.05; // of the residual is left by a round's linear solve

} // namespace

// Who gives is known from the guess; it may change while the first rounds find their way.
void PorousSolve::find_conductances(const System& system, const std::vector<double>& potential) {
    const PorousNetwork& network = system.network;
    conductance_.resize(network.edge_room());
    air_.resize(network.porous());
    parallel_each(network.size(), [&](std::size_t n) {
        std::size_t at = network.first_edge(n);
        for (const PorousEdge& edge : network.edges(n)) {
            const double drop = (potential[n] - potential[edge.other]) + edge.head;
            const double mobile = drop > 0   ? mobility_[n]
                                  : drop < 0 ? mobility_[edge.other]
                                             : 0.5 * (mobility_[n] + mobility_[edge.other]);
            conductance_[at++] = system.dt * edge.conductance * mobile;
        }
        if (n < network.porous()) air_[n] = system.dt * network[n].air * mobility_[n];
    });
}

// Who pushes is known from the guess, too; so what is solved for stays convex.
void PorousSolve::find_yielding(const System& system, const std::vector<double>& potential) {
    constexpr double nearly = 0.999;
    const PorousNetwork& network = system.network;
    const std::size_t count = network.porous();
    const double dt2 = system.dt * system.dt;
    full_.assign(count, 0), yielding_.resize(network.edge_room()), yielding_alone_.assign(count, 0);
    parallel_each(count,
                  [&](std::size_t n) { full_[n] = potential[n] > 0 || system.content[n] > nearly * network[n].room; });
    parallel_each(count, [&](std::size_t n) {
        std::size_t at = network.first_edge(n);
        if (full_[n]) yielding_alone_[n] = dt2 * network[n].yields_alone;
        for (const PorousEdge& edge : network.edges(n)) {
            const double all = full_[n] ? dt2 * edge.yields : 0;
            const bool both = edge.other >= count || full_[edge.other];
            yielding_[at++] = both ? all : 0;
            if (!both) yielding_alone_[n] += all;
        }
    });
}

// Returns the sum of its amount.
double PorousSolve::find_residual(const System& system, const std::vector<double>& potential) {
    const PorousNetwork& network = system.network;
    return parallel_sum(network.porous(), [&](std::size_t n) {
        const PorousNode& node = network[n];
        const Pores::Filling filling = system.materials.pores[node.pores].at(potential[n], node.fineness);
        double out = seeping(node, n, potential), diagonal = node.room * filling.slope;
        if (out > 0) diagonal += air_[n];
        std::size_t at = network.first_edge(n);
        for (const PorousEdge& edge : network.edges(n)) {
            diagonal += conductance_[at];
            if (yields_) {
                diagonal += yielding_[at];
                out += yielding_[at] * (potential[n] - potential[edge.other]);
            }
            out += flow(at++, n, edge, potential);
        }
        if (yields_) diagonal += yielding_alone_[n], out += yielding_alone_[n] * potential[n];
        diagonal_[n] = diagonal;
        residual_[n] = system.content[n] - node.room * filling.saturation - out;
        return std::abs(residual_[n]);
    });
}

// What is not on the diagonal, without what is nothing: most of a dry body.
void PorousSolve::find_matrix(const System& system) {
    const PorousNetwork& network = system.network;
    const std::size_t count = network.porous();
    matrix_.resize(network.edge_room()), matrix_ends_.resize(count);
    parallel_each(count, [&](std::size_t n) {
        std::size_t at = network.first_edge(n), next = at;
        for (const PorousEdge& edge : network.edges(n)) {
            const auto amount = static_cast<float>(conductance_[at] + (yields_ ? yielding_[at] : 0));
            if (edge.other < count && amount > 0) matrix_[next++] = {edge.other, amount};
            ++at;
        }
        matrix_ends_[n] = next;
    });
}

// diagonal change - sum c change_j = residual, by conjugate gradients divided by the diagonal.
void PorousSolve::find_change(const System& system) {
    const PorousNetwork& network = system.network;
    const std::size_t count = network.porous();
    find_matrix(system);
    double error = parallel_sum(count, [&](std::size_t n) {
        change_[n] = 0, left_[n] = residual_[n];
        direction_[n] = left_[n] / diagonal_[n];
        return left_[n] * direction_[n];
    });
    const double goal = enough * enough * error;
    for (int round = 0; error > goal && round < most_iterations; ++round, ++iterations_) {
        const double curvature = parallel_sum(count, [&](std::size_t n) {
            double product = diagonal_[n] * direction_[n];
            for (std::size_t at = network.first_edge(n); at < matrix_ends_[n]; ++at)
                product -= static_cast<double>(matrix_[at].amount) * direction_[matrix_[at].other];
            product_[n] = product;
            return product * direction_[n];
        });
        if (!(curvature > 0)) break;
        const double along = error / curvature;
        const double after = parallel_sum(count, [&](std::size_t n) {
            change_[n] += along * direction_[n];
            left_[n] -= along * product_[n];
            return left_[n] * left_[n] / diagonal_[n];
        });
        const double keep = after / error;
        parallel_each(count, [&](std::size_t n) { direction_[n] = left_[n] / diagonal_[n] + keep * direction_[n]; });
        error = after;
    }
}

void PorousSolve::run(const System& system, std::vector<double>& potential) {
    const PorousNetwork& network = system.network;
    const std::size_t count = network.porous();
    iterations_ = 0;
    mobility_.resize(network.size());
    for (auto* values : {&residual_, &diagonal_, &change_, &direction_, &product_, &left_}) values->resize(count);
    yields_ = system.yields;
    if (yields_) find_yielding(system, potential);
    double holds = 0;
    for (std::size_t n = 0; n < network.size(); ++n) {
        mobility_[n] = 1;
        if (n >= count) continue;
        mobility_[n] = system.materials.pores[network[n].pores].mobility(system.content[n] / network[n].room);
        holds += network[n].room;
    }
    find_conductances(system, potential);
    double error = find_residual(system, potential);
    for (int round = 0; round < most_rounds && error > tolerance * holds; ++round) {
        find_change(system);
        tried_ = potential;
        double share = 1;
        for (int halved = 0;; ++halved, share *= 0.5) {
            parallel_each(count, [&](std::size_t n) { potential[n] = tried_[n] + share * change_[n]; });
            if (round < 3) find_conductances(system, potential);
            const double now = find_residual(system, potential);
            if (now < error || halved == most_halvings) {
                error = now;
                break;
            }
        }
    }
}

} // namespace loam
