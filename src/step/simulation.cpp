#include "step/simulation.h"

#include <algorithm>

#include "pressure/weight_pressure.h"
#include "step/assembly.h"
#include "step/moments.h"
#include "step/start.h"
#include "step/walls.h"

namespace loam {

namespace {

// Sand is held by the friction of what its grains press on each other, and pores take up what water presses between
// particles. Solvers with short steps would take far longer.
bool weight_may_be_smooth(const Scene& scene, const StepContext& step, const PressureSolver& pressure) {
    const bool flows = std::any_of(step.scene.bodies.begin(), step.scene.bodies.end(),
                                   [](const auto& body) { return body.is_material && body.flows; });
    const bool grains_or_pores = std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const BodySpec& body) {
        return find_behavior(scene, body, "sand") || find_behavior(scene, body, "porous");
    });
    return scene.solver.flag("smooth_weight") && step.particles.falls() && flows && !grains_or_pores &&
           !pressure.is_explicit() && !pressure.slides_freely();
}

} // namespace

Simulation::Simulation(const Scene& scene)
    : scene_(scene), context_{.scene = facts_, .particles = pool_, .walls = walls_, .profile = profile_} {}

Simulation::~Simulation() = default;

Result<std::unique_ptr<Simulation>> Simulation::create(const Scene& scene, InstructionSet isa) {
    std::unique_ptr<Simulation> simulation(new Simulation(scene));
    if (Status done = simulation->set_up(isa); !done) return done.error();
    if (Status done = simulation->begin_at_the_start(); !done) return done.error();
    return simulation;
}

Status Simulation::set_up(InstructionSet isa) {
    Result<SceneFacts> facts = facts_of(scene_, isa);
    if (!facts) return facts.error();
    facts_ = std::move(*facts);
    auto pressure = make_pressure(scene_);
    if (!pressure) return pressure.error();
    pressure_ = std::move(*pressure);
    neighborhood_ = make_neighborhood(scene_, facts_, *pressure_);
    context_.neighbors = neighborhood_.get();
    if (Status done = make_walls(scene_, facts_, *neighborhood_, walls_); !done) return done;
    if (Status done = fill_bodies(scene_, facts_, pool_); !done) return done;
    if (Status done = check_effects(scene_, pool_, doubts_); !done) return done;
    if (Status done = give_start_velocities(scene_, pool_); !done) return done;
    if (Status done = sources_.open(scene_, facts_, lattice_volume(facts_.kernel, facts_.spacing)); !done) return done;
    facts_.slowest_led = sources_.slowest_led(facts_.bodies.size());

    make_laws(scene_, context_, timeline_, laws_);
    expect_steps(scene_, *pressure_, context_, facts_);
    if (Status done = laws_.run(Stage::prepare, context_); !done) return done;
    if (Status done = displace_start(scene_, pool_); !done) return done;
    laws_.tell(context_);
    context_.constrain = laws_.constraint(context_);
    pressure_->prepare(context_);
    if (weight_may_be_smooth(scene_, context_, *pressure_)) {
        weight_ = std::make_unique<WeightPressure>();
        weight_->declare(context_);
        weight_is_known_ = pressure_->leave_out(context_, weight_->pressure());
    }
    ask_bearers(laws_, context_, *pressure_);
    start_ = start_mark(context_);
    return Done{};
}

Status Simulation::begin_at_the_start() {
    if (Status done = check_start(scene_, context_, sources_, *neighborhood_, doubts_); !done) return done;
    timeline_.update(context_);
    if (Status done = settle_start(scene_, *pressure_, *neighborhood_, context_); !done) return done;
    if (context_.flow.all) // others are where they were put, or their laws have taken up how they move
        if (Status done = give_start_velocities(scene_, pool_); !done) return done;
    births_and_deaths();
    find_first_densities();
    if (Status done = laws_.run(Stage::show, context_); !done) return done;
    profile_.clear();
    return Done{};
}

// Steps find densities as they go; the first frame has none before it.
void Simulation::find_first_densities() {
    timeline_.update(context_);
    move_walls(walls_, context_.time, facts_, *neighborhood_);
    neighborhood_->update(pool_, walls_);
    pressure_->find_densities(context_);
    fit_into_vessel(scene_, *pressure_, pool_, context_.flow);
}

Status Simulation::advance(double time, const std::atomic<bool>* stop, const std::function<void()>& after_step) {
    // A run may be resumed here: neither lists nor what laws remember of their forces may depend on what came before.
    neighborhood_->invalidate();
    forces_known_ = false;
    walls_in_first_order(walls_, *neighborhood_);
    while (context_.time < time) {
        if (stop && *stop) return Error{Fault::stopped, "", "stopped on request"};
        if (Status done = step(time); !done) return done;
        if (after_step) after_step();
    }
    return Done{};
}

void Simulation::watch(const Watch& watch) {
    watch_ = watch;
    if (watch.forces == (balance_ != nullptr)) return;
    balance_ = watch.forces ? std::make_unique<MomentumBalance>(context_) : nullptr;
    laws_.set_auditor(balance_.get());
    forces_known_ = false; // who has pushed from outside must be known too
}

std::span<const Vec3d> Simulation::forces() const {
    return balance_ ? std::span<const Vec3d>(balance_->forces()) : std::span<const Vec3d>();
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

double Simulation::deepest_in_walls() const { return loam::deepest_in_walls(context_); }

std::size_t Simulation::memory() const {
    return pool_.memory() + walls_.memory() + neighborhood_->memory() + pressure_->memory();
}

} // namespace loam
