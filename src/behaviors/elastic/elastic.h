// Elastic bodies: total-Lagrangian SPH on the bonds of the shape at rest. README.md tells what it does and how well.
#pragma once

#include "behaviors/bearer.h"
#include "behaviors/elastic/body_frame.h"
#include "behaviors/elastic/clamps.h"
#include "behaviors/elastic/cracks.h"
#include "behaviors/elastic/entering.h"
#include "behaviors/elastic/implicit.h"
#include "behaviors/elastic/material.h"
#include "behaviors/elastic/momenta.h"
#include "behaviors/elastic/passes.h"

namespace loam {

class Elastic : public Behavior, public Bearer {
public:
    explicit Elastic(const BodyValues& values);

    void set(const BodyValues& values) override;
    void tell(std::size_t body, BodyTraits& traits) const override;
    Status prepare(StepContext& step) override;
    Status begin(StepContext& step) override;
    void apply(StepContext& step) override;
    Status apply_implicit(StepContext& step) override;
    Status before_motion(StepContext& step) override;
    void bear_pushes() override { bears_ = true; }
    void bear(StepContext& step, std::span<Float4> push) override;
    void unite(StepContext& step, std::span<float> quantity) override;
    void show(StepContext& step) override;
    TimeStepLimit time_step(const StepContext& step) const override;
    void save(SavedState& state) const override;
    Status restore(StepContext& step, const SavedState& state) override;

    const Reference& reference() const { return reference_; }

private:
    // Weight: what has none is not elastic. Entering takes a particle's present place as its place at rest, seen in the
    // frame of what is near it there; leaving forgets it.
    std::vector<std::uint32_t> members(const StepContext& step) const;
    void enter(StepContext& step, const std::vector<std::uint32_t>& particles);
    std::vector<Entrant> places_at_rest(const StepContext& step, const std::vector<std::uint32_t>& particles) const;
    void keep_cracks(const std::vector<BondPair>& broken, const std::vector<std::uint32_t>& old_slots);
    // Breaks bonds of entrants that are not as long as at rest, and tells which.
    std::vector<BondPair> separate(const StepContext& step, const std::vector<Entrant>& entrants);
    void weigh(const StepContext& step);
    void make_room(const StepContext& step);
    void make_room_for_anchors();
    void add_unflown(std::size_t up_to);
    void find_moduli(const StepContext& step);
    Status choose_integration(const StepContext& step);
    TimeStepLimit limit_of(const StepContext& step, std::size_t body) const;
    ElasticArgs args();
    ElasticSolve::System system_of(const ElasticArgs& all, double dt) const;

    void declare_shown(Pool& pool);
    double left_over(std::size_t slot) const;

    void hold(const StepContext& step);
    void drop_lost_particles();
    void find_displacements(const StepContext& step);
    void find_velocities(const StepContext& step);
    void find_stresses(const StepContext& step);
    void find_inner_pressure(const StepContext& step);
    void tell_volumes(StepContext& step) const;
    void find_flattened();
    void find_forces(const StepContext& step);
    void solve(StepContext& step);
    bool is_fixed(const StepContext& step, std::size_t slot) const; // to an implicit solve
    void crack(StepContext& step);
    // Adds scale times the field, a vector by slot in the frames of bodies that are stepped this way, to the column.
    void add_to(StepContext& step, Column<Float4> column, const std::vector<Float4>& field, bool implicit);

    std::vector<ElasticMaterial> materials_; // by body
    Numbers weight_;                         // scales the moduli
    Numbers young_, yield_;                  // where they differ from particle to particle
    bool weight_keyed_ = false, stale_ = false;
    std::vector<std::uint8_t> implicit_; // by body
    std::vector<double> flattened_;      // by body: how much nearer plastic flow has brought neighbors, at most
    SlotMap slots_;
    Column<Float4> rest_places_; // for contacts
    struct Shown {               // all but the energy only where frames carry them
        Column<float> energy, von_mises;
        Column<Float4> stress, shear_stress, strain, shear_strain;
    } shown_;
    Reference reference_;
    Clamps clamps_;
    std::vector<BodyFrame> frames_; // of reference_.bodies()
    bool damped_ = false, flows_ = false, breaks_ = false, any_implicit_ = false, any_explicit_ = false;

    // By slot, those of anchors last, padded to whole lanes.
    std::vector<Float4> moduli_, displacement_, velocity_, turn_, force_, flow_law_;
    std::vector<Float4> gradient_, stress_, flow_;   // three rows each
    std::vector<float> viscosity_, specific_volume_; // of bonds; V / m
    Cracks cracks_;
    Momenta momenta_;
    std::vector<Momenta::Change> changes_; // by slot
    ElasticSolve solve_;
    // Within the pressure solve: see bear().
    ElasticSolve answer_;
    std::vector<Float4> push_; // by slot
    bool bears_ = false;       // the pressure solver asks
    bool bearing_ = false;     // now
};

} // namespace loam
