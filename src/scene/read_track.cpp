#include "scene/read_track.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "scene/blocks.h"

namespace loam {
namespace {

using json::Node;
using json::Type;

constexpr std::size_t most_keys = 100000;

std::size_t index_in(const std::vector<std::string>& names, const Node* given, std::size_t otherwise) {
    if (!given) return otherwise;
    const auto found = std::find(names.begin(), names.end(), given->text);
    return found == names.end() ? otherwise : static_cast<std::size_t>(found - names.begin());
}

const Node& at_of(const Node& key) { return key.type == Type::list ? key.items[0] : *key.find("at"); }
const Node& value_of(const Node& key) { return key.type == Type::list ? key.items[1] : *key.find("value"); }

Vec3d vector_of(const Node& value) {
    if (value.type == Type::number) return {value.number, 0, 0};
    Vec3d v;
    for (std::size_t axis = 0; axis != value.items.size(); ++axis) v[axis] = value.items[axis].number;
    return v;
}

Key::Handle handle_of(const Node* node) {
    return node ? Key::Handle{node->items[0].number, node->items[1].number} : Key::Handle{};
}

class TrackChecker {
public:
    TrackChecker(const Property& property, Complaints& complaints) : property_(property), complaints_(complaints) {}

    void check(const Node& node, const std::string& path) {
        for (const json::Member& member : node.members) {
            const std::string at = below(path, member.key);
            if (member.key == "over")
                over(member.value, at);
            else if (member.key == "of")
                of(member.value, at, node);
            else if (member.key == "interpolation")
                one_of(member.value, at, interpolation_names());
            else if (member.key == "keys")
                keys(member.value, at);
            else
                complaints_.add(member.place, at, "unknown key " + json::quoted(member.key),
                                name_hint(member.key, std::vector<std::string>{"over", "of", "interpolation", "keys"}));
        }
        if (!node.find("keys"))
            complaints_.add(node.place, path, "\"keys\" is missing",
                            "a list of keys such as [[0, 1], [2, 0]]: from 1 at 0 s to 0 at 2 s");
    }

private:
    void one_of(const Node& node, const std::string& path, const std::vector<std::string>& names) {
        if (node.type != Type::text)
            complaints_.add(node.place, path, "found " + json::describe(node), "allowed: one of " + join(names));
        else if (std::find(names.begin(), names.end(), node.text) == names.end())
            complaints_.add(node.place, path, "found " + json::quoted(node.text), name_hint(node.text, names));
    }

    void over(const Node& node, const std::string& path) {
        one_of(node, path, driver_names());
        if (complaints_.any() || node.text == "time" || property_.keying == Keying::particle) return;
        complaints_.add(node.place, path, "\"" + property_.name + "\" cannot differ from particle to particle",
                        "it may be keyed over time; the weight of a behavior may be keyed over " + node.text);
    }

    void of(const Node& node, const std::string& path, const Node& track) { // whether there is one is known later
        const Node* driver = track.find("over");
        if (node.type != Type::text)
            complaints_.add(node.place, path, "found " + json::describe(node), "allowed: the name of a solute");
        else if (!driver || driver->text != "concentration")
            complaints_.add(node.place, path, "names a solute, but the keys are not over its concentration",
                            "add \"over\": \"concentration\"");
    }

    void keys(const Node& node, const std::string& path) {
        if (node.type != Type::list || node.items.empty() || node.items.size() > most_keys)
            return complaints_.add(node.place, path, "found " + json::describe(node),
                                   fmt::format("allowed: a list of 1 to {} keys, each [at, value]", most_keys));
        for (std::size_t i = 0; i != node.items.size() && !complaints_.any(); ++i) {
            const std::string here = below(path, std::to_string(i));
            key(node.items[i], here);
            if (i == 0 || complaints_.any()) continue;
            const double at = at_of(node.items[i]).number, before = at_of(node.items[i - 1]).number;
            if (!(at > before))
                complaints_.add(at_of(node.items[i]).place, here,
                                fmt::format("{} is not after the key before, {}", number_text(at), number_text(before)),
                                "keys stand in order");
        }
    }

