#include "passes/pass.h"

#include <stdexcept>

namespace loam {

void Pass::Noted::add(std::size_t column) {
    if (has(column)) return;
    if (count_ == columns_.size()) throw std::logic_error("a pass has more columns than it can note");
    columns_[count_++] = column;
}

std::vector<std::string> Pass::names(const Columns& columns, const Noted& noted) {
    std::vector<std::string> all;
    for (const std::size_t column : noted) all.push_back(columns.info(column).name);
    return all;
}

PairView Pass::view(const NeighborList& list, const Float4* own, const Float4* others) const {
    PairView view{.query_place = own,
                  .target_place = others,
                  .entries = list.entries(),
                  .blocks = list.block_begins(),
                  .periodic = false,
                  .length = {},
                  .inverse_length = {}};
    for (std::size_t k = 0; k < 3; ++k)
        if (const double length = step_.scene.periodic_length[k]; length > 0) {
            view.periodic = true;
            view.length[k] = static_cast<float>(length);
            view.inverse_length[k] = static_cast<float>(1 / length);
        }
    return view;
}

void Pass::begin() const {
    for (const std::size_t column : writes_)
        if (reads_.has(column))
            throw std::logic_error("the pass \"" + std::string(name_) + "\" writes the column \"" +
                                   step_.particles.info(column).name + "\" that it reads of neighbors");
    if (step_.passes.contains(name_)) return;
    step_.passes.emplace(name_, PassDescription{.reads = names(step_.particles, reads_),
                                                .reads_of_walls = names(step_.walls, wall_reads_),
                                                .writes = names(step_.particles, writes_)});
}

} // namespace loam
