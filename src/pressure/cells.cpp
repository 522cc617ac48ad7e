#include "pressure/cells.h"

#include <algorithm>
#include <cmath>

namespace loam {

namespace {

int floor_of(double x) { return static_cast<int>(std::floor(x)); }

} // namespace

void Cells::fit(const StepContext& step, double edge) {
    const Pool& pool = step.particles;
    dimensions_ = step.scene.dimensions;
    per_block_ = dimensions_ == 3 ? block_edge * block_edge * block_edge : block_edge * block_edge;
    for (std::size_t k = 0; k < 3; ++k) {
        const double length = step.scene.periodic_length[k];
        period_[k] = length > 0 ? std::max(1, static_cast<int>(std::lround(length / (block_edge * edge)))) : 0;
        edge_[k] = length > 0 ? length / (block_edge * period_[k]) : edge;
        origin_[k] = length > 0 ? step.scene.periodic_begin[k] : 0;
    }
    blocks_.clear(), block_at_.clear();
    const auto position = pool[pool.position];
    const auto in_block = [](int i) { return i & (block_edge - 1); };
    Index last{INT32_MIN, 0, 0};
    std::uint32_t block = none;
    std::uint8_t known = 0; // which of the corners of the last block
    cell_of_.resize(pool.size());
    for (std::size_t i = 0; i < pool.size(); ++i) { // mostly in the block of the one before
        const Index at = index_of(position[i]);
        const Index own{at[0] >> 2, at[1] >> 2, dimensions_ == 3 ? at[2] >> 2 : 0};
        if (own != last) block = add_block(wrapped(own)), last = own, known = 0;
        std::uint32_t local = 0, corner = 0;
        for (int k = dimensions_; k-- > 0;) {
            const int in = in_block(at[static_cast<std::size_t>(k)]);
            local = local * block_edge + static_cast<std::uint32_t>(in);
            corner = 2 * corner + (in >= block_edge / 2 ? 1 : 0);
        }
        cell_of_[i] = block * per_block_ + local;
        if (known >> corner & 1) continue;
        known |= static_cast<std::uint8_t>(1u << corner);
        for (std::uint32_t some = 1; some < 1u << dimensions_; ++some) { // two cells reach into these
            Index other = own;
            for (int k = 0; k < dimensions_; ++k)
                if (some >> k & 1) other[static_cast<std::size_t>(k)] += corner >> k & 1 ? 1 : -1;
            add_block(wrapped(other));
        }
    }
    find_neighbors();
    begin_.assign(size() + 1, 0);
    for (const std::uint32_t c : cell_of_) ++begin_[c + 1];
    for (std::size_t c = 0; c < size(); ++c) begin_[c + 1] += begin_[c];
    order_.resize(pool.size());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < cell_of_.size(); ++i) order_[next[cell_of_[i]]++] = i;
}

Cells::Index Cells::index_of(const Vec3d& place) const {
    Index at{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions_); ++k)
        at[k] = floor_of((place[k] - origin_[k]) / edge_[k]);
    return at;
}

Cells::Index Cells::wrapped(Index block) const {
    for (std::size_t k = 0; k < 3; ++k)
        if (period_[k] > 0) block[k] = (block[k] % period_[k] + period_[k]) % period_[k];
    return block;
}

std::uint64_t Cells::key(const Index& block) {
    constexpr std::uint64_t most = (1u << 21) - 1;
    return (static_cast<std::uint64_t>(block[0]) & most) | (static_cast<std::uint64_t>(block[1]) & most) << 21 |
           (static_cast<std::uint64_t>(block[2]) & most) << 42;
}

std::uint32_t Cells::add_block(const Index& block) {
    const auto [found, is_new] = blocks_.try_emplace(key(block), static_cast<std::uint32_t>(block_at_.size()));
    if (is_new) block_at_.push_back(block);
    return found->second;
}

Vec3d Cells::center(std::uint32_t cell) const {
    const Index& block = block_at_[cell / per_block_];
    std::uint32_t local = cell % per_block_;
    Vec3d at;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions_); ++k, local /= block_edge)
        at[k] = origin_[k] + edge_[k] * (block_edge * block[k] + static_cast<int>(local % block_edge) + 0.5);
    return at;
}

