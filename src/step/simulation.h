// A simulation: a scene brought to life, and the step that moves it on (step.cpp).
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "pressure/solver.h"
#include "scene/scene.h"
#include "step/balance.h"
#include "step/laws.h"
#include "step/sources.h"
#include "timeline/timeline.h"

namespace loam {

class WeightPressure;

// What happened since the last call of take_report().
struct StepReport {
    std::size_t steps = 0;
    double mean_dt = 0;
    double least_dt = 0;
    std::string dt_reason; // what limited most steps
    double iterations = 0; // mean per step
    double divergence_iterations = 0;
    double volume_error = 0; // mean over particles and steps
    double largest_volume_error = 0;
    std::size_t unconverged = 0; // steps whose pressure solve ran out of iterations
    std::size_t born = 0, died = 0, pushed_back = 0;
};

class Simulation {
public:
    ~Simulation();
    // Samples the bodies and prepares all laws.
    static Result<std::unique_ptr<Simulation>> create(const Scene& scene, InstructionSet isa = best_instruction_set());
    // Goes on from a moment of a simulation of this scene, or of one that differs in values only: then with these. An
    // error when they change what particles are or were at the start.
    static Result<std::unique_ptr<Simulation>> go_on(const Scene& scene, const Snapshot& from,
                                                     InstructionSet isa = best_instruction_set());

    // Steps until `time`, which the last step meets exactly. Returns early, with Fault::stopped, when `stop` becomes
    // true. `after_step` is called after each step, for whoever watches.
    Status advance(double time, const std::atomic<bool>* stop = nullptr, const std::function<void()>& after_step = {});
    // One step, at most until `limit`.
    Status step(double limit);

    double time() const { return context_.time; }
    std::size_t steps() const { return steps_; }
    const Pool& particles() const { return pool_; }
    Pool& particles() { return pool_; }
    const Walls& walls() const { return walls_; }
    const Scene& scene() const { return scene_; }
    const StepContext& context() const { return context_; }
    const Neighborhood& neighborhood() const { return *neighborhood_; }
    Laws& laws() { return laws_; }
    Profile& profile() { return profile_; }
    double deepest_in_walls() const; // how far the worst particle is inside of a wall [m]; 0 when none is
    std::size_t memory() const;      // bytes of particles, walls, grids and lists
    StepReport take_report();
    // What is odd about the scene and how it begins, each with its place.
    const std::vector<Error>& doubts() const { return doubts_; }
    // Brings the felt pressure up to date with the last step; step() does so where it meets its limit.
    void feel_pressure();

    // What has to be known after each step, not only where a frame is due.
    struct Watch {
        bool pressure = false; // the felt one
        bool forces = false;   // on bodies and walls
    };
    void watch(const Watch& watch);
    // By body, walls too: by all that touches it, the mean over the last step [N]; empty if they are not watched.
    std::span<const Vec3d> forces() const;
    // Of a body that moves as one.
    std::optional<BodyPose> pose(std::size_t body) const { return laws_.pose(body); }
    std::vector<Account> accounts() const { return laws_.accounts(context_); }

    // This moment, and back to it: where a frame is due, what follows has the same bits as if nobody had gone back.
    Snapshot snapshot() const { return {save_columns(pool_), save()}; }
    Status restore(const Snapshot& from);

private:
    explicit Simulation(const Scene& scene);
    Status set_up(InstructionSet isa);
    Status begin_at_the_start();
    void find_first_densities();
    SavedState save() const;

    // The parts of a step, in their order.
    Status begin();
    void kick(double dt);
    Status find_forces();
    Status choose_time_step(double limit);
    Status act_implicitly();
    void solve_pressure();
    Status drift();
    bool meets(double limit) const { return context_.dt == limit - context_.time; } // this step, which time has to pass
    void pass_time(double limit);
    Status exchange();
    Status show(bool frame_is_due);
    void births_and_deaths();
    void put_down();

    Scene scene_;
    Profile profile_;
    SceneFacts facts_;
    Pool pool_;
    Walls walls_;
    StepContext context_;
    std::unique_ptr<Neighborhood> neighborhood_;
    std::unique_ptr<PressureSolver> pressure_;
    std::unique_ptr<WeightPressure> weight_; // where weight does not act between particles
    bool weight_is_known_ = false;           // to the pressure solver
    Timeline timeline_;
    Laws laws_;
    Sources sources_;
    bool forces_known_ = false; // accelerations are those of the particles as they stand; for velocity Verlet
    std::size_t steps_ = 0;
    std::vector<Error> doubts_;
    Watch watch_;
    std::unique_ptr<MomentumBalance> balance_; // where forces are watched
    std::vector<double> start_; // mark of the particles that the scene begins with, before anything moved

    StepReport report_;
    std::map<std::string, std::size_t> reasons_;
    std::string dt_reason_;
};

} // namespace loam
