// The columns and sums that all pressure solvers share; a thin layer over passes.h.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "passes/context.h"
#include "pressure/passes.h"

namespace loam {

class Pass;

// V / m of particles.
struct SpecificVolumes {
    float least = 1e30f, most = 0; // above 0
    float least_volume = 1e30f;    // above 0
    bool any_is_0 = false;         // some take up no room

    bool alike() const { return !any_is_0 && least >= most; }
};

class PressureFields {
public:
    // What solvers do with the sums: one push, or iterations; these with fresh gradients of pairs in each pass, or at
    // fixed places with kept ones.
    enum class Use { once, iterated, iterated_with_kept_gradients };
    void declare(StepContext& step, Use use);

    // How much of a compression one step takes back. Taking back all of it hurls particles apart where an emitter puts
    // some among others, or where a heavy body strikes a light one; taking back too little lets them pile up at
    // emitters. So up to `at_once` is taken back immediately, and of more only a `share`. Steps that something else has
    // shortened take back less in proportion. Where the speeds that corrections add persist, steps that are shorter
    // than expected do so too: those speeds shorten the next step, which would add them once more.
    struct TakenBack {
        float at_once, share;
        float operator()(float compression) const {
            return std::min(compression, std::max(at_once, share * compression));
        }
    };
    static constexpr TakenBack in_fluids{0.03f, 0.1f}, beside_solids{0.01f, 0.1f};
    static constexpr TakenBack in_grains{0, 0.1f}; // what friction holds would be pressed again in every step
    static TakenBack taken_back(const StepContext& step, bool speeds_stay) {
        if (step.settling) return {0.1f, 0};
        const bool rubs =
            std::any_of(step.traits.begin(), step.traits.end(), [](const auto& body) { return body.rubs; });
        const TakenBack& usual = rubs ? in_grains : step.scene.has_solids ? beside_solids : in_fluids;
        const double of_expected = speeds_stay ? 2 * step.dt / step.scene.expected_step : 1;
        const auto part = static_cast<float>(std::min(step.part_of_flow_step(), of_expected));
        return {part * usual.at_once, part * usual.share};
    }
    // The diagonal of a particle amid a lattice, where G vanishes by symmetry; of specific volume 1.
    static double lattice_diagonal(const Kernel& kernel, double spacing);
    static constexpr float lone_density = 0.7f; // below it the fluid may expand freely: its divergence says nothing

    Column<Float4> gradient; // G, w: the diagonal
    Column<float> kappa;     // the pressure that is iterated on, in the solver's own scale
    Column<float> source;
    Column<Float4> push;
    Column<float> residual; // of the equation that is relaxed: positive where more pressure is needed

    std::function<void(std::span<Float4>)> bear; // what solids make of pushes, with kept gradients; may be empty

    // Where particles and walls are taken to be: now, or where a step is about to bring them.
    struct Places {
        Column<Float4> particles, walls;
    };
    static Places places_now(const StepContext& step) { return {step.particles.place, step.walls.place}; }

    void find_densities(StepContext& step) { find_densities(step, places_now(step), step.particles.density); }
    void find_densities(StepContext& step, const Places& places, Column<float> to);
    // Returns whether any particle takes part in a pressure solve, for solvers that rest where none does: densities
    // alone are enough for them.
    bool begin_flow(StepContext& step);
    // Without the gradient and the diagonal.
    void find_densities_alone(StepContext& step) {
        find_solids(step);
        find_densities_alone(step, places_now(step), step.particles.density);
    }
    void find_densities_alone(StepContext& step, const Places& places, Column<float> to);
    // What of the densities now comes from the particles for which counts(i); with fresh gradients only.
    void find_densities_by(StepContext& step, const std::function<bool(std::size_t)>& counts, Column<float> to);
    // What is left of the compression now.
    double mean_compression(const StepContext& step, double& largest, const TakenBack& taken = {0, 0}) const;
    // The push of a pressure, with fresh gradients.
    void find_push(StepContext& step, const Places& places, Column<float> of, Column<Float4> to, Put put);
    // The push of kappa, with kept gradients.
    void find_kept_push(StepContext& step);
    // The rate of compression by the velocities and those of the walls, with kept gradients.
    void find_divergence(StepContext& step, Column<float> to);

