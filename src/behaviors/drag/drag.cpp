// Drag: still air slows the particles at a fluid's surface. For air that moves there is `wind`, which includes drag.
#include "behaviors/drag/air.h"

namespace loam {
namespace {

class Drag : public Behavior {
public:
    explicit Drag(const BodyValues& values) { set(values); }

    void set(const BodyValues& values) override { air_.set(values); }
    void apply(StepContext& step) override {
        air_.apply(step, [](std::size_t) { return Vec3d{}; });
    }
    TimeStepLimit time_step(const StepContext&) const override { return air_.time_step("drag"); }

private:
    Air air_;
};

const RegisterBehavior drag{{
    .declaration = {.name = "drag",
                    .help = "Still air slows particles at the surface, and spray most of all.",
                    .properties = Air::properties()},
    .form = Form::single,
    .acts = {{Stage::force, {reads("velocity"), changes("acceleration")}}},
    .make = make_behavior<Drag>,
    .from_outside = true,
}};

} // namespace
} // namespace loam
