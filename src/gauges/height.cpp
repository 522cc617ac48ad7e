// Height of the surface at a line: where, seen from outside, the fluid begins to fill more than half of the space.
//
//   c(s) = sum_j V_j W(x(s) - x_j) / (1 - sum_w V_w W(x(s) - x_w)) = 1/2,   x(s) = at + s direction
//
// over fluid particles j; wall particles w take space away, so that the height is right beside a wall too.
#include <algorithm>
#include <cmath>

#include "gauges/gauge.h"

namespace loam {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double half = 0.5;

class Height : public Gauge {
public:
    Height(const Values& values, const Scene& scene)
        : at_(values.vector("at")), up_(values.vector("direction")), members_(scene, values.text("body")) {}

    std::vector<double> read(const Simulation& simulation) override {
        const StepContext& step = simulation.context();
        const Pool& pool = step.particles;
        std::vector<Near> fluid, walls;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (members_.flows(step, i)) add(step, pool[pool.position][i], pool[pool.volume][i], fluid);
        for (std::size_t w = 0; w < step.walls.size(); ++w)
            add(step, step.walls[step.walls.position][w], step.walls[step.walls.volume][w], walls);
        return {outermost(step, fluid, walls)};
    }

private:
    struct Near {
        double along, away2; // of the line, squared
        double volume;
    };

    void add(const StepContext& step, const Vec3d& place, double volume, std::vector<Near>& to) const {
        const Vec3d d = shortest_way(place - at_, step.scene.periodic_length);
        const double along = dot(d, up_), away2 = dot(d, d) - along * along;
        const double reach = step.scene.kernel.support;
        if (away2 < reach * reach) to.push_back({along, away2, volume});
    }

    static double sum(const Kernel& kernel, const std::vector<Near>& all, double along) {
        double total = 0;
        for (const Near& near : all) {
            const double d = near.along - along, r2 = near.away2 + d * d;
            if (r2 < static_cast<double>(kernel.support) * kernel.support)
                total += near.volume * kernel_value(kernel, std::sqrt(r2));
        }
        return total;
    }

    // From the farthest particle inwards to where it is full enough, then half the interval again and again.
    static double outermost(const StepContext& step, const std::vector<Near>& fluid, const std::vector<Near>& walls) {
        if (fluid.empty()) return nothing;
        const Kernel& kernel = step.scene.kernel;
        const auto filled = [&](double along) {
            return sum(kernel, fluid, along) - half * (1 - std::min(half, sum(kernel, walls, along)));
        };
        double last = -1e300, first = 1e300;
        for (const Near& near : fluid) last = std::max(last, near.along), first = std::min(first, near.along);
        const double stride = half * step.scene.spacing;
        double inside = last + kernel.support;
        while (inside > first && filled(inside) < 0) inside -= stride;
        if (filled(inside) < 0) return nothing; // a few drops
        double outside = inside + stride;
        constexpr int halvings = 40;
        for (int k = 0; k < halvings; ++k) {
            const double middle = half * (inside + outside);
            (filled(middle) < 0 ? outside : inside) = middle;
        }
        return inside;
    }

    Vec3d at_, up_;
    Members members_;
};

const RegisterGauge height{{
    .declaration = {.name = "height",
                    .help =
                        "The height of a fluid's surface along a line.\nWhere there are several surfaces above each "
                        "other, that of the highest. Nothing is shown where there is no fluid.",
                    .properties = {vector("at", "m", {}, "A point of the line, from which the height counts.").needed(),
                                   vector("direction", "", {0, 1, 0}, "Where height grows, along the line."),
                                   body_name("body", "Of this fluid alone; of all when left out.")}},
    .parts = {{"", "m"}},
    .make = make_gauge<Height>,
}};

} // namespace
} // namespace loam
