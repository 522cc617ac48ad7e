// Pressure at a point, or the mean over a round patch: the mean of what particles near it feel, by the kernel, each as
// it would be at the point where gravity alone makes the difference:
//
//   p(x) = sum_j w_j (p_j + rho_j g . (x - x_j)) / sum_j w_j,   w_j = V_j W(x - x_j)
//
// The layer of particles that touch a wall is left out where there are others: what it feels is some per cent too much.
#include <algorithm>
#include <cmath>
#include <optional>

#include "gauges/gauge.h"

namespace loam {
namespace {

// A particle within reach of the patch.
struct Felt {
    Vec3d place; // from the center of the patch
    double volume, pressure;
    Vec3d slope; // of a pressure that bears its weight
};

// Nothing where too few are near.
std::optional<double> mean_at(const Kernel& kernel, const std::vector<Felt>& all, const Vec3d& at) {
    double weight = 0, pressure = 0;
    for (const Felt& felt : all) {
        const Vec3d d = at - felt.place;
        const double r = length(d);
        if (r >= kernel.support) continue;
        const double w = felt.volume * kernel_value(kernel, r);
        weight += w, pressure += w * (felt.pressure + dot(felt.slope, d));
    }
    constexpr double little = 0.05; // a few drops
    return weight < little ? std::nullopt : std::optional(pressure / weight);
}

double pressure_at(const Kernel& kernel, const std::vector<Felt>& all, const std::vector<Felt>& free, const Vec3d& at) {
    const std::optional<double> inside = mean_at(kernel, free, at);
    return inside ? *inside : mean_at(kernel, all, at).value_or(0); // dry: 0
}

class PressureGauge : public Gauge {
public:
    PressureGauge(const Values& values, const Scene& scene)
        : at_(values.vector("at")), members_(scene, values.text("body")) {
        KernelKind kind = KERNEL_CUBIC;
        kernel_by_name(scene.solver.text("kernel"), kind);
        kernel_ = make_kernel(kind, 1.5 * scene.support(), scene.dimensions());
        const double radius = values.number("radius");
        const bool flat = scene.dimensions() == 2;
        const Vec3d normal = values.vector("normal");
        const Vec3d aside = flat ? Vec3d{0, 0, 1} : std::abs(normal.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
        const Vec3d u = normalized(cross(normal, aside)), v = cross(normal, u);
        const double stride = 0.5 * scene.spacing();
        const int n = static_cast<int>(std::min(50.0, std::ceil(radius / stride)));
        for (int j = flat ? 0 : -n; j <= (flat ? 0 : n); ++j)
            for (int i = -n; i <= n; ++i)
                if (i * i + j * j <= n * n)
                    patch_.push_back(n == 0 ? Vec3d{} : (radius / n) * (double(i) * u + double(j) * v));
        reach_ = radius + static_cast<double>(kernel_.support);
    }

    Simulation::Watch needs() const override { return {.pressure = true}; }

    std::vector<double> read(const Simulation& simulation) override {
        const StepContext& step = simulation.context();
        const Pool& pool = step.particles;
        const std::vector<Vec3d> gravity = gravity_by_body(simulation.scene(), simulation.time());
        std::vector<Felt> all, free; // free: not at a wall
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const Vec3d d = shortest_way(pool[pool.position][i] - at_, step.scene.periodic_length);
            if (dot(d, d) >= reach_ * reach_ || !members_.flows(step, i)) continue;
            all.push_back({d, pool[pool.volume][i], pool[pool.felt_pressure][i],
                           static_cast<double>(pool.rest_density(i)) * gravity[pool[pool.body][i]]});
            if (!is_at_wall(step, pool[pool.position][i])) free.push_back(all.back());
        }
        double sum = 0;
        for (const Vec3d& place : patch_) sum += pressure_at(kernel_, all, free, place);
        return {sum / static_cast<double>(patch_.size())};
    }

private:
    static bool is_at_wall(const StepContext& step, const Vec3d& place) {
        constexpr double touching = 0.8; // spacings from the center
        const auto near = [&](const WallBody& wall) {
            return wall.shape->distance(wall.pose.point_at_rest(place)) < touching * step.scene.spacing;
        };
        return std::any_of(step.walls.bodies.begin(), step.walls.bodies.end(), near);
    }

    Kernel kernel_{}; // wider than the scene's, to reach beyond that layer
    Vec3d at_;
    Members members_;
    std::vector<Vec3d> patch_; // evenly spread places, from its center
    double reach_ = 0;
};

const RegisterGauge pressure{{
    .declaration = {.name = "pressure",
                    .help =
                        "The pressure of fluids at a point, or its mean over a round patch.\nIt is 0 where there is "
                        "no fluid.",
                    .properties = {vector("at", "m", {}, "The point, or the middle of the patch.").needed(),
                                   number("radius", "m", 0, {0, 1e6}, "Of the patch; 0 is a point. In 2D half a line."),
                                   vector("normal", "", {0, 1, 0}, "What the patch faces."),
                                   body_name("body", "Of this fluid alone; of all when left out.")}},
    .parts = {{"", "Pa"}},
    .make = make_gauge<PressureGauge>,
}};

} // namespace
} // namespace loam
