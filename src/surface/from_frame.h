// Frames to particles for surfaces.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "cache/frame.h"
#include "surface/cloud.h"

namespace loam {

struct FrameChoice {
    std::vector<std::string> bodies;  // names; empty: all
    std::vector<std::string> columns; // what surfaces carry; empty: velocity, and all that behaviors add to frames
    bool all_columns = false;         // with empty `columns`: every one of the frame
    std::function<bool(std::uint32_t row)> only = {}; // of these; empty: all
};

// The particles of the chosen bodies, by their rows in the frame.
Result<std::vector<std::uint32_t>> rows_of(const Frame& frame, const FrameChoice& choice);

// A column such as body or id; empty when the frame has none.
std::span<const std::uint32_t> whole_numbers(const Frame& frame, std::string_view name);

// An error where the frame has no such body or column, with the nearest name.
Result<SurfaceParticles> particles_of(const Frame& frame, const FrameChoice& choice);

} // namespace loam
