#include "surface/level_set.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace loam {
namespace {

constexpr int padded = block_edge + 2; // a block with one node more on each side
constexpr std::size_t blocks_at_once = 16;

std::size_t node_index(int x, int y, int z) { return static_cast<std::size_t>((z * block_edge + y) * block_edge + x); }

// The values of a block and of the nodes around it.
struct PaddedBlock {
    float value[padded * padded * padded]{};

    PaddedBlock(const SparseField& field, const BlockIndex& index, const BlockIndex& interior, std::size_t b) {
        const BlockPlace place = place_of(field.keys[b]);
        const float* source[27];
        float constant[27];
        for (int n = 0; n < 27; ++n) {
            const BlockKey key = key_of({place.x + n % 3 - 1, place.y + n / 3 % 3 - 1, place.z + n / 9 - 1});
            const std::uint32_t found = index.find(key);
            source[n] = found == BlockIndex::none ? nullptr : field.block(found).data();
            constant[n] = !source[n] && interior.has(key) ? field.inside : field.outside;
        }
        const auto part = [](int k) { return k == 0 ? 0 : k == padded - 1 ? 2 : 1; };
        const auto inner = [](int k) { return (k + block_edge - 1) % block_edge; };
        for (int z = 0, to = 0; z < padded; ++z)
            for (int y = 0; y < padded; ++y)
                for (int x = 0; x < padded; ++x, ++to) {
                    const int n = part(x) + 3 * part(y) + 9 * part(z);
                    value[to] = source[n] ? source[n][node_index(inner(x), inner(y), inner(z))] : constant[n];
                }
    }

    // kappa |grad f| at a node, with derivatives in units of cells.
    float curvature(int x, int y, int z, bool flat) const {
        const float* const c = &value[((z + 1) * padded + y + 1) * padded + x + 1];
        const int step[3] = {1, padded, padded * padded}, axes = flat ? 2 : 3;
        float first[3] = {}, second[3] = {}, squares = 0, laplacian = 0, along = 0;
        for (int a = 0; a < axes; ++a) {
            first[a] = 0.5f * (c[step[a]] - c[-step[a]]);
            second[a] = c[step[a]] - 2 * c[0] + c[-step[a]];
            squares += first[a] * first[a];
            laplacian += second[a];
            along += first[a] * first[a] * second[a];
        }
        for (int a = 0; a < axes; ++a)
            for (int b = a + 1; b < axes; ++b) {
                const int p = step[a] + step[b], m = step[a] - step[b];
                along += 2 * first[a] * first[b] * 0.25f * (c[p] - c[m] - c[-m] + c[-p]);
            }
        return squares > 1e-12f ? laplacian - along / squares : 0;
    }
};

} // namespace

float FieldReader::at_node(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const auto block = [](std::int32_t k) { return k >> 3; };
    const BlockKey key = key_of({block(x), block(y), block(z)});
    const std::uint32_t b = index_.find(key);
    if (b == BlockIndex::none) return interior_.has(key) ? field_.inside : field_.outside;
    return field_.block(b)[node_index(x & 7, y & 7, z & 7)];
}

float FieldReader::at(const Vec3d& position) const {
    const Vec3d p = position / field_.cell;
    constexpr double limit = double(block_limit) * block_edge;
    if (!(std::abs(p.x) < limit && std::abs(p.y) < limit && std::abs(p.z) < limit)) return field_.outside;
    const Vec3d low{std::floor(p.x), std::floor(p.y), std::floor(p.z)}, t = p - low;
    const auto x = static_cast<std::int32_t>(low.x), y = static_cast<std::int32_t>(low.y),
               z = static_cast<std::int32_t>(low.z);
    // Mostly all eight nodes stand in one block.
    const float* inner = nullptr;
    if ((x & 7) < 7 && (y & 7) < 7 && (z & 7) < 7) {
        const std::uint32_t b = index_.find(key_of({x >> 3, y >> 3, z >> 3}));
        if (b == BlockIndex::none) return at_node(x, y, z);
        inner = field_.block(b).data() + node_index(x & 7, y & 7, z & 7);
    }
    double sum = 0;
    for (int k = 0; k < 8; ++k) {
        const int dx = k & 1, dy = k >> 1 & 1, dz = k >> 2;
        const double weight = (dx ? t.x : 1 - t.x) * (dy ? t.y : 1 - t.y) * (dz ? t.z : 1 - t.z);
        if (weight > 0) sum += weight * (inner ? inner[node_index(dx, dy, dz)] : at_node(x + dx, y + dy, z + dz));
    }
    return static_cast<float>(sum);
}

void curvature_step(SparseField& field, const CurvatureFlow& flow) {
    const BlockIndex index(field.keys), interior(field.interior);
    std::vector<float> moved(field.values.size());
    const auto share = static_cast<float>(flow.amount / (field.cell * field.cell));
    const auto most = static_cast<float>(std::min(flow.amount * flow.largest, 1e30));
    const auto band = static_cast<float>(std::min(flow.band, 1e30));
    parallel_blocks(field.keys.size(), blocks_at_once, [&](Range range, std::size_t) {
        for (std::size_t b = range.begin; b != range.end; ++b) {
            const std::span<const float> now = field.block(b);
            float* const to = moved.data() + b * block_nodes;
            std::copy(now.begin(), now.end(), to);
            if (std::none_of(now.begin(), now.end(), [&](float v) { return std::abs(v) < band; })) continue;
            const PaddedBlock around(field, index, interior, b);
            for (int n = 0; n < static_cast<int>(block_nodes); ++n)
                if (std::abs(now[static_cast<std::size_t>(n)]) < band)
                    to[n] += std::clamp(share * around.curvature(n % 8, n / 8 % 8, n / 64, flow.flat), -most, most);
        }
    });
    field.values.swap(moved);
}

} // namespace loam
