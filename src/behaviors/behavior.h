// The plug-in: a behavior is a force or exchange law with properties. To add one, add a folder below src/behaviors with
// a declaration and a law; nothing else changes (docs/adding-a-behavior.md walks through it).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/declaration.h"
#include "base/registry.h"
#include "base/result.h"
#include "behaviors/acts.h"
#include "particles/births.h"
#include "particles/snapshot.h"
#include "passes/context.h"
#include "passes/numbers.h"

namespace loam {

// Where a body is that moves as one, and how it moves.
struct BodyPose {
    Vec3d center;   // of mass [m]
    Vec3d turn;     // since the start: about this direction, by its length [rad]
    Vec3d velocity; // of the center [m/s]
    Vec3d spin;     // angular velocity [rad/s]
};

// Something of which nothing may get lost, and where it is: "water": free, absorbed, ...
struct Account {
    std::string name, unit;
    std::vector<std::pair<std::string, double>> entries; // where one is named `sum`, it stays
};

// What a law looks at: nothing, the particle itself, neighbors, a group.
enum class Form { property, single, pair, cluster };

// Which bodies use a behavior, with which values. Index: body. Bodies without it have no values.
class BodyValues {
public:
    explicit BodyValues(std::vector<std::optional<Values>> values, std::map<std::string, Column<float>> differing = {})
        : values_(std::move(values)), differing_(std::move(differing)) {}

    std::size_t size() const { return values_.size(); }
    bool uses(std::size_t body) const { return values_[body].has_value(); }
    const Values& operator[](std::size_t body) const { return *values_[body]; }
    const std::vector<std::optional<Values>>& all() const { return values_; }

    // One number per particle; `otherwise` where the behavior is not used.
    Numbers numbers(const std::string& property, float otherwise = 0) const;
    BodyValues at(double time) const; // with what is keyed over time as it is then

private:
    std::vector<std::optional<Values>> values_;
    std::map<std::string, Column<float>> differing_; // properties that are keyed over what particles are
};

// A law at work in a simulation. It is called in the stages that its type declares (acts.h), and in no others.
class Behavior {
public:
    virtual ~Behavior() = default;
    // Takes over values, also where keys have changed them. Constructors call it.
    virtual void set(const BodyValues&) {}
    // What it says of a body to other laws; asked after construction, then in each step, after begin().
    virtual void tell(std::size_t /*body*/, BodyTraits&) const {}
    // How much its particles take part in the pressure solve, of a law that TakesPressure.
    virtual Numbers pressure_share() const { return {}; }

    // The stages of a step.
    virtual Status prepare(StepContext&) { return Done{}; } // declares columns
    virtual Status begin(StepContext&) { return Done{}; }
    virtual void apply(StepContext&) {} // Stage::force
    virtual Status apply_implicit(StepContext&) { return Done{}; }
    virtual Status before_motion(StepContext&) { return Done{}; }
    virtual Status after_motion(StepContext&) { return Done{}; }
    virtual Status transfer(StepContext&) { return Done{}; }
    virtual void births(StepContext&, Births&) {} // asks for them
    virtual void show(StepContext&) {}

    // Particles were born or have died, by anybody's wish.
    virtual void born(StepContext&, const Renewal&) {}
    // Takes out of a field what particles cannot follow, by moving them as one: momentum is kept, and applying it twice
    // changes nothing more.
    virtual void constrain(StepContext&, FieldKind, std::span<Float4>) {}
    // Gives the particles of each body that is held up as a whole the mean by mass of a quantity.
    virtual void unite(StepContext&, std::span<float>) {}
    virtual TimeStepLimit time_step(const StepContext&) const { return {}; }

    // What it keeps accounts of, for the log.
    virtual void account(const StepContext&, std::vector<Account>&) const {}
    // Of a body that it moves as one.
    virtual std::optional<BodyPose> pose(std::size_t /*body*/) const { return {}; }

    // State that is not in saved columns, by name; restore() gets what save() left. Names begin with the behavior's.
    virtual void save(SavedState&) const {}
    virtual Status restore(StepContext&, const SavedState&) { return Done{}; }
};

// What a behavior may want to know of a scene to say how fast it makes things.
struct SceneScale {
    Bounds bounds; // of all bodies, walls and emitters
    Bounds filled; // of what has particles at the start, or emits them
    double spacing = 0;
    double density = 0; // of the body, at rest
};

// Whether the pressure solver keeps the volume of what has the behavior: of a part of it, its weight, or of all.
enum class TakesPressure { no, by_weight, wholly };

struct BehaviorType {
    Declaration declaration;
    Form form;
    std::vector<Act> acts;
    std::unique_ptr<Behavior> (*make)(const BodyValues&);
    bool material = false; // says what a body is made of: has the property "density"
    TakesPressure pressure = TakesPressure::no;
    std::vector<std::string> pressure_solvers; // that it works with; empty: all
    bool weight_by_body = false;               // its weight cannot differ from particle to particle
    bool from_outside = false;                 // what it pushes pushes nothing back: gravity, wind
    // The speed that a body may be brought to [m/s], where the law can tell: compressible solvers are made for it.
    double (*expected_speed)(const Values&, const SceneScale&) = nullptr;
};

// Known behaviors; a static RegisterBehavior in a behavior's source adds it.
using Behaviors = Registry<BehaviorType>;

// Every behavior has a weight, and its numbers and vectors may be keyed over time unless they are declared fixed().
BehaviorType with_weight(BehaviorType type);
struct RegisterBehavior : Behaviors::Entry {
    explicit RegisterBehavior(BehaviorType type) : Entry(with_weight(std::move(type))) {}
};

// A law that no scene names: made where what the scene says, or other laws tell of bodies, asks for it.
struct ImpliedType {
    Declaration declaration; // its name
    std::vector<Act> acts;
    std::unique_ptr<Behavior> (*make)(const StepContext&); // null: not needed
    bool from_outside = false;                             // as in BehaviorType
};
using ImpliedLaws = Registry<ImpliedType>;
using RegisterImplied = ImpliedLaws::Entry;

template <class T> std::unique_ptr<Behavior> make_behavior([[maybe_unused]] const BodyValues& values) {
    if constexpr (std::is_same_v<T, Behavior>)
        return std::make_unique<Behavior>(); // properties only
    else
        return std::make_unique<T>(values);
}

} // namespace loam
