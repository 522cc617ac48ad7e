#include "neighbors/grid.h"

#include <bit>
#include <cmath>

#include "base/parallel.h"
#include "neighbors/radix_sort.h"

namespace loam {
namespace {

std::uint64_t spread_bits(std::uint64_t v) { // abc -> a0b0c
    v &= 0xffffffff;
    v = (v | v << 16) & 0x0000ffff0000ffff;
    v = (v | v << 8) & 0x00ff00ff00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0f;
    v = (v | v << 2) & 0x3333333333333333;
    return (v | v << 1) & 0x5555555555555555;
}

std::uint64_t morton(std::uint32_t y, std::uint32_t z) { return spread_bits(y) | spread_bits(z) << 1; }

std::uint32_t unspread_bits(std::uint64_t v) {
    v &= 0x5555555555555555;
    v = (v | v >> 1) & 0x3333333333333333;
    v = (v | v >> 2) & 0x0f0f0f0f0f0f0f0f;
    v = (v | v >> 4) & 0x00ff00ff00ff00ff;
    v = (v | v >> 8) & 0x0000ffff0000ffff;
    return static_cast<std::uint32_t>(v | v >> 16);
}

int bits_for(std::uint64_t values) { return std::bit_width(values > 0 ? values - 1 : 0); }

} // namespace

CellFrame make_frame(double reach, const Vec3d& origin, const Vec3d& periodic_length) {
    CellFrame frame{.origin = origin, .cell = {reach / cells_per_reach_x, reach, reach}, .length = periodic_length};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (periodic_length[axis] > 0) {
            frame.period[axis] = static_cast<std::int32_t>(std::floor(periodic_length[axis] / frame.cell[axis]));
            frame.cell[axis] = periodic_length[axis] / frame.period[axis];
        }
    for (std::size_t axis = 0; axis < 3; ++axis) frame.inverse_cell[axis] = 1 / frame.cell[axis];
    return frame;
}

void Grid::sort(std::span<const Vec3d> positions, const CellFrame& frame) {
    make_keys(positions, frame);
    std::vector<std::uint64_t> spare; // not kept: it would add to what every particle takes all the time
    radix_sort(keys_, spare, index_bits_, index_bits_ + x_bits_ + row_bits_);
    make_rows();
}

void Grid::make_keys(std::span<const Vec3d> positions, const CellFrame& frame) {
    const std::size_t count = positions.size();
    const Bounds bounds = parallel_reduce(
        count, Bounds{},
        [&](Range range) {
            Bounds some;
            for (std::size_t i = range.begin; i != range.end; ++i) some.add(positions[i]);
            return some;
        },
        [](Bounds a, const Bounds& b) {
            a.add(b);
            return a;
        });
    if (count == 0) {
        keys_.clear(), least_ = {}, x_bits_ = row_bits_ = index_bits_ = 0;
        return;
    }
    // Key and index share a word. Where the cells need more bits than are left, the outermost cells around the first
    // particle's neighborhood are shared.
    index_bits_ = std::max(1, bits_for(count));
    const int row_bits_at_most = (64 - index_bits_) / 4, x_bits_at_most = 64 - index_bits_ - 2 * row_bits_at_most;
    const Cell least = frame.cell_of(bounds.lo), most = frame.cell_of(bounds.hi);
    const Cell middle = frame.cell_of(positions[count / 2]);
    const std::int32_t near[3] = {middle.x, middle.y, middle.z};
    std::int64_t lo[3] = {least.x, least.y, least.z}, hi[3] = {most.x, most.y, most.z};
    shared_cells_ = false;
    for (int k = 0; k < 3; ++k) {
        const std::int64_t room = std::int64_t{1} << std::min(30, k == 0 ? x_bits_at_most : row_bits_at_most);
        if (hi[k] - lo[k] >= room) {
            shared_cells_ = true;
            lo[k] = std::max<std::int64_t>(lo[k], near[k] - room / 2);
            hi[k] = std::min<std::int64_t>(hi[k], lo[k] + room - 1);
        }
    }
    least_ = {static_cast<std::int32_t>(lo[0]), static_cast<std::int32_t>(lo[1]), static_cast<std::int32_t>(lo[2])};
    x_bits_ = bits_for(static_cast<std::uint64_t>(hi[0] - lo[0] + 1));
    row_bits_ = 2 * bits_for(static_cast<std::uint64_t>(std::max(hi[1] - lo[1], hi[2] - lo[2]) + 1));

    keys_.resize(count);
    parallel_each(count, [&](std::size_t i) {
        const Cell c = frame.cell_of(positions[i]);
        const auto x = static_cast<std::uint64_t>(std::clamp<std::int64_t>(c.x, lo[0], hi[0]) - lo[0]);
        const auto y = static_cast<std::uint32_t>(std::clamp<std::int64_t>(c.y, lo[1], hi[1]) - lo[1]);
        const auto z = static_cast<std::uint32_t>(std::clamp<std::int64_t>(c.z, lo[2], hi[2]) - lo[2]);
        keys_[i] = ((morton(y, z) << x_bits_ | x) << index_bits_) | i;
    });
}

void Grid::make_rows() {
    const std::size_t count = keys_.size();
    const std::uint64_t index_mask = (std::uint64_t{1} << index_bits_) - 1, x_mask = (std::uint64_t{1} << x_bits_) - 1;
    const auto row_of = [&](std::size_t i) { return keys_[i] >> index_bits_ >> x_bits_; };
    order_.resize(count);
    x_cell_.resize(count + 16);
    std::vector<std::size_t> first_row(block_count(count) + 1, 0);
    parallel_blocks(count, block_size, [&](Range range, std::size_t block) {
        std::size_t rows = 0;
        for (std::size_t i = range.begin; i != range.end; ++i) {
            order_[i] = static_cast<std::uint32_t>(keys_[i] & index_mask);
            x_cell_[i] = static_cast<std::uint32_t>(keys_[i] >> index_bits_ & x_mask);
            rows += i == 0 || row_of(i) != row_of(i - 1);
        }
        first_row[block + 1] = rows;
    });
    for (std::size_t b = 1; b < first_row.size(); ++b) first_row[b] += first_row[b - 1];
    rows_.resize(first_row.back());
    parallel_blocks(count, block_size, [&](Range range, std::size_t block) {
        std::size_t row = first_row[block];
        for (std::size_t i = range.begin; i != range.end; ++i)
            if (i == 0 || row_of(i) != row_of(i - 1)) {
                const auto y = static_cast<std::int32_t>(unspread_bits(row_of(i)));
                const auto z = static_cast<std::int32_t>(unspread_bits(row_of(i) >> 1));
                rows_[row++] = {y, z, static_cast<std::uint32_t>(i), 0};
            }
    });
    for (std::size_t r = 0; r < rows_.size(); ++r)
        rows_[r].end = r + 1 < rows_.size() ? rows_[r + 1].begin : static_cast<std::uint32_t>(count);

    table_.assign(std::bit_ceil(2 * rows_.size() + 2), 0);
    const std::size_t mask = table_.size() - 1;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        std::size_t slot = row_hash(rows_[r].y, rows_[r].z) & mask;
        while (table_[slot] != 0) slot = (slot + 1) & mask;
        table_[slot] = static_cast<std::uint32_t>(r + 1);
    }
}

