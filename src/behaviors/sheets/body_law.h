// What laws share that give each of their bodies an object of its own, which is moved, saved and restored with the
// step. A body has
//   enter(step)           the particles as they are now become its shape at rest
//   move(step, weight), after_motion(step), time_step(step), save(state), restore(step, state)
#pragma once

#include <functional>
#include <memory>

#include "behaviors/behavior.h"

namespace loam {

// When laws of sheets act that have no forces beside their own motion.
inline std::vector<Act> sheet_acts() {
    return {{Stage::prepare, {}},
            {Stage::implicit, {changes("velocity"), changes("lack")}},
            {Stage::after_motion, {changes("velocity")}}};
}

template <class Body> class BodyLaw : public Behavior {
public:
    using Make = std::function<std::unique_ptr<Body>(std::uint32_t body, const Values&)>;
    BodyLaw(std::string name, const BodyValues& values, Make make)
        : name_(std::move(name)), values_(values), make_(std::move(make)), weight_(values.numbers("weight")) {}
    void set(const BodyValues& values) override { weight_ = values.numbers("weight"); }

    void tell(std::size_t body, BodyTraits& traits) const override {
        if (!values_.uses(body)) return;
        traits.touches = true;
        traits.friction = static_cast<float>(values_[body].number("friction"));
    }

    Status prepare(StepContext& step) override {
        for (std::uint32_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            bodies_.push_back(make_(b, values_[b]));
            if (Status entered = bodies_.back()->enter(step); !entered) return entered;
        }
        return Done{};
    }
    Status apply_implicit(StepContext& step) override {
        timed(step, [&](Body& body) { body.move(step, weight_); });
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

protected:
    // The same for each body, under the law's name in the profile.
    template <class F> void timed(StepContext& step, const F& of) {
        step.profile.time(name_.c_str(), [&] {
            for (auto& body : bodies_) of(*body);
        });
    }

private:
    std::string name_;
    BodyValues values_; // fixed but for the weight
    Make make_;
    Numbers weight_;
    std::vector<std::unique_ptr<Body>> bodies_;
};

} // namespace loam
