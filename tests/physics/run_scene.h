// Runs scenes written as JSON text, for tests that hold the physics to a reference.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "run/built_in_presets.h"
#include "scene/scene.h"
#include "step/simulation.h"

namespace loam::test {

// A test cannot go on without its scene, so here errors are thrown; GoogleTest reports the text.
inline std::unique_ptr<Simulation> start(const std::string& text, const std::vector<std::string>& overrides = {},
                                         InstructionSet isa = best_instruction_set(),
                                         const std::string& file = "test") {
    std::vector<Declaration> behaviors, solvers{PressureSolvers::find("dfsph")->declaration};
    for (const auto& type : Behaviors::all()) behaviors.push_back(type->declaration);
    for (const auto& type : PressureSolvers::all())
        if (type->declaration.name != "dfsph") solvers.push_back(type->declaration);
    SceneOptions options;
    options.overrides = overrides;
    const Result<Scene> scene =
        read_scene(text, file, Registries{shape_kinds(), behaviors, solvers, {}, built_in_presets()}, options);
    if (!scene) throw std::runtime_error(scene.error().text());
    auto simulation = Simulation::create(*scene, isa);
    if (!simulation) throw std::runtime_error(simulation.error().text());
    return std::move(*simulation);
}

inline void advance(Simulation& simulation, double time, const std::function<void()>& after_step = {}) {
    if (const Status done = simulation.advance(time, nullptr, after_step); !done)
        throw std::runtime_error(done.error().text());
}

inline void set_velocities(Simulation& simulation, const std::function<Vec3d(const Vec3d&)>& velocity) {
    Pool& pool = simulation.particles();
    for (std::size_t i = 0; i < pool.size(); ++i) pool[pool.velocity][i] = float4(velocity(pool[pool.position][i]));
}

// sum over particles of weight(i)
template <class Weight> double total(const Simulation& simulation, const Weight& weight) {
    double sum = 0;
    for (std::size_t i = 0; i < simulation.particles().size(); ++i) sum += weight(i);
    return sum;
}

inline Vec3d momentum(const Simulation& simulation) {
    const Pool& pool = simulation.particles();
    Vec3d sum;
    for (std::size_t i = 0; i < pool.size(); ++i)
        sum += static_cast<double>(pool[pool.mass][i]) * pool[pool.velocity][i].xyz_double();
    return sum;
}

inline double kinetic_energy(const Simulation& simulation) {
    const Pool& pool = simulation.particles();
    return total(simulation, [&](std::size_t i) {
        const Vec3d v = pool[pool.velocity][i].xyz_double();
        return 0.5 * pool[pool.mass][i] * dot(v, v);
    });
}

// Velocity at a point by normalized kernel interpolation of first order: a plane fitted to the particles around. 2D.
inline Vec3d velocity_at(const Simulation& simulation, const Vec3d& at, double reach) {
    const Pool& pool = simulation.particles();
    const Vec3d period = simulation.context().scene.periodic_length;
    double m[3][3]{}, b[3][2]{};
    for (std::size_t i = 0; i < pool.size(); ++i) {
        Vec3d d = pool[pool.position][i] - at;
        for (std::size_t k = 0; k < 3; ++k)
            if (period[k] > 0) d[k] -= period[k] * std::round(d[k] / period[k]);
        const double q = length(d) / reach;
        if (q >= 1) continue;
        const double w = std::pow(1 - q, 4) * (1 + 4 * q), basis[3]{1, d.x / reach, d.y / reach};
        const Float4& v = pool[pool.velocity][i];
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) m[r][c] += w * basis[r] * basis[c];
            b[r][0] += w * basis[r] * v.x, b[r][1] += w * basis[r] * v.y;
        }
    }
    for (int k = 0; k < 3; ++k) // Gauss; the matrix is positive definite
        for (int r = k + 1; r < 3; ++r) {
            const double f = m[r][k] / m[k][k];
            for (int c = k; c < 3; ++c) m[r][c] -= f * m[k][c];
            b[r][0] -= f * b[k][0], b[r][1] -= f * b[k][1];
        }
    for (int k = 2; k >= 0; --k)
        for (int s = 0; s < 2; ++s) {
            for (int c = k + 1; c < 3; ++c) b[k][s] -= m[k][c] * b[c][s];
            b[k][s] /= m[k][k];
        }
    return {b[0][0], b[0][1], 0};
}

} // namespace loam::test
