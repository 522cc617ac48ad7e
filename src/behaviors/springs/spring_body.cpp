#include "behaviors/springs/spring_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/reductions.h"
#include "base/text.h"
#include "passes/pass.h"

namespace loam {
namespace {

constexpr int most_substeps = 200;
constexpr double shortest_substep = 1e-8;               // [s]
constexpr std::size_t most_band = std::size_t{1} << 31; // bytes

// Velocities of symplectic Euler are those of half a substep before: to damp these would drive the fastest swings.
ExplicitMethod method_of(const std::string& integration, bool damped) {
    return integration == "rk4"                ? ExplicitMethod::rk4
           : integration == "verlet" || damped ? ExplicitMethod::verlet
                                               : ExplicitMethod::symplectic;
}

} // namespace

bool SpringBody::is_explicit() const {
    return values_.integration == "explicit" || values_.integration == "verlet" || values_.integration == "rk4" ||
           chooses_substeps();
}

bool SpringBody::chooses_substeps() const {
    return values_.integration == "doubling" || values_.integration == "fehlberg";
}

Status SpringBody::enter(StepContext& step) {
    Pool& pool = step.particles;
    motion_.slots.declare(pool, law_, body_);
    reference_ = motion_.slots.enter(pool);
    motion_.slots.let_touch(step, reference_);
    return make(step);
}

// The sheet that the body was made of, with its points where they were at rest; nothing when it filled a shape.
std::optional<Sheet> SpringBody::sheet_at_rest(const StepContext& step) const {
    const std::shared_ptr<const Sheet>& own = step.scene.sheets[body_].sheet;
    if (!own || own->points.size() != reference_.size()) return std::nullopt;
    Sheet sheet = *own;
    sheet.points = reference_;
    return sheet;
}

bool SpringBody::is_damped() const {
    return std::any_of(std::begin(values_.damping), std::end(values_.damping), [](double d) { return d > 0; });
}

std::vector<Spring> SpringBody::springs_at_rest(const StepContext& step) const {
    const std::optional<Sheet> sheet = sheet_at_rest(step);
    if (values_.of_sheet && sheet) return values_.of_sheet(*sheet, step.scene);
    std::vector<Spring> springs;
    for (const Link& link : sheet ? links_of(*sheet) : links_of(reference_, step.scene.spacing)) {
        const auto kind = static_cast<std::size_t>(link.kind);
        if (values_.stiffness[kind] > 0)
            springs.push_back(
                Spring::between(reference_, link.a, link.b, values_.stiffness[kind], values_.damping[kind]));
    }
    return springs;
}

Status SpringBody::make(const StepContext& step) {
    const Pool& pool = step.particles;
    motion_.slots.locate(pool);
    per_mass_.assign(motion_.slots.padded(), 0);
    for (std::size_t s = 0; s < reference_.size(); ++s)
        if (motion_.slots.where(s) != Slots::missing) per_mass_[s] = 1 / motion_.slots.inertia(pool, s);
    const std::vector<Spring> springs = springs_at_rest(step);
    network_ = SpringNetwork(springs, reference_.size());
    find_wave_speed(step, springs);
    if (values_.tear > 0) tear_.assign(network_.slots(), static_cast<float>(values_.tear));
    // Gershgorin's bound on the fastest oscillation w; h w <= 2 keeps it stable.
    double fastest = 0;
    for (std::size_t s = 0; s < network_.slots(); ++s) fastest = std::max(fastest, network_.load(s, per_mass_));
    constexpr double safety = 0.8;
    longest_substep_ = fastest > 0 ? safety * 2 / std::sqrt(fastest) : 1e300;
    return check(step);
}

// sum k r^2 is 1, 3 or 6 times modulus and volume of a rope, sheet or block whose springs point everywhere alike.
void SpringBody::find_wave_speed(const StepContext& step, const std::vector<Spring>& springs) {
    const std::optional<Sheet> sheet = sheet_at_rest(step);
    const double directions = !sheet ? 6 : sheet->is_rope() ? 1 : 3;
    double stiffness = 0, mass = 0;
    for (const Spring& s : springs) stiffness += static_cast<double>(s.stiffness) * s.rest * s.rest;
    for (const float per_mass : per_mass_)
        if (per_mass > 0) mass += 1 / static_cast<double>(per_mass);
    wave_speed_ = std::sqrt(stiffness / (directions * mass));
    held_.clear();
}

// A quarter of the slowest wave reaches from what is held, or from the middle of a free body, to the farthest point.
void SpringBody::find_damping_time() {
    std::vector<std::uint8_t> held(reference_.size());
    for (std::size_t s = 0; s < held.size(); ++s)
        held[s] = motion_.velocity[s].w == 0 && motion_.slots.where(s) != Slots::missing;
    if (held == held_) return;
    held_ = std::move(held);
    std::vector<Vec3d> from;
    Vec3d middle;
    for (std::size_t s = 0; s < held_.size(); ++s) {
        if (held_[s]) from.push_back(reference_[s]);
        middle += reference_[s] / static_cast<double>(held_.size());
    }
    if (from.empty()) from.push_back(middle);
    const double quarter = std::sqrt(parallel_max(reference_.size(), [&](std::size_t s) {
        double nearest = 1e300;
        for (const Vec3d& p : from) nearest = std::min(nearest, dot(reference_[s] - p, reference_[s] - p));
        return nearest;
    }));
    damping_time_ = wave_speed_ > 0 ? 4 * quarter / (std::numbers::pi * wave_speed_) : 0;
}

Status SpringBody::check(const StepContext& step) const {
    const std::string path = "bodies." + step.scene.bodies[body_].name + ".behaviors." + law_;
    if (reference_.size() < 2)
        return Error{Fault::scene, path, "the body has one particle, and a spring has two ends",
                     "a larger shape, or a smaller particle_radius"};
    if (values_.of_sheet && !sheet_at_rest(step))
        return Error{Fault::scene, path, "the body is not a sheet",
                     "give it a shape of one layer: sheet, dome or surface"};
    if (is_explicit() && longest_substep_ < shortest_substep)
        return Error{Fault::scene, path,
                     "the springs are so stiff and light that steps must be shorter than " +
                         number_text(longest_substep_) + " s",
                     "lower the stiffness, raise the density, or use \"integration\": \"implicit\""};
    if (values_.integration == "filter" && BandFactor::bytes(network_) > most_band)
        return Error{Fault::scene, path + ".integration",
                     "the filter of this body would take " +
                         number_text(1e-9 * static_cast<double>(BandFactor::bytes(network_))) + " GB",
                     "use \"integration\": \"implicit\""};
    return Done{};
}

void SpringBody::move(StepContext& step, const Numbers& weight) {
    motion_.gather(step, weight);
    const double h = step.dt;
    if (is_damped()) find_damping_time();
    if (is_explicit()) {
        const SlotMotion::Law law = [&](const auto& places, const auto& velocities, auto& accelerations) {
            run_on_slots(step.scene.isa, spring_accelerations,
                         {.rows = network_.rows(),
                          .place = places.data(),
                          .velocity = velocities.data(),
                          .result = accelerations.data()},
                         network_.groups(), groups_at_once);
        };
        if (chooses_substeps())
            motion_.integrate(h, longest_substep_, values_.accuracy * step.scene.spacing,
                              values_.integration == "doubling" ? AdaptiveMethod::doubling : AdaptiveMethod::fehlberg,
                              law);
        else
            motion_.integrate(h, std::max(1, static_cast<int>(std::ceil(h / longest_substep_))),
                              method_of(values_.integration, is_damped()), law);
    } else if (values_.integration == "filter") {
        motion_.take(filtered_.solve(network_, motion_, h, step.scene.isa), h);
    } else if (values_.integration == "kang") {
        motion_.take(kang_.solve(network_, motion_, h, step.scene.isa), h);
    } else {
        motion_.take(implicit_.solve(network_, motion_, {h, damping_time_}, step.scene.isa), h);
    }
    if (is_damped() && values_.integration != "implicit")
        motion_.slow(implicit_.solve(network_, motion_, {h, damping_time_, true}, step.scene.isa));
    if (!tear_.empty() && network_.tear(motion_.place, tear_)) filtered_.forget();
    motion_.hand_back(step);
}

TimeStepLimit SpringBody::time_step(const StepContext& step) const {
    if (!is_explicit()) return {};
    const TimeStepLimit substeps{most_substeps * longest_substep_, "springs"}, load = motion_.limit_by_load(step);
    return load.seconds < substeps.seconds ? load : substeps;
}

void SpringBody::save(SavedState& state) const {
    std::vector<double>& reference = state[state_name("reference")];
    for (const Vec3d& p : reference_) reference.insert(reference.end(), {p.x, p.y, p.z});
    state[state_name("broken")] = network_.broken();
    state[state_name("motion")] = motion_.save();
}

Status SpringBody::restore(const StepContext& step, const SavedState& state) {
    const auto reference = state.find(state_name("reference")), broken = state.find(state_name("broken")),
               motion = state.find(state_name("motion"));
    const Error damaged{Fault::file, "", "the checkpoint does not fit the scene's " + law_};
    if (reference == state.end() || broken == state.end() || motion == state.end() || reference->second.size() % 3 != 0)
        return damaged;
    reference_.clear();
    for (std::size_t k = 0; k < reference->second.size(); k += 3)
        reference_.push_back({reference->second[k], reference->second[k + 1], reference->second[k + 2]});
    motion_.slots.resize(reference_.size());
    if (!motion_.restore(motion->second)) return damaged;
    if (Status made = make(step); !made) return made;
    return network_.break_again(broken->second) ? Status(Done{}) : Status(damaged);
}

} // namespace loam
