// Scenes as this program understands them.
#pragma once

#include <filesystem>

#include "scene/scene.h"

namespace loam {

// All shapes, behaviors and pressure solvers that are built in; dfsph is the default solver. The views stay valid.
Registries known_registries();

// Reads and checks a scene file.
Result<Scene> load_scene(const std::filesystem::path& file, const SceneOptions& options = {});

// An error of something that was made from the scene, with the scene's file in front of its place.
Error in_scene(Error error, const Scene& scene);

} // namespace loam
