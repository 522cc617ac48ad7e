// Shapes that are one layer thick: a rectangle, a dome, the surface of a mesh from a file. As a solid each is a plate
// of one particle's thickness; as a body it is one layer of particles joined by triangles.
#include <filesystem>
#include <mutex>
#include <numbers>
#include <numeric>

#include "base/text.h"
#include "particles/mesh/triangle_tree.h"
#include "particles/shapes/kinds.h"
#include "particles/sheet.h"

namespace loam {
namespace {

class RectangleShape final : public Shape, public SheetSource {
public:
    RectangleShape(const Vec3d& corner, const Vec3d& u, const Vec3d& v, double spacing)
        : corner_(corner), u_(u), v_(v), half_(0.5 * spacing) {}

    double distance(const Vec3d& at) const override {
        const Vec3d p = at - corner_;
        const auto along = [&](const Vec3d& edge) {
            const double l2 = dot(edge, edge);
            return l2 > 0 ? std::clamp(dot(p, edge) / l2, 0.0, 1.0) : 0.0;
        };
        return length(p - along(u_) * u_ - along(v_) * v_) - half_;
    }
    Bounds bounds() const override {
        Bounds b;
        for (const Vec3d& p : {corner_, corner_ + u_, corner_ + v_, corner_ + u_ + v_}) b.add(p);
        return b.grown(half_);
    }
    std::optional<Sheet> sheet(double spacing) const override { return rectangle_sheet(corner_, u_, v_, spacing); }
    double points(double spacing) const override { return (1 + length(u_) / spacing) * (1 + length(v_) / spacing); }

private:
    Vec3d corner_, u_, v_;
    double half_;
};

double points_of_mesh(const Mesh& mesh, double spacing) {
    const std::vector<double> shares = shares_of(mesh.vertices, mesh.triangles);
    return std::accumulate(shares.begin(), shares.end(), 0.0) / (spacing * spacing);
}

// Meshes are cut into a sheet later: first see whether that can be done.
Status can_be_cut(const Mesh& mesh, double spacing, const char* of_place, const char* of_size) {
    constexpr double farthest = 1e9; // m; there doubles still tell micrometres
    const Bounds all = mesh.bounds();
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!(all.lo[axis] >= -farthest && all.hi[axis] <= farthest))
            return wrong(of_place, "the surface reaches beyond a million kilometres", "lengths are in metres");
    if (const double points = points_of_mesh(mesh, spacing); points > most_points_of_sheet)
        return wrong(of_size, "the surface needs about " + number_text(points) + " particles",
                     "allowed: at most " + number_text(most_points_of_sheet) + "; make particle_radius larger");
    return Done{};
}

class SurfaceShape final : public Shape, public SheetSource {
public:
    SurfaceShape(Mesh mesh, double spacing)
        : mesh_(std::move(mesh)), tree_(mesh_), bounds_(mesh_.bounds().grown(0.5 * spacing)), half_(0.5 * spacing) {}

    double distance(const Vec3d& at) const override {
        const double far = length(at - bounds_.center()) + length(bounds_.size());
        return tree_.distance(at, far) - half_;
    }
    Bounds bounds() const override { return bounds_; }
    // Often asked for, and slow to make; what is filled, or a wall, needs none.
    std::optional<Sheet> sheet(double spacing) const override {
        if (spacing != 2 * half_) return mesh_sheet(mesh_, spacing);
        std::call_once(asked_, [&] { sheet_ = mesh_sheet(mesh_, spacing); });
        return sheet_;
    }
    double points(double spacing) const override { return points_of_mesh(mesh_, spacing); }

private:
    Mesh mesh_;
    TriangleTree tree_;
    Bounds bounds_;
    double half_;
    mutable std::once_flag asked_;
    mutable std::optional<Sheet> sheet_;
};

Result<ShapePtr> make_rectangle(const Values& values, const ShapeContext& context) {
    Vec3d corner = values.vector("corner"), u = values.vector("u"), v = values.vector("v");
    if (context.dimensions == 2) corner.z = u.z = 0, v = {};
    if (!(length(u) > 0)) return wrong("u", "has no length", "the edge from the corner along the rows of particles");
    if (std::abs(dot(u, v)) > 1e-6 * length(u) * length(v))
        return wrong("v", "is not at right angles to u", "a vector perpendicular to u, or [0, 0, 0] for a rope");
    for (const auto& [name, edge] : {std::pair{"u", u}, std::pair{"v", v}})
        if (length(edge) > 0 && length(edge) < context.spacing)
            return wrong(name, "is " + number_text(length(edge)) + " m long, shorter than one particle",
                         "at least " + number_text(context.spacing) + " m, or a smaller particle_radius");
    return ShapePtr(std::make_shared<RectangleShape>(corner, u, v, context.spacing));
}

// A part of a cylinder, as a rectangle that is bent: its points stand in rows along the axis.
class ArchShape final : public Shape, public SheetSource {
public:
    ArchShape(const Vec3d& center, const Vec3d& axis, const Vec3d& up, double radius, double angle, double spacing)
        : center_(center), axis_(axis), up_(up), side_(cross(up, normalized(axis))), radius_(radius), angle_(angle),
          half_(0.5 * spacing) {}

