// Scenes of examples/, at a resolution that a test can afford.
#pragma once

#include "run_scene.h"

namespace loam::test {

std::unique_ptr<Simulation> example(const std::string& name, double radius);

} // namespace loam::test
