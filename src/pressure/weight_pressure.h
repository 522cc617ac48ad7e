// The pressure that bears the weight of fluids: that of an incompressible fluid which begins to move from rest, between
// walls and solids that stand still,
//
//   div (1 / rho grad c) = div a,   c = 0 at free surfaces,   (a - grad c / rho) . n = 0 at walls and solids
//
//   a   mean acceleration of a body's particles by all forces but pressure [m/s^2]: what acts between them cancels out
//
// Particles under pressure hold each other like grains: to slide past each other they must make room, against that
// pressure, so that about a hundredth of it acts as friction, at any resolution. Here it acts as the gradient of a
// smooth field, which does not know neighbors, and between them only what is left: the pressure of motion. In water at
// rest that is nothing, and layers, waves and bodies are free at any depth.
//
// c is found on cells of two spacings: exactly for plane fields, with the surface where cells are half full (second
// order: Gibou et al. 2002). It follows from the particles as they stand; there is nothing to keep from step to step.
//
// Weight that is borne does not pack particles, and cells are coarse beside a surface. So c acts less what the topmost
// layers weigh:
//
//   c - h where c > 2 h,  c^2 / 4 h below,  0 where c < 0        h  weight of `layers`
//
// Between particles there is all of the pressure near surfaces, in drops and in films, and h below: whatever the depth,
// it holds them together, and what it makes of friction is small.
//
// Solids are pushed by c inside of them, where it is the harmonic field that meets it at their surface: its gradient
// adds up to what presses on the surface. Where one is so thin that water and air are within a cell of each other, c is
// 0 beside it, and all pressure acts between particles.
#pragma once

#include <vector>

#include "passes/context.h"
#include "pressure/cell_equations.h"
#include "pressure/cells.h"

namespace loam {

class WeightPressure {
public:
    void declare(StepContext& step);
    Column<float> pressure() const { return pressure_; } // c
    Column<Float4> push_column() const { return push_; } // what it does to accelerations
    // After all other forces: changes accelerations.
    void push(StepContext& step);
    double largest_pull() const { return largest_pull_; } // of fluids, before that [m/s^2]
    // Solvers know only of the pressure between particles; what others see is all of it.
    void take_out(StepContext& step) const { add(step, -1, step.particles.pressure); }
    void put_in(StepContext& step) const { add(step, 1, step.particles.pressure); }
    void put_in(StepContext& step, Column<float> pressure) const { add(step, 1, pressure); }

private:
    void fill_cells(const StepContext& step);
    void find_walls(const StepContext& step);
    void find_pull(const StepContext& step);
    float room_to_pack(std::uint32_t cell) const;
    bool is_inside(std::uint32_t cell) const;                   // no air around
    bool is_thin(std::uint32_t cell) const;                     // a solid between fluid and air
    bool parted(std::uint32_t cell, std::uint32_t other) const; // by a wall thinner than a cell
    double to_surface(std::uint32_t cell, std::uint32_t air) const;
    void solve_fluid();
    void go_on_beyond();
    void fill_solids();
    float densest() const;                                           // [kg/m^3]
    float steepest_slope() const;                                    // that acts [Pa/m]
    float pressure_between_particles(const StepContext& step) const; // h
    Vec3d slope(std::uint32_t cell) const;
    void add(StepContext& step, float sign, Column<float> to) const;

    bool is_wet(std::uint32_t cell) const { return fluid_[cell] > least_room && fill_[cell] > surface; }
    bool is_air(std::uint32_t cell) const { return fill_[cell] <= surface; }

    static constexpr double cell_edge = 2;      // spacings
    static constexpr float layers = 0.75f;      // that weigh on particles
    static constexpr float surface = 0.5f;      // free surfaces are where cells are this full
    static constexpr float least_room = 0.1f;   // in a cell that counts
    static constexpr double least_part = 0.1;   // of an edge from a cell to a surface
    static constexpr double tolerance = 1e-3;   // what is left acts between particles
    static constexpr int most_iterations = 400; // and so does that

    double largest_pull_ = 0;
    float steepest_weight_ = 0; // of a fluid per volume [N/m^3]
    std::vector<Vec3f> pulls_;  // by body
    Column<float> pressure_;    // what c acts
    Column<Float4> push_;       // -grad c / rho; w: 1 from a particle's first step on
    Cells cells_;
    CellEquations equations_;
    // By cell:
    std::vector<float> fluid_, solid_, walls_; // shares of its room
    std::vector<float> fill_, open_;           // all three together; what walls and solids leave
    struct Pull {
        Vec3f acceleration;    // a
        float density = 1e30f; // rho
    };
    std::vector<Pull> pull_;
    std::vector<float> field_; // c
    struct NearWall {
        Vec3d normal;
        double distance = 1e30;
    };
    std::vector<NearWall> near_wall_; // where any is within a cell
};

} // namespace loam
