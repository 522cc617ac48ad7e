// The state of elastic bodies beside the pool: what entering stores, and what a checkpoint keeps.
#include "behaviors/contact/contact.h"
#include "behaviors/elastic/elastic.h"
#include "neighbors/list.h"

namespace loam {

std::vector<Entrant> Elastic::places_at_rest(const StepContext& step,
                                             const std::vector<std::uint32_t>& particles) const {
    const Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto body = pool[pool.body];
    std::vector<Entrant> all(particles.size());
    std::vector<std::uint8_t> known(particles.size(), 0); // their body has a frame
    for (std::size_t b = 0; b < frames_.size(); ++b) {
        const BodyFrame& frame = frames_[b];
        std::vector<Entrant> own;
        std::vector<std::size_t> who;
        for (std::size_t k = 0; k < particles.size(); ++k) {
            const std::uint32_t i = particles[k];
            if (body[i] != reference_.bodies()[b].body) continue;
            Entrant p{frame.rest_center + frame.displacement(position[i], frame.rest_center), {}};
            if (const std::uint32_t s = slots_.slot_of(pool, i); s != SlotMap::gone)
                p.at_rest = reference_[s].position, p.turn = turn_[s], p.placed = true;
            own.push_back(p), who.push_back(k);
            known[k] = 1;
        }
        place_entrants(own, step.scene.kernel.support);
        for (std::size_t k = 0; k < who.size(); ++k) all[who[k]] = own[k];
    }
    for (std::size_t k = 0; k < particles.size(); ++k)
        if (!known[k]) all[k].now = all[k].at_rest = position[particles[k]];
    return all;
}

void Elastic::enter(StepContext& step, const std::vector<std::uint32_t>& particles) {
    Pool& pool = step.particles;
    const auto lattice = static_cast<float>(lattice_volume(step.scene.kernel, step.scene.spacing));
    const auto volume = [&](std::uint32_t i) { // what leads others takes up no room in the pool, but is as large
        const float own = pool[pool.volume][i];
        return static_cast<float>(step.scene.space) * (own > 0 ? own / lattice : 1);
    };
    reference_.unclamp();
    clamps_.forget();
    if (reference_.size() > 0) find_displacements(step);
    const std::vector<Entrant> places = places_at_rest(step, particles);
    std::vector<Reference::Particle> unsorted, sorted;
    for (std::size_t k = 0; k < particles.size(); ++k)
        unsorted.push_back({places[k].at_rest, pool[pool.body][particles[k]], volume(particles[k])});
    std::vector<Entrant> entrants; // by new slot, as the next ones
    std::vector<std::uint32_t> in_order, old_slots;
    std::vector<std::uint8_t> at_crack;
    for (std::uint32_t k : Reference::spatial_order(unsorted, step.scene.spacing)) {
        const std::uint32_t i = particles[k];
        sorted.push_back(unsorted[k]);
        entrants.push_back(places[k]);
        in_order.push_back(i);
        old_slots.push_back(slots_.slot_of(pool, i));
        at_crack.push_back(places[k].placed && pool[rest_places_][i].w < 0);
    }
    const auto flows = flow_;
    const auto rests_until = cracks_.rests_until();
    const auto broken = reference_.broken_pairs();
    for (std::uint32_t s = 0; s < slots_.size(); ++s) // those that leave touch nothing by contacts any more
        if (slots_[s] != SlotMap::gone) pool[rest_places_][slots_[s]] = {};
    slots_.take_all(pool);
    slots_.give(pool, in_order);
    reference_.build(std::move(sorted), step.scene.kernel, step.scene.periodic_length);
    keep_cracks(broken, old_slots);
    for (const auto& [slot, other] : separate(step, entrants)) at_crack[slot] = at_crack[other] = 1;
    for (std::uint32_t s = 0; s < in_order.size(); ++s)
        pool[rest_places_][in_order[s]] = rest_place(reference_[s].position, reference_[s].body, at_crack[s]);
    frames_.clear();
    make_room(step);
    for (std::size_t s = 0; s < old_slots.size(); ++s) {
        turn_[s] = entrants[s].turn;
        if (old_slots[s] == SlotMap::gone) continue;
        for (std::size_t row = 0; row < 3 && !flow_.empty() && !flows.empty(); ++row)
            flow_[3 * s + row] = flows[std::size_t{3} * old_slots[s] + row];
        if (breaks_ && !rests_until.empty()) cracks_.rest(s, rests_until[old_slots[s]]);
    }
}

// What stays keeps its cracks; what enters is whole.
void Elastic::keep_cracks(const std::vector<BondPair>& broken, const std::vector<std::uint32_t>& old_slots) {
    std::vector<std::uint32_t> new_slot(turn_.size(), SlotMap::gone);
    for (std::uint32_t s = 0; s < old_slots.size(); ++s)
        if (old_slots[s] != SlotMap::gone) new_slot[old_slots[s]] = s;
    std::vector<BondPair> kept;
    for (const auto& [slot, other] : broken)
        if (new_slot[slot] != SlotMap::gone && new_slot[other] != SlotMap::gone)
            kept.push_back({new_slot[slot], new_slot[other]});
    reference_.break_pairs(kept);
}

std::vector<BondPair> Elastic::separate(const StepContext& step, const std::vector<Entrant>& entrants) {
    const Bonds& bonds = reference_.bonds();
    const auto position = step.particles[step.particles.position];
    const auto between = [&](std::uint32_t s, std::uint32_t other) {
        return shortest_way(position[slots_[other]] - position[slots_[s]], step.scene.periodic_length);
    };
    std::vector<BondPair> apart;
    for (std::uint32_t s = 0; s < entrants.size(); ++s) {
        if (entrants[s].placed) continue;
        for (std::uint32_t k = bonds.begin[s]; k != bonds.begin[s + 1]; ++k) {
            const std::uint32_t other = bonds.other[k];
            const Vec3d at_rest{bonds.x[k], bonds.y[k], bonds.z[k]};
            if (other != s && !Entrant::agree(between(s, other), at_rest)) apart.push_back({s, other});
        }
    }
    reference_.break_pairs(apart);
    return apart;
}

void Elastic::weigh(const StepContext& step) {
    const auto weight = weight_.of(step.particles), young = young_.of(step.particles),
               yield = yield_.of(step.particles);
    const auto body = step.particles[step.particles.body];
    find_moduli(step);
    parallel_each(slots_.size(), [&](std::size_t s) {
        if (slots_[s] == SlotMap::gone) return;
        const std::uint32_t i = slots_[s];
        const float stiffest = static_cast<float>(materials_[body[i]].young);
        const float w = weight[i] * (young_.differ() ? young[i] / stiffest : 1);
        if (yield_.differ()) flow_law_[s].x = yield[i];
        Float4& m = moduli_[s];
        m = {w * m.x, w * m.y, w * m.z, m.w};
        viscosity_[s] *= w;
    });
}

void Elastic::add_unflown(std::size_t up_to) {
    while (flow_.size() < 3 * up_to) flow_.insert(flow_.end(), {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}});
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
    if (flows_) add_unflown(padded);
    cracks_.reset(breaks_ ? padded : 0);
    solve_.forget();
    momenta_.forget();
}

