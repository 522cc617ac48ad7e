#include "scene/overrides.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace loam {
namespace {

using json::Node;
using json::Place;
using json::Type;

std::vector<std::string> split(std::string_view path) {
    std::vector<std::string> steps;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        steps.emplace_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return steps;
}

std::vector<std::string> keys_of(const Node& node) {
    std::vector<std::string> keys;
    for (const json::Member& member : node.members) keys.push_back(member.key);
    return keys;
}

// Walks down a path, adding blocks that are not there yet. `form` and `block` follow the grammar, so that a key that
// cannot be there is found before it is made, and a misspelt name of a body does not make a new body.
class Walk {
public:
    Walk(Node& scene, Place place, const Grammar& grammar, Complaints& complaints)
        : node_(&scene), place_(place), grammar_(grammar), complaints_(complaints) {}

    bool down(const std::string& key, bool last) {
        const std::string path = below(path_, key);
        const bool ok = node_->type == Type::list ? into_list(key, path) : into_object(key, path, last);
        path_ = path;
        return ok;
    }
    Node& node() { return *node_; }

private:
    bool into_list(const std::string& key, const std::string& path) {
        std::size_t index = node_->items.size();
        std::from_chars(key.data(), key.data() + key.size(), index);
        if (index >= node_->items.size()) {
            complaints_.add(place_, path, json::quoted(key) + " is not an entry of this list",
                            node_->items.empty() ? "the list is empty"
                                                 : fmt::format("allowed: 0 to {}", node_->items.size() - 1));
            return false;
        }
        node_ = &node_->items[index];
        if (part_ && part_->form == Part::Form::list) enter(part_->block);
        return true;
    }

    bool into_object(const std::string& key, const std::string& path, bool last) {
        if (node_->type != Type::object) {
            complaints_.add(place_, path_, "is not a block: " + json::describe(*node_), "the path goes too far");
            return false;
        }
        Node* next = node_->find(key);
        if (!known(key, path, next != nullptr, last)) return false;
        node_ = next ? next : &node_->set(key, last ? Node{.place = place_} : Node::object(place_));
        return true;
    }

    bool known(const std::string& key, const std::string& path, bool there, bool last) {
        if (block_) {
            part_ = block_->part(key);
            if (!part_ && !block_->declaration.find(key)) {
                complaints_.add(place_, path, "unknown key " + json::quoted(key), name_hint(key, block_->keys()));
                return false;
            }
            block_ = nullptr;
            if (part_ && part_->form == Part::Form::block) enter(part_->block);
            return true;
        }
        if (part_ && part_->form == Part::Form::named) {
            if (!there && !last) {
                complaints_.add(place_, path, "there is no " + json::quoted(key), name_hint(key, keys_of(*node_)));
                return false;
            }
            enter(part_->block);
        }
        return true; // within a quality: merged and checked with the rest
    }

    void enter(const std::string& block) {
        block_ = &grammar_[block];
        part_ = nullptr;
    }

    Node* node_;
    Place place_;
    const Grammar& grammar_;
    Complaints& complaints_;
    std::string path_;
    const Block* block_ = &grammar_["scene"]; // the block that node_ is, or
    const Part* part_ = nullptr;              // the part of one that it is
};

// A number as people type them: .5, 5. and +5 too, which JSON does not know.
std::optional<double> typed_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = failed == std::errc{} && end == text.data() + text.size();
    return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// The value as JSON or a number, or else as the text that it is. Broken JSON is not text.
bool value_of(std::string_view text, Place place, Node& value, Complaints& complaints) {
    json::Parsed parsed = json::parse(text, place.source);
    if (const auto number = typed_number(text); number && parsed.problem)
        parsed = json::parse(fmt::format("{}", *number), place.source);
    if (!parsed.problem) {
        value = std::move(parsed.root);
        return true;
    }
    if (!text.empty() && (text[0] == '{' || text[0] == '[' || text[0] == '"')) {
        complaints.add(parsed.problem->place, "", parsed.problem->what, parsed.problem->hint);
        return false;
    }
    value = Node::string(std::string(text), place);
    return true;
}

} // namespace

void apply_quality(Node& scene, const std::string& quality, Complaints& complaints) {
    const Node* all = scene.find("quality");
    const Node* chosen = all && all->type == Type::object ? all->find(quality) : nullptr;
    if (!chosen && quality == "final") return; // the scene as it is
    if (!chosen) {
        const std::vector<std::string> names = all ? keys_of(*all) : std::vector<std::string>{};
        return complaints.add(all ? all->place : scene.place, "quality", "there is no quality " + json::quoted(quality),
                              names.empty() ? "this scene has no qualities" : name_hint(quality, names), Fault::usage);
    }
    Node patch = *chosen; // merging changes the tree it is part of
    patch.remove("quality");
    json::merge(scene, patch);
}

void apply_override(Node& scene, const std::string& text, std::size_t source, const Grammar& grammar,
                    Complaints& complaints) {
    const Place place{0, source};
    const std::size_t equals = text.find('=');
    const std::vector<std::string> steps = split(std::string_view(text).substr(0, std::min(equals, text.size())));
    if (equals == std::string::npos || equals == 0 || steps.size() > static_cast<std::size_t>(json::max_depth))
        return complaints.add(place, "", "is not of the form path=value",
                              "for example: bodies.water.behaviors.fluid.density=800", Fault::usage);
    Node value;
    if (!value_of(std::string_view(text).substr(equals + 1), place, value, complaints)) return;
    Walk walk(scene, place, grammar, complaints);
    for (std::size_t i = 0; i != steps.size(); ++i) {
        const bool last = i + 1 == steps.size();
        Node& parent = walk.node();
        if (!walk.down(steps[i], last)) return;
        if (last && value.type == Type::null && parent.type == Type::object)
            return parent.remove_or_leave_out(steps[i], place);
    }
    walk.node() = std::move(value);
}

std::vector<std::string> paths_below(const std::string& scene_text, const Registries& registries,
                                     const std::string& path) {
    const json::Parsed parsed = json::parse(scene_text);
    const Grammar grammar(registries);
    const std::size_t dot = path.find_last_of('.');
    const std::string parent = dot == std::string::npos ? "" : path.substr(0, dot + 1);
    const Node* node = &parsed.root;
    const Block* block = &grammar["scene"];
    const Part* part = nullptr;
    for (const std::string& step : split(parent.empty() ? "" : std::string_view(parent).substr(0, dot))) {
        if (step.empty()) continue;
        if (block)
            part = block->part(step), block = nullptr;
        else if (part && part->form == Part::Form::named)
            block = &grammar[part->block], part = nullptr;
        else
            return {};
        if (part && part->form == Part::Form::block) block = &grammar[part->block], part = nullptr;
        node = node && node->type == Type::object ? node->find(step) : nullptr;
    }
    std::vector<std::string> paths;
    if (block)
        for (const std::string& key : block->keys()) paths.push_back(parent + key + (block->part(key) ? "." : "="));
    else if (part && node && part->form == Part::Form::named)
        for (const std::string& key : keys_of(*node)) paths.push_back(parent + key + ".");
    return paths;
}

} // namespace loam