    // Solids take no pressure of their own: pairs of fluid and solid push with the fluid's alone, as walls do. This
    // scales a source or residual by the share that particles take, so that no pressure arises where it is 0.
    static void leave_out_solids(const StepContext& step, std::span<float> equation);

    // Where no fluid has room to expand, in a full tank or a periodic box, its mean compression is beyond any pressure,
    // and pressure has no zero that it would fall back to: warm starts pump it up from step to step. This takes the
    // mean out of the source and starts from kappa = 0 there. A tank that is not quite full is like any other: to take
    // out its mean would push at all that is denser than the mean, in every step.
    void settle_closed(StepContext& step);

    struct Goal {
        double tolerance = 0; // of the mean compression
        int at_least = 0, at_most = 0;
        double usual_diagonal = 0; // no particle's diagonal counts as less; 0: each has its own, gradient.w
    };
    struct Outcome {
        int iterations = 0;
        double mean = 0, largest = 0;
        bool converged = false;
    };
    // Finds kappa >= 0 and its push so that source + divergence(push) vanishes where it was compression.
    Outcome relax_pressure(StepContext& step, const Goal& goal);
    // The same for any equation: find_residual sets `residual` (and what the solver takes from it) from kappa.
    Outcome relax(StepContext& step, const Goal& goal, const std::function<void()>& find_residual);
    Column<float> kappa_before; // kappa without the last step of a relaxation

    // The implicit solve that DFSPH and IISPH share: kappa = p dt^2 and its push, a displacement, so that the density
    // after the motion, delta + dt div v + div push, is at most the rest density. Starts from warm_start times p. What
    // is `held` (above 0; null: nothing is) keeps the density that it has, if that is less.
    Outcome keep_volume(StepContext& step, const Goal& goal, float warm_start, const TakenBack& taken,
                        const float* held = nullptr);
    // velocity += scale push
    void take_push(StepContext& step, float scale) const;

    // Corrected gradients, see correction.h; with kept gradients only.
    void declare_correction(StepContext& step);
    // `free`: set to 1 at free surfaces, 2 in drops, jets and films, else 0, if asked for.
    void find_correction(StepContext& step, const Column<float>* free = nullptr);
    // Whether divergences, pushes and relax_pressure() use them from now on.
    void correct(bool on);
    Column<float> away_from_solids; // from 0 to 1 some reaches of the kernel away; where there are any
    // velocity += dt (reference push of c + push of rest). What c pushes is free of the order of neighbors; the rest of
    // the pressure, or what was pushed by c before, acts between them.
    void push_by_reference(StepContext& step, Column<float> reference, Column<float> rest);
    void find_reference_push(StepContext& step, Column<float> reference); // into `push`, and c, rho, V into record()
    // Velocities follow when places are moved by `push`: else each particle would take its own to where it does not
    // belong, and flow would diffuse.
    void take_velocities_along(StepContext& step);
    Column<Float4> record() const { return correction_->record; } // c, rho, V; 0 for solids
    // A smooth share of the pressure: the mean of what each particle and its neighbors have at least. It is 0 within
    // reach of a free surface and has the pressure's own gradient inside.
    void find_reference(StepContext& step, Column<float> pressure, Column<float> to);
    void find_mean(StepContext& step, Column<float> of, Column<float> to); // of each particle and its neighbors
    // Of what is in `source`, the mean of the least within two reaches of the kernel.
    void find_least_twice(StepContext& step, Column<float> to);
    // Less of both, so that the least reference is 0.
    static void drop_constant(StepContext& step, Column<float> pressure, Column<float> reference);

