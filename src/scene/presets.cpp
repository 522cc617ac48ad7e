#include "scene/presets.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/input_file.h"
#include "scene/check.h"

namespace loam {
namespace {

namespace fs = std::filesystem;
using json::Node;
using json::Type;

constexpr std::string_view folder_name = "presets";

std::string text_of(const Node& block, std::string_view key) {
    const Node* node = block.find(key);
    return node && node->type == Type::text ? node->text : "";
}

Node* object_in(Node& block, std::string_view key) {
    Node* node = block.type == Type::object ? block.find(key) : nullptr;
    return node && node->type == Type::object ? node : nullptr;
}

// Own values over those of a preset, value by value; null leaves out.
void lay_over(Node& under, const Node& own) {
    for (const json::Member& member : own.members) {
        if (member.value.type == Type::null)
            under.remove(member.key);
        else
            under.set(member.key, member.value);
    }
}

Node behaviors_over(Node under, const Node& own) {
    for (const json::Member& law : own.members) {
        Node* below = object_in(under, law.key);
        if (law.key == "like") continue;
        if (below && law.value.type == Type::object)
            lay_over(*below, law.value);
        else if (law.value.type == Type::null)
            under.remove(law.key);
        else
            under.set(law.key, law.value);
    }
    under.place = own.place;
    return under;
}

// Folders in the order of the search: that beside the scene first.
std::vector<fs::path> folders(const Registries& registries, const std::string& folder) {
    std::vector<fs::path> all{fs::path(folder) / folder_name};
    all.insert(all.end(), registries.preset_folders.begin(), registries.preset_folders.end());
    return all;
}

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->path().extension() == ".json" && is_name(entry->path().stem().string()))
            names.push_back(entry->path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

std::vector<Preset> known_presets(const Registries& registries, const std::string& scene_folder) {
    std::vector<Preset> all;
    const auto add = [&all](Preset preset) {
        const auto same = [&](const Preset& other) { return other.name == preset.name; };
        if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(preset));
    };
    for (const fs::path& folder : folders(registries, scene_folder))
        for (const std::string& name : names_in(folder)) add({name, (folder / (name + ".json")).string(), ""});
    for (const Preset& preset : registries.presets) add(preset);
    std::sort(all.begin(), all.end(), [](const Preset& a, const Preset& b) { return a.name < b.name; });
    return all;
}

Result<std::string> preset_text(const Preset& preset) {
    return preset.text.empty() ? read_input_file(preset.file, json::max_size) : preset.text;
}

std::string preset_help(std::string_view text) {
    const json::Parsed parsed = json::parse(text);
    return parsed.problem ? "" : text_of(parsed.root, "help");
}

Node Presets::merged(const Node& scene) {
    Node result = scene;
    own_ = object_in(result, folder_name);
    ready_.clear();
    expand_named(own_, std::string(folder_name), Looks::yes);
    expand(result, "", Looks::no);
    expand_named(object_in(result, "bodies"), "bodies", Looks::yes);
    return result;
}

void Presets::expand_named(Node* blocks, const std::string& path, Looks looks) {
    if (!blocks) return;
    for (json::Member& member : blocks->members) {
        const std::string inside = below(path, member.key);
        if (blocks == own_) on_the_way_.push_back(member.key);
        expand(member.value, inside, looks);
        if (blocks == own_) on_the_way_.pop_back();
        expand_named(object_in(member.value, "groups"), below(inside, "groups"), Looks::no);
    }
}

void Presets::expand(Node& block, const std::string& path, Looks looks) {
    Node* behaviors = object_in(block, "behaviors");
    const Node* like = behaviors ? behaviors->find("like") : nullptr;
    if (!like || like->type != Type::text || complaints_.any()) return;
    Node* preset = find(like->text, like->place, below(path, "behaviors.like"));
    if (!preset) return;
    if (const Node* under = object_in(*preset, "behaviors")) *behaviors = behaviors_over(*under, *behaviors);
    const Node* look_under = object_in(*preset, "look");
    if (!look_under || looks == Looks::no) return;
    Node look = *look_under;
    if (const Node* own = object_in(block, "look")) lay_over(look, *own);
    if (!block.find("look") || object_in(block, "look")) block.set("look", std::move(look));
}

Node* Presets::find(const std::string& name, json::Place asked_at, const std::string& path) {
    if (const auto known = ready_.find(name); known != ready_.end()) return &known->second;
    if (std::find(on_the_way_.begin(), on_the_way_.end(), name) != on_the_way_.end()) {
        complaints_.add(asked_at, path, json::quoted(name) + " is like itself",
                        "a preset may be like another one, but not in a circle");
        return nullptr;
    }
    Node* found = own_ && is_name(name) ? own_->find(name) : nullptr;
    const bool own = found != nullptr;
    if (!found) found = read(name);
    if (complaints_.any()) return nullptr;
    if (!found) {
        complaints_.add(asked_at, path, "there is no preset " + json::quoted(name), name_hint(name, names()));
        return nullptr;
    }
    Node preset = *found;
    on_the_way_.push_back(name);
    expand(preset, own ? "presets." + name : "", Looks::yes);
    on_the_way_.pop_back();
    // Those of the scene are checked with it, under their path.
    if (!own && !complaints_.any()) check_block(grammar_, preset, "", "preset", complaints_);
    if (complaints_.any()) return nullptr;
    return &(ready_[name] = std::move(preset));
}

Node* Presets::read(const std::string& name) {
    if (const auto known = files_.find(name); known != files_.end()) return &known->second;
    if (!is_name(name)) return nullptr;
    const std::vector<Preset> all = known_presets(registries_, folder_);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Preset& preset) { return preset.name == name; });
    if (found == all.end()) return nullptr;
    const Result<std::string> text = preset_text(*found);
    const std::size_t source = complaints_.add_source(found->file, text ? *text : "");
    if (!text) {
        complaints_.add({0, source}, "", text.error().what, text.error().hint, Fault::file);
        return nullptr;
    }
    json::Parsed parsed = json::parse(*text, source);
    if (parsed.problem) complaints_.add(parsed.problem->place, "", parsed.problem->what, parsed.problem->hint);
    if (found->text.empty() && fs::path(found->file).parent_path() == fs::path(folder_) / folder_name)
        used_folder_ = true;
    return &(files_[name] = std::move(parsed.root));
}

std::vector<std::string> Presets::names() const {
    std::vector<std::string> all;
    if (own_)
        for (const json::Member& member : own_->members) all.push_back(member.key);
    for (const Preset& preset : known_presets(registries_, folder_)) all.push_back(preset.name);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

void Presets::keep(Node& scene) const {
    if (files_.empty()) return;
    if (!scene.find(folder_name)) scene.set(std::string(folder_name), Node::object(scene.place));
    for (const auto& [name, preset] : files_) scene.find(folder_name)->set(name, preset);
}

} // namespace loam
