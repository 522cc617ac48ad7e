#include "surface/kernel_field.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include <fmt/format.h>

#include "base/parallel.h"

namespace loam {
namespace {

constexpr std::size_t blocks_at_once = 8;

std::int32_t block_at(double along, double edge) { return static_cast<std::int32_t>(std::floor(along / edge)); }

// Blocks that a box around a particle meets. A cube belongs to the block of its first corner, hence a cell more below.
template <class Visit>
void each_block_near(const Cloud& cloud, std::size_t i, double distance, double cell, const Visit& visit) {
    const Vec3d p = cloud.position(i);
    const double d = distance * cloud.places()[i].w, edge = block_edge * cell;
    const double dz = cloud.flat() ? 0.5 * cloud.spacing() : d; // a slab one spacing thick
    for (std::int32_t z = block_at(p.z - dz - cell, edge); z <= block_at(p.z + dz, edge); ++z)
        for (std::int32_t y = block_at(p.y - d - cell, edge); y <= block_at(p.y + d, edge); ++y)
            for (std::int32_t x = block_at(p.x - d - cell, edge); x <= block_at(p.x + d, edge); ++x)
                visit(key_of({x, y, z}));
}

// Blocks are the most of what a surface needs: values, edges that are crossed, and about 100 vertices and 200 triangles
// with their normals and columns in each.
constexpr double bytes_per_block = 16e3;

// Not more than this many blocks are near the exposed particles: they lie in sheets, of about a spacing squared each.
double estimated_blocks(const Cloud& cloud, double distance, double cell) {
    const double edge = block_edge * cell, spacing = cloud.spacing(), thick = 2 * distance + cell;
    const double by_particle = std::pow(thick / edge + 1, 3);
    const double in_sheet = spacing * spacing * (thick + edge) / (edge * edge * edge) + 0.05 * by_particle;
    return static_cast<double>(cloud.exposed_count()) * std::min(by_particle, in_sheet);
}

Status check_size(const Cloud& cloud, double distance, const FieldOptions& options) {
    const double limit = block_limit * block_edge * options.cell;
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const Vec3d p = cloud.position(i);
        if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) + distance * cloud.largest_size() >= limit)
            return Error{Fault::usage, "--cell",
                         fmt::format("cells of {:.4g} m are too small for a particle at ({:.4g}, {:.4g}, {:.4g})",
                                     options.cell, p.x, p.y, p.z),
                         fmt::format("a surface may reach {:.4g} m from the origin with such cells", limit)};
    }
    const double needed = bytes_per_block * estimated_blocks(cloud, distance, options.cell);
    if (needed <= options.memory_limit) return Done{};
    const double enough = options.cell * std::sqrt(needed / options.memory_limit) * 1.2;
    return Error{Fault::usage, "--cell",
                 fmt::format("cells of {:.4g} m would need about {:.1f} GB of memory, and {:.1f} GB are free",
                             options.cell, needed / 1e9, options.memory_limit / 1e9),
                 fmt::format("try cells of {:.2g} m", enough)};
}

} // namespace

Result<NearBlocks> blocks_near(const Cloud& cloud, double distance, const FieldOptions& options) {
    if (Status fits = check_size(cloud, distance, options); !fits) return fits.error();
    const std::size_t parts = block_count(cloud.size());
    std::vector<NearBlocks> found(parts); // neighbors in the cloud's order share blocks, so parts stay small
    parallel_blocks(cloud.size(), block_size, [&](Range range, std::size_t part) {
        BlockKey last[2] = {0, 0};
        for (std::size_t i = range.begin; i != range.end; ++i) {
            const bool exposed = cloud.exposed(i);
            auto& list = exposed ? found[part].exposed : found[part].others;
            each_block_near(cloud, i, distance, options.cell, [&](BlockKey key) {
                if (key != last[exposed]) list.push_back(last[exposed] = key);
            });
        }
        sort_unique(found[part].exposed);
        sort_unique(found[part].others);
    });
    NearBlocks all;
    for (const NearBlocks& part : found) {
        all.exposed.insert(all.exposed.end(), part.exposed.begin(), part.exposed.end());
        all.others.insert(all.others.end(), part.others.begin(), part.others.end());
    }
    sort_unique(all.exposed);
    sort_unique(all.others);
    return all;
}

BlockSampler::BlockSampler(const Cloud& cloud, KernelField& kernels, double cell)
    : cloud_(cloud), kernels_(kernels), cell_(cell), prepared_(cloud.size(), 0) {}

