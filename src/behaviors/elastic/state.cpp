// The state of elastic bodies beside the pool: what entering stores, and what a checkpoint keeps.
#include "behaviors/contact/contact.h"
#include "behaviors/elastic/elastic.h"
#include "neighbors/list.h"

namespace loam {

void Elastic::enter(StepContext& step, const std::vector<std::uint32_t>& particles) {
    Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto body = pool[pool.body];
    const float volume = static_cast<float>(std::pow(step.spacing, step.dimensions));
    // What has entered before keeps its place at rest, and tells where that of others is.
    if (reference_.size() > 0) find_displacements(step);
    std::vector<std::uint32_t> slot_of(pool.size(), BondSlots::gone);
    for (std::uint32_t s = 0; s < slots_.size(); ++s)
        if (slots_[s] != BondSlots::gone) slot_of[slots_[s]] = s;
    const auto at_rest = [&](std::uint32_t i) {
        if (slot_of[i] != BondSlots::gone) return reference_[slot_of[i]].position;
        for (std::size_t k = 0; k < frames_.size(); ++k)
            if (reference_.bodies()[k].body == body[i])
                return frames_[k].rest_center + frames_[k].displacement(position[i], frames_[k].rest_center);
        return position[i];
    };
    std::vector<Reference::Particle> unsorted;
    for (std::uint32_t i : particles) unsorted.push_back({at_rest(i), body[i], volume});
    std::vector<Reference::Particle> sorted;
    std::vector<std::uint32_t> in_order, old_slots;
    for (std::uint32_t k : Reference::spatial_order(unsorted, step.spacing)) {
        sorted.push_back(unsorted[k]);
        in_order.push_back(particles[k]);
        old_slots.push_back(slot_of[particles[k]]);
    }
    const auto turns = turn_, flows = flow_;
    const auto broken = reference_.broken_pairs();
    std::vector<std::uint8_t> at_crack; // by new slot
    for (std::uint32_t i : in_order) at_crack.push_back(slot_of[i] != BondSlots::gone && pool[rest_places_][i].w < 0);
    for (std::uint32_t s = 0; s < slots_.size(); ++s) // those that leave touch nothing by contacts any more
        if (slots_[s] != BondSlots::gone) pool[rest_places_][slots_[s]] = {};
    slots_.give(pool, in_order);
    reference_.build(std::move(sorted), step.kernel, step.periodic_length);
    for (std::uint32_t s = 0; s < in_order.size(); ++s)
        pool[rest_places_][in_order[s]] = rest_place(reference_[s].position, reference_[s].body, at_crack[s]);
    // What stays keeps its cracks; what enters is whole.
    std::vector<std::uint32_t> new_slot(turns.size(), BondSlots::gone);
    for (std::uint32_t s = 0; s < old_slots.size(); ++s)
        if (old_slots[s] != BondSlots::gone) new_slot[old_slots[s]] = s;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> kept;
    for (const auto& [slot, other] : broken)
        if (new_slot[slot] != BondSlots::gone && new_slot[other] != BondSlots::gone)
            kept.push_back({new_slot[slot], new_slot[other]});
    reference_.break_pairs(kept);
    frames_.clear();
    make_room(step);
    for (std::size_t s = 0; s < old_slots.size(); ++s) {
        if (old_slots[s] == BondSlots::gone) continue;
        turn_[s] = turns[old_slots[s]];
        for (std::size_t row = 0; row < 3 && !flow_.empty() && !flows.empty(); ++row)
            flow_[3 * s + row] = flows[3 * old_slots[s] + row];
    }
}

void Elastic::weigh(const StepContext& step) {
    const auto weight = weight_.of(step.particles);
    find_moduli(step);
    parallel_each(slots_.size(), [&](std::size_t s) {
        if (slots_[s] == BondSlots::gone) return;
        const float w = weight[slots_[s]];
        Float4& m = moduli_[s];
        m = {w * m.x, w * m.y, w * m.z, m.w};
        viscosity_[s] *= w;
    });
}

void Elastic::make_room(const StepContext& step) {
    const std::size_t padded = reference_.size() + list_padding;
    for (std::vector<Float4>* values : {&moduli_, &displacement_, &velocity_, &force_, &flow_law_})
        values->assign(padded, {});
    for (std::vector<Float4>* rows : {&gradient_, &stress_}) rows->assign(3 * padded, {});
    turn_.assign(padded, {0, 0, 0, 1});
    viscosity_.assign(padded, 0), specific_volume_.assign(padded, 0);
    find_moduli(step);
    flow_.clear();
    if (flows_)
        for (std::size_t s = 0; s < padded; ++s) flow_.insert(flow_.end(), {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}});
    cracks_.reset(breaks_ ? padded : 0);
    solve_.forget();
}

