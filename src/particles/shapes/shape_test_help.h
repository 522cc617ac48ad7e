// Making shapes in tests by name.
#pragma once

#include <gtest/gtest.h>

#include "particles/hash.h"
#include "particles/shape.h"

namespace loam::test {

inline const ShapeKind& kind_named(const std::string& name) {
    for (const ShapeKind& kind : shape_kinds())
        if (kind.declaration.name == name) return kind;
    ADD_FAILURE() << "no shape " << name;
    return shape_kinds()[0];
}

using Given = std::vector<std::pair<std::string, Value>>;

inline Result<ShapePtr> try_make(const std::string& name, const Given& given, const ShapeContext& context = {}) {
    const ShapeKind& kind = kind_named(name);
    Values values(kind.declaration);
    for (const auto& [property, value] : given) {
        EXPECT_NE(kind.declaration.find(property), nullptr) << property;
        values.set(property, value);
    }
    return kind.make(values, context);
}

inline ShapePtr make(const std::string& name, const Given& given, const ShapeContext& context = {}) {
    Result<ShapePtr> shape = try_make(name, given, context);
    if (!shape) ADD_FAILURE() << shape.error().text();
    return *shape;
}

inline ShapePtr box(Vec3d lo, Vec3d hi) { return make("box", {{"min", lo}, {"max", hi}}); }
inline ShapePtr ball(Vec3d center, double radius) { return make("sphere", {{"center", center}, {"radius", radius}}); }

inline Vec3d random_in(Sequence& sequence, const Bounds& b) {
    const double x = sequence.next(b.lo.x, b.hi.x), y = sequence.next(b.lo.y, b.hi.y);
    return {x, y, sequence.next(b.lo.z, b.hi.z)};
}

} // namespace loam::test
