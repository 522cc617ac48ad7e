#include "scene_file.h"

#include <cstdio>

#include "run/load.h"
#include "scene/json.h"

namespace loam {
namespace {

// A little more than a scene may have, so that one that is too long is told so by its reader.
std::string read_stdin() {
    std::string text;
    char block[1 << 16];
    while (text.size() <= json::max_size) {
        const std::size_t count = std::fread(block, 1, sizeof block, stdin);
        if (count == 0) break;
        text.append(block, count);
    }
    return text;
}

} // namespace

Result<Scene> scene_of(const SceneArguments& arguments) {
    const SceneOptions options{.overrides = arguments.set, .quality = arguments.quality};
    if (!arguments.from_stdin) return load_scene(arguments.file, options);
    return read_scene(read_stdin(), arguments.file, known_registries(), options);
}

} // namespace loam
