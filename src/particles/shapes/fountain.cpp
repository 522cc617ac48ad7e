// A fountain: solids of revolution about y, as a profile in the half plane (distance from the axis, height).
#include "particles/shapes/distances.h"
#include "particles/shapes/figures.h"
#include "particles/shapes/kinds.h"

namespace loam {
namespace {

struct Bowl {
    double height, radius, depth; // of its rim, of its rim, from rim to bottom
};

double profile_segment(double x, double y, double ax, double ay, double bx, double by) {
    return segment_distance({x, y, 0}, {ax, ay, 0}, {bx, by, 0});
}

// An arc of a circle through the bottom and the rim, thickened.
double bowl_distance(double x, double y, const Bowl& bowl, double thickness) {
    const double circle = (bowl.radius * bowl.radius + bowl.depth * bowl.depth) / (2 * bowl.depth);
    const double cy = bowl.height - bowl.depth + circle;
    const double dx = x, dy = y - cy;
    const bool below_rim = dy * bowl.radius < dx * (bowl.height - cy) || (dy < 0 && dx < 1e-12);
    const double d = below_rim ? std::abs(std::hypot(dx, dy) - circle) : std::hypot(x - bowl.radius, y - bowl.height);
    return d - 0.5 * thickness;
}

double fountain_distance(double x, double y, double t) {
    // basin: a floor with an upright wall
    double d = std::min(profile_segment(x, y, 0, 0.5 * t, 0.5 - 0.5 * t, 0.5 * t),
                        profile_segment(x, y, 0.5 - 0.5 * t, 0.5 * t, 0.5 - 0.5 * t, 0.16)) -
               0.5 * t;
    // column, thinner upwards, with a nozzle
    const auto column = [&](double y0, double r0, double y1, double r1) {
        return cone_distance({x, y, 0}, {0, y0, 0}, {0, y1, 0}, r0, r1);
    };
    double stem = column(0, 0.1, 0.06, 0.1);
    stem = smooth_min(stem, column(0.05, 0.07, 0.4, 0.045), 0.03);
    stem = smooth_min(stem, column(0.4, 0.045, 0.68, 0.035), 0.02);
    stem = smooth_min(stem, column(0.68, 0.035, 0.86, 0.025), 0.02);
    d = smooth_min(d, stem, 0.02);
    for (const Bowl& bowl : {Bowl{0.46, 0.32, 0.1}, Bowl{0.7, 0.2, 0.07}})
        d = smooth_min(d, bowl_distance(x, y, bowl, t), 0.02);
    return d;
}

} // namespace

ShapePtr fountain_figure(double thickness) {
    return primitive({{-0.5, 0, -0.5}, {0.5, 0.87, 0.5}}, [thickness](const Vec3d& at) {
        return fountain_distance(std::hypot(at.x, at.z), at.y, thickness);
    });
}

} // namespace loam
