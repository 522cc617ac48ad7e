// Who is in rigid bodies, where that changes particle by particle, and what a checkpoint keeps.
#include <algorithm>

#include "behaviors/rigid/rigid.h"

namespace loam {

std::vector<std::uint32_t> Rigid::members(const StepContext& step, std::uint32_t b) const {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto weight = weight_.of(pool);
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (body[i] == b && weight[i] >= rigid_weight) all.push_back(i);
    return all;
}

bool Rigid::renew(StepContext& step) {
    if (std::none_of(differs_.begin(), differs_.end(), [](std::uint8_t x) { return x != 0; })) return false;
    const Pool& pool = step.particles;
    const auto id = pool[pool.id];
    std::vector<std::uint8_t> made_anew(values_.size(), 0);
    std::vector<std::vector<std::uint32_t>> now(values_.size());
    members_.resize(values_.size());
    for (std::uint32_t b = 0; b < values_.size(); ++b) {
        if (!differs_[b]) continue;
        now[b] = members(step, b);
        std::vector<std::uint32_t> ids;
        for (const std::uint32_t i : now[b]) ids.push_back(id[i]);
        std::sort(ids.begin(), ids.end());
        if (ids == members_[b]) continue;
        made_anew[b] = 1;
        members_[b] = std::move(ids);
    }
    if (std::none_of(made_anew.begin(), made_anew.end(), [](std::uint8_t x) { return x != 0; })) return false;
    keep_only(step, made_anew);
    for (std::uint32_t b = 0; b < values_.size(); ++b) {
        if (!made_anew[b]) continue;
        active_[b] = 0;
        // In an order that does not depend on how the pool is sorted.
        std::sort(now[b].begin(), now[b].end(), [&](std::uint32_t i, std::uint32_t j) { return id[i] < id[j]; });
        if (now[b].size() > 1) enter(step, b, now[b], false);
    }
    return true;
}

void Rigid::keep_only(StepContext& step, const std::vector<std::uint8_t>& made_anew) {
    struct Kept {
        RigidBody body;
        Origin origin;
        std::vector<MassPoint> points;
        std::vector<std::uint32_t> indices;
    };
    std::vector<Kept> all;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const RigidBody& body = bodies_[k];
        if (body.left || made_anew[body.body]) continue;
        const auto first = particles_.at_rest().begin();
        all.push_back({body,
                       origins_[k],
                       {first + static_cast<std::ptrdiff_t>(body.begin), first + static_cast<std::ptrdiff_t>(body.end)},
                       particles_.indices(step, body)});
    }
    bodies_.clear(), surfaces_.clear(), origins_.clear();
    particles_.release_all(step);
    solver_ = {}; // its guesses go by the number of bodies
    for (const Kept& kept : all) {
        RigidBody& body = make_body(step, kept.body.body, kept.points, kept.origin, kept.body.inertia);
        body.held = kept.body.held;
        body.center = kept.body.center, body.turn = kept.body.turn;
        body.velocity = kept.body.velocity, body.spin = kept.body.spin;
        body.refresh();
        particles_.mark(step, body, kept.indices);
    }
}

// Bodies are made anew from what they were made from, then brought to where they are.
void Rigid::save(SavedState& state) const {
    auto& bodies = state["rigid_bodies"];
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const RigidBody& b = bodies_[k];
        for (const double x :
             {double(b.body), double(b.end - b.begin), double(origins_[k].shaped), double(origins_[k].several),
              double(b.held), double(b.left), b.center.x, b.center.y, b.center.z, b.turn.w, b.turn.v.x, b.turn.v.y,
              b.turn.v.z, b.velocity.x, b.velocity.y, b.velocity.z, b.spin.x, b.spin.y, b.spin.z})
            bodies.push_back(x);
        for (const Vec3d& row : b.inertia.rows) bodies.insert(bodies.end(), {row.x, row.y, row.z});
    }
    auto& points = state["rigid_points"];
    for (const MassPoint& p : particles_.at_rest())
        for (const double x : {p.position.x, p.position.y, p.position.z, p.mass}) points.push_back(x);
    state["rigid_contacts"] = solver_.save();
}

Status Rigid::restore(StepContext& step, const SavedState& state) {
    constexpr std::size_t per_body = 28, per_point = 4;
    const auto take = [&](const char* name, std::size_t each) -> const std::vector<double>* {
        const auto found = state.find(name);
        return found != state.end() && found->second.size() % each == 0 ? &found->second : nullptr;
    };
    const auto *bodies = take("rigid_bodies", per_body), *points = take("rigid_points", per_point);
    const auto impulses = state.find("rigid_contacts");
    const Error misfit{Fault::file, "", "the checkpoint's rigid bodies do not fit the scene", ""};
    if (!bodies || !points || impulses == state.end() || !solver_.restore(impulses->second)) return misfit;
    bodies_.clear(), surfaces_.clear(), origins_.clear(), particles_.clear();
    std::fill(active_.begin(), active_.end(), std::uint8_t{0});
    std::size_t next = 0;
    for (std::size_t k = 0; k < bodies->size(); k += per_body) {
        const double* x = bodies->data() + k;
        const auto body = static_cast<std::uint32_t>(x[0]);
        const auto count = static_cast<std::size_t>(x[1]);
        if (body >= values_.size() || (next + count) * per_point > points->size()) return misfit;
        std::vector<MassPoint> own;
        for (const double* p = points->data() + per_point * next; own.size() < count; p += per_point)
            own.push_back({{p[0], p[1], p[2]}, p[3]});
        next += count;
        Matrix3 inertia;
        for (std::size_t r = 0; r < 3; ++r) inertia.rows[r] = {x[19 + 3 * r], x[20 + 3 * r], x[21 + 3 * r]};
        RigidBody& b = make_body(step, body, own, {x[2] != 0, x[3] != 0}, inertia);
        b.held = x[4] != 0, b.left = x[5] != 0;
        b.center = {x[6], x[7], x[8]}, b.turn = {x[9], {x[10], x[11], x[12]}};
        b.velocity = {x[13], x[14], x[15]}, b.spin = {x[16], x[17], x[18]};
        b.refresh();
        if (!b.left) active_[body] = 1;
    }
    particles_.turn(bodies_);
    contacts_known_ = false;
    // Who is in a body is what its slots say, as before.
    members_.assign(values_.size(), {});
    const Pool& pool = step.particles;
    for (const RigidBody& body : bodies_)
        if (differs_[body.body] && !body.left)
            for (const std::uint32_t i : particles_.indices(step, body))
                if (i != SlotMap::gone) members_[body.body].push_back(pool[pool.id][i]);
    for (auto& ids : members_) std::sort(ids.begin(), ids.end());
    return Done{};
}

} // namespace loam
