// Porous flow: bodies that take up fluid, pass it on within, and let it out again. README.md tells what it does.
#pragma once

#include "behaviors/behavior.h"
#include "behaviors/porous/adhesion.h"
#include "behaviors/porous/network.h"
#include "behaviors/porous/solve.h"

namespace loam {

// Of all that takes part: what came and went since the start [m^3].
struct WaterCounts {
    double absorbed = 0, emitted = 0; // from free fluid into pores, and back
    double dried = 0;                 // from pores into the air
    double entered = 0, drained = 0;  // by emitters and drains
};

class Porous : public Behavior {
public:
    explicit Porous(const BodyValues& values) : values_(values) { set(values); }

    void set(const BodyValues& values) override;
    Status prepare(StepContext& step) override;
    void tell(std::size_t body, BodyTraits& traits) const override { traits.passable |= passes_[body] != 0; }
    void apply(StepContext& step) override;
    Status apply_implicit(StepContext& step) override;
    Status transfer(StepContext& step) override;
    void births(StepContext& step, Births& births) override;
    void born(StepContext& step, const Renewal& renewal) override;
    void show(StepContext& step) override;
    void account(const StepContext& step, std::vector<Account>& accounts) const override;
    void save(SavedState& state) const override;
    Status restore(StepContext& step, const SavedState& state) override;

private:
    // porous.cpp
    Status choose_fluids(const StepContext& step);
    Status vary(StepContext& step);
    Status solutes_fit(const StepContext& step, std::size_t body) const;
    Status fill(StepContext& step);
    void fill(StepContext& step, std::size_t i); // as it is at the start, or when it comes out of an emitter
    double density(std::uint32_t body) const { return materials_.fluid_density[body]; } // of the fluid
    double whole(const StepContext& step) const { return step.scene.space; }            // what a full particle holds
    void weigh(Pool& pool, std::size_t i) const; // mass, and volume of free fluid, by what it holds

    // exchange.cpp
    void crowd_sheets(StepContext& step);
    double growth(const StepContext& step, std::size_t i) const;
    void find_room(StepContext& step);
    void take_back(StepContext& step);
    double free_pressure(const StepContext& step, std::size_t i) const;
    void solve(StepContext& step);
    void move(StepContext& step);
    void dry(StepContext& step);

    // solutes.cpp
    struct Carried { // a solute that water takes along; its columns are those of `miscible`
        std::string name;
        Column<double> amount;
        Column<float> concentration;
        Column<double> held_back; // by the medium
        double density = 0;       // 0: as what it is in
    };
    void find_solutes(StepContext& step);
    void fill_solutes(StepContext& step, std::size_t i);
    double excess(const Pool& pool, std::size_t i) const;                      // [kg] of solutes, above as much fluid
    double carried(const Pool& pool, std::size_t solute, std::size_t i) const; // as a part of the water
    double dissolved(const Pool& pool, std::size_t i) const;                   // [m^3]
    double flowing(std::size_t at, std::size_t node, const PorousEdge& edge) const;
    void carry(StepContext& step);
    void filter(StepContext& step);
    void filter_through(StepContext& step);
    void give(Pool& pool, std::size_t from, std::size_t to, double water) const;
    void tell_concentrations(StepContext& step) const;

    // through.cpp
    struct Braking {      // of a particle of fluid
        double share = 0; // of its way that is within such bodies
        Vec3d change;     // of its velocity
        double kept = 0;  // by the medium: share of its solutes in the step
    };
    void find_braking(const StepContext& step);

    // emission.cpp
    struct Newborn {
        std::size_t index = 0; // as Births counts
        double water = 0;
        std::vector<double> solutes;
    };
    struct Emission { // of one step
        Births& births;
        std::vector<std::uint8_t> busy; // by particle: it dies, or takes up another one
        std::vector<Vec3d> places;      // of newborns
    };
    void feed(StepContext& step, std::size_t node);
    void give_birth(StepContext& step, std::size_t node, Emission& emission);
    std::optional<Vec3d> birth_place(const StepContext& step, std::size_t node, const Emission& emission) const;
    void hand_on(StepContext& step, std::size_t particle, Emission& emission);
    void join(StepContext& step, std::size_t particle, Emission& emission);

    BodyValues values_;
    PorousMaterials materials_;
    std::vector<double> drying_, swells_; // by body [kg/(m^2 s)], [-]
    std::vector<double> filter_;          // by body [1/m]
    bool filters_ = false;                // some of them do
    std::vector<std::uint8_t> passes_;    // by body: whole particles of fluid flow through it
    std::vector<double> forchheimer_;     // by body [1/m]
    std::vector<Braking> braking_;        // by particle
    bool sheets_ = false;                 // some of them have pores
    WetAdhesion adhesion_;
    PorousNetwork network_;
    PorousSolve solve_;
    bool yields_ = false;        // some body with pores deforms
    bool network_holds_ = false; // of the particles in their present order

    // By node:
    std::vector<double> content_, potential_, given_; // given: the share of what is wanted that there is

    Column<double> water_, film_; // in pores or, of free fluid, all of it; seeped out, and not yet free [m^3]
    Column<double> pore_potential_;
    Column<float> dry_mass_, saturation_;
    Column<float> inertia_;           // of points of sheets
    Column<std::uint32_t> exchanged_; // free fluid that has lost or gained some
    Column<float> matter_, room_;     // V*, phi V* [m^3]
    Column<Float4> pore_velocity_;
    Column<float> pore_pressure_, porosity_;
    std::optional<Column<float>> grain_suction_; // how much moist grains hold each other [Pa]; where there are any
    Column<float> volume_ratio_, swelling_;      // J, which laws of bodies that deform set; by how much it swells

    std::vector<Carried> solutes_;

    WaterCounts counts_;
    std::vector<Newborn> newborns_; // of this step
};

} // namespace loam
