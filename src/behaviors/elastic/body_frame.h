// A frame that goes along with a body: x = center + turn (X - rest_center) + displacement. Any frame gives the same
// forces; one near the body's own motion keeps displacements small, and single precision enough for them.
#pragma once

#include <span>

#include "base/mat3.h"
#include "behaviors/elastic/reference.h"
#include "particles/slot_map.h"

namespace loam {

struct BodyFrame {
    Vec3d center, velocity;
    Mat3 turn = Mat3::identity(); // from the frame to the world
    Vec3d rest_center;
    Vec3d anchor; // some particle of the body: places are taken as images near it in periodic scenes
    Vec3d period;

    Vec3d into(const Vec3d& world) const { // turn^T world
        return world.x * turn.row[0] + world.y * turn.row[1] + world.z * turn.row[2];
    }
    Vec3d near_anchor(const Vec3d& position) const { return image_near(position, anchor, period); }
    Vec3d displacement(const Vec3d& position, const Vec3d& at_rest) const {
        return into(near_anchor(position) - center) - (at_rest - rest_center);
    }
};

// The frame that fits the body's particles best, from their present places alone.
BodyFrame fit_frame(const Pool& pool, const SlotMap& slots, const Reference& reference,
                    const Reference::BodyRange& body, const Vec3d& period, int dimensions);

} // namespace loam
