// Pins: particles that are held, in place or along a motion, until they are let go. For every material.
#pragma once

#include "behaviors/behavior.h"

namespace loam {

class Pin : public Behavior {
public:
    struct Hold {
        std::uint32_t body;
        std::string path; // in the scene, for messages
        ShapePtr shape;
        Motion motion;
        double until;
    };
    explicit Pin(std::vector<Hold> holds) : holds_(std::move(holds)) {}

    Status prepare(StepContext& step) override;
    Status apply_implicit(StepContext& step) override { return lead(step); }
    Status before_motion(StepContext& step) override { return lead(step); }
    // Nothing pushes what is held: fluids must not take it for something that gives way.
    bool constrains() const override { return true; }
    void constrain(StepContext& step, std::span<Float4> field) override;

private:
    // Gives what is held the velocity that brings it where it shall be at the end of the step.
    Status lead(StepContext& step);

    std::vector<Hold> holds_;
    Column<Vec3d> rest_; // before the motion
};

} // namespace loam