    void key(const Node& node, const std::string& path) {
        if (node.type == Type::list && node.items.size() == 2) {
            number(node.items[0], below(path, "0"));
            return value(node.items[1], below(path, "1"));
        }
        if (node.type != Type::object)
            return complaints_.add(node.place, path, "found " + json::describe(node),
                                   "allowed: a key [at, value], or {\"at\": ..., \"value\": ...}");
        for (const json::Member& member : node.members) {
            const std::string at = below(path, member.key);
            if (member.key == "at")
                number(member.value, at);
            else if (member.key == "value")
                value(member.value, at);
            else if (member.key == "interpolation")
                one_of(member.value, at, interpolation_names());
            else if (member.key == "in" || member.key == "out")
                handle(member.value, at, member.key == "in");
            else
                complaints_.add(
                    member.place, at, "unknown key " + json::quoted(member.key),
                    name_hint(member.key, std::vector<std::string>{"at", "value", "interpolation", "in", "out"}));
        }
        for (const char* needed : {"at", "value"})
            if (!node.find(needed))
                complaints_.add(node.place, path, fmt::format("\"{}\" is missing", needed),
                                "a key is {\"at\": ..., \"value\": ...}, or [at, value]");
    }

    void number(const Node& node, const std::string& path) {
        if (node.type != Type::number)
            complaints_.add(node.place, path, "found " + json::describe(node), "allowed: a number");
    }

    void handle(const Node& node, const std::string& path, bool in) {
        const bool pair = node.type == Type::list && node.items.size() == 2 && node.items[0].type == Type::number &&
                          node.items[1].type == Type::number;
        const std::string allowed = fmt::format("allowed: [{}, difference of value]; the first {}",
                                                "difference along the driver", in ? "at most 0" : "at least 0");
        if (!pair || (in ? node.items[0].number > 0 : node.items[0].number < 0))
            complaints_.add(node.place, path, "found " + json::describe(node), allowed);
        else if (property_.kind == Kind::vector)
            complaints_.add(node.place, path, "handles are for numbers, and \"" + property_.name + "\" is a vector",
                            "use the interpolation smooth");
    }

    bool fits(const Node& node) const {
        return node.type == Type::number && node.number >= property_.limits.lo && node.number <= property_.limits.hi;
    }

    void value(const Node& node, const std::string& path) {
        const bool good =
            property_.kind == Kind::vector
                ? node.type == Type::list && (node.items.size() == 2 || node.items.size() == 3) &&
                      std::all_of(node.items.begin(), node.items.end(), [&](const Node& item) { return fits(item); })
                : fits(node);
        if (!good)
            complaints_.add(node.place, path, "found " + json::describe(node), "allowed: " + allowed_text(property_));
    }

    const Property& property_;
    Complaints& complaints_;
};

} // namespace

void check_track(const Node& node, const std::string& path, const Property& property, Complaints& complaints) {
    if (property.keying == Keying::none || property.keying == Keying::never)
        return complaints.add(node.place, path,
                              node.find("keys") ? "\"" + property.name + "\" cannot be keyed"
                                                : "found " + json::describe(node),
                              "allowed: " + allowed_text(property));
    TrackChecker(property, complaints).check(node, path);
    if (complaints.any()) return;
    // A Bezier curve may leave the range of its keys.
    const Track track = track_of(node);
    for (std::size_t i = 0; i + 1 < track.keys.size(); ++i) {
        if (track.keys[i].to_next != Interpolation::bezier) continue;
        for (int k = 1; k < 64; ++k) {
            const double x = track.keys[i].at + (track.keys[i + 1].at - track.keys[i].at) * k / 64.0;
            const double value = track.at(x).x;
            if (value >= property.limits.lo - 1e-9 && value <= property.limits.hi + 1e-9) continue;
            return complaints.add(node.place, path,
                                  fmt::format("the curve reaches {} at {}", number_text(value), number_text(x)),
                                  "allowed: " + allowed_text(property) + "; shorten the handles");
        }
    }
}

Track track_of(const Node& node) {
    Track track;
    track.driver = static_cast<Driver>(index_in(driver_names(), node.find("over"), 0));
    if (const Node* of = node.find("of")) track.of = of->text;
    const std::size_t usual =
        index_in(interpolation_names(), node.find("interpolation"), static_cast<std::size_t>(Interpolation::linear));
    for (const Node& given : node.find("keys")->items) {
        const bool block = given.type == Type::object;
        const std::size_t own = index_in(interpolation_names(), block ? given.find("interpolation") : nullptr, usual);
        track.keys.push_back({at_of(given).number, vector_of(value_of(given)), static_cast<Interpolation>(own),
                              handle_of(block ? given.find("in") : nullptr),
                              handle_of(block ? given.find("out") : nullptr)});
    }
    return track;
}

} // namespace loam
