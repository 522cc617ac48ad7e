// Covering the surface of a solid with particles.
//
// The surface lies `depth` within the solid, with sharp edges kept sharp (Shape::eroded). Nodes of a lattice near it
// are moved onto it by Newton steps.
//   1. On faces along the axes these points form a regular lattice; they are set first and stay. The lattice is a
//      little stretched, to end at the edges of the solid's bounds: the corners of a container are closed.
//   2. Elsewhere points are taken one by one when they are far enough from all others, and then pushed apart a few
//      times, for an even spread.
//   3. At last every place without a point within `widest` spacings gets one. So no gap is wider than that.

#include <numbers>

#include "base/text.h"
#include "particles/point_grid.h"
#include "particles/sampling.h"
#include "particles/surface_walk.h"

namespace loam {
namespace {

constexpr double most_points = 5e7;
constexpr double most_blocks = 2e7; // of nodes; what reaches farther has more points, or is mostly empty space
constexpr double closest = 0.8, widest = 0.9; // of points, in spacings

class Covering {
public:
    Covering(const Shape& solid, double spacing, int dimensions)
        : solid_(solid), spacing_(spacing), flat_(dimensions == 2), grid_(1.5 * spacing) {}

    // False when the surface is too large to be covered.
    bool add_layer(double depth) {
        depth_ = depth;
        if (!(blocks_of(solid_.bounds().grown(std::abs(depth))) < most_blocks)) return false;
        const NodeLattice lattice = lay_out();
        const auto f = [this](const Vec3d& at) { return value(at); };
        if (!small_enough(lattice, f)) return false;
        const std::size_t first = grid_.size();
        add_regular(lattice, f);
        const std::size_t free = grid_.size();
        add_free(lattice.divided(flat_ ? 4 : 2, flat_), f);
        spread(first, free);
        close_gaps(lattice.divided(flat_ ? 4 : 2, flat_), f);
        return true;
    }
    const PointGrid& points() const { return grid_; }

private:
    double value(const Vec3d& at) const { return solid_.eroded(at, depth_); }

    Vec3d gradient(const Vec3d& at) const {
        const double step = 0.01 * spacing_;
        Vec3d g;
        for (std::size_t axis = 0; axis < (flat_ ? 2 : 3); ++axis) {
            Vec3d ahead = at, behind = at;
            ahead[axis] += step, behind[axis] -= step;
            g[axis] = (value(ahead) - value(behind)) / (2 * step);
        }
        return g;
    }

    // Of nodes, at their closest, that are looked at within the bounds; not a number where these have no end.
    double blocks_of(const Bounds& bounds) const {
        const double per_metre = (flat_ ? 4 : 2) / (surface_walk_side * spacing_);
        double blocks = 1;
        for (std::size_t axis = 0; axis < (flat_ ? 2 : 3); ++axis) {
            const double size = bounds.size()[axis];
            blocks *= std::isfinite(size) ? std::max(1.0, per_metre * size) : size;
        }
        return blocks;
    }

    // Nodes that meet the faces of the solid's bounds after they have moved by the depth.
    NodeLattice lay_out() const {
        Bounds b = solid_.bounds();
        const bool grows = !solid_.bounded() && solid_.on_patch(b.lo - Vec3d{depth_, depth_, depth_});
        if (solid_.bounded())
            b = b.grown(-depth_);
        else if (grows)
            b = b.grown(depth_);
        if (flat_) b.lo.z = b.hi.z = 0;
        NodeLattice lattice;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double size = b.hi[axis] - b.lo[axis];
            const double count = std::max(1.0, std::round(size / spacing_));
            const bool thin = size < 0.5 * spacing_;
            lattice.step[axis] = thin ? spacing_ : size / count;
            lattice.origin[axis] = b.lo[axis]; // in the middle of a thin plate no way leads to its surface
            const auto around =
                static_cast<std::int64_t>(std::ceil((std::abs(depth_) + 1.5 * spacing_) / lattice.step[axis]));
            lattice.lo[axis] = -around;
            lattice.hi[axis] = static_cast<std::int64_t>(count) + 1 + around;
        }
        if (flat_) lattice.origin.z = 0, lattice.lo[2] = 0, lattice.hi[2] = 1;
        return lattice;
    }

