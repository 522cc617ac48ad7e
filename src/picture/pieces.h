// Grains as meshes: the same few triangles many times over, each time turned, scaled and colored.
#pragma once

#include <memory>
#include <string>

#include "cache/frame.h"
#include "picture/looks.h"

namespace loam {

// What a look names: "bead" (a ball with a band), "pebble", or the file of a mesh, scaled into a ball of radius 1. Its
// colors are factors.
Result<std::shared_ptr<const Triangles>> piece_shape(const std::string& name);

// The grains of one body, where the frame has them.
Pieces pieces_of(const Frame& frame, std::uint32_t body, const Look& look, double shutter);

// A grain's color: that of the look, lighter or darker by its id.
Color varied(const Color& color, float variety, std::uint32_t id);

} // namespace loam
