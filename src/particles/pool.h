// The one pool of particles of all materials, with the columns that every law may rely on.
#pragma once

#include "particles/columns.h"

namespace loam {

class Pool : public Columns {
public:
    Pool();

    Column<std::uint32_t> id;   // stable; survives sorting
    Column<std::uint32_t> body; // index into the scene's bodies
    Column<Vec3d> position;     // the truth, in double precision
    Column<Float4> velocity;
    Column<float> volume; // at rest
    Column<float> mass;
    Column<float> density;       // as a multiple of the rest density: sum_j V_j W_ij
    Column<float> pressure;      // that pairs push with
    Column<float> felt_pressure; // that a gauge would show; only where a frame is due
    Column<Float4> acceleration; // of this step's forces
    Column<Float4> place;        // position relative to the frame's origin, and volume: what pair laws read

    std::uint32_t next_id = 0;

    struct Birth {
        Vec3d position;
        Vec3d velocity;
        double volume = 0;
        double mass = 0;
        std::uint32_t body = 0;
    };
    void give_birth(std::span<const Birth> births);
    double fastest() const; // the largest speed
    // Keeps the particles for which `alive` is not 0, in their order.
    void bury(std::span<const std::uint8_t> alive);
};

// Walls: particles that push but are not pushed. Sorted on their own; rebuilt only when they move.
class Walls : public Columns {
public:
    Walls();

    Column<std::uint32_t> id; // the order in which they were made
    Column<std::uint32_t> body;
    Column<Vec3d> position;
    Column<Vec3d> rest_position; // before motion
    Column<Float4> rest_normal;
    Column<Float4> velocity; // w: slip. 0: free, below 0: none, above 0: coefficient of friction
    Column<Float4> normal;   // out of the solid; w: depth below the surface, negative at a sharp edge
    Column<float> volume;    // from the local sampling density
    Column<Float4> place;    // position relative to the frame's origin, and volume
};

} // namespace loam
