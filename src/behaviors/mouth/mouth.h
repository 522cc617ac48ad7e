// What an emitter lets out keeps its velocity until it is out of reach of what is born after it.
#pragma once

#include "behaviors/behavior.h"

namespace loam {

class Mouth : public Behavior {
public:
    Status prepare(StepContext& step) override;
    Status before_motion(StepContext& step) override;
    bool births_and_deaths(StepContext& step) override;

private:
    static constexpr float out = -1;

    Column<Float4> led_; // velocity, w: how far it has still to go with it [m], or `out`; 0 for what is just born
};

} // namespace loam
