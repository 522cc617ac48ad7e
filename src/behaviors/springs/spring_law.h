// What the laws share whose bodies are networks of springs: each makes its values, the rest is here.
#pragma once

#include <memory>

#include "behaviors/springs/spring_body.h"

namespace loam {

class SpringLaw : public Behavior {
public:
    SpringLaw(std::string name, const BodyValues& values, SpringValues (*values_of)(const Values&))
        : name_(std::move(name)), values_(values), values_of_(values_of), weight_(values.numbers("weight")) {}
    void set(const BodyValues& values) override { weight_ = values.numbers("weight"); }

    Status prepare(StepContext& step) override {
        for (std::uint32_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            bodies_.push_back(std::make_unique<SpringBody>(name_, b, values_of_(values_[b])));
            if (Status entered = bodies_.back()->enter(step); !entered) return entered;
        }
        return Done{};
    }
    Status apply_implicit(StepContext& step) override {
        step.profile.time(name_.c_str(), [&] {
            for (auto& body : bodies_) body->move(step, weight_);
        });
        return Done{};
    }
    Status after_motion(StepContext& step) override {
        for (auto& body : bodies_) body->after_motion(step);
        return Done{};
    }
    TimeStepLimit time_step(const StepContext& step) const override {
        TimeStepLimit least;
        for (const auto& body : bodies_)
            if (const TimeStepLimit own = body->time_step(step); own.seconds < least.seconds) least = own;
        return least;
    }
    void save(SavedState& state) const override {
        for (const auto& body : bodies_) body->save(state);
    }
    Status restore(StepContext& step, const SavedState& state) override {
        for (auto& body : bodies_)
            if (Status restored = body->restore(step, state); !restored) return restored;
        return Done{};
    }

private:
    std::string name_;
    BodyValues values_; // fixed but for the weight
    SpringValues (*values_of_)(const Values&);
    Numbers weight_;
    std::vector<std::unique_ptr<SpringBody>> bodies_;
};

} // namespace loam