BlockFrame BlockSampler::frame_of(BlockKey key) const {
    const BlockPlace at = place_of(key);
    return {block_edge * cell_ * Vec3d{double(at.x), double(at.y), double(at.z)} - cloud_.origin(), cell_};
}

template <class Visit> void BlockSampler::each_near(const BlockFrame& block, const Visit& visit) const {
    const double reach = kernels_.reach(cloud_) * cloud_.largest_size() + kernels_.largest_shift(cloud_);
    const double width = (block_edge - 1) * cell_;
    const Vec3d margin{reach, reach, reach}, lo = block.first_node, hi = lo + Vec3d{width, width, width};
    const bool flat = cloud_.flat();
    cloud_.each_in_box(cloud_.origin() + lo - margin, cloud_.origin() + hi + margin, [&](std::uint32_t i) {
        const Vec3d p = cloud_.places()[i].xyz_double();
        Vec3d away = max(max(lo - p, p - hi), Vec3d{});
        if (flat) away.z = 0;
        if (dot(away, away) < reach * reach) visit(i);
    });
}

void BlockSampler::prepare(std::span<const BlockKey> keys) {
    std::vector<std::uint8_t> wanted(cloud_.size(), 0);
    parallel_blocks(keys.size(), blocks_at_once, [&](Range range, std::size_t) {
        for (std::size_t b = range.begin; b != range.end; ++b)
            each_near(frame_of(keys[b]), [&](std::uint32_t i) {
                // Several blocks may want a particle; all write the same.
                std::atomic_ref(wanted[i]).store(1, std::memory_order_relaxed);
            });
    });
    std::vector<std::uint32_t> fresh;
    for (std::uint32_t i = 0; i < wanted.size(); ++i)
        if (wanted[i] && !prepared_[i]) {
            fresh.push_back(i);
            prepared_[i] = 1;
        }
    if (!fresh.empty()) kernels_.prepare(cloud_, fresh);
}

void BlockSampler::sample(std::span<const BlockKey> keys, std::vector<float>& values) {
    prepare(keys);
    const std::size_t first = values.size();
    values.resize(first + keys.size() * block_nodes);
    parallel_blocks(keys.size(), blocks_at_once, [&](Range range, std::size_t) {
        std::vector<std::uint32_t> near;
        for (std::size_t b = range.begin; b != range.end; ++b) {
            const BlockFrame block = frame_of(keys[b]);
            near.clear();
            each_near(block, [&](std::uint32_t i) { near.push_back(i); });
            float* const to = values.data() + first + b * block_nodes;
            if (near.empty())
                std::fill_n(to, block_nodes, kernels_.outside(cloud_));
            else
                kernels_.sample(cloud_, block, near, to);
            if (cloud_.flat()) add_slab(block, to);
        }
    });
}

// A 2D surface is shown as a slab one spacing thick: the plane's field, cut off by the slab's two faces.
void BlockSampler::add_slab(const BlockFrame& block, float* values) const {
    const double steepness = kernels_.steepness(cloud_), half = 0.5 * cloud_.spacing();
    for (int z = block_edge - 1; z >= 0; --z) { // the first layer, which holds the plane's values, comes last
        const double height = block.first_node.z + cloud_.origin().z + z * cell_;
        const auto cut = static_cast<float>(steepness * (half - std::abs(height)));
        for (int n = 0; n < block_edge * block_edge; ++n)
            values[z * block_edge * block_edge + n] = std::min(values[n], cut);
    }
}

Result<SparseField> sample_field(const Cloud& cloud, KernelField& kernels, const FieldOptions& options) {
    SparseField field{.cell = options.cell, .outside = kernels.outside(cloud), .inside = kernels.inside(cloud)};
    if (cloud.size() == 0) return field;
    Result<NearBlocks> near = blocks_near(cloud, cloud.spacing(), options);
    if (!near) return near.error();
    kernels.begin(cloud);
    BlockSampler sampler(cloud, kernels, options.cell);
    field.keys = std::move(near->exposed);
    std::set_difference(near->others.begin(), near->others.end(), field.keys.begin(), field.keys.end(),
                        std::back_inserter(field.interior));
    sampler.sample(field.keys, field.values);
    for (std::vector<BlockKey> more = missing_blocks(field); !more.empty(); more = missing_blocks(field)) {
        std::vector<float> values;
        sampler.sample(more, values);
        add_blocks(field, more, values);
    }
    return field;
}

} // namespace loam
