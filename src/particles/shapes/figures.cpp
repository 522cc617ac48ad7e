// Figures, rocks and fountains as kinds of shapes. Their distances are copied to a grid, since they have many parts.
#include "particles/shapes/figures.h"

#include <numbers>

#include "base/text.h"
#include "particles/shapes/kinds.h"

namespace loam {
namespace {

// Larger ones would have more particles than any machine steps; the copy to the grid would take minutes to no end.
constexpr double most_across = 4000;

Status is_small_enough(double size, const char* property, const ShapeContext& context) {
    if (const double across = size / context.spacing; !(across <= most_across))
        return wrong(property, "is " + number_text(across) + " particles",
                     "allowed: at most " + number_text(most_across) + "; or make particle_radius larger");
    return Done{};
}

Result<ShapePtr> standing_at(ShapePtr shape, const Values& values, const ShapeContext& context) {
    if (Status status = is_small_enough(values.number("size"), "size", context); !status) return status.error();
    const double degrees = context.dimensions == 2 ? 0 : values.has("heading") ? values.number("heading") : 0;
    const ShapePtr placed = place(
        std::move(shape), {values.vector("base"), {0, 1, 0}, degrees * std::numbers::pi / 180, values.number("size")});
    return cached(placed, context.spacing);
}

Result<ShapePtr> make_figure(const Values& values, const ShapeContext& context) {
    const std::string& name = values.text("name");
    return standing_at(name == "duck"     ? duck_figure()
                       : name == "dragon" ? dragon_figure()
                                          : bunny_figure(),
                       values, context);
}

Result<ShapePtr> make_fountain(const Values& values, const ShapeContext& context) {
    const double size = values.number("size");
    // Walls thinner than that would have no room for particles.
    const double thickness = std::max(values.number("thickness"), 1.2 * context.spacing);
    if (thickness > 0.08 * size)
        return wrong("thickness", "the walls are too thick for a fountain of this size",
                     "a larger size, or a smaller particle_radius");
    return standing_at(fountain_figure(thickness / size), values, context);
}

Result<ShapePtr> make_rocks(const Values& values, const ShapeContext& context) {
    RockPile pile{{values.vector("min"), values.vector("max")},
                  values.number("size"),
                  values.number("variation"),
                  values.integer("count"),
                  static_cast<std::uint64_t>(values.integer("seed"))};
    if (context.dimensions == 2) pile.region.lo.z = pile.region.hi.z = 0;
    for (std::size_t axis = 0; axis < (context.dimensions == 2 ? 2 : 3); ++axis)
        if (!(pile.region.hi[axis] > pile.region.lo[axis])) return wrong("max", "must be above min along every axis");
    const Vec3d size = pile.region.size();
    if (Status status = is_small_enough(std::max({size.x, size.y, size.z}), "max", context); !status)
        return status.error();
    const ShapePtr rocks = rock_pile(pile);
    if (!rocks) return wrong("size", "no rock of this size fits between min and max");
    return cached(rocks, context.spacing);
}

} // namespace

std::vector<ShapeKind> figure_kinds() {
    const Property base = vector("base", "m", {0, 0, 0}, "the point of the ground below its middle");
    const Property heading = number("heading", "degree", 0, any, "turn about y; 0 looks along x");
    return {
        {{"figure",
          "An animal built from simple solids, standing on its base. In 2D its outline from the side.",
          {choice("name", {"dragon", "duck", "bunny"}, "which one"),
           number("size", "m", 1, positive, "about its length"), base, heading}},
         make_figure},
        {{"fountain",
          "A basin with two bowls on a column above it; in 2D its section.",
          {number("size", "m", 1, positive, "diameter of the basin"), base,
           number("thickness", "m", 0.03, positive, "of basin and bowls, no less than a particle")}},
         make_fountain},
        {{"rocks",
          "A pile of rounded rocks on the floor of a box; in 2D a row of them.",
          {vector("min", "m", {0, 0, 0}, "corner of the box with the smallest coordinates").needed(),
           vector("max", "m", {1, 1, 1}, "corner of the box with the largest coordinates").needed(),
           number("size", "m", 0.2, positive, "mean diameter"),
           number("variation", "", 0.4, {0, 0.9}, "how much sizes differ"),
           integer("count", 50, {1, 5000}, "number of rocks; fewer if the box is full"),
           integer("seed", 1, not_negative, "another number, another pile")}},
         make_rocks},
    };
}

} // namespace loam
