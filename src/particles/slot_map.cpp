#include "particles/slot_map.h"

#include <algorithm>

#include "base/parallel.h"

namespace loam {

void SlotMap::declare(Pool& pool, const std::string& name, std::optional<std::uint32_t> body) {
    column_ = pool.declare<std::uint32_t>({.name = name, .help = "slot + 1; 0: none", .saved = true});
    body_ = body;
}

void SlotMap::follow(Column<std::uint32_t> column, std::size_t count) {
    column_ = column;
    resize(count);
}

void SlotMap::follow_ids(const Pool& pool, std::size_t count) {
    first_ = 0;
    follow(pool.id, count);
}

void SlotMap::give(Pool& pool, std::span<const std::uint32_t> particles, std::size_t first) {
    where_.resize(std::max(where_.size(), first + particles.size()), gone);
    const auto slot = pool[column_];
    for (std::size_t k = 0; k < particles.size(); ++k) slot[particles[k]] = static_cast<std::uint32_t>(first + k + 1);
    order_ = 0;
    find(pool);
}

void SlotMap::take(Pool& pool, std::size_t slot) {
    find(pool);
    if (where_[slot] != gone) pool[column_][where_[slot]] = 0;
    where_[slot] = gone;
}

void SlotMap::take_all(Pool& pool) {
    const auto slot = pool[column_];
    std::fill(slot.begin(), slot.end(), 0);
    where_.clear();
    order_ = 0;
}

bool SlotMap::are_those_of(const Pool& pool, std::span<const std::uint32_t> particles) const {
    const auto present = std::count_if(where_.begin(), where_.end(), [](std::uint32_t i) { return i != gone; });
    return static_cast<std::size_t>(present) == particles.size() &&
           std::all_of(particles.begin(), particles.end(), [&](std::uint32_t i) { return slot_of(pool, i) != gone; });
}

void SlotMap::resize(std::size_t count) {
    where_.assign(count, gone);
    order_ = 0;
}

void SlotMap::find(const Pool& pool) {
    if (order_ == pool.order()) return;
    order_ = pool.order();
    parallel_each(where_.size(), [&](std::size_t s) { where_[s] = gone; });
    const auto number = pool[column_], body = pool[pool.body];
    parallel_each(pool.size(), [&](std::size_t i) { // no two particles share a slot
        if (number[i] < first_ || number[i] - first_ >= where_.size() || (body_ && body[i] != *body_)) return;
        where_[number[i] - first_] = static_cast<std::uint32_t>(i);
    });
}

} // namespace loam
