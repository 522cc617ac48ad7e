#include "behaviors/sheets/slots.h"

#include <algorithm>

#include "behaviors/contact/contact.h"

namespace loam {

Column<std::uint32_t> declare_held(Pool& pool) {
    return pool.declare<std::uint32_t>({.name = "pin", .help = "which pin holds it, from 1", .saved = true});
}

void Slots::declare(Pool& pool, const std::string& name, std::uint32_t body) {
    body_ = body;
    slot_ = pool.declare<std::uint32_t>({.name = name + "_slot", .help = "slot + 1; 0: none", .saved = true});
    held_ = declare_held(pool);
    inertia_.declare(pool);
}

std::vector<Vec3d> Slots::enter(Pool& pool) {
    where_.clear();
    const auto body = pool[pool.body], id = pool[pool.id];
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (body[i] == body_) where_.push_back(i);
    std::sort(where_.begin(), where_.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
    std::vector<Vec3d> positions;
    for (std::uint32_t s = 0; s < where_.size(); ++s) {
        pool[slot_][where_[s]] = s + 1;
        inertia_.fix(pool, where_[s]);
        positions.push_back(pool[pool.position][where_[s]]);
    }
    return positions;
}

void Slots::let_touch(StepContext& step, const std::vector<Vec3d>& at_rest, double friction) const {
    step.contacts[body_] = {.touches = true, .friction = static_cast<float>(friction), .restitution = 0};
    const Column<Float4> places = rest_places(step.particles);
    for (std::size_t s = 0; s < where_.size(); ++s)
        if (where_[s] != missing) step.particles[places][where_[s]] = rest_place(at_rest[s], body_);
}

void Slots::locate(const Pool& pool) {
    const auto slot = pool[slot_], body = pool[pool.body];
    std::fill(where_.begin(), where_.end(), missing);
    parallel_each(pool.size(), [&](std::size_t i) {
        if (body[i] == body_ && slot[i] != 0 && slot[i] <= where_.size())
            where_[slot[i] - 1] = static_cast<std::uint32_t>(i);
    });
}

bool Slots::still_located(const Pool& pool) const {
    const auto slot = pool[slot_], body = pool[pool.body];
    for (std::size_t s = 0; s < where_.size(); ++s)
        if (const std::uint32_t i = where_[s];
            i != missing && !(i < pool.size() && body[i] == body_ && slot[i] == s + 1))
            return false;
    return true;
}

} // namespace loam
