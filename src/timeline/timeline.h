// What is keyed in a scene, brought up to date before each step: values of behaviors over time, and values that differ
// from particle to particle because they are keyed over what a particle is (its temperature, height, ...).
#pragma once

#include <vector>

#include "behaviors/behavior.h"

namespace loam {

class Timeline {
public:
    // The values of one behavior, with a column for each property that differs from particle to particle.
    BodyValues open(const BehaviorType& type, std::vector<std::optional<Values>> values, Pool& pool);
    // The behavior that was made from them: it is told when values have changed.
    void watch(Behavior& behavior, const BodyValues& values);
    // Temperature at birth, by body [K].
    void set_temperatures(std::vector<float> at_birth) { temperature_at_birth_ = std::move(at_birth); }

    void prepare(StepContext& step);                      // once all is opened: for the particles of the start
    void born(StepContext& step, const Renewal& newborn); // and for those that come later
    void update(StepContext& step);                       // before a step
    void pass(StepContext& step);                         // after it: particles have aged

private:
    struct Watched {
        Behavior* behavior;
        BodyValues keyed;        // with all tracks
        std::vector<Vec3d> last; // what the tracks over time gave when the behavior was last told
    };
    struct Differing { // a property that is keyed over what particles are
        Column<float> column;
        std::vector<const Track*> tracks; // by body; null where it does not differ
        std::vector<float> by_body;
        Limits limits;
    };
    void tell(Watched& watched, double time);
    void fill(const Differing& property, StepContext& step);
    void warm(Pool& pool, std::size_t i) const;
    float driver_value(const StepContext& step, Driver driver, std::size_t i) const;

    std::vector<Watched> watched_;
    std::vector<std::unique_ptr<std::vector<std::optional<Values>>>> kept_; // what tracks of `differing_` point into
    std::vector<Differing> differing_;
    std::vector<float> temperature_at_birth_;
    Column<float> temperature_, saturation_, age_; // declared where something is keyed over them
};

} // namespace loam
