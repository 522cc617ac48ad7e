// Contacts side by side in lanes, and the loops over them; the law is in impulses.h.
//
// Every contact is one of two records. A wall has a record of its own behind those of the particles, with no inverse
// mass, so nothing asks what the other side is. Empty places have the record `nobody` on both sides.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "base/vec.h"
#include "passes/pair_view.h"

namespace loam {

struct GrainLanes {
    static constexpr std::size_t width = 8;
    alignas(32) std::uint32_t i[width];
    std::uint32_t j[width];
    float normal[3][width];                // towards i
    float arm_i[width], arm_j[width];      // from the centers to the contact
    float target[width];                   // least speed along the normal
    float friction[width], rolling[width]; // rolling: a length
    float bond[width];                     // largest pull [N]
    float push[width], drag[3][width];     // impulses found [N s]
    float roll[3][width];                  // [N m s]
};

struct GrainSweepArgs {
    GrainLanes* contacts;
    Float4* moving;  // velocity; w: inverse mass
    Float4* turning; // spin; w: inverse inertia
    float dt;
};
// Ranges are of GrainLanes, and done in their order.
LOAM_DISPATCH(grain_begin, void(const GrainSweepArgs&, Range)) // the impulses as they stand
// Each contact gets what it lacks.
LOAM_DISPATCH(grain_sweep, void(const GrainSweepArgs&, Range))

struct GrainShift {
    alignas(32) float wanted[GrainLanes::width]; // displacement along the normal [m]
    float least[GrainLanes::width];              // impulse that moves so, [kg m]
    float moved[GrainLanes::width];              // found
};
struct GrainShiftArgs {
    const GrainLanes* contacts;
    GrainShift* shifts;
    Float4* shift; // w: inverse mass
};
LOAM_DISPATCH(grain_shift, void(const GrainShiftArgs&, Range))

struct GrainNearArgs {
    PairView particles;
    const Float4* approach; // velocity; w: radius, 0 of what is no grain
    float near, dt;         // what is nearer than `near`, or than it comes in a step, may touch
    bool others;            // what is no grain may touch, too
};
// Neighbors that grain i may touch; how many.
LOAM_DISPATCH(grain_near, std::uint32_t(const GrainNearArgs&, std::size_t i, std::uint32_t* to))

} // namespace loam
