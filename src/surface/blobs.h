// What the samplers of methods share: particles as blobs in a block's own units, and room for the sums.
#pragma once

#include <memory>
#include <new>
#include <span>
#include <vector>

#include "surface/kernel_field.h"
#include "surface/splat.h"

namespace loam {

inline Vec3f in_cells(const Vec3d& place, const BlockFrame& block) {
    const Vec3d p = (place - block.first_node) / block.cell;
    return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

// reach and radius [m] of a particle of size 1.
inline std::vector<Blob> make_blobs(const Cloud& cloud, const BlockFrame& block,
                                    std::span<const std::uint32_t> particles, double reach, double radius) {
    std::vector<Blob> blobs(particles.size());
    for (std::size_t k = 0; k < blobs.size(); ++k) {
        const Float4& place = cloud.places()[particles[k]];
        const Vec3f p = in_cells(place.xyz_double(), block);
        blobs[k] = {p.x, p.y,
                    p.z, static_cast<float>(reach / block.cell) * place.w,
                    1,   static_cast<float>(radius / block.cell) * place.w};
    }
    return blobs;
}

// The sums of one block, zeroed.
class Sums {
public:
    explicit Sums(std::size_t count) : values_(new (alignment) float[count * block_nodes]()) {}
    float* data() { return values_.get(); }
    std::span<const float> operator[](std::size_t sum) const { return {&values_[sum * block_nodes], block_nodes}; }

private:
    static constexpr std::align_val_t alignment{64}; // of whole lanes, whatever the instruction set
    struct Delete {
        void operator()(float* values) const { ::operator delete[](values, alignment); }
    };
    std::unique_ptr<float[], Delete> values_;
};

inline std::size_t sampled_nodes(const Cloud& cloud) {
    return cloud.flat() ? std::size_t{block_edge} * block_edge : block_nodes;
}

// The integral of (1 - q^2)^3 over a sphere (3D) or a circle (2D) of this reach.
inline double kernel_integral(double reach, bool flat) {
    constexpr double pi = 3.14159265358979323846;
    return flat ? pi / 4 * reach * reach : 64 * pi / 315 * reach * reach * reach;
}

// Fields that are a distance: from a mean place of the particles around, less their mean radius.
class MeanPlaceField : public KernelField {
public:
    explicit MeanPlaceField(const Values& values) : reach_(values.number("reach")), radius_(values.number("radius")) {}

    double reach(const Cloud& cloud) const override { return reach_ * cloud.spacing(); }
    float outside(const Cloud& cloud) const override {
        return static_cast<float>((radius_ - reach_) * cloud.spacing());
    }
    float inside(const Cloud& cloud) const override { return static_cast<float>(radius_ * cloud.spacing()); }
    double steepness(const Cloud&) const override { return 1; }

protected:
    std::vector<Blob> blobs_in(const Cloud& cloud, const BlockFrame& block,
                               std::span<const std::uint32_t> particles) const {
        return make_blobs(cloud, block, particles, reach(cloud), radius_ * cloud.spacing());
    }

private:
    double reach_, radius_; // in spacings
};

} // namespace loam
