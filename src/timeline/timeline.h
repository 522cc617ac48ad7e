// What is keyed in a scene, brought up to date before each step: values of behaviors over time, and values that differ
// from particle to particle because they are keyed over what a particle is (its temperature, height, ...), or because
// they follow what it holds (mixture.h).
#pragma once

#include <vector>

#include "behaviors/behavior.h"
#include "timeline/mixture.h"

namespace loam {

class Timeline {
public:
    // Which bodies hold solutes; before any behavior is opened.
    void set_mixing(std::vector<std::uint8_t> bodies) { mixture_.set_bodies(std::move(bodies)); }
    // The values of one behavior, with a column for each property that differs from particle to particle.
    BodyValues open(const BehaviorType& type, std::vector<std::optional<Values>> values, StepContext& step);
    // The behavior that was made from them: it is told when values have changed.
    void watch(Behavior& behavior, const BodyValues& values);

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
    struct Differing { // a property that is not the same for all particles of a body
        Column<float> column;
        std::vector<const Track*> tracks; // by body; null where it is not keyed
        std::vector<float> by_body;
        Limits limits;
        std::optional<Mixture::Rule> rule; // where it follows what a particle holds
    };
    void tell(Watched& watched, double time);
    void fill(const Differing& property, StepContext& step);
    void declare(const Track& track, StepContext& step);
    void warm(StepContext& step, std::size_t i) const;
    float driver_value(const StepContext& step, const Track& track, std::size_t i) const;

    std::vector<Watched> watched_;
    std::vector<std::unique_ptr<std::vector<std::optional<Values>>>> kept_; // what tracks of `differing_` point into
    std::vector<Differing> differing_;
    Mixture mixture_;
    Column<float> temperature_, melted_, saturation_, age_; // declared where something is keyed over them
};

} // namespace loam
