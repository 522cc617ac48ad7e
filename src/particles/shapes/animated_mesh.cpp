#include "particles/shapes/animated_mesh.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "particles/shapes/distance_grid.h"
#include "particles/shapes/kinds.h"

namespace loam {
namespace {

constexpr double instant = 1e-4; // [s] of the file, over which velocities are measured
// What is so much faster before a moment than after it, or the other way, is no motion: it jumps to another place.
constexpr double much_faster = 10, jump = 0.003; // times; [m] in an instant
constexpr int looked_at = 32;                    // moments of one round, to find where it gets and how fast
constexpr std::size_t remembered = 4;            // moments: a step asks for its begin and its end, several times

struct Frame {
    Vec3d along, across, out;
};

Frame frame_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d along = normalized(b - a), out = normalized(cross(b - a, c - a));
    return {along, cross(out, along), out};
}

Vec3d place_of(const Anchor& anchor, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Frame frame = frame_of(a, b, c);
    return anchor.weights.x * a + anchor.weights.y * b + anchor.weights.z * c + anchor.offset.x * frame.along +
           anchor.offset.y * frame.across + anchor.offset.z * frame.out;
}

} // namespace

MeshMoment::MeshMoment(Mesh mesh, std::vector<Vec3d> velocities, Bounds bounds)
    : mesh_(std::move(mesh)), velocities_(std::move(velocities)), bounds_(bounds) {}

const TriangleTree& MeshMoment::tree() const {
    std::call_once(asked_, [this] { tree_.emplace(mesh_); });
    return *tree_;
}

double MeshMoment::distance(const Vec3d& at) const {
    const double d = length(at - tree().nearest(at).point);
    // Far outside of the bounds nothing is inside.
    return bounds_.contains(at) && tree().winding_number(at) > 0.5 ? -d : d;
}

Vec3d MeshMoment::normal(const Vec3d& at) const {
    const TriangleTree::Nearest nearest = tree().nearest(at);
    const Triangle& t = mesh_.triangles[nearest.triangle];
    const Vec3d face =
        normalized(cross(mesh_.vertices[t[1]] - mesh_.vertices[t[0]], mesh_.vertices[t[2]] - mesh_.vertices[t[0]]));
    const Vec3d way = at - nearest.point;
    const double far = length(way);
    // Very near to the surface the way to it has no direction.
    if (far < 1e-9 * (1 + length(at))) return face;
    const bool inside = bounds_.contains(at) && tree().winding_number(at) > 0.5;
    return (inside ? -1 / far : 1 / far) * way;
}

Vec3d MeshMoment::velocity(const Vec3d& at) const {
    const TriangleTree::Nearest nearest = tree().nearest(at);
    const Triangle& t = mesh_.triangles[nearest.triangle];
    return nearest.weights.x * velocities_[t[0]] + nearest.weights.y * velocities_[t[1]] +
           nearest.weights.z * velocities_[t[2]];
}

AnimatedMesh::AnimatedMesh(MeshAnimationPtr animation, const AnimationTimes& times, const Fit& fit, bool inside_out)
    : animation_(std::move(animation)), times_(times), fit_(fit), triangles_(animation_->triangles()) {
    if (inside_out)
        for (Triangle& t : triangles_) std::swap(t[1], t[2]);
    for (int k = 0; k <= looked_at; ++k) {
        const double time = times_.begin + animation_->duration() / times_.speed * k / looked_at;
        const MeshMomentPtr moment = make(time);
        over_time_.add(moment->mesh().bounds());
        for (const Vec3d& v : moment->velocities()) top_speed_ = std::max(top_speed_, length(v));
    }
    start_ = make(0);
}

double AnimatedMesh::file_time(double time) const {
    const double all = animation_->duration(), t = std::max(0.0, time - times_.begin) * times_.speed;
    if (!(all > 0)) return 0;
    return times_.repeats ? t - all * std::floor(t / all) : std::min(t, all);
}

