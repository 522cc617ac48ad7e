#include "surface/cloud.h"

#include <algorithm>

#include "base/parallel.h"
#include "neighbors/search.h"
#include "surface/passes.h"

namespace loam {
namespace {

constexpr Float4 far_away{1e15f, 1e15f, 1e15f, 0}; // padding of lists: every kernel is 0 there
constexpr float least_size = 1e-3f;                // a billionth of a full particle is nothing

// A particle is inside when it is as crowded as at rest and equally on all sides. On a lattice a particle of the first
// layer has a density of 0.72 and leans by 0.17 of the reach, one of the second layer 0.99 and 0; a lattice with one
// particle missing leaves its neighbors at 0.93. Walls are not counted, so a fluid has a surface there too.
constexpr float least_density = 0.9f, largest_lean = 0.12f;

Vec3d middle_of(std::span<const Vec3d> positions) {
    Bounds bounds;
    for (const Vec3d& p : positions) bounds.add(p);
    return positions.empty() ? Vec3d{} : bounds.center();
}

std::vector<std::uint32_t> large_enough(const SurfaceParticles& particles) {
    std::vector<std::uint32_t> kept;
    kept.reserve(particles.positions.size());
    for (std::uint32_t k = 0; k < particles.positions.size(); ++k)
        if (particles.sizes.empty() || particles.sizes[k] >= least_size) kept.push_back(k);
    return kept;
}

template <class T> std::vector<T> in_order(std::span<const T> values, std::span<const std::uint32_t> order) {
    std::vector<T> sorted(order.size());
    parallel_each(order.size(), [&](std::size_t i) { sorted[i] = values[order[i]]; });
    return sorted;
}

double largest_of(std::span<const float> sizes) {
    return sizes.empty() ? 1 : *std::max_element(sizes.begin(), sizes.end());
}

Cell most_cell(const GridView& grid) {
    Cell most{0, 0, 0};
    for (std::uint32_t r = 0; r < grid.row_count; ++r) {
        most.y = std::max(most.y, grid.rows[r].y), most.z = std::max(most.z, grid.rows[r].z);
        most.x = std::max(most.x, static_cast<std::int32_t>(grid.x_cell[grid.rows[r].end - 1]));
    }
    return most;
}

} // namespace

double SurfaceParticles::volume() const {
    const double one = spacing() * spacing() * spacing();
    if (sizes.empty()) return one * static_cast<double>(positions.size());
    double sum = 0;
    for (const float s : sizes) sum += share(s);
    return one * sum;
}

Cloud::Cloud(const SurfaceParticles& particles, InstructionSet isa)
    : particles_(particles), isa_(isa), largest_size_(largest_of(particles.sizes)), order_(large_enough(particles)) {
    const std::span<const Vec3d> all = particles.positions;
    std::vector<Vec3d> positions = in_order(all, order_);
    frame_ = make_frame(std::max(1.0, largest_size_) * neighbor_reach(), middle_of(positions), {});
    grid_.sort(positions, frame_);
    order_ = in_order<std::uint32_t>(order_, grid_.order());
    positions = in_order(all, order_);
    grid_.take_positions(positions, frame_);
    most_ = most_cell(grid_.view());
    density_.resize(order_.size());
    places_.resize(size() + 1);
    places_.back() = far_away;
    const auto& sizes = particles.sizes;
    parallel_each(size(), [&](std::size_t i) {
        places_[i] = float4(positions[i] - frame_.origin, sizes.empty() ? 1 : sizes[order_[i]]);
    });
    const std::vector<float> widths = widths_of_neighborhoods();
    find_neighbors(widths);
    find_exposed(widths);
}

// Empty when none is larger than a full particle: then all reach as far.
std::vector<float> Cloud::widths_of_neighborhoods() const {
    std::vector<float> widths;
    if (largest_size_ <= 1) return widths;
    for (const Float4& place : places()) widths.push_back(std::max(1.0f, place.w));
    return widths;
}

void Cloud::find_neighbors(std::span<const float> widths) {
    if (!widths.empty()) {
        std::vector<float> reaches(widths.begin(), widths.end());
        for (float& reach : reaches) reach *= static_cast<float>(neighbor_reach());
        grid_.take_reach(reaches);
    }
    search(grid_, grid_, neighbor_reach(), frame_, flat(), isa_, neighbors_);
}

void Cloud::find_exposed(std::span<const float> widths) {
    const Kernel kernel = make_kernel(KERNEL_CUBIC, neighbor_reach(), particles_.dimensions);
    std::vector<Float4> volumes(places_);
    parallel_each(size(), [&](std::size_t i) { volumes[i].w = static_cast<float>(share(i)); });
    lean_.resize(size());
    const CrowdArgs args{.particles = pairs(volumes),
                         .widths = widths.empty() ? nullptr : widths.data(),
                         .kernel = kernel,
                         .full_volume = static_cast<float>(lattice_volume(kernel, spacing())),
                         .own_value = static_cast<float>(kernel_value(kernel, 0)),
                         .density = density_.data(),
                         .lean = lean_.data()};
    parallel_ranges(size(), [&](Range range) { crowding.on(isa_)(args, range); });
    exposed_.resize(size());
    const float lean_limit = largest_lean * static_cast<float>(neighbor_reach());
    parallel_each(size(), [&](std::size_t i) {
        // A 2D surface is the side of a slab, whose faces are everywhere.
        exposed_[i] = flat() || density_[i] < least_density || length(lean_[i].xyz()) > lean_limit;
    });
}

std::size_t Cloud::exposed_count() const {
    return static_cast<std::size_t>(std::count(exposed_.begin(), exposed_.end(), 1));
}

PairView Cloud::pairs(std::span<const Float4> places) const {
    return {.query_place = places.data(),
            .target_place = places.data(),
            .entries = neighbors_.entries(),
            .blocks = neighbors_.block_begins(),
            .periodic = false,
            .length = {},
            .inverse_length = {}};
}

std::vector<float> Cloud::moments_of(std::span<const std::uint32_t> some) const {
    std::vector<float> result(10 * some.size());
    const MomentArgs args{pairs(places_), some.data(), static_cast<float>(1 / neighbor_reach()), flat(), result.data()};
    parallel_ranges(some.size(), [&](Range range) { moments.on(isa_)(args, range); });
    return result;
}

template <class Pass>
std::vector<Float4> Cloud::means_by(const Pass& pass, std::span<const std::uint32_t> some,
                                    std::span<const Float4> vectors) const {
    std::vector<Float4> result(some.size());
    const MeanArgs args{pairs(places_), some.data(),    static_cast<float>(1 / neighbor_reach()),
                        flat(),         vectors.data(), result.data()};
    parallel_ranges(some.size(), [&](Range range) { pass.on(isa_)(args, range); });
    return result;
}

std::vector<Float4> Cloud::means_of(std::span<const std::uint32_t> some, std::span<const Float4> vectors) const {
    return means_by(mean_vectors, some, vectors);
}

std::vector<Float4> Cloud::means_alike(std::span<const std::uint32_t> some, std::span<const Float4> vectors) const {
    return means_by(mean_alike, some, vectors);
}

} // namespace loam
