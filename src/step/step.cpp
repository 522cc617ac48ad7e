// The step.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "pressure/fields.h"
#include "step/simulation.h"

namespace loam {

Status Simulation::step(double limit) {
    const auto stamp = [&](const char* name, auto&& work) { return profile_.time(name, work); };

    if (Status done = begin(); !done) return done;
    if (verlet_) { // the first half of velocity Verlet, with the accelerations that ended the step before
        const bool contacts_wait = !context_.all_flow && !neighborhood_->valid(); // for lists, after births
        if (!forces_known_ || contacts_wait) {
            context_.dt = 0; // no time has passed since
            find_forces();
        }
        if (Status chosen = choose_time_step(limit); !chosen) return chosen;
        kick(0.5 * context_.dt);
        if (Status moved = drift(context_.dt); !moved) return moved;
        pass_time(limit);
    }
    find_forces();
    if (verlet_) {
        stamp("integrate", [&] { kick(0.5 * context_.dt); });
        if (Status done = apply_implicit(); !done) return done;
    } else {
        if (Status chosen = choose_time_step(limit); !chosen) return chosen;
        stamp("integrate", [&] { kick(context_.dt); });
        if (Status done = apply_implicit(); !done) return done;
        pressure_->solve(context_);
        if (Status moved = stamp("integrate", [&] { return drift(context_.dt); }); !moved) return moved;
        pass_time(limit);
    }
    timeline_.pass(context_);
    if (context_.time == limit) stamp("felt pressure", [&] { feel_pressure(); });
    stamp("births and deaths", [&] { births_and_deaths(); });

    ++steps_;
    const PressureStats& stats = pressure_->stats();
    ++report_.steps;
    report_.mean_dt += context_.dt;
    report_.least_dt = report_.steps == 1 ? context_.dt : std::min(report_.least_dt, context_.dt);
    report_.iterations += stats.iterations;
    report_.divergence_iterations += stats.divergence_iterations;
    report_.volume_error += stats.volume_error;
    report_.largest_volume_error = std::max(report_.largest_volume_error, stats.largest_volume_error);
    report_.unconverged += !stats.converged;
    ++reasons_[dt_reason_];
    return Done{};
}

Status Simulation::begin() {
    timeline_.update(context_);
    for (auto& behavior : behaviors_)
        if (Status done = behavior->begin(context_); !done) return done;
    return Done{};
}

// And all that they follow from.
void Simulation::find_forces() {
    profile_.time("walls", [&] { move_walls(); });
    profile_.time("neighbors", [&] { neighborhood_->update(pool_, walls_); });
    pressure_->begin(context_);
    profile_.time("forces", [&] { gather_accelerations(); });
    pressure_->forces(context_);
    constrain(pool_.acceleration);
    forces_known_ = true;
}

void Simulation::feel_pressure() { find_felt_pressure(context_); }

// The step that meets the limit must not miss it by rounding: what is left would be a step too short to divide by.
void Simulation::pass_time(double limit) {
    const bool meets = context_.dt == limit - context_.time;
    context_.time = meets ? limit : context_.time + context_.dt;
}

Status Simulation::advance(double time, const std::atomic<bool>* stop, const std::function<void()>& after_step) {
    // A run may be resumed here: neither lists nor what laws remember of their forces may depend on what came before.
    neighborhood_->invalidate();
    forces_known_ = false;
    walls_in_first_order();
    while (context_.time < time) {
        if (stop && *stop) return Error{Fault::stopped, "", "stopped on request"};
        if (Status done = step(time); !done) return done;
        if (after_step) after_step();
    }
    return Done{};
}

void Simulation::gather_accelerations() {
    const auto acceleration = pool_[pool_.acceleration];
    parallel_each(pool_.size(), [&](std::size_t i) { acceleration[i] = {}; });
    for (auto& behavior : behaviors_) behavior->apply(context_);
}

Status Simulation::apply_implicit() {
    for (auto& behavior : behaviors_)
        if (Status done = behavior->apply_implicit(context_); !done) return done;
    constrain(pool_.velocity);
    return Done{};
}

void Simulation::constrain(Column<Float4> field) {
    if (context_.constrain) context_.constrain(pool_[field]);
}

void Simulation::kick(double seconds) {
    const auto velocity = pool_[pool_.velocity];
    const auto acceleration = pool_[pool_.acceleration];
    const float dt = static_cast<float>(seconds);
    parallel_each(pool_.size(), [&](std::size_t i) {
        Float4& v = velocity[i];
        const Float4& a = acceleration[i];
        v = {v.x + dt * a.x, v.y + dt * a.y, v.z + dt * a.z, v.w};
    });
}

Simulation::Moved Simulation::move_particles(double seconds) {
    const auto position = pool_[pool_.position];
    const auto velocity = pool_[pool_.velocity];
    return parallel_reduce(
        pool_.size(), Moved{},
        [&](Range range) {
            Moved some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const Vec3d way = seconds * velocity[i].xyz_double();
                const Vec3d p = context_.in_period(position[i] + way);
                if (!is_finite(p)) some.lost = std::min(some.lost, i);
                some.farthest2 = std::max(some.farthest2, dot(way, way));
                position[i] = p;
            }
            return some;
        },
        [](const Moved& a, const Moved& b) {
            return Moved{std::min(a.lost, b.lost), std::max(a.farthest2, b.farthest2)};
        });
}