// Of each cell of a block: which of the blocks around it the cells around are in, and where in those.
Cells::Steps Cells::steps_in_block() const {
    Steps steps(per_block_);
    for (std::uint32_t local = 0; local < per_block_; ++local)
        for (int n = 0; n < 27; ++n) {
            const std::array<int, 3> step{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
            int block = 0, other = 0, stride = 1, size = 1;
            std::uint32_t rest = local;
            for (int k = 0; k < 3; ++k, stride *= 3) {
                const int along = k < dimensions_ ? block_edge : 1; // cells
                const int to = static_cast<int>(rest) % along + step[static_cast<std::size_t>(k)];
                block += stride * (to < 0 ? 0 : to < along ? 1 : 2);
                other += size * ((to + along) % along);
                size *= along, rest /= static_cast<std::uint32_t>(along);
            }
            steps[local][static_cast<std::size_t>(n)] = {static_cast<std::uint8_t>(block),
                                                         static_cast<std::uint8_t>(other)};
        }
    return steps;
}

void Cells::find_neighbors() {
    const Steps steps = steps_in_block();
    neighbors_.resize(size());
    constexpr std::size_t per_task = 16; // blocks
    parallel_blocks(block_at_.size(), per_task, [&](Range range, std::size_t) {
        for (std::size_t b = range.begin; b != range.end; ++b) {
            const Index& at = block_at_[b];
            std::array<std::uint32_t, 27> first{}; // cell of each block around
            for (int n = 0; n < 27; ++n) {
                const auto found =
                    blocks_.find(key(wrapped({at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1})));
                first[static_cast<std::size_t>(n)] = found == blocks_.end() ? none : found->second * per_block_;
            }
            for (std::uint32_t local = 0; local < per_block_; ++local) {
                auto& own = neighbors_[b * per_block_ + local];
                for (std::size_t n = 0; n < 27; ++n) {
                    const auto [block, other] = steps[local][n];
                    own[n] = first[block] == none ? none : first[block] + other;
                }
            }
        }
    });
}

Cells::Spline Cells::spline(const Vec3d& place) const {
    Spline s{};
    for (std::size_t k = 0; k < 3; ++k) {
        if (k >= static_cast<std::size_t>(dimensions_)) {
            s.weight[k] = {0, 1, 0};
            continue;
        }
        const double y = (place[k] - origin_[k]) / edge_[k];
        const auto t = static_cast<float>(y - std::floor(y) - 0.5), f = static_cast<float>(1 / edge_[k]);
        s.weight[k] = {0.5f * (0.5f - t) * (0.5f - t), 0.75f - t * t, 0.5f * (0.5f + t) * (0.5f + t)};
        s.slope[k] = {-f * (0.5f - t), -2 * f * t, f * (0.5f + t)};
    }
    return s;
}

// All cells around a particle's own are there.
Float4 Cells::sample(const std::vector<float>& field, std::size_t particle, const Vec3d& place) const {
    const Spline s = spline(place);
    const std::uint32_t* around = neighbors_[cell_of_[particle]].data();
    const auto &wx = s.weight[0], &wy = s.weight[1], &wz = s.weight[2];
    const auto &dx = s.slope[0], &dy = s.slope[1], &dz = s.slope[2];
    Float4 sum{};
    const std::size_t first = dimensions_ == 3 ? 0 : 1, last = dimensions_ == 3 ? 3 : 2;
    for (std::size_t k = first; k < last; ++k) {
        Float4 plane{};
        for (std::size_t j = 0; j < 3; ++j) {
            const std::uint32_t* row = around + 9 * k + 3 * j;
            const float a = field[row[0]], b = field[row[1]], c = field[row[2]];
            const float value = wx[0] * a + wx[1] * b + wx[2] * c;
            plane.x += wy[j] * (dx[0] * a + dx[1] * b + dx[2] * c);
            plane.y += dy[j] * value;
            plane.w += wy[j] * value;
        }
        sum.x += wz[k] * plane.x, sum.y += wz[k] * plane.y, sum.w += wz[k] * plane.w;
        sum.z += dz[k] * plane.w;
    }
    return sum;
}

} // namespace loam
