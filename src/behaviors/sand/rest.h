// Sand that friction holds is put to rest: what no solver finds to the last digit would let a heap creep for ever.
//
// A particle has come to rest when its mean velocity has been small for a while, and so have all around it, within the
// range of clusters. It then stands still and costs little. It wakes when something near moves fast enough, when walls
// move, when what it leaned on is gone, when what pulls it or its mass changes (water has come or gone), and when its
// stress is beyond what friction bears by now. It takes more to wake than to fall asleep: else sand would flicker
// between both.
//
// Speeds are measured by that of a fall through one spacing, sqrt(g dx).
#pragma once

#include "behaviors/sand/friction.h"
#include "passes/context.h"

namespace loam {

class SandRest {
public:
    void declare(StepContext& step);
    // Range of clusters, by body [m].
    void set_reach(std::vector<float> reach) { reach_ = std::move(reach); }
    void wake_all(Pool& pool);
    // Before velocities are changed by sand: what rests stays. Wakes what has to be.
    void hold(StepContext& step, const SandFriction& friction);
    // After: who may rest.
    void update(StepContext& step, const SandFriction& friction);
    bool all_rest() const { return all_rest_; } // of the sand

    // For frames: the same number for all that rest together, 0 for what moves.
    void find_clusters(StepContext& step);

private:
    static constexpr float slow = 0.04f, quick = 0.2f; // of the mean velocity, to sleep; of the velocity, to stay awake
    static constexpr float waking = 0.3f;              // of neighbors
    static constexpr float patience = 8;               // times sqrt(dx / g)
    static constexpr float loosened = 0.03f;           // of its density, when what it leaned on is gone
    static constexpr float overloaded = 1.25f;         // of what friction bears
    static constexpr float surrounded = 0.75f;         // of neighbors at rest: they hold it, after part of the time
    static constexpr float pulled = 0.02f;             // change of what pulls it
    static constexpr float wetted = 0.01f;             // change of its mass

    struct Scale {
        float speed, time; // sqrt(g dx), sqrt(dx / g)
    };
    static Scale scale(const StepContext& step);
    static void stop(Pool& pool, std::size_t i);
    bool must_wake(const StepContext& step, const SandFriction& friction, std::size_t i, bool something_moves) const;
    bool is_bound(const Pool& pool, const SandFriction& friction, std::size_t i) const;
    bool may_rest(const StepContext& step, const SandFriction& friction, std::size_t i) const;

    std::vector<float> reach_;
    Column<float> calm_;            // how long it has been slow [s]
    Column<Float4> mean_velocity_;  // over some time
    Column<float> density_;         // when it came to rest
    Column<Float4> pull_;           // and what pulled it then [m/s^2]; w: its mass
    Column<std::uint32_t> cluster_; // by the smallest id within
    Column<float> moist_;           // suction of the water between grains (behaviors/porous), where there is any
    std::vector<std::uint8_t> next_;
    Scale scale_{1, 1};
    bool all_rest_ = false;
};

} // namespace loam
