// A body of mass points and springs: its reference state, its network and how it is moved on.
#pragma once

#include <functional>
#include <optional>

#include "base/declaration.h"
#include "behaviors/behavior.h"
#include "behaviors/springs/approximate.h"
#include "behaviors/springs/implicit.h"

namespace loam {

struct SpringValues {
    double stiffness[3]; // by SpringKind [N/m]
    double damping[3];   // as a fraction of critical damping, of the body's slowest stretching
    double tear;         // strain; 0: never
    std::string integration;
    double tolerance;
    double friction = 0.3;
    double accuracy = 1e-4; // of a substep that chooses its length, in spacings
    // Springs between the points of a sheet at rest; empty: by kind.
    std::function<std::vector<Spring>(const Sheet&, const SceneFacts&)> of_sheet;
};

class SpringBody {
public:
    // `law`: the name under which state is saved; bodies of several laws are made of springs.
    SpringBody(std::string law, std::uint32_t body, const SpringValues& values)
        : law_(std::move(law)), body_(body), values_(values), implicit_(values.tolerance) {}

    // The particles of the body as they are now become the reference state.
    Status enter(StepContext& step);
    void move(StepContext& step, const Numbers& weight);
    void after_motion(StepContext& step) { motion_.after_motion(step); }
    TimeStepLimit time_step(const StepContext& step) const;

    void save(SavedState& state) const;
    Status restore(const StepContext& step, const SavedState& state);

    std::size_t springs() const { return network_.springs(); }
    double longest_substep() const { return longest_substep_; }

private:
    Status make(const StepContext& step);
    std::optional<Sheet> sheet_at_rest(const StepContext& step) const;
    std::vector<Spring> springs_at_rest(const StepContext& step) const;
    Status check(const StepContext& step) const;
    bool is_explicit() const;
    bool chooses_substeps() const;
    bool is_damped() const;
    void find_wave_speed(const StepContext& step, const std::vector<Spring>& springs);
    void find_damping_time();
    std::string state_name(const char* what) const { return law_ + "." + what + "." + std::to_string(body_); }

    std::string law_;
    std::uint32_t body_;
    SpringValues values_;
    SlotMotion motion_;
    std::vector<Vec3d> reference_; // positions by slot
    std::vector<float> per_mass_;
    SpringNetwork network_;
    double longest_substep_ = 0;
    double wave_speed_ = 0;          // of stretching [m/s]
    double damping_time_ = 0;        // two over the frequency of the slowest stretching [s]
    std::vector<std::uint8_t> held_; // by slot: what that follows from
    std::vector<float> tear_;        // strain by slot; empty: never
    ImplicitSprings implicit_;
    FilteredSprings filtered_;
    KangSprings kang_;
};

} // namespace loam
