// The scene that a command line names.
#pragma once

#include "commands.h"
#include "scene/scene.h"

namespace loam {

Result<Scene> scene_of(const SceneArguments& arguments);

} // namespace loam
