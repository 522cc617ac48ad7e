#include "scene/read_shape.h"

#include <numbers>

#include "base/text.h"
#include "particles/shapes/animated_mesh.h"
#include "particles/sheet.h"

namespace loam {
namespace {

using json::Node;

const ShapeKind* find_kind(std::span<const ShapeKind> kinds, const std::string& name) {
    for (const ShapeKind& kind : kinds)
        if (kind.declaration.name == name) return &kind;
    return nullptr;
}

bool is_combination(const std::string& name) {
    return std::find(combinations.begin(), combinations.end(), name) != combinations.end();
}

// Boxes and the like have a lower and an upper corner.
bool corners_are_in_order(const Values& values, const Declaration& declaration, int dimensions) {
    const Property *lower = declaration.find("min"), *upper = declaration.find("max");
    if (!lower || !upper || lower->kind != Kind::vector || upper->kind != Kind::vector) return true;
    const Vec3d lo = values.vector("min"), hi = values.vector("max");
    const bool flat = declaration.name == "heightfield"; // a patch of the ground: its upper y is not looked at
    return lo.x <= hi.x && (flat || lo.y <= hi.y) && (dimensions == 2 || lo.z <= hi.z);
}

} // namespace

ShapePtr ShapeReader::read(const Node& node, const std::string& path) {
    if (complaints_.any()) return nullptr;
    const json::Member* chosen = nullptr;
    std::vector<std::string> possible;
    for (const ShapeKind& kind : kinds_) possible.push_back(kind.declaration.name);
    possible.insert(possible.end(), combinations.begin(), combinations.end());
    for (const json::Member& member : node.members) {
        if (std::find(possible.begin(), possible.end(), member.key) == possible.end()) continue;
        if (chosen) {
            complaints_.add(member.place, path, "is both \"" + chosen->key + "\" and \"" + member.key + "\"",
                            "a shape is one of them; join several by \"union\": [...]");
            return nullptr;
        }
        chosen = &member;
    }
    if (!chosen) {
        complaints_.add(node.place, path, "does not say which shape it is", "allowed: one of " + join(possible));
        return nullptr;
    }
    static const Declaration changes = Grammar({})["shape"].declaration;
    const Values values = values_of(node, changes);
    const bool combined = is_combination(chosen->key);
    if (!combined && node.find("smooth"))
        complaints_.add(node.find("smooth")->place, path + ".smooth", "a single shape has no seams",
                        "smooth stands beside " + join(combinations));
    const std::string at = below(path, chosen->key);
    ShapePtr shape = combined ? combination(chosen->value, chosen->key, at, values.number("smooth"))
                              : primitive(chosen->value, *find_kind(kinds_, chosen->key), at);
    return shape ? changed(std::move(shape), node, path, values) : nullptr;
}

ShapePtr ShapeReader::read_solid(const Node& node, const std::string& path) {
    constexpr double farthest = 1e9; // [m]
    ShapePtr shape = read(node, path);
    if (!shape) return nullptr;
    const Bounds bounds = shape->bounds();
    for (std::size_t axis = 0; axis < (context_.dimensions == 2 ? 2 : 3); ++axis) {
        if (std::abs(bounds.lo[axis]) <= farthest && std::abs(bounds.hi[axis]) <= farthest) continue;
        complaints_.add(node.place, path, "reaches beyond a million kilometres", "lengths are in metres");
        return nullptr;
    }
    return shape;
}

ShapePtr ShapeReader::combination(const Node& node, const std::string& kind, const std::string& path, double smooth) {
    std::vector<ShapePtr> parts;
    for (std::size_t i = 0; i != node.items.size(); ++i) {
        parts.push_back(read(node.items[i], below(path, std::to_string(i))));
        if (!parts.back()) return nullptr;
        if (animation_of(*parts.back())) {
            complaints_.add(node.items[i].place, path, "an animation cannot be a part of another shape",
                            "make it a body of its own");
            return nullptr;
        }
    }
    const std::size_t least = kind == "difference" ? 2 : 1;
    if (parts.size() < least) {
        complaints_.add(node.place, path, "found " + json::describe(node),
                        "allowed: at least " + std::to_string(least));
        return nullptr;
    }
    if (kind == "union") return unite(std::move(parts), smooth);
    if (kind == "intersection") return intersect(std::move(parts), smooth);
    const ShapePtr first = parts.front();
    parts.erase(parts.begin());
    return subtract(first, std::move(parts), smooth);
}

ShapePtr ShapeReader::primitive(const Node& node, const ShapeKind& kind, const std::string& path) {
    const Values values = values_of(node, kind.declaration);
    if (!corners_are_in_order(values, kind.declaration, context_.dimensions)) {
        const Node* upper = node.find("max");
        complaints_.add(upper ? upper->place : node.place, path, "max is below min",
                        "each component of max is at least that of min");
        return nullptr;
    }
    for (const Property& property : kind.declaration.properties)
        if (property.name == "file") used_files_ = true;
    Result<ShapePtr> made = kind.make(values, context_);
    if (made) return *made;
    Error error = made.error(); // names the property at fault, or a place in the file
    if (kind.declaration.find("file") && !error.where.empty() && !kind.declaration.find(error.where)) {
        error.what = error.where + ": " + error.what;
        error.where = "file";
    }
    const Node* culprit = node.find(error.where);
    const std::string at = error.where.empty() ? path : below(path, error.where);
    complaints_.add(culprit ? culprit->place : node.place, at, error.what, error.hint, error.fault);
    return nullptr;
}

ShapePtr ShapeReader::changed(ShapePtr shape, const Node& node, const std::string& path, const Values& values) {
    Placement placement;
    placement.scale = values.number("scale");
    placement.translation = values.vector("translate");
    if (const Node* rotate = node.find("rotate")) {
        static const Declaration declaration = Grammar({})["rotate"].declaration;
        const Values rotation = values_of(*rotate, declaration);
        const bool flat = context_.dimensions == 2 && !rotate->find("axis");
        placement.axis = flat ? Vec3d{0, 0, 1} : normalized(rotation.vector("axis"));
        placement.angle = rotation.number("degrees") * std::numbers::pi / 180;
        if (length(placement.axis) == 0) {
            complaints_.add(rotate->place, path + ".rotate.axis", "has no direction",
                            "allowed: any vector but [0, 0, 0]");
            return nullptr;
        }
    }
    if (animation_of(*shape) && node.members.size() > 1) {
        complaints_.add(node.place, path, "an animation is not changed further",
                        "scale and translate stand within \"animation\"; a wall also turns by its \"motion\"");
        return nullptr;
    }
    const bool placed = placement.scale != 1 || placement.angle != 0 || length(placement.translation) > 0;
    // The skin of what is then placed, so that its particles lie as it does.
    if (values.number("hollow") > 0) shape = hollow(std::move(shape), values.number("hollow") / placement.scale);
    if (placed) shape = place(std::move(shape), placement);
    if (const double points = points_of_sheet(*shape, context_.spacing); !(points <= most_points_of_sheet)) {
        complaints_.add(node.place, path, "the sheet needs about " + number_text(points) + " particles",
                        "allowed: at most " + number_text(most_points_of_sheet) +
                            "; make it smaller or particle_radius larger");
        return nullptr;
    }
    if (values.flag("invert")) shape = invert(std::move(shape));
    return shape;
}

} // namespace loam