void Grid::take_positions(std::span<const Vec3d> positions, const CellFrame& frame) {
    const std::size_t count = positions.size();
    for (std::vector<float>* axis : {&x_, &y_, &z_}) axis->resize(count + 16);
    parallel_each(count, [&](std::size_t i) {
        const Vec3d p = positions[i] - frame.origin;
        x_[i] = static_cast<float>(p.x), y_[i] = static_cast<float>(p.y), z_[i] = static_cast<float>(p.z);
    });
    reach_.clear();
}

void Grid::take_reach(std::span<const float> reach) {
    reach_.assign(reach.begin(), reach.end());
    reach_.resize(reach.size() + 16);
}

GridView Grid::view() const {
    return {x_.data(),
            y_.data(),
            z_.data(),
            reach_.empty() ? nullptr : reach_.data(),
            x_cell_.data(),
            rows_.data(),
            table_.data(),
            static_cast<std::uint32_t>(table_.size() - 1),
            static_cast<std::uint32_t>(rows_.size()),
            static_cast<std::uint32_t>(keys_.size()),
            least_,
            shared_cells_};
}

std::size_t Grid::memory() const {
    return keys_.capacity() * 8 + (order_.capacity() + x_cell_.capacity() + table_.capacity()) * 4 +
           rows_.capacity() * sizeof(GridRow) +
           (x_.capacity() + y_.capacity() + z_.capacity() + reach_.capacity()) * sizeof(float);
}

} // namespace loam
