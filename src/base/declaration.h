// A declaration says once what a named block of a scene may contain: behaviors, pressure solvers, shapes, boundaries
// and the scene itself are declared this way. The reader, its error messages, the JSON Schema, `loam behaviors` and the
// scene reference are all made from it.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/track.h"
#include "base/vec.h"

namespace loam {

using Value = std::variant<bool, double, Vec3d, std::string>;

enum class Kind { flag, number, integer, vector, text, choice, body }; // body: the name of one of the scene

struct Limits {
    double lo = -std::numeric_limits<double>::infinity();
    double hi = std::numeric_limits<double>::infinity();
};

inline constexpr Limits any{};
inline constexpr Limits not_negative{0};
inline constexpr Limits positive{std::numeric_limits<double>::min()};
inline constexpr Limits fraction{0, 1};

// Whether keys may stand in place of a single value: none, keys over time, or keys over any driver.
enum class Keying { none, never, time, particle }; // behaviors make time of none, not of never

struct Property {
    std::string name;
    Kind kind;
    std::string unit; // "" for none
    Value initial;    // the default
    Limits limits;
    std::vector<std::string> choices;
    std::string help; // one line
    bool required = false;
    Keying keying = Keying::none;

    Property needed() && {
        required = true;
        return std::move(*this);
    }
    Property fixed() && { // what a behavior reads only once
        keying = Keying::never;
        return std::move(*this);
    }
    Property keyed(Keying over = Keying::time) && {
        keying = over;
        return std::move(*this);
    }
};

inline Property flag(std::string name, bool initial, std::string help) {
    return {std::move(name), Kind::flag, "", initial, {}, {}, std::move(help)};
}
inline Property number(std::string name, std::string unit, double initial, Limits limits, std::string help) {
    return {std::move(name), Kind::number, std::move(unit), initial, limits, {}, std::move(help)};
}
inline Property integer(std::string name, int initial, Limits limits, std::string help) {
    return {std::move(name), Kind::integer, "", static_cast<double>(initial), limits, {}, std::move(help)};
}
inline Property vector(std::string name, std::string unit, Vec3d initial, std::string help, Limits limits = any) {
    return {std::move(name), Kind::vector, std::move(unit), initial, limits, {}, std::move(help)};
}
inline Property text(std::string name, std::string initial, std::string help) {
    return {std::move(name), Kind::text, "", std::move(initial), {}, {}, std::move(help)};
}
// The name of a body of the scene; "" for none.
inline Property body_name(std::string name, std::string help) {
    return {std::move(name), Kind::body, "", std::string(), {}, {}, std::move(help)};
}
// The first choice is the default.
inline Property choice(std::string name, std::vector<std::string> choices, std::string help) {
    Value first = choices.front();
    return {std::move(name), Kind::choice, "", std::move(first), {}, std::move(choices), std::move(help)};
}

struct Declaration {
    std::string name;
    std::string help; // one line, then as much as needed
    std::vector<Property> properties;

    const Property* find(std::string_view property) const {
        for (const Property& p : properties)
            if (p.name == property) return &p;
        return nullptr;
    }
};

// Values that a reader has checked against a declaration; every declared property is present.
class Values {
public:
    explicit Values(const Declaration& declaration) {
        for (const Property& p : declaration.properties) values_[p.name] = p.initial;
    }
    Values() = default;

    void set(const std::string& name, Value value) { values_[name] = std::move(value); }
    // A keyed value stands as what it is at the first key, until at() is asked for another time.
    void set_track(const std::string& name, Track track) { tracks_[name] = std::move(track); }
    const Track* track(const std::string& name) const {
        const auto found = tracks_.find(name);
        return found == tracks_.end() ? nullptr : &found->second;
    }
    const std::map<std::string, Track>& tracks() const { return tracks_; }
    Values at(double time) const; // with what is keyed over time as it is then

    bool has(const std::string& name) const { return values_.count(name) != 0; }
    bool flag(const std::string& name) const { return std::get<bool>(values_.at(name)); }
    double number(const std::string& name) const { return std::get<double>(values_.at(name)); }
    int integer(const std::string& name) const { return static_cast<int>(number(name)); }
    Vec3d vector(const std::string& name) const { return std::get<Vec3d>(values_.at(name)); }
    const std::string& text(const std::string& name) const { return std::get<std::string>(values_.at(name)); }
    const std::map<std::string, Value>& all() const { return values_; }

private:
    std::map<std::string, Value> values_;
    std::map<std::string, Track> tracks_;
};

inline Values Values::at(double time) const {
    Values then = *this;
    for (const auto& [name, track] : tracks_) {
        if (track.driver != Driver::time) continue;
        const Vec3d value = track.at(time);
        if (std::holds_alternative<double>(then.values_.at(name)))
            then.set(name, value.x);
        else
            then.set(name, value);
    }
    return then;
}

} // namespace loam
