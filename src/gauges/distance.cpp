// Distance of two bodies, between their centers of mass or their surfaces. A surface is where particles end, half a
// spacing from their centers; that of a wall is its shape.
#include <algorithm>
#include <cmath>

#include "gauges/gauge.h"
#include "particles/point_grid.h"

namespace loam {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

class Distance : public Gauge {
public:
    Distance(const Values& values, const Scene& scene)
        : from_(scene, values.text("from")), to_(scene, values.text("to")),
          surfaces_(values.text("between") == "surfaces") {}

    std::vector<double> read(const Simulation& simulation) override {
        const StepContext& step = simulation.context();
        if (surfaces_) return {gap(step)};
        return {length(
            shortest_way(center_of(simulation, to_) - center_of(simulation, from_), step.scene.periodic_length))};
    }

private:
    static const WallBody* wall_in(const StepContext& step, const Members& members) {
        for (const WallBody& wall : step.walls.bodies)
            if (members[wall.body]) return &wall;
        return nullptr;
    }
    static std::vector<Vec3d> places(const Pool& pool, const Members& members) {
        std::vector<Vec3d> all;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (members[pool[pool.body][i]]) all.push_back(pool[pool.position][i]);
        return all;
    }

    double gap(const StepContext& step) const {
        const Pool& pool = step.particles;
        const double spacing = step.scene.spacing;
        for (const auto& [own, other] : {std::pair(&from_, &to_), std::pair(&to_, &from_)})
            if (const WallBody* wall = wall_in(step, *other)) {
                double least = nothing;
                for (const Vec3d& place : places(pool, *own))
                    least = std::fmin(least, wall->shape->distance(wall->pose.point_at_rest(place)));
                return least - 0.5 * spacing;
            }
        return between(places(pool, from_), places(pool, to_), step.scene.periodic_length) - spacing;
    }

    // The least distance: in rings of cells that double until something is found.
    static double between(const std::vector<Vec3d>& some, const std::vector<Vec3d>& others, const Vec3d& period) {
        if (some.empty() || others.empty()) return nothing;
        double least2 = 1e300;
        for (const Vec3d& other : others) {
            const Vec3d d = shortest_way(other - some.front(), period);
            least2 = std::min(least2, dot(d, d));
        }
        PointGrid grid(std::max(std::sqrt(least2), 1e-9));
        for (const Vec3d& place : others) grid.add(place);
        for (const Vec3d& place : some)
            for (double i = period.x > 0 ? -1 : 0; i <= (period.x > 0); ++i)
                for (double j = period.y > 0 ? -1 : 0; j <= (period.y > 0); ++j)
                    for (double k = period.z > 0 ? -1 : 0; k <= (period.z > 0); ++k)
                        grid.near(place + Vec3d{i * period.x, j * period.y, k * period.z}, std::sqrt(least2),
                                  [&](std::uint32_t, double r2) {
                                      least2 = std::min(least2, r2);
                                      return false;
                                  });
        return std::sqrt(least2);
    }

    Members from_, to_;
    bool surfaces_;
};

const RegisterGauge distance{{
    .declaration = {.name = "distance",
                    .help =
                        "The distance of two bodies.\nBetween surfaces it is about exact where particles lie evenly, "
                        "and less than 0 where they overlap.",
                    .properties = {body_name("from", "One body.").needed(), body_name("to", "The other one.").needed(),
                                   choice("between", {"centers", "surfaces"},
                                          "Of mass; or the nearest points. A wall has a surface only.")}},
    .parts = {{"", "m"}},
    .make = make_gauge<Distance>,
}};

} // namespace
} // namespace loam
