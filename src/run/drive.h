// A simulation that can be driven: on from frame to frame, back to any of them, and on with other values of its scene.
//
// It remembers which scene held up to which frame, so that going back before a change uses the scene of then. Whatever
// way it is driven, a frame that comes from the same scenes has the same bits.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/scene_history.h"
#include "gauges/gauge_set.h"
#include "step/simulation.h"

namespace loam {

class Drive {
public:
    // At the start of the scene.
    static Result<Drive> begin(const Scene& scene, InstructionSet isa = best_instruction_set());
    // Of a run that is there; nowhere yet: start() or restore() comes next. `file` is named in messages.
    Drive(SceneHistory scenes, std::string file, InstructionSet isa);

    // To frame 0.
    Status start();
    // To a frame of these scenes whose snapshot was taken. Columns that are not saved are zero until it goes on.
    Status restore(std::uint64_t frame, const Snapshot& snapshot);

    using AfterStep = std::function<void()>;
    // To the next frame. When `stop` becomes true it ends between two steps, with Fault::stopped; then only start() and
    // restore() get to a frame again, since what follows a pause within a frame would have other bits.
    Status advance(const std::atomic<bool>* stop = nullptr, const AfterStep& after_step = {});

    // Keeps this frame in memory; back_to() gets to any frame, from the nearest one that is kept.
    void keep();
    Status back_to(std::uint64_t frame, const std::atomic<bool>* stop = nullptr, const AfterStep& after_step = {});

    // From this frame on, other values of the scene, each as PATH=VALUE; the scene is checked again as a whole. At
    // frame 0 everything can be changed, later whatever leaves the particles as they are. After an error nothing has
    // changed.
    Status set(const std::vector<std::string>& changes);
    // The same with another scene as a whole, as JSON text.
    Status set_scene(const std::string& text);

    // This frame as the scene up to it left it, whatever is set from here on.
    Snapshot snapshot() const { return before_change_ ? *before_change_ : simulation_->snapshot(); }

    // What the scene's gauges show at a frame that was come to by start() or advance().
    Readings readings() { return gauges_.readings(*simulation_); }

    bool is_placed() const { return placed_; } // at a frame, not nowhere or within one
    std::uint64_t frame() const { return frame_; }
    const SceneHistory& scenes() const { return scenes_; }
    const Scene& scene() const { return simulation_->scene(); }
    Simulation& simulation() { return *simulation_; }
    const Simulation& simulation() const { return *simulation_; }

private:
    Result<Scene> read(const std::string& text, const std::vector<std::string>& changes = {}) const;
    Status start(const Scene& scene);
    Status use(const Result<Scene>& scene);
    Status change_to(const Scene& scene);
    void place(std::unique_ptr<Simulation> simulation, std::uint64_t frame);

    SceneHistory scenes_;
    std::string file_;
    InstructionSet isa_;
    std::unique_ptr<Simulation> simulation_;
    GaugeSet gauges_;
    std::uint64_t frame_ = 0;
    bool placed_ = false;
    std::optional<Snapshot> before_change_; // of this frame, where the simulation has other values already
    std::map<std::uint64_t, Snapshot> kept_;
};

} // namespace loam
