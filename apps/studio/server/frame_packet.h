// A frame as the page gets it: the length of a description (uint32), the description as JSON padded to four bytes, then
//
//     positions  uint16 x 3 each, within `bounds`; padded to four bytes
//     body       uint8 each; padded to four bytes
//     size       uint8 each, linear, 255 is `largest_size` of a full particle; only if `sizes`; padded
//     values     uint16 each, within `least` to `most` of the column; only if one was asked for
//
// Of very many particles only some are sent, in every frame the same ones; `total` and `count` tell.
#pragma once

#include <string>

#include "cache/frame.h"

namespace loam::studio {

struct PacketWish {
    std::string column;        // vectors by their length; empty: none
    std::size_t most = 400000; // particles
};
std::string frame_packet(const Frame& frame, const PacketWish& wish);

// The columns of one particle, as JSON: {"row", "id", "body", "values": {name: number or list}}.
std::string particle_text(const Frame& frame, std::size_t row);

// The row of the nth particle that frame_packet() sends.
std::size_t row_of(const Frame& frame, std::size_t nth, std::size_t most);

// The row of the particle with this id, or SIZE_MAX.
std::size_t row_with_id(const Frame& frame, std::uint32_t id);

} // namespace loam::studio
