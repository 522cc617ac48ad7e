// Viscosity: see README.md for the models and when to use which.
//
// Bodies of one scene may have any viscosities. Where they name different models of true viscosity, the steadiest one
// (implicit before morris before muller) is used for all of them, or forces between two bodies would not be equal and
// opposite. artificial and xsph act beside it, each among the bodies that name it.
#include "base/reductions.h"
#include "behaviors/behavior.h"
#include "behaviors/viscosity/arguments.h"
#include "behaviors/viscosity/implicit.h"

namespace loam {
namespace {

ViscosityModel model_by_name(const std::string& name) {
    return name == "morris"       ? ViscosityModel::morris
           : name == "muller"     ? ViscosityModel::muller
           : name == "artificial" ? ViscosityModel::artificial
           : name == "xsph"       ? ViscosityModel::xsph
                                  : ViscosityModel::implicit;
}

class Viscosity : public Behavior {
public:
    explicit Viscosity(const BodyValues& values) { set(values); }

    void set(const BodyValues& values) override {
        double tolerance = 1;
        int iterations = 1;
        viscosity_.clear(), alpha_.clear(), rate_.clear(), viscous_.clear();
        weight_ = values.numbers("weight");
        own_viscosity_ = values.numbers("viscosity");
        sound_speed_ = 0;
        for (std::size_t b = 0; b < values.size(); ++b) {
            viscosity_.push_back(0), alpha_.push_back(0), rate_.push_back(0), viscous_.push_back(0);
            if (!values.uses(b)) continue;
            const Values& own = values[b];
            switch (const ViscosityModel model = model_by_name(own.text("model"))) {
            case ViscosityModel::artificial: alpha_[b] = static_cast<float>(own.number("alpha")); break;
            case ViscosityModel::xsph: rate_[b] = static_cast<float>(own.number("rate")); break;
            default:
                viscosity_[b] = static_cast<float>(own.number("viscosity"));
                viscous_[b] = viscosity_[b] > 0 || own.track("viscosity") || own_viscosity_.differ();
                if (physical_ != ViscosityModel::implicit && model != ViscosityModel::muller) physical_ = model;
            }
            sound_speed_ = std::max(sound_speed_, own.number("sound_speed"));
            tolerance = std::min(tolerance, own.number("tolerance"));
            iterations = std::max(iterations, own.integer("max_iterations"));
        }
        solver_.set(tolerance, iterations);
    }

    void tell(std::size_t body, BodyTraits& traits) const override { traits.viscous |= viscous_[body] != 0; }

    Status prepare(StepContext& step) override {
        motion_ = step.particles.declare<Float4>({.name = "viscous_motion"});
        before_ = step.particles.declare<Float4>({.name = "viscous_before", .unit = "m/s"});
        if (physical_ == ViscosityModel::implicit) solver_.declare(step.particles);
        return Done{};
    }

    void apply(StepContext& step) override {
        diffusivity_ = rate_limit_ = 0;
        if (is_implicit()) remember_velocities(step.particles);
        if (is_viscous() && !is_implicit()) {
            const double top = largest_viscosity(step.particles);
            const auto reached = [&](double own) { // the largest mean with any other body's
                if (sticks_somewhere(step)) return 2 * own;
                return physical_ == ViscosityModel::muller ? 0.5 * (own + top) : std::min(2 * own, top);
            };
            diffusivity_ = fill(step, viscosity_of(step.particles), reached);
            accelerate(step, physical_);
        }
        if (any(alpha_)) {
            const double h = 0.5 * step.scene.kernel.support,
                         c = sound_speed_ > 0 ? sound_speed_ : 10 * step.particles.fastest();
            const float scale = static_cast<float>(h * c);
            const double nu =
                fill(step, [&](std::size_t, std::size_t b, float density) { return alpha_[b] * density * scale; });
            diffusivity_ = std::max(diffusivity_, 2 * nu); // a mean with a heavier one is at most twice its own
            accelerate(step, ViscosityModel::artificial);
        }
        if (any(rate_)) {
            rate_limit_ = fill(step, [&](std::size_t, std::size_t b, float density) { return rate_[b] * density; });
            accelerate(step, ViscosityModel::xsph);
        }
    }

    Status apply_implicit(StepContext& step) override {
        if (!is_implicit() || step.particles.size() == 0) return Done{};
        step.profile.time("viscosity", [&] {
            constexpr double thin = 0.005; // below it nothing decays by more than a few per cent in a step
            const double h = 0.5 * step.scene.kernel.support, nu = fill(step, viscosity_of(step.particles));
            normalize(step);
            solver_.solve(step, motion_, before_, step.scene.verlet || nu * step.dt < thin * h * h);
        });
        return Done{};
    }

    // Morris 1997 eq. 34.
    TimeStepLimit time_step(const StepContext& step) const override {
        const double h = 0.5 * step.scene.kernel.support;
        TimeStepLimit limit;
        if (diffusivity_ > 0) limit = {0.125 * h * h / diffusivity_, "viscosity"};
        if (rate_limit_ > 0 && 0.5 / rate_limit_ < limit.seconds) limit = {0.5 / rate_limit_, "viscosity"};
        return limit;
    }

private:
    static bool any(const std::vector<float>& of_bodies) {
        return std::any_of(of_bodies.begin(), of_bodies.end(), [](float x) { return x > 0; });
    }
    static bool sticks_somewhere(const StepContext& step) {
        return std::any_of(step.traits.begin(), step.traits.end(), [](const BodyTraits& body) { return body.no_slip; });
    }
    bool is_viscous() const { return any(viscosity_) || own_viscosity_.differ(); }
    bool is_implicit() const { return physical_ == ViscosityModel::implicit && is_viscous(); }

