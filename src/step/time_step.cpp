#include "step/time_step.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace loam {
namespace {

// How far the wall's farthest corner is from the axis that it turns about.
double reach_from_axis(const WallBody& wall) {
    const Bounds bounds = wall.shape->bounds();
    double reach = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p{corner & 1 ? bounds.hi.x : bounds.lo.x, corner & 2 ? bounds.hi.y : bounds.lo.y,
                      corner & 4 ? bounds.hi.z : bounds.lo.z};
        reach = std::max(reach, length(cross(normalized(wall.motion.axis), p - wall.motion.pivot)));
    }
    return reach;
}

void consider(TimeStepLimit& limit, const TimeStepLimit& other) {
    if (other.seconds < limit.seconds) limit = other;
}

// The longest step that velocities, forces and pressure allow.
TimeStepLimit longest_flow_step(const Scene& scene, const PressureSolver& pressure, const Sources& sources,
                                const StepContext& step, double longest) {
    const Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity];
    const auto acceleration = pool[pool.acceleration];
    struct Most {
        float speed2 = 0, acceleration2 = 0;
    };
    const Most most = parallel_reduce(
        pool.size(), Most{},
        [&](Range range) {
            Most m;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const Float4 &v = velocity[i], &a = acceleration[i];
                m.speed2 = std::max(m.speed2, v.x * v.x + v.y * v.y + v.z * v.z);
                m.acceleration2 = std::max(m.acceleration2, a.x * a.x + a.y * a.y + a.z * a.z);
            }
            return m;
        },
        [](const Most& a, const Most& b) {
            return Most{std::max(a.speed2, b.speed2), std::max(a.acceleration2, b.acceleration2)};
        });
    const double cfl = scene.solver.number("cfl"), diameter = step.scene.spacing;
    // At any time within the longest step: an emitter may be about to open, a wall about to start.
    double speed = std::max<double>(std::sqrt(most.speed2), sources.fastest_between(step.time, step.time + longest));
    for (const WallBody& wall : step.walls.bodies)
        if (wall.moves())
            speed = std::max(speed, top_speed(wall.motion, reach_from_axis(wall), step.time, step.time + longest) +
                                        (wall.animated ? wall.animation()->top_speed() : 0));

    TimeStepLimit limit{longest, "max_time_step"};
    if (speed > 0) consider(limit, {cfl * diameter / speed, "velocity"});
    // Bayraktar 5.27: a particle at rest may move by a fraction of its diameter under the acceleration alone.
    if (most.acceleration2 > 0)
        consider(limit, {0.5 * std::sqrt(cfl * diameter / std::sqrt(most.acceleration2)), "acceleration"});
    consider(limit, pressure.time_step(step));
    return limit;
}

// Which body has the fastest particle, and where.
std::string fastest_text(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity];
    const auto slower = [](const Float4& a, const Float4& b) {
        return dot(a.xyz_double(), a.xyz_double()) < dot(b.xyz_double(), b.xyz_double());
    };
    const auto found = std::max_element(velocity.begin(), velocity.end(), slower);
    if (found == velocity.end()) return "nothing moves";
    const auto i = static_cast<std::size_t>(found - velocity.begin());
    const Vec3d& at = pool[pool.position][i];
    return fmt::format("the fastest is bodies.{} with {} m/s at [{}, {}, {}]",
                       step.scene.bodies[pool[pool.body][i]].name, number_text(length(found->xyz_double())),
                       number_text(at.x), number_text(at.y), number_text(at.z));
}

TimeStepLimit longest_time_step(const Scene& scene, const PressureSolver& pressure, const Laws& laws,
                                const Sources& sources, StepContext& step) {
    double longest = scene.solver.number("max_time_step");
    if (longest <= 0) longest = 1 / scene.values.number("fps");
    TimeStepLimit limit = longest_flow_step(scene, pressure, sources, step, longest);
    step.flow_dt = limit.seconds;
    return laws.time_step(step, std::move(limit));
}

} // namespace

Result<std::string> choose_time_step(const Scene& scene, const PressureSolver& pressure, const Laws& laws,
                                     const Sources& sources, StepContext& step, double limit) {
    const double fixed = scene.solver.number("time_step"), left = limit - step.time;
    const TimeStepLimit longest =
        fixed > 0 ? TimeStepLimit{fixed, "time_step"} : longest_time_step(scene, pressure, laws, sources, step);
    if (!(longest.seconds >= scene.solver.number("min_time_step")))
        return Error{
            Fault::simulation, scene.file,
            "the time step would have to be " + number_text(longest.seconds) + " s at " + number_text(step.time) +
                " s, limited by: " + longest.reason,
            "below solver.min_time_step = " + number_text(scene.solver.number("min_time_step")) + " s; " +
                fastest_text(step) +
                ". Look at the last frame: is there room for all that is between walls? Or lower min_time_step"};
    // Equal steps up to the limit, so that none is tiny.
    step.dt = left / std::ceil(left / longest.seconds * (1 - 1e-9));
    if (step.time + step.dt >= limit * (1 - 1e-12)) step.dt = left;
    return longest.seconds >= left ? std::string("frame") : longest.reason;
}

Status check_held(const Scene& scene, const StepContext& step, double farthest) {
    constexpr double most_diameters = 10; // as of cfl
    const double fixed = scene.solver.number("time_step");
    if (!(fixed > 0 && farthest > most_diameters * step.scene.spacing)) return Done{};
    return Error{Fault::simulation, scene.file,
                 "the time step of " + number_text(fixed) + " s cannot be held: at " + number_text(step.time) +
                     " s a particle moved by " + number_text(farthest / step.scene.spacing) + " diameters in a step",
                 "make solver.time_step shorter, or leave it out to have it chosen; the frames so far are kept"};
}

} // namespace loam
