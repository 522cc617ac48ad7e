// Shell: one layer of particles that resists stretching and bending. The law is in plate.h.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text.h"
#include "behaviors/sheets/body_law.h"
#include "behaviors/sheets/motion.h"
#include "behaviors/shell/damping.h"
#include "behaviors/shell/plate.h"
#include "behaviors/shell/solve.h"

namespace loam {
namespace {

constexpr int most_substeps = 200;
// Of the fastest waves that the particles can carry, as a fraction of critical: ripples from triangle to triangle.
constexpr double ripple_damping = 0.1;
constexpr double shortest_substep = 1e-8; // [s]
// A solve costs as many multiplications as this for each substep that it saves, about; and none may cost more than
// these.
constexpr double substep_of_point = 500, most_work = 5e8;

struct ShellValues {
    PlateValues plate;
    double density = 1000;
    double friction = 0.3;
    double damping = 0; // viscosity over Young's modulus [s]
    double rest_size = 1;
    std::string integration = "automatic";
};

ShellValues shell_values(const Values& values) {
    return {{values.number("young_modulus"), values.number("poisson_ratio"), values.number("thickness"), 0},
            values.number("density"),
            values.number("friction"),
            values.number("damping"),
            values.number("rest_size"),
            values.text("integration")};
}

class ShellBody {
public:
    ShellBody(std::uint32_t body, const ShellValues& values) : body_(body), values_(values) {}

    // The particles as they are now become the shape at rest.
    Status enter(StepContext& step) {
        motion_.slots.declare(step.particles, "shell", body_);
        wet_ = step.particles.declare<float>({.name = "shell_wet", .help = "1: touched by fluid", .saved = true});
        reference_ = motion_.slots.enter(step.particles);
        motion_.slots.let_touch(step, reference_);
        return make(step);
    }

    // First of all, so that the step's length may follow from it.
    void look(const StepContext& step) {
        const Pool& pool = step.particles;
        motion_.slots.locate(pool);
        for (std::size_t s = 0; s < reference_.size(); ++s) {
            const std::uint32_t i = motion_.slots.where(s);
            if (i == Slots::missing) continue;
            const Vec3d& place = pool[pool.position][i];
            places_[s] = s == 0 ? place : image_near(place, places_[0], step.scene.periodic_length); // in one piece
            leaned_on_[s] = pool[wet_][i] > 0;
        }
        tautness_ = plate_.tautness(places_, leaned_on_);
    }

    // For the next step: when one begins neighbors are not known yet.
    void find_fluid(StepContext& step) {
        Pool& pool = step.particles;
        motion_.slots.locate(pool);
        parallel_each(reference_.size(), [&](std::size_t s) {
            const std::uint32_t i = motion_.slots.where(s);
            if (i == Slots::missing) return;
            const auto& near = step.neighbors->particles.of(i);
            const auto is_fluid = [&](std::uint32_t j) { return !step.is_solid(j); };
            pool[wet_][i] = std::any_of(near.begin(), near.end(), is_fluid) ? 1.0f : 0.0f;
        });
    }

    void move(StepContext& step, const Numbers& weight) {
        motion_.gather(step, weight);
        hold();
        if (implicit_) {
            solve({step.dt, values_.damping});
            motion_.take(change_, step.dt);
            motion_.hand_back(step);
            return;
        }
        const SlotMotion::Law law = [&](const auto&, const auto& velocities, auto& accelerations) {
            find_accelerations(velocities, accelerations);
        };
        const double longest = longest_substep_ / tautness_.speedup;
        const int substeps = std::max(1, static_cast<int>(std::ceil(step.dt / longest)));
        motion_.integrate(step.dt, substeps, ExplicitMethod::symplectic, law);
        if (values_.damping > 0) damp(step.dt);
        motion_.hand_back(step);
    }
    void after_motion(StepContext& step) { motion_.after_motion(step); }
    // A fluid that leans on the layer stops it from moving across, and does so once in a step: what the layer does of
    // itself within the step must not go far beyond that. A tenth of the period of its fastest waves across is little.
    TimeStepLimit time_step(const StepContext& step) const {
        if (implicit_) return motion_.limit_by_load(step);
        const TimeStepLimit substeps{most_substeps * longest_substep_ / tautness_.speedup, "shell"};
        const double fastest = values_.rest_size * std::sqrt(tautness_.pull / values_.density); // [rad/s]
        const TimeStepLimit tension{fastest > 0 ? 0.2 * std::numbers::pi / fastest : 1e300, "shell tension"};
        const auto sooner = [](const TimeStepLimit& a, const TimeStepLimit& b) {
            return a.seconds < b.seconds ? a : b;
        };
        return sooner(sooner(tension, substeps), motion_.limit_by_load(step));
    }