std::vector<Vec3d> AnimatedMesh::vertices(double time) const {
    std::vector<Vec3d> all = animation_->vertices(time);
    for (Vec3d& v : all) v = fit_.apply(v);
    return all;
}

MeshMomentPtr AnimatedMesh::make(double time) const {
    const double now = file_time(time), all = animation_->duration();
    Mesh mesh{vertices(now), triangles_};
    std::vector<Vec3d> velocities(mesh.vertices.size());
    const bool stands = time < times_.begin || (!times_.repeats && now >= all);
    // Within one round: from its end to its begin nothing moves, it is somewhere else.
    const double first = std::nextafter(0.0, all), last = std::nextafter(all, 0.0);
    const double from = std::max(first, now - instant), to = std::min(last, now + instant);
    if (!stands && to > from) {
        const std::vector<Vec3d> before = vertices(from), after = vertices(to);
        for (std::size_t v = 0; v < velocities.size(); ++v) {
            const Vec3d arrives = mesh.vertices[v] - before[v], leaves = after[v] - mesh.vertices[v];
            const double a = length(arrives), b = length(leaves);
            const bool jumps =
                from > first && to < last && std::max(a, b) > std::max(jump, much_faster * std::min(a, b));
            velocities[v] = jumps ? (times_.speed / instant) * (a < b ? arrives : leaves)
                                  : (times_.speed / (to - from)) * (after[v] - before[v]);
        }
    }
    const Bounds bounds = mesh.bounds();
    return std::make_shared<MeshMoment>(std::move(mesh), std::move(velocities), bounds);
}

MeshMomentPtr AnimatedMesh::at(double time) const {
    const std::lock_guard lock(mutex_);
    if (const auto found = moments_.find(time); found != moments_.end()) return found->second;
    if (moments_.size() >= remembered) moments_.erase(moments_.begin()); // the earliest
    return moments_[time] = make(time);
}

std::vector<Anchor> AnimatedMesh::anchored(std::span<const Vec3d> points) const {
    std::vector<Anchor> all;
    for (const Vec3d& p : points) {
        const TriangleTree::Nearest nearest = start_->tree().nearest(p);
        const Triangle& t = triangles_[nearest.triangle];
        const std::vector<Vec3d>& v = start_->mesh().vertices;
        const Frame frame = frame_of(v[t[0]], v[t[1]], v[t[2]]);
        const Vec3d way = p - nearest.point;
        all.push_back(
            {nearest.triangle, nearest.weights, {dot(way, frame.along), dot(way, frame.across), dot(way, frame.out)}});
    }
    return all;
}

CarriedPoint AnimatedMesh::carried(const Anchor& anchor, const MeshMoment& moment) {
    const Triangle& t = moment.mesh().triangles[anchor.triangle];
    const std::vector<Vec3d>&v = moment.mesh().vertices, &u = moment.velocities();
    const Vec3d &a = v[t[0]], &b = v[t[1]], &c = v[t[2]];
    constexpr double h = instant;
    const Vec3d before = place_of(anchor, a - h * u[t[0]], b - h * u[t[1]], c - h * u[t[2]]),
                after = place_of(anchor, a + h * u[t[0]], b + h * u[t[1]], c + h * u[t[2]]);
    return {place_of(anchor, a, b, c), (after - before) / (2 * h), frame_of(a, b, c).out};
}

namespace {

// Exact distances, which are slow.
class MomentSource final : public DistanceSource {
public:
    explicit MomentSource(MeshMomentPtr moment) : moment_(std::move(moment)) {}
    double distance(const Vec3d& at, double at_most, int sign) const override {
        const double d = moment_->tree().distance(at, at_most);
        return (sign == 0 ? moment_->tree().winding_number(at) > 0.5 : sign < 0) ? -d : d;
    }

private:
    MeshMomentPtr moment_;
};

// As a body is filled with it, and a wall covered: a copy of the distances at time 0.
class AnimatedSolid final : public Shape {
public:
    AnimatedSolid(MeshAnimationPtr animation, const AnimationTimes& times, const AnimatedMesh::Fit& fit,
                  bool inside_out, double spacing)
        : mesh_(std::move(animation), times, fit, inside_out),
          start_(grid_shape(MomentSource(mesh_.at(0)), mesh_.bounds(), spacing)) {}

