// White water in pictures: so many drops and bubbles that each pixel sees several. They are a volume that scatters
// light: how much of it they would hide, per cell of a sparse grid. Rays walk through the cells.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/vec.h"
#include "cache/frame.h"
#include "picture/ray.h"
#include "picture/sampler.h"

namespace loam {

struct MistOptions {
    double cell = 0;    // size of a cell [m]
    double shutter = 0; // drops are smeared out along what they go in this time [s]
    int coarser = 4;    // cells for shadows and for light that has been scattered are so much larger; 0: the same
};

class Mist {
public:
    // Of a frame of white water.
    Mist(const Frame& drops, const MistOptions& options);

    bool empty() const { return blocks_.empty(); }
    const Bounds& bounds() const { return bounds_; }
    double cell() const { return cell_; }

    // How much of the light is hidden on the way: exp(-depth) of it comes through.
    float depth(const Ray& ray, float distance) const;
    // Where light that goes along the ray meets a drop first, by chance; nothing where it meets none.
    enum class Detail { fine, coarse };
    std::optional<float> meets(const Ray& ray, float distance, Sampler& sampler, Detail detail = Detail::fine) const;

private:
    static constexpr int edge = 8; // cells along a block
    static constexpr std::size_t volume = std::size_t{edge} * edge * edge;
    using Block = std::array<float, volume>;

    void cover(const Bounds& all);
    void add(const Vec3d& place, float hides);
    float* cell_at(std::int64_t x, std::int64_t y, std::int64_t z);
    // visit(begin, end, hidden per length) for the cells on the way that have drops, until it returns true.
    template <class Visit> void walk(const Ray& ray, float distance, const Visit& visit) const;

    double cell_ = 0;
    Vec3d corner_;                        // of the first block
    std::array<std::int64_t, 3> count_{}; // of blocks along the axes
    std::vector<std::uint32_t> table_;    // by place: index of the block + 1, or 0
    std::vector<Block> blocks_;
    std::unique_ptr<const Mist> coarse_; // or null
    Bounds bounds_;
};

} // namespace loam
