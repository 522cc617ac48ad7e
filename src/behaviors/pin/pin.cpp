// Pin: holds particles where they are at the start.
#include "behaviors/behavior.h"
#include "behaviors/sheets/slots.h"

namespace loam {
namespace {

class Pin : public Behavior {
public:
    explicit Pin(const BodyValues& values) : values_(values) {}

    Status prepare(StepContext& step) override {
        Pool& pool = step.particles;
        held_ = declare_held(pool);
        std::vector<std::size_t> found(values_.size(), 0);
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const std::uint32_t b = pool[pool.body][i];
            if (!values_.uses(b) || !holds(values_[b], pool[pool.position][i])) continue;
            pool[held_][i] = 1;
            ++found[b];
        }
        for (std::size_t b = 0; b < values_.size(); ++b)
            if (values_.uses(b) && found[b] == 0)
                return Error{Fault::scene, "behaviors.pin", "no particle of the body is where the pin is",
                             "a box that holds points of the body at the start"};
        return Done{};
    }
    Status before_motion(StepContext& step) override {
        Pool& pool = step.particles;
        const auto held = pool[held_];
        const auto velocity = pool[pool.velocity];
        parallel_each(pool.size(), [&](std::size_t i) {
            if (held[i]) velocity[i] = {0, 0, 0, velocity[i].w};
        });
        return Done{};
    }

private:
    static bool holds(const Values& values, const Vec3d& at) {
        const bool inside = Bounds{values.vector("min"), values.vector("max")}.contains(at);
        return inside == (values.text("where") == "inside");
    }

    BodyValues values_;
    Column<std::uint32_t> held_;
};

const RegisterBehavior pin{{
    .declaration = {.name = "pin",
                    .help = "Holds the particles of a body that are within a box at the start.",
                    .properties = {vector("min", "m", {0, 0, 0}, "Lower corner of the box.").needed(),
                                   vector("max", "m", {0, 0, 0}, "Upper corner of the box.").needed(),
                                   choice("where", {"inside", "outside"}, "Which side of the box is held.")}},
    .stage = Stage::force,
    .form = Form::single,
    .make = make_behavior<Pin>,
}};

} // namespace
} // namespace loam
