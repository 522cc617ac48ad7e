#include "scene/check.h"

#include "scene/read_track.h"

#include <cmath>

namespace loam {
namespace {

using json::Node;
using json::Type;

constexpr std::size_t most_qualities = 16;

bool may_be_unbounded(const Property& property) {
    const Vec3d* initial = std::get_if<Vec3d>(&property.initial);
    return initial && !is_finite(*initial);
}

class Checker {
public:
    Checker(const Grammar& grammar, Complaints& complaints) : grammar_(grammar), complaints_(complaints) {}

    void block(const Node& node, const std::string& path, const std::string& name) {
        const Block& block = grammar_[name];
        if (!is_object(node, path, block.title)) return;
        for (const json::Member& member : node.members) {
            if (complaints_.any()) return;
            const std::string at = below(path, is_name(member.key) ? member.key : json::quoted(member.key));
            if (const Property* property = block.declaration.find(member.key))
                value(member.value, at, *property);
            else if (const Part* inner = block.part(member.key))
                part(member.value, at, *inner);
            else
                complaints_.add(member.place, at, "unknown key " + json::quoted(member.key),
                                name_hint(member.key, block.keys()));
        }
        required(node, path, block);
    }

private:
    bool is_object(const Node& node, const std::string& path, const std::string& what) {
        if (node.type == Type::object) return true;
        complaints_.add(node.place, path, "found " + json::describe(node), "allowed: a block {...}: " + what);
        return false;
    }

    void required(const Node& node, const std::string& path, const Block& block) {
        for (const Property& property : block.declaration.properties)
            if (property.required && !node.find(property.name))
                complaints_.add(node.place, path, "\"" + property.name + "\" is missing",
                                "it is " + allowed_text(property) + ": " + property.help);
        for (const Part& part : block.parts)
            if (part.required && !node.find(part.name))
                complaints_.add(node.place, path, "\"" + part.name + "\" is missing", part.help);
    }

    void part(const Node& node, const std::string& path, const Part& part) {
        switch (part.form) {
        case Part::Form::block: return block(node, path, part.block);
        case Part::Form::named: return named(node, path, part);
        case Part::Form::patches: return patches(node, path, part);
        case Part::Form::list:
        case Part::Form::names: return list(node, path, part);
        case Part::Form::shares: return shares(node, path, part);
        }
    }

    void named(const Node& node, const std::string& path, const Part& part) {
        if (!is_object(node, path, part.help)) return;
        for (const json::Member& member : node.members) {
            if (complaints_.any()) return;
            name(member.key, member.place, path);
            block(member.value, below(path, member.key), part.block);
        }
    }

    void patches(const Node& node, const std::string& path, const Part& part) {
        if (!is_object(node, path, part.help)) return;
        if (node.members.size() > most_qualities) // each of them is tried
            complaints_.add(node.place, path, "found " + std::to_string(node.members.size()) + " qualities",
                            "allowed: at most " + std::to_string(most_qualities));
        for (const json::Member& member : node.members) {
            name(member.key, member.place, path);
            if (is_object(member.value, below(path, member.key), part.help) && member.value.find("quality"))
                complaints_.add(member.value.find("quality")->place, below(path, member.key),
                                "a quality within a quality", "put it one level up");
        }
    }

    void list(const Node& node, const std::string& path, const Part& part) {
        if (node.type != Type::list)
            return complaints_.add(node.place, path, "found " + json::describe(node),
                                   "allowed: a list [...]: " + part.help);
        for (std::size_t i = 0; i != node.items.size() && !complaints_.any(); ++i) {
            const std::string at = below(path, std::to_string(i));
            if (part.form == Part::Form::list)
                block(node.items[i], at, part.block);
            else if (node.items[i].type != Type::text)
                wrong(node.items[i], at, "a name in double quotes");
        }
    }

    void shares(const Node& node, const std::string& path, const Part& part) {
        if (!is_object(node, path, part.help)) return;
        for (const json::Member& member : node.members) {
            name(member.key, member.place, path);
            if (member.value.type != Type::number || !(member.value.number >= 0 && member.value.number <= 1))
                wrong(member.value, below(path, member.key), "a number from 0 to 1");
        }
    }

