// The one pool of particles of all materials, with the columns that every law may rely on.
#pragma once

#include "base/blocks.h"
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

    // Gravity is a part of the acceleration, and velocities may be behind in taking it up: see step/motion.h. Declared
    // where something falls.
    Column<Float4> gravity;
    Column<Float4> lack; // of the velocity
    void declare_gravity();
    bool falls() const { return gravity.index != SIZE_MAX; }

    // Which pin holds a particle, from 1; 0 for free ones. Declared where something asks for it.
    Column<std::uint32_t> pin;
    void declare_pin();
    // Whether the particle goes where a pin takes it, whatever acts on it.
    bool is_held(std::size_t i) const { return pin.index != SIZE_MAX && (*this)[pin][i] != 0; }

    // 1 for particles that a law has put to rest: they stay where they are, with the pressure that they have, until it
    // wakes them. Declared where one does so.
    Column<float> resting;
    void declare_resting();
    bool rests(std::size_t i) const { return resting.index != SIZE_MAX && (*this)[resting][i] != 0; }

    // At rest [kg/m^3]; 0 for particles that take up no room, such as those that lead others.
    float rest_density(std::size_t i) const {
        const float own = (*this)[volume][i];
        return own > 0 ? (*this)[mass][i] / own : 0;
    }

    std::uint32_t next_id = 0;

    struct Birth {
        Vec3d position;
        Vec3d velocity;
        double volume = 0;
        double mass = 0;
        std::uint32_t body = 0;
    };
    Range give_birth(std::span<const Birth> births); // returns where they are: behind all others
    // A share of the particle becomes a particle of its own, at another place: behind all others.
    void split(std::size_t parent, double share, const Vec3d& at);
    // `into` takes up `from`, which lies at `way` from it; `from` is left with no volume, to be buried.
    void merge(std::size_t from, std::size_t into, const Vec3d& way);
    double fastest() const; // the largest speed
    // Keeps the particles for which `alive` is not 0, in their order.
    void bury(std::span<const std::uint8_t> alive);
};

} // namespace loam