    void save(SavedState& state) const {
        std::vector<double>& reference = state[state_name("reference")];
        for (const Vec3d& p : reference_) reference.insert(reference.end(), {p.x, p.y, p.z});
        state[state_name("motion")] = motion_.save();
    }
    Status restore(const StepContext& step, const SavedState& state) {
        const auto found = state.find(state_name("reference")), motion = state.find(state_name("motion"));
        const Error damaged{Fault::file, "", "the checkpoint does not fit the scene's shell"};
        if (found == state.end() || motion == state.end() || found->second.size() % 3 != 0) return damaged;
        reference_.clear();
        for (std::size_t k = 0; k < found->second.size(); k += 3)
            reference_.push_back({found->second[k], found->second[k + 1], found->second[k + 2]});
        motion_.slots.resize(reference_.size());
        if (!motion_.restore(motion->second)) return damaged;
        return make(step);
    }

private:
    std::string state_name(const std::string& what) const { return "shell." + what + "." + std::to_string(body_); }

    std::string path(const StepContext& step) const {
        return "bodies." + step.scene.bodies[body_].name + ".behaviors.shell";
    }

    Status make(const StepContext& step) {
        const ShapePtr& shape = step.scene.bodies[body_].shape;
        const std::optional<Sheet> sheet = shape ? sheet_of(*shape, step.scene.spacing) : std::nullopt;
        if (!sheet || sheet->points.size() != reference_.size() || sheet->triangles.empty())
            return Error{Fault::scene, path(step), "the body is not a sheet of triangles",
                         "give it a shape of one layer: sheet (with u and v), arch, dome or surface"};
        // Waves along the layer, and those across it, which are faster where the layer is thicker than the spacing.
        PlateValues plate = values_.plate;
        std::vector<Vec3d> at_rest = reference_;
        for (Vec3d& p : at_rest) p *= values_.rest_size;
        plate_ = Plate(at_rest, sheet->triangles, plate);
        const double height = plate_.shortest_height(), nu = plate.poisson_ratio,
                     speed = std::sqrt(plate.young_modulus / (values_.density * (1 - nu * nu)));
        const double stable = std::min(0.5 * height / speed, 0.5 * height * height / (speed * plate.thickness));
        longest_substep_ = stable * (std::sqrt(1 + ripple_damping * ripple_damping) - ripple_damping);
        plate.damping_time = ripple_damping * stable;
        plate_ = Plate(at_rest, sheet->triangles, plate);
        leaned_on_.assign(reference_.size(), 0);
        places_.resize(reference_.size()), velocities_.resize(reference_.size()), forces_.resize(reference_.size());
        held_.clear();
        if (Status chosen = choose_integration(step, at_rest); !chosen) return chosen;
        if (!implicit_ && longest_substep_ < shortest_substep)
            return Error{Fault::scene, path(step) + ".young_modulus",
                         "the shell is so stiff that steps must be shorter than " + number_text(longest_substep_) +
                             " s",
                         "a lower young_modulus, a higher density, or larger particles"};
        return Done{};
    }

    // Implicit where explicit substeps would cut the step, and a solve costs less than they do.
    Status choose_integration(const StepContext& step, const std::vector<Vec3d>& at_rest) {
        solve_ = PlateSolve(at_rest, plate_);
        const double work = solve_.multiplications(), substeps = step.scene.expected_step / longest_substep_;
        if (values_.integration == "implicit" && work > most_work)
            return Error{Fault::scene, path(step) + ".integration",
                         "an implicit step of " + std::to_string(reference_.size()) + " particles would take too long",
                         "larger particles, or \"integration\": \"explicit\""};
        implicit_ = values_.integration == "implicit" ||
                    (values_.integration == "automatic" && substeps > most_substeps && work < most_work &&
                     work < substeps * substep_of_point * static_cast<double>(reference_.size()));
        return Done{};
    }

    // What pins hold: look whether it is what it was.
    void hold() {
        std::vector<std::uint8_t> held(reference_.size());
        for (std::size_t s = 0; s < held.size(); ++s)
            held[s] = motion_.velocity[s].w == 0 && motion_.slots.where(s) != Slots::missing;
        if (held == held_) return;
        held_ = std::move(held);
        plate_.hold(held_);
    }

    void find_motion() {
        per_mass_.resize(reference_.size());
        parallel_each(reference_.size(), [&](std::size_t s) {
            places_[s] = motion_.exact[s] + motion_.moved()[s].xyz_double();
            velocities_[s] = motion_.velocity[s].xyz_double();
            per_mass_[s] = motion_.place[s].w * motion_.velocity[s].w;
        });
    }

