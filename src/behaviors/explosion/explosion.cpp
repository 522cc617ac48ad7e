// Explosion: a blast at a place and a time throws particles outward. Lenaerts 2009, section 7.2.1, names it among
// behaviors; the law is in blast.h. A particle is hit on the area of its cell, l^2 for its volume l^3 (l in 2D), as if
// it stood alone: what is before it does not shelter it, unless it is a wall.
#include "base/reductions.h"
#include "behaviors/behavior.h"
#include "behaviors/explosion/blast.h"

namespace loam {
namespace {

constexpr double soon = 1e-6;       // [s]
constexpr double least_part = 1e-4; // of the impulse at the center: less is not worth a ray

class Explosion : public Behavior {
public:
    explicit Explosion(const BodyValues& values) { set(values); }

    void set(const BodyValues& values) override {
        blasts_.assign(values.size(), {});
        weight_ = values.numbers("weight");
        for (std::size_t b = 0; b < values.size(); ++b)
            if (values.uses(b))
                blasts_[b] = {.center = values[b].vector("center"),
                              .time = values[b].number("time"),
                              .pressure = values[b].number("pressure"),
                              .radius = values[b].number("radius"),
                              .falloff = values[b].number("falloff"),
                              .speed = values[b].number("speed"),
                              .duration = values[b].number("duration"),
                              .sheltered = values[b].flag("shelter")};
    }

    Status apply_implicit(StepContext& step) override {
        Pool& pool = step.particles;
        if (!is_under_way(step, step.time + step.dt)) return Done{};
        const auto body = pool[pool.body];
        const auto position = pool[pool.position];
        const auto velocity = pool[pool.velocity];
        const auto weight = weight_.of(pool);
        const double area = std::pow(step.scene.spacing, step.scene.dimensions - 1);
        parallel_each(pool.size(), [&](std::size_t i) {
            const Blast& blast = blasts_[body[i]];
            if (!(blast.pressure > 0) || pool.is_held(i)) return;
            const Vec3d away = position[i] - blast.center;
            const double r = length(away);
            const double impulse = weight[i] * blast.impulse(r, step.time, step.time + step.dt);
            if (!(impulse > least_part * blast.impulse(0) * weight[i]) || !(r > 0)) return;
            if (blast.sheltered && is_behind_a_wall(step, blast.center, away)) return;
            Vec3d change = (impulse * area / pool[pool.mass][i] / r) * away;
            if (step.scene.dimensions == 2) change.z = 0;
            velocity[i] = float4(velocity[i].xyz_double() + change, velocity[i].w);
        });
        return Done{};
    }

    // A step ends where the blast begins; while it passes, none is so long that what is thrown flies far in it.
    TimeStepLimit time_step(const StepContext& step) const override {
        double least = 1e300;
        for (std::size_t b = 0; b < blasts_.size(); ++b) {
            const Blast& blast = blasts_[b];
            if (!(blast.pressure > 0)) continue;
            const double ahead = blast.time - step.time;
            if (ahead > soon) least = std::min(least, ahead);
            if (ahead > 0 || !is_under_way(step, step.time)) continue;
            const double fast = blast.impulse(0) / (step.scene.bodies[b].density * step.scene.spacing);
            least = std::min({least, 0.5 * blast.duration, 0.4 * step.scene.spacing / fast});
        }
        return least < 1e300 ? TimeStepLimit{least, "explosion"} : TimeStepLimit{};
    }

private:
    // Some wave has begun at this time, and has not passed all particles that it is to hit.
    bool is_under_way(const StepContext& step, double time) const {
        const Pool& pool = step.particles;
        const auto begun = [&](const Blast& blast) { return blast.pressure > 0 && time > blast.time; };
        if (std::none_of(blasts_.begin(), blasts_.end(), begun)) return false;
        const auto body = pool[pool.body];
        const auto position = pool[pool.position];
        return parallel_max(pool.size(), [&](std::size_t i) {
                   const Blast& blast = blasts_[body[i]];
                   if (!begun(blast)) return 0.0;
                   const double r = length(position[i] - blast.center);
                   const bool felt = blast.peak(r) > least_part * blast.pressure;
                   return felt && step.time < blast.arrival(r) + blast.duration ? 1.0 : 0.0;
               }) > 0;
    }

    // Along the ray by the distances of walls: as far as nothing is, nothing can be in the way.
    static bool is_behind_a_wall(const StepContext& step, const Vec3d& center, const Vec3d& away) {
        const double far = length(away) - 0.5 * step.scene.spacing, least = 0.05 * step.scene.spacing;
        const Vec3d along = away / length(away);
        for (const WallBody& wall : step.walls.bodies) {
            double way = 0;
            while (way < far) {
                const double open = wall.shape->distance(wall.pose.point_at_rest(center + way * along));
                if (open < -least) return true;
                way += std::max(open, least);
            }
        }
        return false;
    }

    std::vector<Blast> blasts_; // by body
    Numbers weight_;
};

double thrown_speed(const Values& values, const SceneScale&) {
    // Of something light, a centimetre large; what is heavier flies slower.
    const double impulse = values.number("pressure") * values.number("duration") * std::exp(-1.0);
    return std::min(impulse / (1000 * 0.01), 1e3);
}

const RegisterBehavior explosion{{
    .declaration = {.name = "explosion",
                    .help = "A blast at a place and a time: its pressure wave throws particles outward.\n"
                            "Each is hit as if it stood alone; walls shelter what is behind them.",
                    .properties = {vector("center", "m", {0, 0, 0}, "Where it goes off."),
                                   number("time", "s", 0, {0, 1e9}, "When it goes off.").fixed(),
                                   number("pressure", "Pa", 1e5, {0, 1e12}, "Of the wave, up to the radius."),
                                   number("radius", "m", 0.1, {1e-6, 1e6}, "From where on it gets weaker."),
                                   number("falloff", "", 2, {0, 10}, "How fast: the pressure is (radius / r)^falloff."),
                                   number("speed", "m/s", 340, {1e-3, 1e6}, "Of the wave: what is far is hit later."),
                                   number("duration", "s", 0.01, {1e-6, 1e3}, "How long the wave takes to pass."),
                                   flag("shelter", true, "Whether walls shelter what is behind them.")}},
    .form = Form::single,
    .acts = {{Stage::implicit, {reads("position"), changes("velocity")}}},
    .make = make_behavior<Explosion>,
    .from_outside = true,
    .expected_speed = thrown_speed,
}};

} // namespace
} // namespace loam