    double longest(const NodeLattice& lattice) const {
        return length(flat_ ? Vec3d{lattice.step.x, lattice.step.y, 0} : lattice.step);
    }

    template <class Function> bool small_enough(const NodeLattice& lattice, const Function& f) const {
        NodeLattice coarse = lattice;
        for (std::size_t axis = 0; axis < (flat_ ? 2 : 3); ++axis) {
            coarse.step[axis] *= 16;
            coarse.lo[axis] = -1, coarse.hi[axis] = lattice.hi[axis] / 16 + 2;
        }
        const SurfaceWalk walk(coarse, f, 0.5 * longest(coarse), spacing_);
        return !walk.more_than(static_cast<std::size_t>(2 * most_points / (flat_ ? 16 : 16 * 16)));
    }

    // By Newton steps; false if the surface is not near.
    bool project(Vec3d& at, double reach) const {
        const Vec3d start = at;
        double v = value(at);
        for (int step = 0; step < 10 && std::abs(v) > 1e-4 * spacing_; ++step) {
            const Vec3d g = gradient(at);
            const double g2 = dot(g, g);
            if (g2 < 0.02) return false;
            at -= std::clamp(v / g2, -spacing_, spacing_) * g;
            v = value(at);
        }
        return std::abs(v) < 0.02 * spacing_ && length(at - start) < reach && solid_.on_patch(at);
    }

    // On a face along the axes, or a sharp edge where such faces meet.
    bool is_regular(const Vec3d& node, const Vec3d& at, double value_at_node) const {
        if (std::abs(value_at_node) < 1e-6 * spacing_) return true;
        const Vec3d g = gradient(at), moved = at - node;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (std::abs(g[axis]) < 0.999 * length(g)) continue;
            Vec3d off = moved;
            off[axis] = 0;
            return length(off) < 1e-3 * spacing_;
        }
        return false;
    }

    template <class Function> void add_regular(const NodeLattice& lattice, const Function& f) {
        const double reach = 0.5 * longest(lattice) * 1.01;
        const SurfaceWalk walk(lattice, f, reach, spacing_);
        const auto found = walk.template collect<Vec3d>([&](const Vec3d& node, double v, std::vector<Vec3d>& out) {
            Vec3d at = node;
            if (project(at, 2 * reach) && is_regular(node, at, v)) out.push_back(at);
        });
        for (const Vec3d& at : found)
            if (!grid_.any_near(at, closest * spacing_)) grid_.add(at);
    }

    // Candidates whose node has a point near are not worth a projection.
    template <class Function>
    std::vector<Vec3d> candidates(const NodeLattice& lattice, const Function& f, double taken) {
        const double reach = 0.4 * longest(lattice); // a node or more for each patch of a step squared
        const SurfaceWalk walk(lattice, f, reach, spacing_);
        return walk.template collect<Vec3d>([&](const Vec3d& node, double v, std::vector<Vec3d>& out) {
            Vec3d at = node;
            if (grid_.any_near(node, taken * spacing_ - std::abs(v))) return;
            if (project(at, spacing_)) out.push_back(at);
        });
    }

    template <class Function> void add_free(const NodeLattice& lattice, const Function& f) {
        const double apart = flat_ ? 0.8 : 0.82; // gives about one point per spacing along a curve, on a surface
        for (const Vec3d& at : candidates(lattice, f, apart))
            if (!grid_.any_near(at, apart * spacing_)) grid_.add(at);
    }

