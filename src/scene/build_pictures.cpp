// The part of a scene that is about pictures.
#include <filesystem>

#include "base/text.h"
#include "scene/scene_builder.h"

namespace loam {
namespace {

const json::Node& block_or(const json::Node& root, std::string_view name, const json::Node& nothing) {
    const json::Node* found = root.find(name);
    return found ? *found : nothing;
}

bool is_color(const std::string& text) { // #rrggbb
    return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdefABCDEF", 1) == text.npos;
}

} // namespace

void SceneBuilder::check_color(const json::Node& node, const std::string& path, const std::string& key,
                               const Values& all) {
    const std::string& color = all.text(key);
    if (color.empty() || is_color(color)) return;
    complaints_.add(node.find(key)->place, below(path, key), json::quoted(color) + " is not a color",
                    "allowed: \"#rrggbb\" with hexadecimal digits, such as \"#d9772b\"");
}

// A file is looked for where the scene is, as others are.
void SceneBuilder::build_piece(const json::Node& node, const std::string& path, Values& look) {
    const std::string piece = look.text("piece");
    if (piece.empty() || piece == "ball" || piece == "bead" || piece == "pebble") return;
    const std::filesystem::path file = std::filesystem::path(folder_) / piece;
    std::error_code failed;
    if (!std::filesystem::is_regular_file(file, failed))
        complaints_.add(node.find("piece")->place, below(path, "piece"),
                        "there is no file " + json::quoted(file.string()),
                        "allowed: \"ball\", \"bead\", \"pebble\", or the file of a mesh");
    look.set("piece", file.string());
    look_uses_files_ = true;
}

void SceneBuilder::build_map(const json::Node& node, Values& light) {
    const std::filesystem::path file = std::filesystem::path(folder_) / light.text("map");
    std::error_code failed;
    const std::string hint = "allowed: the file of a Radiance picture (.hdr); others can be converted to it";
    if (file.extension() != ".hdr")
        complaints_.add(node.find("map")->place, "light.map", json::quoted(file.string()) + " does not end in .hdr",
                        hint);
    else if (!std::filesystem::is_regular_file(file, failed))
        complaints_.add(node.find("map")->place, "light.map", "there is no file " + json::quoted(file.string()), hint);
    light.set("map", file.string());
    look_uses_files_ = true;
}

Values SceneBuilder::build_look(const json::Node* node, const std::string& path) {
    if (!node) return Values(look_declaration());
    Values look = values_of(*node, look_declaration());
    for (const char* key : {"color", "melt_color"}) check_color(*node, path, key, look);
    build_piece(*node, path, look);
    return look;
}

void SceneBuilder::build_pictures(Scene& scene) {
    const json::Node nothing = json::Node::object(root_.place);
    const json::Node& camera = block_or(root_, "camera", nothing);
    scene.camera = values_of(camera, camera_declaration());
    const Vec3d from = scene.camera.vector("from"), to = scene.camera.vector("to");
    if (is_finite(from) && is_finite(to) && !(length(from - to) > 0))
        complaints_.add(camera.find("from")->place, "camera.from", "is where the camera looks at",
                        "allowed: any place but `to`");
    const json::Node& light = block_or(root_, "light", nothing);
    scene.light = values_of(light, light_declaration());
    scene.light.set("sun", direction(light, "light", scene.light, "sun"));
    check_color(light, "light", "floor_color", scene.light);
    if (!scene.light.text("map").empty()) build_map(light, scene.light);
}

} // namespace loam
