// A scene from JSON text, brought to life, for tests of the physics.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>

#include "step/simulation.h"

namespace loam::physics {

inline Result<Scene> scene_from(const std::string& json, const std::vector<std::string>& overrides = {}) {
    std::vector<Declaration> behaviors, solvers;
    for (const auto& type : Behaviors::all()) behaviors.push_back(type->declaration);
    solvers.push_back(PressureSolvers::find("dfsph")->declaration); // the first one is the default
    for (const auto& type : PressureSolvers::all())
        if (type->declaration.name != "dfsph") solvers.push_back(type->declaration);
    return read_scene(json, "test.json", Registries{shape_kinds(), behaviors, solvers}, {.overrides = overrides});
}

// Throws, which fails the test, when the scene is wrong: the scenes are part of the tests.
inline std::unique_ptr<Simulation> start(const std::string& json, const std::vector<std::string>& overrides = {}) {
    const Result<Scene> scene = scene_from(json, overrides);
    if (!scene) throw std::runtime_error(scene.error().text());
    Result<std::unique_ptr<Simulation>> simulation = Simulation::create(*scene);
    if (!simulation) throw std::runtime_error(simulation.error().text());
    return std::move(*simulation);
}

inline void advance(Simulation& simulation, double time) {
    const Status done = simulation.advance(time);
    if (!done) throw std::runtime_error(done.error().text());
}

} // namespace loam::physics
