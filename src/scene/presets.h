// Presets: named sets of behaviors, with a look, that a body takes by "like": "honey". They are blocks of the scene,
// files `NAME.json` in a folder `presets` beside the scene or in one of the user's, or built in; the first one found
// counts.
//
// What a scene is checked and built from has the presets merged in. What is kept of it beside the frames names them as
// before and holds them as blocks of its own, so that a run stays what it was when files change.
#pragma once

#include <map>
#include <set>

#include "scene/blocks.h"
#include "scene/complaint.h"

namespace loam {

class Presets {
public:
    // `folder`: of the scene.
    Presets(const Registries& registries, const Grammar& grammar, std::string folder, Complaints& complaints)
        : registries_(registries), grammar_(grammar), folder_(std::move(folder)), complaints_(complaints) {}

    // The scene with what its bodies and groups are `like` merged in. What it cannot understand it leaves to the
    // checks.
    json::Node merged(const json::Node& scene);

    // Adds the presets that merged() took from elsewhere.
    void keep(json::Node& scene) const;
    bool used_folder() const { return used_folder_; } // one came from beside the scene

private:
    json::Node* find(const std::string& name, json::Place asked_at, const std::string& path);
    json::Node* read(const std::string& name);
    enum class Looks { no, yes };                                         // bodies and presets have one
    void expand(json::Node& block, const std::string& path, Looks looks); // a body, a group, the scene or a preset
    void expand_named(json::Node* blocks, const std::string& path, Looks looks);
    std::vector<std::string> names() const;

    const Registries& registries_;
    const Grammar& grammar_;
    std::string folder_;
    Complaints& complaints_;
    json::Node* own_ = nullptr;               // the scene's block of presets
    std::map<std::string, json::Node> files_; // those from elsewhere, as they were read
    std::map<std::string, json::Node> ready_; // with those that they are like
    std::vector<std::string> on_the_way_;     // being expanded: a name that comes again is a circle
    bool used_folder_ = false;
};

} // namespace loam
