#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "base/text.h"
#include "particles/sampling.h"
#include "scene/check.h"
#include "scene/overrides.h"
#include "scene/presets.h"
#include "scene/read_shape.h"
#include "scene/scene_builder.h"

namespace loam {
namespace {

namespace fs = std::filesystem;
using json::Node;

// A variant that was not asked for should be right too; its shapes are not made.
void check_other_qualities(const Node& scene, const std::string& chosen, const Grammar& grammar, Presets& presets,
                           Complaints& complaints) {
    const Node* qualities = scene.find("quality");
    if (!qualities) return;
    for (const json::Member& quality : qualities->members) {
        if (quality.key == chosen || complaints.any()) continue;
        Node variant = scene;
        apply_quality(variant, quality.key, complaints);
        check_block(grammar, presets.merged(variant), "quality." + quality.key, "scene", complaints);
    }
}

// Where files that the scene names are looked for.
std::string scene_folder(const Node& scene, const std::string& file) {
    const Node* named = scene.find("folder");
    const bool is_text = named && named->type == json::Type::text;
    return (fs::path(file).parent_path() / (is_text ? named->text : "")).string();
}

std::string kept_text(Node root, const fs::path& folder, bool used_files) {
    root.remove("quality");
    std::error_code ignored;
    const fs::path absolute = fs::absolute(folder.empty() ? "." : folder, ignored).lexically_normal();
    // The text is kept elsewhere; files that it names must still be found.
    if (used_files) root.set("folder", Node::string(absolute.string(), {}));
    return json::write(root);
}

} // namespace

std::size_t Scene::frame_count() const {
    // Rounded up, but a duration that is a whole number of frames up to rounding stays one.
    const double frames = std::ceil(values.number("duration") * values.number("fps") - 1e-6);
    return static_cast<std::size_t>(std::max(1.0, frames));
}

Result<std::vector<FillPoint>> fill_body(const Scene& scene, const BodySpec& body) {
    const double seed = scene.values.number("seed") + body.values.number("seed");
    const FillOptions options{.jitter = body.values.number("jitter"),
                              .seed = static_cast<std::uint64_t>(seed),
                              .lattice = body.values.text("lattice")};
    return fill(*body.shape, scene.spacing(), scene.dimensions(), options);
}

std::vector<BehaviorUse> behaviors_of(const Scene& scene, const BodySpec& body) {
    std::vector<BehaviorUse> uses = body.behaviors;
    std::copy_if(scene.behaviors.begin(), scene.behaviors.end(), std::back_inserter(uses),
                 [&](const BehaviorUse& use) { return &use == find_behavior(scene, body, use.name); });
    return uses;
}

const BehaviorUse* find_behavior(const Scene& scene, const BodySpec& body, std::string_view name) {
    for (const std::vector<BehaviorUse>* uses : {&body.behaviors, &scene.behaviors})
        for (const BehaviorUse& use : *uses)
            if (use.name == name) return &use;
    return nullptr;
}

std::vector<Vec3d> gravity_by_body(const Scene& scene, double time) {
    std::vector<Vec3d> all;
    for (const BodySpec& body : scene.bodies) {
        const BehaviorUse* use = find_behavior(scene, body, "gravity");
        if (!use || body.boundary) {
            all.emplace_back();
            continue;
        }
        const Values now = use->values.at(time);
        all.push_back(now.number("weight") * now.vector("acceleration"));
    }
    return all;
}

std::string place_in(const Scene& scene, const Registries& registries, const std::string& path) {
    Complaints complaints(scene.file, scene.source, scene.options.overrides);
    Node root = json::parse(scene.source).root;
    if (!scene.options.quality.empty()) apply_quality(root, scene.options.quality, complaints);
    const Grammar grammar(registries);
    for (std::size_t i = 0; i != scene.options.overrides.size(); ++i)
        apply_override(root, scene.options.overrides[i], i + 1, grammar, complaints);
    Presets presets(registries, grammar, scene_folder(root, scene.file), complaints);
    const Node merged = presets.merged(root);
    const Node* at = &merged;
    std::istringstream names(path);
    for (std::string name; std::getline(names, name, '.');) {
        const Node* const next = at->type == json::Type::object ? at->find(name) : nullptr;
        if (!next) break;
        at = next;
    }
    return complaints.where(at->place);
}

Result<Scene> read_scene(std::string_view text, const std::string& file, const Registries& registries,
                         const SceneOptions& options) {
    Complaints complaints(file, text, options.overrides);
    json::Parsed parsed = json::parse(text);
    if (parsed.problem) complaints.add(parsed.problem->place, "", parsed.problem->what, parsed.problem->hint);
    if (complaints.any()) return complaints.first();
    Node& root = parsed.root;
    const Grammar grammar(registries);
    Presets as_written(registries, grammar, scene_folder(root, file), complaints);
    check_block(grammar, as_written.merged(root), "", "scene", complaints);
    if (!complaints.any()) check_other_qualities(root, options.quality, grammar, as_written, complaints);
    if (!complaints.any() && !options.quality.empty()) apply_quality(root, options.quality, complaints);
    for (std::size_t i = 0; i != options.overrides.size() && !complaints.any(); ++i)
        apply_override(root, options.overrides[i], i + 1, grammar, complaints);
    if (complaints.any()) return complaints.first();
    const std::string folder = scene_folder(root, file);
    Presets presets(registries, grammar, folder, complaints);
    const Node merged = presets.merged(root);
    check_block(grammar, merged, "", "scene", complaints);
    if (complaints.any()) return complaints.first();

    SceneBuilder builder(merged, registries, folder, complaints);
    Scene scene = builder.build();
    if (complaints.any()) return complaints.first();
    scene.file = file;
    scene.source = text;
    scene.options = options;
    presets.keep(root);
    scene.text = kept_text(std::move(root), folder, builder.used_files() || presets.used_folder());
    return scene;
}

} // namespace loam