// All that follows from the properties of bodies; again when they change.
void Elastic::find_moduli(const StepContext& step) {
    // Viscosity of a bond so that all of them together damp a pulled bar as the modulus damping * E would.
    const double per_bond = step.dimensions == 3 ? 2 : 1.6;
    damped_ = flows_ = breaks_ = any_implicit_ = any_explicit_ = false;
    for (const Reference::BodyRange& body : reference_.bodies()) {
        const ElasticMaterial& m = materials_[body.body];
        damped_ |= m.damping > 0;
        flows_ |= m.flows();
        breaks_ |= m.breaks();
        (implicit_[body.body] ? any_implicit_ : any_explicit_) = true;
        const Float4 moduli = float4({m.lambda, m.mu, m.zero_energy * m.young});
        const Float4 flow = float4({std::min(m.yield, 1e30), m.hardening, 1});
        for (std::size_t s = body.slots.begin; s != body.slots.end; ++s) {
            moduli_[s] = moduli, flow_law_[s] = flow;
            viscosity_[s] = static_cast<float>(per_bond * m.damping * m.young);
        }
    }
}

namespace {

void put(std::vector<double>& to, const std::vector<Float4>& values, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) to.insert(to.end(), {values[k].x, values[k].y, values[k].z, values[k].w});
}

// Whether it was there and fits.
bool take(const SavedState& state, const std::string& name, std::vector<Float4>& values, std::size_t count) {
    const auto found = state.find(name);
    if (found == state.end() || found->second.size() != 4 * count) return false;
    for (std::size_t k = 0; k < count; ++k) {
        const double* v = found->second.data() + 4 * k;
        values[k] = float4({v[0], v[1], v[2]}, v[3]);
    }
    return true;
}

} // namespace

void Elastic::save(SavedState& state) const {
    std::vector<double>& rest = state["elastic.rest"];
    for (std::size_t s = 0; s < reference_.size(); ++s) {
        const Reference::Particle& p = reference_[s];
        rest.insert(rest.end(), {p.position.x, p.position.y, p.position.z, static_cast<double>(p.body), p.volume});
    }
    put(state["elastic.turn"], turn_, reference_.size());
    if (flows_) put(state["elastic.flow"], flow_, 3 * reference_.size());
    state["elastic.broken"].assign(reference_.broken().begin(), reference_.broken().end());
    if (breaks_) state["elastic.rests_until"] = cracks_.rests_until();
    if (any_implicit_ && solve_.dt_before() > 0) {
        put(state["elastic.change"], solve_.change(), reference_.size());
        state["elastic.dt_before"] = {solve_.dt_before()};
    }
}

Status Elastic::restore(StepContext& step, const SavedState& state) {
    const Error damaged{Fault::file, "", "the checkpoint does not hold the state of the elastic bodies"};
    const auto rest = state.find("elastic.rest"), broken = state.find("elastic.broken");
    if (rest == state.end() || broken == state.end()) return damaged;
    std::vector<Reference::Particle> particles;
    for (std::size_t k = 0; k + 5 <= rest->second.size(); k += 5) {
        const double* p = rest->second.data() + k;
        particles.push_back({{p[0], p[1], p[2]}, static_cast<std::uint32_t>(p[3]), static_cast<float>(p[4])});
    }
    slots_.resize(particles.size());
    reference_.build(std::move(particles), step.kernel, step.periodic_length);
    reference_.break_these({broken->second.begin(), broken->second.end()});
    make_room(step);
    const std::size_t count = reference_.size();
    if (!take(state, "elastic.turn", turn_, count)) return damaged;
    if (flows_ && !take(state, "elastic.flow", flow_, 3 * count)) return damaged;
    if (flows_) find_flattened();
    if (breaks_) {
        const auto until = state.find("elastic.rests_until");
        if (until == state.end() || until->second.size() != cracks_.rests_until().size()) return damaged;
        cracks_.set_rests_until(until->second);
    }
    if (const auto dt = state.find("elastic.dt_before"); any_implicit_ && dt != state.end()) {
        if (!take(state, "elastic.change", solve_.guess(count), count) || dt->second.size() != 1) return damaged;
        solve_.set_dt_before(static_cast<float>(dt->second[0]));
    }
    return Done{};
}

} // namespace loam
