#include "behaviors/elastic/elastic.h"

#include "base/reductions.h"
#include "base/text.h"
#include "behaviors/contact/contact.h"
#include "passes/pass.h"

namespace loam {
namespace {

// Explicit steps as a part of what a wave takes from particle to particle, and of what damping allows: both well below
// the longest that were found to be stable.
constexpr double wave_share = 0.6, damping_share = 0.1;
// Implicit ones: with longer steps the solve takes more iterations than steps are saved.
constexpr double most_waves = 30;
constexpr double worth_implicit = 25; // how much shorter explicit steps have to be

} // namespace

Elastic::Elastic(const BodyValues& values) {
    for (std::size_t b = 0; b < values.size(); ++b)
        weight_keyed_ |= values.uses(b) && (values[b].track("weight") || values[b].number("weight") != 1);
    weight_keyed_ |= values.numbers("young_modulus").differ() || values.numbers("yield").differ();
    set(values);
}

void Elastic::set(const BodyValues& values) {
    materials_ = elastic_materials(values);
    weight_ = values.numbers("weight");
    young_ = values.numbers("young_modulus"), yield_ = values.numbers("yield");
    stale_ = true;
}

std::vector<std::uint32_t> Elastic::members(const StepContext& step) const {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto weight = weight_.of(pool);
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (materials_[body[i]].used && (!weight_keyed_ || weight[i] > 0)) all.push_back(i);
    return all;
}

Status Elastic::begin(StepContext& step) {
    if (weight_keyed_) {
        slots_.find(step.particles);
        const std::vector<std::uint32_t> now = members(step);
        if (!slots_.are_those_of(step.particles, now)) enter(step, now);
    }
    if (stale_) find_moduli(step);
    if (weight_keyed_) weigh(step);
    stale_ = false;
    return Done{};
}

void Elastic::tell(std::size_t body, BodyTraits& traits) const {
    const ElasticMaterial& m = materials_[body];
    if (!m.used) return;
    traits.touches = true;
    traits.friction = static_cast<float>(m.friction), traits.restitution = static_cast<float>(m.restitution);
}

Status Elastic::prepare(StepContext& step) {
    Pool& pool = step.particles;
    slots_.declare(pool, "elastic_slot");
    rest_places_ = rest_places(pool);
    declare_shown(pool);
    if (Status chosen = choose_integration(step); !chosen) return chosen;
    if (!weight_keyed_) enter(step, members(step));
    return Done{};
}

Status Elastic::choose_integration(const StepContext& step) {
    implicit_.assign(materials_.size(), 0);
    flattened_.assign(materials_.size(), 1);
    for (std::size_t b = 0; b < materials_.size(); ++b) {
        const ElasticMaterial& m = materials_[b];
        if (!m.used) continue;
        const double longest = limit_of(step, b).seconds; // explicit
        implicit_[b] = m.integration == Integration::implicit ||
                       (m.integration == Integration::automatic && longest * worth_implicit < step.scene.expected_step);
        const TimeStepLimit limit = limit_of(step, b);
        const std::string waves = "its waves run at " + number_text(m.wave_speed()) + " m/s";
        const char* const softer =
            "use a smaller young_modulus, larger particles, or \"rigid\" for a body that hardly deforms";
        if (limit.seconds < step.scene.least_step)
            return Error{Fault::scene, "bodies." + step.scene.bodies[b].name + ".behaviors.elastic.young_modulus",
                         waves + ": no time step down to solver.min_time_step, " + number_text(step.scene.least_step) +
                             " s, is stable",
                         softer};
        if (step.scene.fixed_step > limit.seconds)
            return Error{Fault::scene, "solver.time_step",
                         number_text(step.scene.fixed_step) + " s is too long for body " + step.scene.bodies[b].name +
                             ", " + waves,
                         "allowed: at most " + number_text(limit.seconds) + " s, or 0 to let it be chosen"};
    }
    return Done{};
}

TimeStepLimit Elastic::limit_of(const StepContext& step, std::size_t b) const {
    const ElasticMaterial& m = materials_[b];
    const double crossing = step.scene.spacing / m.wave_speed();
    if (implicit_[b]) return {most_waves * crossing, "elastic solve"};
    TimeStepLimit limit{wave_share * crossing / flattened_[b], "elastic waves"};
    if (!(m.damping > 0)) return limit;
    const double damping = damping_share * step.scene.spacing * step.scene.spacing * m.density / (m.damping * m.young);
    return damping < limit.seconds ? TimeStepLimit{damping, "elastic damping"} : limit;
}

TimeStepLimit Elastic::time_step(const StepContext& step) const {
    TimeStepLimit least;
    for (const Reference::BodyRange& body : reference_.bodies())
        if (const TimeStepLimit limit = limit_of(step, body.body); limit.seconds < least.seconds) least = limit;
    return least;
}

ElasticArgs Elastic::args() {
    const Bonds& bonds = reference_.bonds();
    return {.bonds = {.begin = bonds.begin.data(),
                      .other = bonds.other.data(),
                      .x = bonds.x.data(),
                      .y = bonds.y.data(),
                      .z = bonds.z.data(),
                      .weight = bonds.weight.data()},
            .inverse_first = reference_.inverse_first().data(),
            .inverse_second = reference_.inverse_second().data(),
            .null = reference_.null().data(),
            .moduli = moduli_.data(),
            .displacement = displacement_.data(),
            .velocity = velocity_.data(),
            .turn = turn_.data(),
            .gradient = gradient_.data(),
            .stress = stress_.data(),
            .force = force_.data(),
            .flow_law = flows_ ? flow_law_.data() : nullptr,
            .flow = flows_ ? flow_.data() : nullptr};
}

ElasticSolve::System Elastic::system_of(const ElasticArgs& all, double dt) const {
    return {.args = all,
            .velocity = velocity_,
            .specific_volume = specific_volume_,
            .viscosity = viscosity_,
            .damped = damped_,
            .dt = static_cast<float>(dt)};
}

void Elastic::apply(StepContext& step) {
    if (reference_.size() == 0) return;
    step.profile.time("elastic", [&] {
        slots_.find(step.particles);
        hold(step);
        find_displacements(step);
        find_inner_pressure(step);
        find_stresses(step);
        tell_volumes(step);
        if (breaks_) crack(step);
        if (!any_explicit_) return;
        if (damped_) find_velocities(step);
        find_forces(step);
        add_to(step, step.particles.acceleration, force_, false);
    });
}

// Before pressure, which then asks what bodies make of its pushes: so both hold at the end of the step, places of
// solids by their own forces and by pressure, as if they were solved for together. Solvers that do not ask take the
// outermost particles for free, and the body bears afterwards what was pushed. With velocity Verlet pressure is one of
// the forces.
Status Elastic::apply_implicit(StepContext& step) {
    if (step.scene.verlet || bears_) solve(step);
    bearing_ = bears_ && any_implicit_ && reference_.size() > 0;
    answer_.forget();
    return Done{};
}

Status Elastic::before_motion(StepContext& step) {
    if (!step.scene.verlet && !bears_) solve(step);
    bearing_ = false;
    return Done{};
}

bool Elastic::is_fixed(const StepContext& step, std::size_t slot) const {
    return slot >= reference_.size() || slots_[slot] == SlotMap::gone || !implicit_[reference_[slot].body] ||
           step.particles.is_held(slots_[slot]);
}

void Elastic::bear(StepContext& step, std::span<Float4> push) {
    if (!bearing_) return; // a push between steps
    push_.resize(velocity_.size());
    for (std::size_t b = 0; b < frames_.size(); ++b) {
        const Range slots = reference_.bodies()[b].slots;
        parallel_each(slots.size(), [&](std::size_t k) {
            const std::uint32_t i = slots_[slots.begin + k];
            push_[slots.begin + k] = i == SlotMap::gone ? Float4{} : float4(frames_[b].into(push[i].xyz_double()));
        });
    }
    const ElasticArgs all = args();
    answer_.answer(
        step.scene.isa, system_of(all, step.dt), reference_.slots(), [&](std::size_t s) { return is_fixed(step, s); },
        push_);
    for (std::size_t b = 0; b < frames_.size(); ++b) {
        const Range slots = reference_.bodies()[b].slots;
        parallel_each(slots.size(), [&](std::size_t k) {
            const std::size_t s = slots.begin + k;
            if (is_fixed(step, s)) return;
            Float4& left = push[slots_[s]];
            left = float4(frames_[b].turn * answer_.change()[s].xyz_double(), left.w);
        });
    }
}

void Elastic::unite(StepContext& step, std::span<float> quantity) {
    slots_.find(step.particles);
    momenta_.each_piece(reference_, [&](std::span<const std::uint32_t> piece) {
        double sum = 0, mass = 0;
        const auto each = [&](const auto& visit) {
            for (const std::uint32_t s : piece)
                if (slots_[s] != SlotMap::gone) visit(slots_[s]);
        };
        each([&](std::uint32_t i) {
            const double own = step.particles[step.particles.mass][i];
            mass += own, sum += own * quantity[i];
        });
        each([&](std::uint32_t i) { quantity[i] = static_cast<float>(sum / mass); });
    });
}

void Elastic::solve(StepContext& step) {
    if (!any_implicit_ || !(step.dt > 0)) return;
    step.profile.time("elastic solve", [&] {
        find_velocities(step);
        find_forces(step);
        const ElasticArgs all = args();
        solve_.run(step.scene.isa, system_of(all, step.dt), reference_.slots(),
                   [&](std::size_t s) { return is_fixed(step, s); });
        add_to(step, step.particles.velocity, solve_.change(), true);
    });
}

// What pins have let go, or have come to hold, and what has died.
void Elastic::hold(const StepContext& step) {
    const bool changed = clamps_.look(step, slots_, reference_);
    if (changed) reference_.unclamp();
    drop_lost_particles();
    if (!changed) return;
    reference_.clamp(clamps_.clamped());
    make_room_for_anchors();
    find_moduli(step);
    if (weight_keyed_) weigh(step);
}

void Elastic::drop_lost_particles() {
    const std::size_t lost = parallel_reduce(
        slots_.size(), std::size_t{0},
        [&](Range range) {
            std::size_t count = 0;
            for (std::size_t s = range.begin; s != range.end; ++s) count += slots_[s] == SlotMap::gone;
            return count;
        },
        [](std::size_t a, std::size_t b) { return a + b; });
    if (lost == 0) return;
    for (std::size_t s = 0; s < slots_.size(); ++s)
        if (slots_[s] == SlotMap::gone && !reference_.is_loose(s)) reference_.break_all_of(s);
    reference_.refresh();
}

void Elastic::find_displacements(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto mass = pool[pool.mass];
    frames_.clear();
    for (const Reference::BodyRange& body : reference_.bodies()) {
        frames_.push_back(fit_frame(pool, slots_, reference_, body, step.scene.periodic_length, step.scene.dimensions));
        const BodyFrame& frame = frames_.back();
        parallel_each(body.slots.size(), [&](std::size_t k) {
            const std::size_t s = body.slots.begin + k;
            const std::uint32_t i = slots_[s];
            if (i == SlotMap::gone) return;
            displacement_[s] = float4(frame.displacement(position[i], reference_[s].position));
            specific_volume_[s] = reference_[s].volume / mass[i];
        });
    }
    clamps_.place_anchors(pool, slots_, reference_, frames_, displacement_);
}

void Elastic::find_velocities(const StepContext& step) {
    const auto velocity = step.particles[step.particles.velocity];
    for (std::size_t b = 0; b < frames_.size(); ++b) {
        const Range slots = reference_.bodies()[b].slots;
        const BodyFrame& frame = frames_[b];
        parallel_each(slots.size(), [&](std::size_t k) {
            const std::size_t s = slots.begin + k;
            const std::uint32_t i = slots_[s];
            if (i == SlotMap::gone) return;
            velocity_[s] = float4(frame.into(velocity[i].xyz_double() - frame.velocity), viscosity_[s]);
        });
    }
    clamps_.move_anchors(step, slots_, reference_, frames_, velocity_);
}

void Elastic::find_stresses(const StepContext& step) {
    if (flows_) // how much of the shear strain is still elastic at the end of a step like the last one
        for (const Reference::BodyRange& body : reference_.bodies()) {
            const auto kept = static_cast<float>(std::exp(-materials_[body.body].creep * step.dt));
            parallel_each(body.slots.size(), [&](std::size_t k) { flow_law_[body.slots.begin + k].z = kept; });
        }
    const ElasticArgs all = args();
    run_on_slots(step.scene.isa, elastic_gradient, all, reference_.slots());
    run_on_slots(step.scene.isa, elastic_stress, all, reference_.slots());
    if (flows_) find_flattened();
}

// The stress is R sigma G^T of the strain F G: what has been squeezed for good is stiffer, seen from its shape at rest,
// by |G|^2, as waves have a shorter way from particle to particle. |G|_2 <= sqrt(|G|_1 |G|_inf).
void Elastic::find_flattened() {
    for (const Reference::BodyRange& body : reference_.bodies()) {
        const auto bound = [&](std::size_t k) {
            double columns[3]{}, widest = 0;
            for (std::size_t row = 0; row < 3; ++row) {
                const Vec3d g = flow_[3 * (body.slots.begin + k) + row].xyz_double();
                widest = std::max(widest, std::abs(g.x) + std::abs(g.y) + std::abs(g.z));
                for (std::size_t c = 0; c < 3; ++c) columns[c] += std::abs(g[c]);
            }
            return std::sqrt(widest * std::max({columns[0], columns[1], columns[2]}));
        };
        flattened_[body.body] = std::max(1.0, parallel_max(body.slots.size(), bound));
    }
}

void Elastic::find_forces(const StepContext& step) {
    const ElasticArgs all = args();
    run_on_slots(step.scene.isa, elastic_force, all, reference_.size());
    if (damped_) run_on_slots(step.scene.isa, elastic_damping, all, reference_.size());
}

void Elastic::crack(StepContext& step) {
    const std::vector<std::uint32_t> opened = cracks_.grow(
        {.args = args(), .materials = materials_, .time = step.time, .spacing = step.scene.spacing}, reference_);
    if (opened.empty()) return;
    Pool& pool = step.particles;
    for (std::uint32_t s : opened)
        if (slots_[s] != SlotMap::gone)
            pool[rest_places_][slots_[s]] = rest_place(reference_[s].position, reference_[s].body, true);
    find_stresses(step); // of what is left
}

void Elastic::add_to(StepContext& step, Column<Float4> column, const std::vector<Float4>& field, bool implicit) {
    Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto mass = pool[pool.mass];
    changes_.assign(reference_.size(), {});
    for (std::size_t b = 0; b < frames_.size(); ++b) {
        const Reference::BodyRange& body = reference_.bodies()[b];
        if (implicit_[body.body] != implicit) continue;
        const BodyFrame& frame = frames_[b];
        parallel_each(body.slots.size(), [&](std::size_t k) {
            const std::size_t s = body.slots.begin + k;
            const std::uint32_t i = slots_[s];
            if (i == SlotMap::gone) return;
            const double scale = implicit ? 1.0 : specific_volume_[s];
            changes_[s] = {mass[i], frame.near_anchor(position[i]) - frame.center,
                           scale * (frame.turn * field[s].xyz_double()), pool.is_held(i)};
        });
    }
    momenta_.keep(reference_, changes_);
    const auto to = pool[column];
    parallel_each(reference_.size(), [&](std::size_t s) {
        if (!(changes_[s].mass > 0)) return;
        const std::uint32_t i = slots_[s];
        const Vec3d whole = to[i].xyz_double() + changes_[s].change;
        to[i] = float4(whole, to[i].w);
        if (implicit && pool.falls()) { // the faster it falls, the more rounding leaves out
            Float4& lack = pool[pool.lack][i];
            lack = float4(lack.xyz_double() + (whole - to[i].xyz_double()));
        }
    });
}

namespace {

const RegisterBehavior elastic{{
    .declaration = elastic_declaration(),
    .form = Form::cluster,
    .acts = {{Stage::prepare, {}},
             {Stage::begin, {reads("position"), reads("mass")}},
             {Stage::force,
              {changes("acceleration"), changes("volume_ratio"), changes("pores_yield"), reads("pore_pressure"),
               reads("swelling")}},
             {Stage::implicit, {changes("velocity"), changes("lack")}},
             {Stage::before_motion, {changes("velocity"), changes("lack")}},
             {Stage::show,
              {sets("elastic_energy"), sets("stress"), sets("shear_stress"), sets("strain"), sets("shear_strain"),
               sets("von_mises")}}},
    .make = make_behavior<Elastic>,
    .material = true,
}};

} // namespace
} // namespace loam
