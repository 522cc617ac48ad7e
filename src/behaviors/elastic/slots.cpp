#include "behaviors/elastic/slots.h"

#include <algorithm>

#include "base/parallel.h"

namespace loam {

void BondSlots::declare(Pool& pool, const std::string& name) {
    column_ =
        pool.declare<std::uint32_t>({.name = name, .help = "place in the solid's own order, from 1", .saved = true});
}

void BondSlots::give(Pool& pool, const std::vector<std::uint32_t>& particles) {
    const auto slot = pool[column_];
    std::fill(slot.begin(), slot.end(), 0);
    index_ = particles;
    for (std::size_t s = 0; s < particles.size(); ++s) slot[particles[s]] = static_cast<std::uint32_t>(s + 1);
}

bool BondSlots::are(const Pool& pool, const std::vector<std::uint32_t>& particles) const {
    const auto slot = pool[column_];
    const auto present = std::count_if(index_.begin(), index_.end(), [](std::uint32_t i) { return i != gone; });
    return static_cast<std::size_t>(present) == particles.size() &&
           std::all_of(particles.begin(), particles.end(), [&](std::uint32_t i) { return slot[i] > 0; });
}

void BondSlots::find(const Pool& pool) {
    parallel_each(index_.size(), [&](std::size_t s) { index_[s] = gone; });
    const auto slot = pool[column_];
    parallel_each(pool.size(), [&](std::size_t i) { // no two particles share a slot
        if (slot[i] > 0) index_[slot[i] - 1] = static_cast<std::uint32_t>(i);
    });
}

} // namespace loam
