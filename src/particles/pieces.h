// Which particles hang together: a filled shape of several parts makes as many bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/vec.h"

namespace loam {

// The particles of each piece, by index, in the order given; pieces in the order of their first particle.
std::vector<std::vector<std::uint32_t>> connected_pieces(std::span<const Vec3d> positions, double spacing);

} // namespace loam
