// The shape "animation": a mesh that moves and bends as a file says. Whoever uses the shape alone sees it as it is at
// time 0; walls, guides and pins ask for other times.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "particles/mesh/animation.h"
#include "particles/mesh/triangle_tree.h"
#include "particles/shape.h"

namespace loam {

// The mesh at one moment.
class MeshMoment final : public Shape {
public:
    MeshMoment(Mesh mesh, std::vector<Vec3d> velocities, Bounds bounds);

    double distance(const Vec3d& at) const override;
    Vec3d normal(const Vec3d& at) const override;
    Bounds bounds() const override { return bounds_; }
    Vec3d velocity(const Vec3d& at) const; // of the surface nearest to it [m/s]

    const Mesh& mesh() const { return mesh_; }
    const std::vector<Vec3d>& velocities() const { return velocities_; } // of vertices
    const TriangleTree& tree() const; // made when it is first asked for: guides never do

private:
    Mesh mesh_;
    std::vector<Vec3d> velocities_;
    Bounds bounds_;
    mutable std::once_flag asked_;
    mutable std::optional<TriangleTree> tree_;
};

using MeshMomentPtr = std::shared_ptr<const MeshMoment>;

// How time goes in the file while it goes on in the scene.
struct AnimationTimes {
    double begin = 0; // of the scene [s]: before, it stands
    double speed = 1; // seconds of the file per second of the scene
    bool repeats = true;
};

// A point that goes along with the surface: beside a triangle, and turning with it.
struct Anchor {
    std::uint32_t triangle = 0;
    Vec3d weights; // of its corners: the nearest point of it
    Vec3d offset;  // from there, along the triangle and out of it [m]
};

struct CarriedPoint {
    Vec3d position, velocity;
    Vec3d normal; // of the triangle
};

class AnimatedMesh final : public Shape {
public:
    // `fit` moves and scales what the file has.
    struct Fit {
        Vec3d translate, origin;
        double scale = 1;
        bool z_up = false;

        Vec3d apply(const Vec3d& p) const { return translate + scale * ((z_up ? Vec3d{p.x, p.z, -p.y} : p) - origin); }
    };
    AnimatedMesh(MeshAnimationPtr animation, const AnimationTimes& times, const Fit& fit, bool inside_out);

    double distance(const Vec3d& at) const override { return start_->distance(at); }
    Vec3d normal(const Vec3d& at) const override { return start_->normal(at); }
    Bounds bounds() const override { return start_->bounds(); }

    MeshMomentPtr at(double time) const; // [s] of the scene
    Bounds bounds_over_time() const { return over_time_; }
    double top_speed() const { return top_speed_; } // about, of any vertex at any time

    std::vector<Anchor> anchored(std::span<const Vec3d> points) const; // where they are at time 0
    static CarriedPoint carried(const Anchor& anchor, const MeshMoment& moment);

private:
    std::vector<Vec3d> vertices(double time) const; // of the file, fitted
    double file_time(double time) const;
    MeshMomentPtr make(double time) const;

    MeshAnimationPtr animation_;
    AnimationTimes times_;
    Fit fit_;
    std::vector<Triangle> triangles_;
    MeshMomentPtr start_;
    Bounds over_time_;
    double top_speed_ = 0;
    mutable std::mutex mutex_;
    mutable std::map<double, MeshMomentPtr> moments_; // those that were asked for last
};

// Null for all other shapes.
const AnimatedMesh* animation_of(const Shape& shape);

} // namespace loam