    // Points from `free` on push each other apart along the surface.
    void spread(std::size_t first, std::size_t free) {
        const int sweeps = free == grid_.size() ? 0 : flat_ ? 40 : 4;
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            std::vector<Vec3d> moved(grid_.size());
            parallel_each(moved.size(), [&](std::size_t n) { moved[n] = n < free ? grid_[n] : pushed(n, first); });
            PointGrid next(1.5 * spacing_);
            for (const Vec3d& p : moved) next.add(p);
            grid_ = std::move(next);
        }
    }
    Vec3d pushed(std::size_t n, std::size_t first) const {
        const double range = (flat_ ? 1.5 : 1.4) * spacing_;
        const Vec3d at = grid_[n];
        Vec3d push;
        grid_.near(at, range, [&](std::uint32_t other, double r2) {
            if (other < first || r2 == 0) return false;
            const double r = std::sqrt(r2), w = 1 - r / range;
            push += (w * w / r) * (at - grid_[other]);
            return false;
        });
        const Vec3d n_hat = normalized(gradient(at));
        push = 0.5 * spacing_ * (push - dot(push, n_hat) * n_hat);
        const double l = length(push), most = 0.2 * spacing_;
        Vec3d to = at + (l > most ? most / l : 1.0) * push;
        return project(to, spacing_) ? to : at;
    }

    template <class Function> void close_gaps(const NodeLattice& lattice, const Function& f) {
        for (const Vec3d& at : candidates(lattice, f, widest))
            if (!grid_.any_near(at, widest * spacing_)) grid_.add(at);
    }

    const Shape& solid_;
    double spacing_;
    bool flat_;
    double depth_ = 0;
    PointGrid grid_; // of all layers so far
};

// Whether the layer bends away here, by more than 30 degrees.
bool is_on_edge(const Shape& solid, const SurfacePoint& point, double reach, int dimensions) {
    const Vec3d& n = point.normal;
    const Vec3d u = dimensions == 2       ? Vec3d{n.y, -n.x, 0}
                    : std::abs(n.x) < 0.5 ? normalized(cross(n, {1, 0, 0}))
                                          : normalized(cross(n, {0, 1, 0}));
    const Vec3d v = cross(n, u);
    const int directions = dimensions == 2 ? 2 : 8;
    for (int k = 0; k < directions; ++k) {
        const double angle = 2 * std::numbers::pi * k / directions;
        if (solid.distance(point.position + reach * (std::cos(angle) * u + std::sin(angle) * v)) > 1e-3 * reach)
            return true;
    }
    return false;
}

} // namespace

Result<std::vector<SurfacePoint>> cover(const Shape& solid, double spacing, double depth, int layers, int dimensions) {
    if (!(spacing > 0) || !std::isfinite(spacing) || !std::isfinite(depth))
        return Error{Fault::scene, "", "the spacing " + number_text(spacing) + " is not above 0", ""};
    Covering covering(solid, spacing, dimensions);
    std::vector<SurfacePoint> all;
    for (int layer = 0; layer < layers; ++layer) {
        const std::size_t before = all.size();
        if (!covering.add_layer(depth + layer * spacing)) {
            const Vec3d size = solid.bounds().size();
            return Error{Fault::scene, "",
                         "the surface needs more than 50 million particles, it reaches over " + number_text(size.x) +
                             " x " + number_text(size.y) + " x " + number_text(size.z) + " m",
                         "make the shape smaller or particle_radius larger; it is " + number_text(0.5 * spacing)};
        }
        const PointGrid& points = covering.points();
        all.resize(points.size());
        parallel_each(points.size() - before, [&](std::size_t n) {
            const Vec3d& at = points[before + n];
            SurfacePoint& point = all[before + n] = {at, solid.normal(at), layer};
            point.on_edge = is_on_edge(solid, point, depth + (layer + 0.5) * spacing, dimensions);
        });
        if (all.empty())
            return Error{Fault::scene, "", "no particle fits below the surface of the solid",
                         "make it at least as thick as one particle, " + number_text(2 * depth) + " m"};
    }
    return all;
}

} // namespace loam
