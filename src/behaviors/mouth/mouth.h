// What an emitter lets out keeps its velocity until it is out of reach of what is born after it.
#pragma once

#include "behaviors/behavior.h"

namespace loam {

class Mouth : public Behavior {
public:
    // By body: what is born slower than this is left to itself. The speed of an emitter may be keyed from or to 0, and
    // what it lets out then would hang in the air.
    explicit Mouth(std::vector<float> least_speed) : least_speed_(std::move(least_speed)) {}

    Status prepare(StepContext& step) override;
    Status before_motion(StepContext& step) override;
    bool births_and_deaths(StepContext& step) override;

private:
    static constexpr float out = -1;

    std::vector<float> least_speed_;
    Column<Float4> led_; // velocity, w: how far it has still to go with it [m], or `out`; 0 for what is just born
};

} // namespace loam