    void solve(const PlateSolve::Step& step) {
        find_motion();
        change_.assign(motion_.velocity.size(), {});
        const std::vector<Vec3d>& change = solve_.change(plate_, places_, velocities_, per_mass_, step);
        for (std::size_t s = 0; s < change.size(); ++s) change_[s] = float4(change[s]);
    }

    // Conjugate gradients only where there are too many points: they leave the slowest swings to themselves.
    void damp(double dt) {
        if (solve_.multiplications() < most_work) {
            solve({dt, values_.damping, true});
            motion_.slow(change_);
            return;
        }
        find_motion();
        damping_.slow(plate_, places_, velocities_, per_mass_, dt * values_.damping);
        parallel_each(reference_.size(),
                      [&](std::size_t s) { motion_.velocity[s] = float4(velocities_[s], motion_.velocity[s].w); });
    }

    void find_accelerations(const SlotMotion::Places& velocities, SlotMotion::Places& accelerations) {
        const std::size_t count = reference_.size();
        parallel_each(count, [&](std::size_t s) {
            places_[s] = motion_.exact[s] + motion_.moved()[s].xyz_double();
            velocities_[s] = velocities[s].xyz_double();
        });
        plate_.forces(places_, velocities_, forces_);
        parallel_each(count, [&](std::size_t s) {
            const double per_mass = velocities[s].w, weight = motion_.place[s].w;
            accelerations[s] = float4((weight * per_mass) * forces_[s]);
        });
    }

    std::uint32_t body_;
    ShellValues values_;
    SlotMotion motion_;
    std::vector<Vec3d> reference_; // positions by slot
    Plate plate_;
    double longest_substep_ = 0;
    Plate::Tautness tautness_; // in this step
    Column<float> wet_;
    std::vector<std::uint8_t> leaned_on_; // by slot: by fluid
    std::vector<Vec3d> places_, velocities_, forces_;
    std::vector<double> per_mass_;
    PlateDamping damping_;
    bool implicit_ = false;
    PlateSolve solve_;
    std::vector<Float4> change_;
    std::vector<std::uint8_t> held_; // by slot
};

class Shell : public BodyLaw<ShellBody> {
public:
    explicit Shell(const BodyValues& values)
        : BodyLaw("shell", values, [](std::uint32_t body, const Values& given) {
              return std::make_unique<ShellBody>(body, shell_values(given));
          }) {}
    Status begin(StepContext& step) override {
        timed(step, [&](ShellBody& body) { body.look(step); });
        return Done{};
    }
    void apply(StepContext& step) override {
        timed(step, [&](ShellBody& body) { body.find_fluid(step); });
    }
};

std::vector<Property> properties() {
    std::vector<Property> all{
        number("density", "kg/m^3", 1000, {1e-3, 1e5}, "Mass per volume of the material."),
        number("thickness", "m", 0.002, {1e-6, 10}, "Of the layer: bending stiffness grows with its cube."),
        number("young_modulus", "Pa", 1e6, {1e-3, 1e13}, "Stiffness of the material."),
        number("poisson_ratio", "", 0.3, {-0.99, 0.499}, "How much it narrows when it is stretched."),
        number("friction", "", 0.3, {0, 10}, "Coefficient of friction where it touches others, itself and walls."),
        number(
            "damping", "s", 0, {0, 1e3},
            "Inner friction: viscosity over Young's modulus. A swing of period T loses the share 20 damping / T of its "
            "height each time; 0 rings on."),
        number("rest_size", "", 1, {0.2, 2},
               "Its size at rest as a share of that at the start: below 1 it is taut, as a balloon."),
        choice("integration", {"automatic", "explicit", "implicit"},
               "How its motion is stepped: explicit lets it ring and takes substeps as short as its waves need; "
               "implicit keeps "
               "long steps for stiff shells and damps their ringing.")};
    for (Property& p : all) p = std::move(p).fixed();
    return all;
}

const RegisterBehavior shell{{
    .declaration = {.name = "shell",
                    .help = "One elastic layer that resists stretching and bending: a bowl, a sheet of metal.",
                    .properties = properties()},
    .form = Form::cluster,
    .acts = {{Stage::prepare, {}},
             {Stage::begin, {reads("position")}},
             {Stage::force, {reads("density")}},
             {Stage::implicit, {changes("velocity"), changes("lack")}},
             {Stage::after_motion, {changes("velocity")}}},
    .make = make_behavior<Shell>,
    .material = true,
    .weight_by_body = true,
}};

} // namespace
} // namespace loam