    std::size_t memory() const { return kept_ ? kept_->memory() : 0; }

    // The longest step of implicit solvers: the shorter one of
    //   share sqrt(spacing / a)           a: the largest acceleration of the forces. Solvers linearize the density
    //                                     over the step; where forces alone would move particles by several hundredths
    //                                     of their distance, what that leaves out comes back as push, and a resting
    //                                     column boils. From 0.2 on it explodes.
    //   courant spacing / sqrt(p / rho)   Neighbors under pressure hold each other like springs: what disturbs their
    //                                     order runs through them with sqrt(p / rho). Longer steps heat the bottom of
    //                                     deep tanks. p is at most what a, or a pull that a smooth pressure bears,
    //                                     holds all along the fluid.
    static TimeStepLimit time_step(const StepContext& step, double share, double pull, double courant = 0.5);

private:
    struct Diagonals {
        float usual; // no particle's diagonal counts as less
        LeastDiagonal least;
    };
    Diagonals diagonals(const StepContext& step, const Goal& goal) const;
    Outcome iterate(StepContext& step, const Goal& goal, const std::function<ResidualSums()>& find_residual);
    ResidualSums compare_with_last(const StepContext& step, const Diagonals& diagonals) const;
    void step_along_residual(StepContext& step, float length, const Diagonals& diagonals);
    void find_corrected_push(StepContext& step, Column<float> pressure);
    void find_corrected_divergence(StepContext& step, Column<float> to);
    ResidualSums find_corrected_residual(const StepContext& step, const Diagonals& diagonals) const;
    enum class Around { least, mean };
    void find_around(StepContext& step, Around which, Column<float> from, Column<float> into);
    std::optional<GradientStore> kept_;
    Column<float> weighted_pressure_; // V kappa, with kept gradients
    Column<Float4> pressure_place_;   // position, w: V p, with fresh ones
    double relaxation_ = 0.4;         // a length of steps that is stable by itself, with any kernel
    // V / m of all particles in this step: a column only where they differ.
    SpecificVolumes specific_;
    Column<float> specific_volume_;
    void find_specific_volumes(StepContext& step);
    const float* specific_volumes(Pass& pass) const; // null where all are alike: specific_.most

    // Free fluid that pores take up, or let out, is small for a while. What pressure would have to do to the density of
    // a small particle is hardly its own doing: by pushing it can change that as little as it is small, and would be
    // thrown far. So its equation yields: the compression that it leaves is its pressure times `compliance`, which
    // makes up for what its diagonal lacks beside that of a full particle.
    Column<float> compliance_;
    bool some_are_small_ = false;
    double full_volume_ = 0, full_diagonal_ = 0; // of a particle amid a lattice; of specific volume 1
    void find_compliance(StepContext& step);
    void take_compliance(StepContext& step) const; // into `residual`

    // Which particles are solids, for passes; null when there never are any.
    Column<float> solid_;
    void find_solids(StepContext& step) const;
    const float* solids(Pass& pass) const;
    DensityArgs density_arguments(Pass& pass, const Places& places, Column<float> to) const;
    KeptGradients kept_pairs(const StepContext& step) const { return kept_->view(step.neighbors->particles); }
    static const float* rests(Pass& pass); // null when no law puts anything to rest
    ResidualArgs residual_arguments(Pass& pass, const Diagonals& diagonals) const;

    struct Correction {
        Column<Float4> straight, across;                   // N, w: how complete neighbors are
        Column<Float4> weighted_straight, weighted_across; // V p L
        Column<Float4> gradient;                           // the one that is not in use: corrected, or plain
        Column<Float4> record;                             // c, rho, V
        bool on = false;
    };
    std::optional<Correction> correction_;

    Column<float> residual_before;
    bool once_ = false;  // pressure is a force
    bool rests_ = false; // and there is none in this step: nothing flows
};

// The particles' felt pressure from the pressure that acted in this step.
void find_felt_pressure(StepContext& step);

} // namespace loam
