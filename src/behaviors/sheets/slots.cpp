#include "behaviors/sheets/slots.h"

#include <algorithm>

#include "behaviors/contact/contact.h"

namespace loam {

void Slots::declare(Pool& pool, const std::string& name, std::uint32_t body) {
    body_ = body;
    map_.declare(pool, name + "_slot", body);
    inertia_.declare(pool);
}

std::vector<Vec3d> Slots::enter(Pool& pool) {
    std::vector<std::uint32_t> own;
    const auto body = pool[pool.body], id = pool[pool.id];
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (body[i] == body_) own.push_back(i);
    std::sort(own.begin(), own.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
    map_.resize(own.size());
    map_.give(pool, own);
    std::vector<Vec3d> positions;
    for (const std::uint32_t i : own) {
        inertia_.fix(pool, i);
        positions.push_back(pool[pool.position][i]);
    }
    return positions;
}

void Slots::let_touch(StepContext& step, const std::vector<Vec3d>& at_rest) const {
    const Column<Float4> places = rest_places(step.particles);
    for (std::size_t s = 0; s < size(); ++s)
        if (where(s) != missing) step.particles[places][where(s)] = rest_place(at_rest[s], body_);
}

} // namespace loam