    void name(const std::string& name, json::Place place, const std::string& path) {
        if (is_name(name)) return;
        const std::string rule = "names begin with a letter and go on with letters, digits, _ or -, at most 64";
        complaints_.add(place, path, name.empty() ? "an empty name" : json::quoted(name) + " cannot be a name", rule);
    }

    void wrong(const Node& node, const std::string& path, const std::string& allowed) {
        complaints_.add(node.place, path, "found " + json::describe(node), "allowed: " + allowed);
    }

    void value(const Node& node, const std::string& path, const Property& property) {
        if (node.type == Type::object && (property.kind == Kind::number || property.kind == Kind::vector))
            return check_track(node, path, property, complaints_);
        switch (property.kind) {
        case Kind::flag:
            if (node.type != Type::boolean) wrong(node, path, allowed_text(property));
            return;
        case Kind::number:
        case Kind::integer:
            if (node.type != Type::number || !number_fits(node.number, property))
                wrong(node, path, allowed_text(property));
            return;
        case Kind::text:
        case Kind::body: // whether there is such a body is known later
            if (node.type != Type::text) wrong(node, path, allowed_text(property));
            return;
        case Kind::choice: return choice(node, path, property);
        case Kind::vector: return vector(node, path, property);
        }
    }

    static bool number_fits(double number, const Property& property) {
        const bool whole = number == std::floor(number) && std::abs(number) <= 2147483647.0;
        return number >= property.limits.lo && number <= property.limits.hi &&
               (property.kind != Kind::integer || whole);
    }

    void choice(const Node& node, const std::string& path, const Property& property) {
        if (node.type != Type::text) return wrong(node, path, allowed_text(property));
        for (const std::string& choice : property.choices)
            if (choice == node.text) return;
        complaints_.add(node.place, path, "found " + json::quoted(node.text), name_hint(node.text, property.choices));
    }

    void vector(const Node& node, const std::string& path, const Property& property) {
        if (node.type != Type::list || node.items.size() < 2 || node.items.size() > 3)
            return wrong(node, path, allowed_text(property) + ", or [x, y] when z is 0");
        for (const Node& item : node.items) {
            if (item.type == Type::null && may_be_unbounded(property)) continue;
            if (item.type != Type::number || !number_fits(item.number, property))
                return wrong(item, path, allowed_text(property));
        }
    }

    const Grammar& grammar_;
    Complaints& complaints_;
};

Vec3d vector_of(const Node& list, const Property& property) {
    Vec3d v = std::get<Vec3d>(property.initial);
    if (is_finite(v)) v = {};
    for (std::size_t axis = 0; axis != list.items.size(); ++axis)
        if (list.items[axis].type == Type::number) v[axis] = list.items[axis].number;
    return v;
}

Value value_of(const Node& node, const Property& property) {
    switch (property.kind) {
    case Kind::flag: return node.truth;
    case Kind::vector: return vector_of(node, property);
    case Kind::number:
    case Kind::integer: return node.number;
    case Kind::text:
    case Kind::body:
    case Kind::choice: return node.text;
    }
    return property.initial;
}

} // namespace

void check_block(const Grammar& grammar, const Node& node, const std::string& path, const std::string& block,
                 Complaints& complaints) {
    Checker(grammar, complaints).block(node, path, block);
}

Values values_of(const Node& node, const Declaration& declaration) {
    Values values(declaration);
    for (const Property& property : declaration.properties)
        if (const Node* given = node.find(property.name)) {
            if (given->type == Type::object) {
                values.set_track(property.name, track_of(*given));
                const Vec3d first = values.track(property.name)->keys.front().value;
                values.set(property.name, property.kind == Kind::vector ? Value(first) : Value(first.x));
            } else {
                values.set(property.name, value_of(*given, property));
            }
        }
    return values;
}

} // namespace loam
