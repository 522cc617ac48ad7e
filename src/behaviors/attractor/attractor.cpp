// Attractor: a = -k (x - c), a central field as of a spring to the point c; within `reach`, beyond it as strong as at
// its edge. Monaghan & Rafiee 2013 let a drop oscillate in it. k strength [1/s^2], negative to repel.
#include <cmath>

#include "behaviors/behavior.h"

namespace loam {
namespace {

class Attractor : public Behavior {
public:
    explicit Attractor(const BodyValues& values) { set(values); }

    void set(const BodyValues& values) override {
        points_.assign(values.size(), {});
        weight_ = values.numbers("weight");
        for (std::size_t b = 0; b < values.size(); ++b)
            if (values.uses(b))
                points_[b] = {values[b].vector("center"), values[b].number("strength"), values[b].number("reach")};
    }

    void apply(StepContext& step) override {
        Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto position = pool[pool.position];
        const auto acceleration = pool[pool.acceleration];
        const auto weight = weight_.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) {
            const Point& point = points_[body[i]];
            const Vec3d away = position[i] - point.center;
            const double far = length(away);
            const double full =
                point.reach > 0 && far > point.reach ? point.strength * point.reach / far : point.strength;
            const double strength = weight[i] * full;
            Float4& a = acceleration[i];
            a = float4(a.xyz_double() - strength * away, a.w);
            if (step.scene.dimensions == 2) a.z = 0;
        });
    }

    TimeStepLimit time_step(const StepContext&) const override {
        double most = 0;
        for (const Point& point : points_) most = std::max(most, std::abs(point.strength));
        return most > 0 ? TimeStepLimit{0.1 / std::sqrt(most), "attractor"} : TimeStepLimit{};
    }

private:
    struct Point {
        Vec3d center;
        double strength = 0, reach = 0;
    };
    std::vector<Point> points_; // by body
    Numbers weight_;
};

// From the far end of the scene to the center.
double fall_speed(const Values& values, const SceneScale& scene) {
    const Vec3d center = values.vector("center");
    const double far = length(max(scene.bounds.hi - center, center - scene.bounds.lo));
    return std::sqrt(std::abs(values.number("strength"))) * std::min(far, 1e3);
}

const RegisterBehavior attractor{{
    .declaration = {.name = "attractor",
                    .help = "Pulls every particle towards a point, the more the farther it is.",
                    .properties = {vector("center", "m", {}, "The point."),
                                   number("strength", "1/s^2", 1, {-1e9, 1e9},
                                          "Acceleration per metre of distance; negative pushes away."),
                                   number("reach", "m", 0, {0, 1e9},
                                          "Distance beyond which the pull grows no more; 0 for none.")}},
    .form = Form::single,
    .acts = {{Stage::force, {reads("position"), changes("acceleration")}}},
    .make = make_behavior<Attractor>,
    .from_outside = true,
    .expected_speed = fall_speed,
}};

} // namespace
} // namespace loam
