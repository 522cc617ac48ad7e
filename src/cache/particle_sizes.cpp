#include "cache/particle_sizes.h"

#include <cmath>

namespace loam {
namespace {

std::span<const float> numbers(const Columns& columns, std::string_view name) {
    const std::size_t index = columns.find(name);
    if (index == SIZE_MAX || columns.info(index).type != ElementType::f32 || columns.info(index).components != 1)
        return {};
    return columns[Column<float>{index}];
}

} // namespace

ParticleSizes::ParticleSizes(const Columns& columns, const FrameHeader& header)
    : volume_(numbers(columns, "volume")), mass_(numbers(columns, "mass")), grain_radius_(numbers(columns, "radius")),
      radius_(header.particle_radius), space_(std::pow(2 * header.particle_radius, header.dimensions)),
      full_(static_cast<float>(header.particle_volume > 0 ? header.particle_volume : space_)),
      flat_(header.dimensions == 2) {}

float ParticleSizes::size(std::size_t row) const {
    const float part = share(row);
    if (part > 0) return flat_ ? std::sqrt(part) : std::cbrt(part);
    return part == 0 && !mass_.empty() && mass_[row] > 0 ? 1 : 0;
}

} // namespace loam
