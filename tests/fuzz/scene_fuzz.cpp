// Random bytes as a scene: the reader must answer with a scene or a message, and a scene that it kept must read back.
// The first line, when it begins with '!', is an override.
#include <cstdint>
#include <cstdlib>

#include "scene/test_registries.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const loam::test::SomeRegistries registries;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    loam::SceneOptions options;
    if (!text.empty() && text[0] == '!') {
        const std::size_t end = std::min(text.find('\n'), text.size());
        options.overrides.emplace_back(text.substr(1, end - 1));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (text.size() % 2) options.quality = "preview";
    }
    const loam::Result<loam::Scene> scene = loam::read_scene(text, "fuzz.json", registries.view(), options);
    if (!scene) {
        if (scene.error().text().empty() || scene.error().what.empty()) std::abort();
        return 0;
    }
    const loam::Result<loam::Scene> again = loam::read_scene(scene->text, "kept.json", registries.view());
    if (!again || again->bodies.size() != scene->bodies.size()) std::abort();
    return 0;
}
