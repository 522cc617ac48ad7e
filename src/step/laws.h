// The laws at work in a simulation: those that bodies name and those that are implied, each stage in its order.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "behaviors/behavior.h"

namespace loam {

struct Law {
    std::string name;
    std::vector<Act> acts;
    TakesPressure pressure = TakesPressure::no;
    std::unique_ptr<Behavior> behavior;
    bool from_outside = false; // see BehaviorType
};

class Laws {
public:
    void add(Law law) { laws_.push_back(std::move(law)); }
    // Once all are there.
    void arrange();

    // Those that act in a stage, one after the other.
    Status run(Stage stage, StepContext& step);
    void ask_for_births(StepContext& step, Births& births);
    void born(StepContext& step, const Renewal& renewal);

    // What they say of bodies, and who takes part in the pressure solve.
    void tell(StepContext& step) const;
    // The shortest step that one of them allows, where it is shorter than `limit`.
    TimeStepLimit time_step(const StepContext& step, TimeStepLimit limit) const;
    void unite(StepContext& step, std::span<float> quantity) const; // Behavior::unite, of all of them
    // Empty where nothing has to move as one. The context must outlive what is returned.
    std::function<void(FieldKind, std::span<Float4>)> constraint(StepContext& step) const;

    void save(SavedState& state) const;
    Status restore(StepContext& step, const SavedState& state);

    const std::vector<Law>& all() const { return laws_; }

    // Of a body that moves as one.
    std::optional<BodyPose> pose(std::size_t body) const;
    std::vector<Account> accounts(const StepContext& step) const;

    // Sees each law before and after it acts: tests look what it writes, a momentum balance what it pushes.
    class Auditor {
    public:
        virtual ~Auditor() = default;
        virtual void before(const Law& law, const Act& act) = 0;
        virtual void after(const Law& law, const Act& act) = 0;
    };
    void set_auditor(Auditor* auditor) { auditor_ = auditor; }

private:
    template <class Call> Status each_in(Stage stage, const Call& call) const;

    std::vector<Law> laws_;
    std::array<std::vector<std::size_t>, stage_count> order_;
    Auditor* auditor_ = nullptr;
};

} // namespace loam