    double distance(const Vec3d& at) const override { return start_->distance(at); }
    Vec3d normal(const Vec3d& at) const override { return start_->normal(at); }
    Bounds bounds() const override { return start_->bounds(); }
    const AnimatedMesh& mesh() const { return mesh_; }

private:
    AnimatedMesh mesh_;
    ShapePtr start_;
};

} // namespace

const AnimatedMesh* animation_of(const Shape& shape) {
    const auto* const solid = dynamic_cast<const AnimatedSolid*>(&shape);
    return solid ? &solid->mesh() : nullptr;
}

namespace {

constexpr double most_spacings = 4000;    // as of meshes at rest
constexpr double farthest_spacings = 4e5; // about as far as frames can tell particles apart

Result<ShapePtr> make_animation(const Values& values, const ShapeContext& context) {
    if (context.dimensions == 2) return wrong("file", "a 2D scene has no animated meshes");
    const std::string path = (std::filesystem::path(context.folder) / values.text("file")).string();
    const bool repeats = values.flag("loop");
    Result<MeshAnimationPtr> animation = read_animation(path, values.number("fps"), repeats);
    if (!animation) return animation.error();
    const Mesh first{(*animation)->vertices(0), (*animation)->triangles()};
    AnimatedMesh::Fit fit{.scale = values.number("scale"), .z_up = values.text("up") == "z"};
    Bounds bounds;
    for (const Vec3d& v : first.vertices) bounds.add(fit.apply(v));
    const Vec3d size = bounds.size();
    const double longest = std::max({size.x, size.y, size.z});
    if (!is_finite(size) || !(longest > context.spacing))
        return wrong("scale",
                     "the mesh is smaller than one particle, its longest side is " + number_text(longest) + " m",
                     "a larger scale, or a smaller particle_radius");
    if (longest > most_spacings * context.spacing)
        return wrong("scale",
                     "the mesh is too large for particles this small, its longest side is " + number_text(longest) +
                         " m",
                     "a smaller scale, or a larger particle_radius");
    fit.translate = values.vector("translate");
    const AnimationTimes times{values.number("begin"), values.number("speed"), repeats};
    const auto solid =
        std::make_shared<AnimatedSolid>(*animation, times, fit, signed_volume(first) < 0, context.spacing);
    const Bounds over_time = solid->mesh().bounds_over_time();
    const double farthest = farthest_spacings * context.spacing;
    for (const Vec3d& corner : {over_time.lo, over_time.hi})
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (!(std::abs(corner[axis]) <= farthest))
                return wrong("file",
                             path + ": while it moves it gets to " + number_text(corner[axis]) + " m along " +
                                 "xyz"[axis],
                             "keep it within " + number_text(farthest) + " m of the origin");
    return ShapePtr(solid);
}

} // namespace

std::vector<ShapeKind> animation_kinds() {
    return {{{"animation",
              "The inside of a closed triangle mesh that moves and bends: glTF 2.0 with skins and morphs, or one mesh "
              "file per frame. Walls and guides of this shape move; pins can hold parts of bodies to it.",
              {text("file", "", "a .gltf or .glb file, or walk_###.obj (.ply, .stl) with # for each digit of the frame")
                   .needed(),
               number("fps", "1/s", 25, positive, "frames per second of a sequence of files"),
               number("speed", "", 1, positive, "how much faster than in the file it goes"),
               number("begin", "s", 0, not_negative, "when it begins; before, it stands as in its first frame"),
               flag("loop", true, "begin again after the last frame; otherwise it stands then"),
               number("scale", "", 1, positive, "factor on all coordinates"),
               choice("up", {"y", "z"}, "the axis that points up in the file"),
               vector("translate", "m", {0, 0, 0}, "move by this at last")}},
             make_animation}};
}

} // namespace loam
