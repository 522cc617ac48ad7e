// Frames to particles for surfaces.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cache/frame.h"
#include "surface/cloud.h"

namespace loam {

struct FrameChoice {
    std::vector<std::string> bodies;  // names; empty: all
    std::vector<std::string> columns; // what surfaces carry; empty: velocity, and all that behaviors add to frames
};

// An error where the frame has no such body or column, with the nearest name.
Result<SurfaceParticles> particles_of(const Frame& frame, const FrameChoice& choice);

} // namespace loam
