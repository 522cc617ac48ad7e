#include "passes/pass.h"

#include <algorithm>
#include <stdexcept>

namespace loam {
namespace {

std::vector<std::string> names(const Columns& columns, const std::vector<std::size_t>& indices) {
    std::vector<std::string> all;
    for (const std::size_t index : indices) all.push_back(columns.info(index).name);
    return all;
}

} // namespace

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

void Pass::note(std::vector<std::size_t>& columns, std::size_t index) {
    if (std::find(columns.begin(), columns.end(), index) == columns.end()) columns.push_back(index);
}

void Pass::begin() const {
    for (const std::size_t column : writes_)
        if (std::find(reads_.begin(), reads_.end(), column) != reads_.end())
            throw std::logic_error("the pass \"" + std::string(name_) + "\" writes the column \"" +
                                   step_.particles.info(column).name + "\" that it reads of neighbors");
    if (step_.passes.contains(name_)) return;
    step_.passes.emplace(name_, PassDescription{names(step_.particles, reads_), names(step_.walls, wall_reads_),
                                                names(step_.particles, writes_)});
}

} // namespace loam
