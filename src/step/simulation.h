// A simulation: a scene brought to life, and the step that moves it on.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "behaviors/behavior.h"
#include "particles/pool.h"
#include "particles/snapshot.h"
#include "pressure/solver.h"
#include "scene/scene.h"
#include "step/emitter.h"
#include "step/wall_body.h"
#include "timeline/timeline.h"

namespace loam {

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
    const std::vector<WallBody>& wall_bodies() const { return wall_bodies_; }
    const Scene& scene() const { return scene_; }
    const StepContext& context() const { return context_; }
    const Neighborhood& neighborhood() const { return *neighborhood_; }
    Profile& profile() { return profile_; }
    double deepest_in_walls() const; // how far the worst particle is inside of a wall [m]; 0 when none is
    std::size_t memory() const;      // bytes of particles, walls, grids and lists
    StepReport take_report();
    // Brings the felt pressure up to date with the last step; step() does so where it meets its limit.
    void feel_pressure();

    // This moment, and back to it: where a frame is due, what follows has the same bits as if nobody had gone back.
    Snapshot snapshot() const { return {save_columns(pool_), save()}; }
    Status restore(const Snapshot& from);

private:
    explicit Simulation(const Scene& scene);
    Status set_up(InstructionSet isa);
    Status begin_at_the_start();
    void tell_of_scene(InstructionSet isa);
    Result<double> look_at_materials();
    Status make_pressure(double densest);
    void make_neighborhood();
    Status make_walls();
    Status cover_with_particles(const WallBody& wall);
    Status check_sides(const WallBody& wall, const std::vector<SurfacePoint>& points) const;
    void find_wall_volumes();
    Status make_particles();
    std::uint32_t group_at(std::uint32_t body, const Vec3d& place) const;
    Status make_behaviors();
    std::vector<float> least_led_speeds() const; // by body, for Mouth
    void ask_bearers();
    Status check_start();
    Status check_sizes(std::span<const std::size_t> counts); // particles by body, groups with theirs
    Status check_distance(std::span<const std::size_t> counts);
    Status check_domain(std::span<const std::size_t> counts);
    Bounds open_sides() const; // beyond which particles vanish
    Status check_walls(std::span<const std::size_t> counts);
    Status check_emitters(std::span<const std::size_t> counts);
    Status check_overlaps(std::span<const std::size_t> counts);
    double expected_speed() const;
    void expect_steps();
    Status settle_start();
    void find_first_densities();
    void fit_into_vessel();
    std::vector<double> start_mark() const; // of the particles that the scene begins with
    std::vector<double> densities() const;  // at rest, by body, as of now

    SavedState save() const;
    void weigh_anew(std::span<const double> densities_before);

    Status begin();
    void find_forces();
    void move_walls();
    void walls_in_first_order();
    void pass_time(double limit);
    void gather_accelerations();
    Status apply_implicit();
    void constrain(Column<Float4> field);
    void kick(double seconds);
    Status drift(double seconds);
    struct Moved {
        std::size_t lost = SIZE_MAX; // a particle that is nowhere
        double farthest2 = 0;        // way of the fastest one, squared
    };
    Moved move_particles(double seconds);
    void shift(double seconds);
    void keep_out_of_walls(double farthest); // that a particle has moved [m]
    double lists_reach_above_walls() const;
    Status held(double farthest) const;
    void births_and_deaths();
    Status choose_time_step(double limit);
    TimeStepLimit longest_flow_step(double longest) const;
    TimeStepLimit longest_time_step();
    std::string fastest_text() const; // which body has the fastest particle, and where

    Scene scene_;
    Profile profile_;
    Pool pool_;
    Walls walls_;
    std::unique_ptr<Neighborhood> neighborhood_;
    StepContext context_;
    Timeline timeline_;
    std::vector<std::unique_ptr<Behavior>> behaviors_;
    std::unique_ptr<PressureSolver> pressure_;
    std::vector<WallBody> wall_bodies_;
    std::vector<Emitter> emitters_;
    std::vector<std::vector<std::uint8_t>> drain_takes_; // [drain][body]
    bool verlet_ = false;
    bool forces_known_ = false; // accelerations are those of the particles as they stand; for velocity Verlet
    std::size_t steps_ = 0;
    std::vector<double> start_; // start_mark(), before anything moved

    StepReport report_;
    std::map<std::string, std::size_t> reasons_;
    std::string dt_reason_;
};

} // namespace loam