    double distance(const Vec3d& at) const override {
        const Vec3d p = at - center_, n = normalized(axis_);
        const double along = std::clamp(dot(p, n), 0.0, length(axis_));
        const double turn = std::clamp(std::atan2(dot(p, side_), dot(p, up_)), -0.5 * angle_, 0.5 * angle_);
        return length(p - along * n - radius_ * (std::cos(turn) * up_ + std::sin(turn) * side_)) - half_;
    }
    Bounds bounds() const override {
        Bounds b;
        for (int k = 0; k <= 64; ++k)
            for (const double along : {0.0, 1.0}) b.add(at((k / 64.0 - 0.5) * angle_, along));
        return b.grown(half_);
    }
    std::optional<Sheet> sheet(double spacing) const override {
        Sheet bent = rectangle_sheet({}, {radius_ * angle_, 0, 0}, {0, length(axis_), 0}, spacing);
        for (Vec3d& p : bent.points) p = at(p.x / radius_ - 0.5 * angle_, p.y / length(axis_));
        return bent;
    }
    double points(double spacing) const override {
        return (1 + radius_ * angle_ / spacing) * (1 + length(axis_) / spacing);
    }

private:
    Vec3d at(double turn, double along) const {
        return center_ + along * axis_ + radius_ * (std::cos(turn) * up_ + std::sin(turn) * side_);
    }
    Vec3d center_, axis_, up_, side_;
    double radius_, angle_, half_;
};

Result<ShapePtr> make_arch(const Values& values, const ShapeContext& context) {
    if (context.dimensions == 2) return wrong("", "an arch needs 3 dimensions", "in 2 dimensions use a sheet");
    const Vec3d axis = values.vector("axis"), n = normalized(axis);
    const Vec3d up = normalized(values.vector("up") - dot(values.vector("up"), n) * n);
    if (length(axis) < context.spacing)
        return wrong("axis", "is shorter than one particle", "a vector as long as the arch");
    if (up == Vec3d{}) return wrong("up", "is along the axis", "a direction from the axis to the middle of the arch");
    const double angle = values.number("angle") * std::numbers::pi / 180, radius = values.number("radius");
    if (radius * angle < 2 * context.spacing)
        return wrong("radius", "the arch is narrower than two particles", "a larger radius or angle");
    return ShapePtr(std::make_shared<ArchShape>(values.vector("center"), axis, up, radius, angle, context.spacing));
}

// Rings about the axis, fine enough for what the spacing shows. A rim that is smaller than particles can show is
// closed.
Mesh dome_mesh(const Vec3d& center, const Vec3d& axis, double radius, double angle, double spacing) {
    const double rim = 2 * std::numbers::pi * radius * std::sin(angle);
    const bool closed = angle > 0.5 * std::numbers::pi && rim < 6 * spacing;
    if (closed) angle = std::numbers::pi;
    const Vec3d n = normalized(axis);
    const Vec3d side = normalized(cross(n, std::abs(n.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    const Vec3d other = cross(n, side);
    const auto rings = static_cast<std::uint32_t>(std::clamp(std::ceil(angle * radius / spacing), 3.0, 400.0));
    const auto around = static_cast<std::uint32_t>(
        std::clamp(std::ceil(2 * std::numbers::pi * radius * std::sin(std::min(angle, 1.57)) / spacing), 8.0, 2000.0));
    const std::uint32_t whole = closed ? rings - 1 : rings; // rings that are not a point
    Mesh mesh;
    mesh.vertices.push_back(center + radius * n);
    for (std::uint32_t r = 1; r <= whole; ++r)
        for (std::uint32_t k = 0; k < around; ++k) {
            const double polar = angle * r / rings, turn = 2 * std::numbers::pi * k / around;
            mesh.vertices.push_back(center + radius * (std::cos(polar) * n + std::sin(polar) * std::cos(turn) * side +
                                                       std::sin(polar) * std::sin(turn) * other));
        }
    for (std::uint32_t k = 0; k < around; ++k) mesh.triangles.push_back({0, 1 + k, 1 + (k + 1) % around});
    for (std::uint32_t r = 1; r < whole; ++r)
        for (std::uint32_t k = 0; k < around; ++k) {
            const std::uint32_t here = 1 + (r - 1) * around, next = here + around, l = (k + 1) % around;
            mesh.triangles.push_back({here + k, next + k, next + l});
            mesh.triangles.push_back({here + k, next + l, here + l});
        }
    if (!closed) return mesh;
    const auto last = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(center - radius * n);
    for (std::uint32_t k = 0; k < around; ++k)
        mesh.triangles.push_back({last, last - around + (k + 1) % around, last - around + k});
    return mesh;
}

Result<ShapePtr> make_dome(const Values& values, const ShapeContext& context) {
    if (context.dimensions == 2) return wrong("", "a dome needs 3 dimensions", "in 2 dimensions use a sheet");
    const double radius = values.number("radius"), angle = values.number("angle") * std::numbers::pi / 180;
    if (!(length(normalized(values.vector("axis"))) > 0.5)) // also 0 where the square of its length is too large
        return wrong("axis", "has no direction", "any vector but [0, 0, 0]");
    if (radius < 2 * context.spacing)
        return wrong("radius", number_text(radius) + " m is too small for the particles",
                     "at least " + number_text(2 * context.spacing) + " m, or a smaller particle_radius");
    Mesh mesh = dome_mesh(values.vector("center"), values.vector("axis"), radius, angle, context.spacing);
    if (Status status = can_be_cut(mesh, context.spacing, "center", "radius"); !status) return status.error();
    return ShapePtr(std::make_shared<SurfaceShape>(std::move(mesh), context.spacing));
}

Result<ShapePtr> make_surface(const Values& values, const ShapeContext& context) {
    if (context.dimensions == 2) return wrong("", "a surface needs 3 dimensions", "in 2 dimensions use a sheet");
    const std::string& file = values.text("file");
    if (file.empty()) return wrong("file", "is empty", "the name of an .obj, .ply or .stl file");
    Result<Mesh> mesh = read_mesh((std::filesystem::path(context.folder) / file).string());
    if (!mesh) return mesh.error();
    weld(*mesh);
    if (mesh->triangles.empty()) return wrong("file", file + " has no triangle with an area");
    for (Vec3d& v : mesh->vertices) v = values.vector("translate") + values.number("scale") * v;
    const Vec3d size = mesh->bounds().size();
    if (!(std::max({size.x, size.y, size.z}) > 2 * context.spacing))
        return wrong("scale", "the surface is smaller than two particles",
                     "a larger scale, or a smaller particle_radius");
    if (Status status = can_be_cut(*mesh, context.spacing, "translate", "scale"); !status) return status.error();
    return ShapePtr(std::make_shared<SurfaceShape>(std::move(*mesh), context.spacing));
}

} // namespace

std::vector<ShapeKind> sheet_kinds() {
    return {
        {{"sheet",
          "A rectangle of one layer of particles, for cloth and shells; without v, and in 2D, a rope.",
          {vector("corner", "m", {0, 0, 0}, "where both edges begin"),
           vector("u", "m", {1, 0, 0}, "first edge: along the rows of particles").needed(),
           vector("v", "m", {0, 0, 0}, "second edge, at right angles to the first; [0, 0, 0] makes a rope")}},
         make_rectangle},
        {{"arch",
          "A part of a cylinder's surface as one layer of particles: a roof, a gutter.",
          {vector("center", "m", {0, 0, 0}, "one end of the axis"),
           vector("axis", "m", {0, 0, 1}, "from there to the other end; its length is the arch's"),
           vector("up", "", {0, 1, 0}, "from the axis to the middle of the arch; down makes a gutter"),
           number("radius", "m", 1, positive, "radius of the cylinder"),
           number("angle", "degrees", 90, {1, 350}, "how much of the circle it is")}},
         make_arch},
        {{"dome",
          "A part of a sphere's surface as one layer of particles: a bowl, a cap, a balloon.",
          {vector("center", "m", {0, 0, 0}, "centre of the sphere"),
           number("radius", "m", 1, positive, "radius of the sphere"),
           vector("axis", "", {0, -1, 0}, "from the centre to the middle of the dome; down makes a bowl"),
           number("angle", "degrees", 90, {1, 180}, "from the axis to the rim; 90 is half a sphere, 180 a whole one")}},
         make_dome},
        {{"surface",
          "The surface of a triangle mesh from a file (OBJ, PLY, STL), open or closed, as one layer of particles.",
          {text("file", "", "name of the .obj, .ply or .stl file, relative to the scene").needed(),
           number("scale", "", 1, positive, "factor on all coordinates"),
           vector("translate", "m", {0, 0, 0}, "move by this at last")}},
         make_surface}};
}

} // namespace loam
