// How large particles are beside a full one: what everything that shows or measures particles asks.
//
// A full particle is one as the scene's spacing makes it. It fills spacing^d of space and has the header's radius; its
// value in column `volume` is the header's particle_volume, which differs from that space by the kernel's error of
// quadrature (lattice_volume() in passes/kernel.h). In frames without that column all particles are full.
#pragma once

#include <span>

#include "cache/frame.h"

namespace loam {

class ParticleSizes {
public:
    ParticleSizes(const Columns& columns, const FrameHeader& header);
    explicit ParticleSizes(const Frame& frame) : ParticleSizes(frame.columns, frame.header) {}

    double volume(std::size_t row) const { return space_ * share(row); } // that it fills [m^3], in 2D its area [m^2]
    // Of a grain its own, else half the spacing of its like [m].
    double radius(std::size_t row) const {
        return !grain_radius_.empty() && grain_radius_[row] > 0 ? grain_radius_[row] : radius_ * size(row);
    }
    // Linear, 1 for a full one. What has mass and yet no volume leads a fluid (`control`), and is shown in full.
    float size(std::size_t row) const;

private:
    float share(std::size_t row) const { return volume_.empty() ? 1 : volume_[row] / full_; } // of a full one's volume

    std::span<const float> volume_, mass_, grain_radius_;
    double radius_, space_;
    float full_;
    bool flat_;
};

} // namespace loam
