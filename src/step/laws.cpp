#include "step/laws.h"

#include <algorithm>

namespace loam {

void Laws::arrange() {
    std::vector<NamedActs> named;
    for (const Law& law : laws_) named.push_back({law.name, law.acts});
    for (std::size_t stage = 0; stage < order_.size(); ++stage)
        order_[stage] = order_in(static_cast<Stage>(stage), named);
}

template <class Call> Status Laws::each_in(Stage stage, const Call& call) const {
    for (const std::size_t k : order_[static_cast<std::size_t>(stage)]) {
        const Law& law = laws_[k];
        if (auditor_) auditor_->before(law, *find_act(law.acts, stage));
        if (Status done = call(*law.behavior); !done) return done;
        if (auditor_) auditor_->after(law, *find_act(law.acts, stage));
    }
    return Done{};
}

Status Laws::run(Stage stage, StepContext& step) {
    return each_in(stage, [&](Behavior& law) -> Status {
        switch (stage) {
        case Stage::prepare: return law.prepare(step);
        case Stage::begin: return law.begin(step);
        case Stage::force: law.apply(step); return Done{};
        case Stage::implicit: return law.apply_implicit(step);
        case Stage::before_motion: return law.before_motion(step);
        case Stage::after_motion: return law.after_motion(step);
        case Stage::transfer: return law.transfer(step);
        case Stage::show: law.show(step); return Done{};
        case Stage::births: // these have more to be told
        case Stage::constrain: break;
        }
        return Done{};
    });
}

void Laws::ask_for_births(StepContext& step, Births& births) {
    for (const std::size_t k : order_[static_cast<std::size_t>(Stage::births)]) laws_[k].behavior->births(step, births);
}

void Laws::born(StepContext& step, const Renewal& renewal) {
    for (const Law& law : laws_) law.behavior->born(step, renewal);
}

namespace {

// What laws give to each particle together, at most all. Where one differs within a body they need a column.
Numbers joined(Pool& pool, const std::vector<Numbers>& shares, std::size_t bodies) {
    if (shares.empty()) return Numbers(std::vector<float>(bodies, 0.0f));
    if (shares.size() == 1) return shares.front();
    std::vector<float> by_body(bodies, 0.0f);
    for (const Numbers& share : shares)
        for (std::size_t b = 0; b < bodies; ++b) by_body[b] = std::min(1.0f, by_body[b] + share.by_body()[b]);
    if (std::none_of(shares.begin(), shares.end(), [](const Numbers& share) { return share.differ(); }))
        return Numbers(std::move(by_body));
    const auto column = pool.declare<float>({.name = "pressure_share"});
    const auto all = pool[column];
    parallel_each(pool.size(), [&](std::size_t i) { all[i] = 0; });
    for (const Numbers& share : shares) {
        const auto own = share.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) { all[i] = std::min(1.0f, all[i] + own[i]); });
    }
    return Numbers(std::move(by_body), column);
}

} // namespace

void Laws::tell(StepContext& step) const {
    const std::size_t bodies = step.scene.bodies.size();
    step.traits.assign(bodies, {});
    std::vector<Numbers> shares;
    for (const Law& law : laws_) {
        for (std::size_t b = 0; b < bodies; ++b) law.behavior->tell(b, step.traits[b]);
        if (law.pressure != TakesPressure::no) shares.push_back(law.behavior->pressure_share());
    }
    step.flow.share = joined(step.particles, shares, bodies);
    step.flow.all = !step.flow.share.differ();
    for (std::size_t b = 0; b < bodies; ++b)
        step.flow.all &= !step.scene.bodies[b].is_material || step.flow.share.by_body()[b] == 1;
}

TimeStepLimit Laws::time_step(const StepContext& step, TimeStepLimit limit) const {
    for (const Law& law : laws_)
        if (TimeStepLimit own = law.behavior->time_step(step); own.seconds < limit.seconds) limit = std::move(own);
    return limit;
}

void Laws::unite(StepContext& step, std::span<float> quantity) const {
    for (const Law& law : laws_) law.behavior->unite(step, quantity);
}

std::function<void(FieldKind, std::span<Float4>)> Laws::constraint(StepContext& step) const {
    std::vector<Behavior*> constraints;
    for (const std::size_t k : order_[static_cast<std::size_t>(Stage::constrain)])
        constraints.push_back(laws_[k].behavior.get());
    if (constraints.empty()) return {};
    return [&step, constraints](FieldKind kind, std::span<Float4> field) {
        for (Behavior* law : constraints) law->constrain(step, kind, field);
    };
}

std::optional<BodyPose> Laws::pose(std::size_t body) const {
    for (const Law& law : laws_)
        if (std::optional<BodyPose> pose = law.behavior->pose(body)) return pose;
    return {};
}

std::vector<Account> Laws::accounts(const StepContext& step) const {
    std::vector<Account> all;
    for (const Law& law : laws_) law.behavior->account(step, all);
    return all;
}

void Laws::save(SavedState& state) const {
    for (const Law& law : laws_) law.behavior->save(state);
}

Status Laws::restore(StepContext& step, const SavedState& state) {
    for (const Law& law : laws_)
        if (Status done = law.behavior->restore(step, state); !done) return done;
    return Done{};
}

} // namespace loam
