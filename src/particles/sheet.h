// One-layer bodies, from which cloth, shells and ropes are made: points, and the triangles between them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "particles/mesh/mesh.h"
#include "particles/shape.h"

namespace loam {

struct Sheet {
    std::vector<Vec3d> points;
    std::vector<Triangle> triangles; // none for a rope
    std::vector<double> shares;      // of each point: the area that it stands for [m^2]; of a rope's its length [m]
    // The points of a rectangle stand in rows: (row, column) is row * columns + column. 0 for sheets of other forms.
    std::size_t columns = 0, rows = 0;
    // Knitwear has its points three times over: those of the middle, which triangles and rows mean, then those behind
    // them, then those in front, where normals point to.
    std::size_t layers = 1;

    bool is_rope() const { return rows == 1; }
    std::size_t in_layer() const { return points.size() / layers; }
};

constexpr double never_torn = 1e9;

// The sheet of a body: the particles with ids from `first_id` on are its points, in their order.
struct BodySheet {
    std::shared_ptr<const Sheet> sheet; // null for bodies that fill a shape, and walls
    std::uint32_t first_id = 0;
    double torn = 3;  // where an edge is this many times as long as at rest, the sheet is open
    double holes = 0; // share of its area through which fluids pass
    // Of knitwear: stitches per metre along courses, which are rows of a rectangle, and across them, along `axis` on
    // sheets of other forms. 0: it is not knitted.
    double wales = 0, courses = 0;
    Vec3d axis{0, 1, 0};
};

constexpr double most_points_of_sheet = 2e7;

// What shapes are that are one layer: bodies of such a shape are its points, not what fills it.
class SheetSource {
public:
    virtual ~SheetSource() = default;
    virtual std::optional<Sheet> sheet(double spacing) const = 0;
    virtual double points(double spacing) const = 0; // about how many it will have, without making them
};
std::optional<Sheet> sheet_of(const Shape& shape, double spacing); // nothing for solids
double points_of_sheet(const Shape& shape, double spacing);        // 0 for solids

// A third of each triangle's area to each of its corners.
std::vector<double> shares_of(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles);

// A rectangle from a corner along two edges, points about one spacing apart, the first and the last on its rim. Without
// the second edge it is a rope.
Sheet rectangle_sheet(const Vec3d& corner, const Vec3d& u, const Vec3d& v, double spacing);

// The same in three layers, each this far from the next; a sheet without triangles stays as it is.
Sheet in_three_layers(Sheet sheet, double gap);

// Any triangle mesh, cut anew into triangles with edges of about one spacing.
Sheet mesh_sheet(const Mesh& mesh, double spacing);

} // namespace loam
