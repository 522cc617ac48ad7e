// The step.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "pressure/fields.h"
#include "pressure/weight_pressure.h"
#include "step/motion.h"
#include "step/simulation.h"
#include "step/time_step.h"
#include "step/walls.h"

namespace loam {

Status Simulation::step(double limit) {
    if (Status done = begin(); !done) return done;
    if (facts_.verlet) { // the first half of velocity Verlet, with the accelerations that ended the step before
        const bool contacts_wait = !context_.flow.all && !neighborhood_->valid(); // for lists, after births
        if (!forces_known_ || contacts_wait) {
            context_.dt = 0; // no time has passed since
            if (Status found = find_forces(); !found) return found;
        }
        if (Status chosen = choose_time_step(limit); !chosen) return chosen;
        kick(0.5 * context_.dt);
        if (Status moved = drift(); !moved) return moved;
        pass_time(limit);
        if (Status found = find_forces(); !found) return found;
        profile_.time("integrate", [&] { kick(0.5 * context_.dt); });
        if (Status done = act_implicitly(); !done) return done;
    } else {
        if (Status found = find_forces(); !found) return found;
        if (Status chosen = choose_time_step(limit); !chosen) return chosen;
        profile_.time("integrate", [&] {
            kick_ahead(pool_, context_.dt);
            if (weight_) hold_back(pool_, context_.dt, weight_->push_column());
            if (balance_) balance_->kicked(context_.dt);
            if (meets(limit)) note_falling(pool_, context_.dt);
        });
        if (Status done = act_implicitly(); !done) return done;
        solve_pressure();
        if (Status moved = profile_.time("integrate", [&] { return drift(); }); !moved) return moved;
        if (meets(limit)) catch_up(context_, laws_);
        pass_time(limit);
    }
    if (Status done = exchange(); !done) return done;
    if (Status done = show(context_.time == limit); !done) return done;
    profile_.time("births and deaths", [&] { births_and_deaths(); });
    put_down();
    return Done{};
}

// What is keyed, what particles are made of, and what laws say of bodies.
Status Simulation::begin() {
    timeline_.update(context_);
    if (Status done = laws_.run(Stage::begin, context_); !done) return done;
    laws_.tell(context_);
    if (balance_) balance_->begin();
    return Done{};
}

void Simulation::kick(double dt) {
    loam::kick(pool_, dt);
    if (balance_) balance_->kicked(dt);
}

// And all that they follow from.
Status Simulation::find_forces() {
    profile_.time("walls", [&] { move_walls(walls_, context_.time, facts_, *neighborhood_); });
    profile_.time("neighbors", [&] { neighborhood_->update(pool_, walls_); });
    pressure_->begin(context_);
    Status done = profile_.time("forces", [&] {
        if (balance_) balance_->no_forces();
        const auto acceleration = pool_[pool_.acceleration];
        parallel_each(pool_.size(), [&](std::size_t i) { acceleration[i] = {}; });
        return laws_.run(Stage::force, context_);
    });
    if (!done) return done;
    if (weight_) profile_.time("weight", [&] { weight_->push(context_); });
    pressure_->forces(context_);
    if (context_.constrain) context_.constrain(FieldKind::change, pool_[pool_.acceleration]);
    forces_known_ = true;
    return Done{};
}

Status Simulation::choose_time_step(double limit) {
    // Only what acts between particles limits steps.
    if (weight_) weight_->take_out(context_), pressure_->pulled_by(weight_->largest_pull());
    Result<std::string> reason = loam::choose_time_step(scene_, *pressure_, laws_, sources_, context_, limit);
    if (weight_) weight_->put_in(context_);
    if (!reason) return reason.error();
    dt_reason_ = std::move(*reason);
    return Done{};
}

// Laws that have to know how velocities will be at the end of the step.
Status Simulation::act_implicitly() {
    if (Status done = laws_.run(Stage::implicit, context_); !done) return done;
    if (context_.constrain) context_.constrain(FieldKind::velocity, pool_[pool_.velocity]);
    return Done{};
}

void Simulation::solve_pressure() {
    const bool apart = weight_ && !weight_is_known_;
    if (apart) weight_->take_out(context_);
    pressure_->solve(context_);
    if (apart) weight_->put_in(context_);
}

Status Simulation::drift() {
    if (Status done = laws_.run(Stage::before_motion, context_); !done) return done;
    shift(context_, scene_.solver.number("shifting"), context_.dt);
    const Moved moved = move_particles(context_, context_.dt);
    if (moved.lost != SIZE_MAX) {
        const std::string& body = scene_.bodies[pool_[pool_.body][moved.lost]].name;
        return Error{
            Fault::simulation, "bodies." + body,
            "the simulation broke down at " + number_text(context_.time) + " s: particle " +
                std::to_string(pool_[pool_.id][moved.lost]) + " has no finite position",
            "try a smaller solver.cfl or time_step, more viscosity, or lower stiffness of walls; the frames so "
            "far are kept"};
    }
    if (Status done = laws_.run(Stage::after_motion, context_); !done) return done;
    const double farthest = std::sqrt(moved.farthest2);
    report_.pushed_back += keep_out_of_walls(context_, farthest);
    return check_held(scene_, context_, farthest);
}

// The step that meets the limit must not miss it by rounding: what is left would be a step too short to divide by.
void Simulation::pass_time(double limit) { context_.time = meets(limit) ? limit : context_.time + context_.dt; }

// Between neighbors as they were found in this step.
Status Simulation::exchange() {
    timeline_.pass(context_);
    return profile_.time("transfer", [&] { return laws_.run(Stage::transfer, context_); });
}

// What frames show and watchers want to know, of particles and neighbors as they are in this step.
Status Simulation::show(bool frame_is_due) {
    if (frame_is_due || watch_.pressure) profile_.time("felt pressure", [&] { feel_pressure(); });
    if (balance_) profile_.time("forces on bodies", [&] { balance_->end(); });
    return frame_is_due ? profile_.time("show", [&] { return laws_.run(Stage::show, context_); }) : Done{};
}

// Between particles it is felt by what they push; what bears weight is what it is.
void Simulation::feel_pressure() {
    if (weight_) weight_->take_out(context_);
    find_felt_pressure(context_);
    if (!weight_) return;
    weight_->put_in(context_);
    weight_->put_in(context_, pool_.felt_pressure);
}

void Simulation::births_and_deaths() {
    Births births(pool_);
    sources_.renew(pool_, context_.time, births);
    report_.born += births.born(), report_.died += births.died(); // what laws make of their own comes and goes unseen
    laws_.ask_for_births(context_, births);
    const Renewal renewal = births.apply(pool_);
    if (!renewal.any()) return;
    neighborhood_->invalidate();
    timeline_.born(context_, renewal);
    laws_.born(context_, renewal);
}

// What the step came to, for the report.
void Simulation::put_down() {
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
}

} // namespace loam