Status Simulation::drift(double seconds) {
    for (auto& behavior : behaviors_)
        if (Status done = behavior->before_motion(context_); !done) return done;
    shift(seconds);
    const Moved moved = move_particles(seconds);
    if (moved.lost != SIZE_MAX) {
        const std::string& body = scene_.bodies[pool_[pool_.body][moved.lost]].name;
        return Error{
            Fault::simulation, "bodies." + body,
            "the simulation broke down at " + number_text(context_.time) + " s: particle " +
                std::to_string(pool_[pool_.id][moved.lost]) + " has no finite position",
            "try a smaller solver.cfl or time_step, more viscosity, or lower stiffness of walls; the frames so "
            "far are kept"};
    }
    for (auto& behavior : behaviors_)
        if (Status done = behavior->after_motion(context_); !done) return done;
    const double farthest = std::sqrt(moved.farthest2);
    keep_out_of_walls(farthest);
    return held(farthest);
}

// Whether a step of fixed length made sense: nothing moved farther than any `cfl` would let it.
Status Simulation::held(double farthest) const {
    constexpr double most_diameters = 10; // as of cfl
    const double fixed = scene_.solver.number("time_step");
    if (!(fixed > 0 && farthest > most_diameters * context_.spacing)) return Done{};
    return Error{Fault::simulation, scene_.file,
                 "the time step of " + number_text(fixed) + " s cannot be held: at " + number_text(context_.time) +
                     " s a particle moved by " + number_text(farthest / context_.spacing) + " diameters in a step",
                 "make solver.time_step shorter, or leave it out to have it chosen; the frames so far are kept"};
}

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

} // namespace

// The longest step that velocities, forces and pressure allow.
TimeStepLimit Simulation::longest_flow_step(double longest) const {
    const auto velocity = pool_[pool_.velocity];
    const auto acceleration = pool_[pool_.acceleration];
    struct Most {
        float speed2 = 0, acceleration2 = 0;
    };
    const Most most = parallel_reduce(
        pool_.size(), Most{},
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
    const double cfl = scene_.solver.number("cfl"), diameter = context_.spacing;
    double speed = std::sqrt(most.speed2);
    // At any time within the longest step: an emitter may be about to open, a wall about to start.
    for (const Emitter& emitter : emitters_)
        speed = std::max(speed, emitter.fastest_between(context_.time, context_.time + longest));
    for (const WallBody& wall : wall_bodies_)
        if (wall.motion.moves())
            speed =
                std::max(speed, top_speed(wall.motion, reach_from_axis(wall), context_.time, context_.time + longest));

    TimeStepLimit limit{longest, "max_time_step"};
    if (speed > 0) consider(limit, {cfl * diameter / speed, "velocity"});
    // Bayraktar 5.27: a particle at rest may move by a fraction of its diameter under the acceleration alone.
    if (most.acceleration2 > 0)
        consider(limit, {0.5 * std::sqrt(cfl * diameter / std::sqrt(most.acceleration2)), "acceleration"});
    consider(limit, pressure_->time_step(context_));
    return limit;
}

TimeStepLimit Simulation::longest_time_step() {
    double longest = scene_.solver.number("max_time_step");
    if (longest <= 0) longest = 1 / scene_.values.number("fps");
    TimeStepLimit limit = longest_flow_step(longest);
    context_.flow_dt = limit.seconds;
    for (const auto& behavior : behaviors_) consider(limit, behavior->time_step(context_));
    return limit;
}

std::string Simulation::fastest_text() const {
    const auto velocity = pool_[pool_.velocity];
    const auto slower = [](const Float4& a, const Float4& b) {
        return dot(a.xyz_double(), a.xyz_double()) < dot(b.xyz_double(), b.xyz_double());
    };
    const auto found = std::max_element(velocity.begin(), velocity.end(), slower);
    if (found == velocity.end()) return "nothing moves";
    const auto i = static_cast<std::size_t>(found - velocity.begin());
    const Vec3d& at = pool_[pool_.position][i];
    return fmt::format("the fastest is bodies.{} with {} m/s at [{}, {}, {}]", scene_.bodies[pool_[pool_.body][i]].name,
                       number_text(length(found->xyz_double())), number_text(at.x), number_text(at.y),
                       number_text(at.z));
}

Status Simulation::choose_time_step(double limit) {
    const double fixed = scene_.solver.number("time_step"), left = limit - context_.time;
    TimeStepLimit longest = fixed > 0 ? TimeStepLimit{fixed, "time_step"} : longest_time_step();
    if (!(longest.seconds >= scene_.solver.number("min_time_step")))
        return Error{
            Fault::simulation, scene_.file,
            "the time step would have to be " + number_text(longest.seconds) + " s at " + number_text(context_.time) +
                " s, limited by: " + longest.reason,
            "below solver.min_time_step = " + number_text(scene_.solver.number("min_time_step")) + " s; " +
                fastest_text() +
                ". Look at the last frame: is there room for all that is between walls? Or lower min_time_step"};
    // Equal steps up to the limit, so that none is tiny.
    context_.dt = left / std::ceil(left / longest.seconds * (1 - 1e-9));
    dt_reason_ = longest.seconds >= left ? "frame" : longest.reason;
    if (context_.time + context_.dt >= limit * (1 - 1e-12)) context_.dt = left;
    return Done{};
}

StepReport Simulation::take_report() {
    StepReport report = report_;
    if (const double n = static_cast<double>(report.steps); n > 0) {
        report.mean_dt /= n, report.iterations /= n, report.divergence_iterations /= n, report.volume_error /= n;
        std::size_t most = 0;
        for (const auto& [reason, count] : reasons_)
            if (count > most) most = count, report.dt_reason = reason;
    }
    report_ = {};
    reasons_.clear();
    return report;
}

} // namespace loam
