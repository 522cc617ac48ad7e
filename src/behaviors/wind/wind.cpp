// Wind: moving air drags the particles at a fluid's surface along. The law is that of drag, relative to the moving air.
#include "behaviors/drag/air.h"
#include "behaviors/wind/gusts.h"

namespace loam {
namespace {

class Wind : public Behavior {
public:
    explicit Wind(const BodyValues& values) : values_(values) { set(values); }

    void set(const BodyValues& values) override {
        values_ = values;
        air_.set(values);
        gusts_.clear();
    }
    void apply(StepContext& step) override {
        for (std::size_t b = gusts_.size(); b < values_.size(); ++b)
            gusts_.push_back(values_.uses(b) ? gusts_from(values_[b], step.scene.dimensions) : Gusts{});
        const Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto position = pool[pool.position];
        air_.apply(step, [&](std::size_t i) { return gusts_[body[i]].at(position[i], step.time); });
    }
    TimeStepLimit time_step(const StepContext&) const override { return air_.time_step("wind"); }

private:
    BodyValues values_;
    Air air_;
    std::vector<Gusts> gusts_; // by body
};

std::vector<Property> properties() {
    std::vector<Property> all{
        vector("velocity", "m/s", {5, 0, 0}, "Velocity of the steady wind."),
        number("gusts", "", 0, {0, 10}, "Strength of gusts as a fraction of the wind's speed."),
        number("gust_size", "m", 1, {1e-6, 1e6}, "Size of a gust."),
        number("gust_period", "s", 1, {1e-6, 1e6}, "Time over which a gust changes while it travels with the wind."),
        integer("seed", 0, {0, 2147483647}, "Start of the gusts' random numbers; the same seed, the same gusts.")};
    for (Property& p : Air::properties()) all.push_back(std::move(p));
    return all;
}

const RegisterBehavior wind{{
    .declaration = {.name = "wind",
                    .help = "Moving air, steady or in gusts, drags particles at the surface along.",
                    .properties = properties()},
    .form = Form::single,
    .acts = {{Stage::force, {reads("velocity"), changes("acceleration")}}},
    .make = make_behavior<Wind>,
    .from_outside = true,
}};

} // namespace
} // namespace loam
