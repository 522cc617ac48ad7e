// Frames: what the particles look like at one moment, one file per frame, for pictures, ParaView, h5py and `loam info`.
// The layout (VTKHDF) is described in README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "particles/columns.h"

namespace loam {

struct FrameHeader {
    std::uint64_t frame = 0;
    double time = 0; // [s]
    int dimensions = 3;
    double particle_radius = 0;      // [m]
    std::vector<std::string> bodies; // names; the column `body` counts into them
    double particle_volume = 0;      // of a full particle, in column `volume` [m^3]; 0: not told. See particle_sizes.h
    std::uint64_t ids_given = 0;     // up to now, of white water, whose file is all that it goes on from; 0: not told
};

// Writes column `position` as points and every other column flagged `output` as an array of its name, in the order of
// column `id`, so that a particle that lives on keeps its place among its neighbors in the file. Durable on return;
// after an error the file is as it was before.
Status write_frame(const std::filesystem::path& path, const Columns& columns, const FrameHeader& header);

struct Frame {
    FrameHeader header;
    Columns columns; // `position` as Float4, vectors of floats as Float4; all flagged `output`, with their units
};

Result<Frame> read_frame(const std::filesystem::path& path);

// Indices of particles in the order of their ids; equal ids stay in their order.
std::vector<std::uint32_t> order_by_id(std::span<const std::uint32_t> ids);

} // namespace loam