void Elastic::make_room_for_anchors() {
    const std::size_t particles = reference_.size(), padded = reference_.slots() + list_padding;
    const auto clear = [&](auto& values, std::size_t rows, const auto& value) {
        values.resize(rows * particles), values.resize(rows * padded, value);
    };
    for (std::vector<Float4>* values : {&moduli_, &displacement_, &velocity_, &force_, &flow_law_})
        clear(*values, 1, Float4{});
    for (std::vector<Float4>* rows : {&gradient_, &stress_}) clear(*rows, 3, Float4{});
    clear(turn_, 1, Float4{0, 0, 0, 1});
    clear(viscosity_, 1, 0.0f), clear(specific_volume_, 1, 0.0f);
    if (!flow_.empty()) {
        flow_.resize(3 * particles);
        add_unflown(padded);
    }
}

// All that follows from the properties of bodies; again when they change.
void Elastic::find_moduli(const StepContext& step) {
    // Viscosity of a bond so that all of them together damp a pulled bar as the modulus damping * E would.
    const double per_bond = step.scene.dimensions == 3 ? 2 : 1.6;
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
            moduli_[s] = clamps_.clamps(s) ? Float4{} : moduli; // what is held is not strained
            flow_law_[s] = flow;
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
        put(state["elastic.change"], solve_.change(), solve_.change().size() - list_padding);
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
    reference_.build(std::move(particles), step.scene.kernel, step.scene.periodic_length);
    reference_.break_these({broken->second.begin(), broken->second.end()});
    clamps_.forget();
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
        const auto change = state.find("elastic.change");
        if (change == state.end() || dt->second.size() != 1) return damaged;
        const std::size_t slots = change->second.size() / 4; // those of anchors too
        if (!take(state, "elastic.change", solve_.guess(slots), slots)) return damaged;
        solve_.set_dt_before(static_cast<float>(dt->second[0]));
    }
    return Done{};
}

} // namespace loam
