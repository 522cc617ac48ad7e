#include "bench/snapshot.h"

#include <cstring>

namespace loam {

Snapshot::Snapshot(const Simulation& simulation) : count_(simulation.particles().size()), rest_(simulation.save()) {
    const Pool& pool = simulation.particles();
    for (std::size_t c = 0; c < pool.column_count(); ++c) {
        const ColumnInfo& info = pool.info(c);
        if (info.saved) columns_[info.name].assign(pool.bytes(c), pool.bytes(c) + count_ * info.stride);
    }
}

void Snapshot::copy_to(Columns& particles) const {
    particles.resize(count_);
    for (std::size_t c = 0; c < particles.column_count(); ++c)
        if (const auto found = columns_.find(particles.info(c).name); found != columns_.end() && count_ > 0)
            std::memcpy(particles.bytes(c), found->second.data(), found->second.size());
}

Status Snapshot::restore_to(Simulation& simulation) const {
    copy_to(simulation.particles());
    return simulation.restore(rest_);
}

} // namespace loam
