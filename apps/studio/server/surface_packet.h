// The surface of some bodies of a frame as the page gets it: the length of a description (uint32), the description as
// JSON padded to four bytes, then
//
//     positions  uint16 x 3 each, within `bounds`; padded to four bytes
//     normals    int8 x 3 each; padded
//     body       uint8 each, of the nearest particle; padded
//     values     uint16 each, within `least` to `most` of the column; only if one was asked for; padded
//     corners    uint32 x 3 of each triangle
#pragma once

#include <string>
#include <vector>

#include "cache/frame.h"

namespace loam::studio {

struct SurfaceWish {
    std::vector<std::string> bodies; // those that the frame does not have are left out
    std::string column;              // vectors by their length; empty: none
};
Result<std::string> surface_packet(const Frame& frame, const SurfaceWish& wish);

} // namespace loam::studio