    // Of particle i of body b; 0 where the body has another model or none.
    struct ViscosityOf {
        Numbers::View own;
        const std::uint8_t* viscous;
        float operator()(std::size_t i, std::size_t b, float) const { return viscous[b] ? own[i] : 0; }
    };
    ViscosityOf viscosity_of(const Pool& pool) const { return {own_viscosity_.of(pool), viscous_.data()}; }
    double largest_viscosity(const Pool& pool) const {
        if (!own_viscosity_.differ()) return *std::max_element(viscosity_.begin(), viscosity_.end());
        const auto own = viscosity_of(pool);
        const auto body = pool[pool.body];
        return parallel_max(pool.size(), [&](std::size_t i) { return double(own(i, body[i], 0)); });
    }

    // motion <- velocity and coefficient(particle, body, density); returns the largest reached(coefficient) / density.
    template <class Coefficient, class Reached>
    double fill(StepContext& step, const Coefficient& coefficient, const Reached& reached) {
        Pool& pool = step.particles;
        const auto motion = pool[motion_], velocity = pool[pool.velocity];
        const auto body = pool[pool.body];
        const auto weight = weight_.of(pool);
        pool.padding(motion_) = {};
        return parallel_max(pool.size(), [&](std::size_t i) {
            const bool sticky = step.traits[body[i]].no_slip;
            const float density = pool.rest_density(i);
            const float c = sticky ? -1 : weight[i] * coefficient(i, body[i], density);
            motion[i] = {velocity[i].x, velocity[i].y, velocity[i].z, c};
            return sticky || density == 0 ? 0 : reached(c) / density;
        });
    }
    template <class Coefficient> double fill(StepContext& step, const Coefficient& coefficient) {
        return fill(step, coefficient, [](double own) { return own; });
    }

    void remember_velocities(Pool& pool) const {
        const auto before = pool[before_], velocity = pool[pool.velocity];
        parallel_each(pool.size(), [&](std::size_t i) { before[i] = velocity[i]; });
    }

    void normalize(const StepContext& step) const {
        Pass pass(step, "viscosity normalized");
        pass.run(normalized_viscosity, {.model = physical_,
                                        .particles = pass.pairs(),
                                        .walls = pass.wall_pairs(),
                                        .kernel = step.scene.kernel,
                                        .velocity = pass.reads(step.particles.velocity),
                                        .wall_velocity = pass.reads_walls(step.walls.velocity),
                                        .motion = pass.writes(motion_)});
    }

    void accelerate(StepContext& step, ViscosityModel model) {
        step.profile.time("viscosity", [&] {
            if (model == physical_) normalize(step);
            Pass pass(step, "viscosity");
            pass.run(viscous_acceleration, {.law = viscosity_arguments(pass, motion_),
                                            .model = model,
                                            .acceleration = pass.writes(step.particles.acceleration)});
        });
    }

    std::vector<float> viscosity_, alpha_, rate_; // by body; 0 where the body has another model or none
    std::vector<std::uint8_t> viscous_;
    Numbers own_viscosity_; // of particles that may differ
    Numbers weight_;        // scales the particle's own coefficient, before the mean of two is taken
    ViscosityModel physical_ = ViscosityModel::muller;
    double sound_speed_ = 0;
    ImplicitViscosity solver_;
    Column<Float4> motion_, before_;
    double diffusivity_ = 0, rate_limit_ = 0; // the largest of this step: [m^2/s], [1/s]
};

const RegisterBehavior viscosity{{
    .declaration =
        {.name = "viscosity",
         .help = "Resists shear. Honey is about 10 Pa s, oil 0.1, water 0.001.\n"
                 "implicit keeps large time steps at any viscosity and lets free threads turn and coil; morris and "
                 "muller are explicit, cheaper when thin, and need a time step that falls with viscosity; where fluids "
                 "of different viscosity meet, only implicit has the whole stress. artificial and xsph only calm the "
                 "motion and have no unit of viscosity.",
         .properties = {choice("model", {"implicit", "morris", "muller", "artificial", "xsph"}, "Which law."),
                        number("viscosity", "Pa s", 0.001, {0, 1e9},
                               "Dynamic viscosity; used by implicit, morris and muller.")
                            .keyed(Keying::particle),
                        number("alpha", "", 0.05, {0, 100}, "Strength of artificial viscosity."),
                        number("sound_speed", "m/s", 0, {0, 1e6},
                               "Used by artificial; 0 is ten times the fastest particle's speed."),
                        number("rate", "1/s", 10, {0, 1e9},
                               "Used by xsph: how fast a particle takes up the mean velocity around it."),
                        number("tolerance", "", 1e-3, {1e-8, 0.5},
                               "Used by implicit: error that is left, as a fraction of the viscous change."),
                        integer("max_iterations", 100, {1, 1e5}, "Used by implicit: most iterations in a step.")}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {}},
             {Stage::force, {reads("velocity"), changes("acceleration")}},
             {Stage::implicit, {changes("velocity")}}},
    .make = make_behavior<Viscosity>,
}};

} // namespace
} // namespace loam
