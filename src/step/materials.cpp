#include "step/materials.h"

#include <algorithm>

namespace loam {
namespace {

// The values as they are at each key over time; of any driver's keys the first.
std::vector<Values> at_keys(const Values& values) {
    std::vector<Values> all{values.at(0)};
    for (const auto& [name, track] : values.tracks())
        if (track.driver == Driver::time)
            for (const Key& key : track.keys) all.push_back(values.at(key.at));
    return all;
}

} // namespace

const BehaviorUse* material_of(const Scene& scene, const BodySpec& body) {
    for (const std::vector<BehaviorUse>* uses : {&body.behaviors, &scene.behaviors})
        for (const BehaviorUse& use : *uses)
            if (Behaviors::find(use.name)->material) return &use;
    return nullptr;
}

double rest_density(const Scene& scene, const BodySpec& body, double time) {
    const double first = material_of(scene, body)->values.at(time).number("density");
    double sum = 0, weights = 0;
    bool differ = false;
    for (const BehaviorUse& use : behaviors_of(scene, body)) {
        if (!Behaviors::find(use.name)->material) continue;
        const Values then = use.values.at(time);
        differ |= then.number("density") != first;
        sum += then.number("weight") * then.number("density"), weights += then.number("weight");
    }
    return differ && weights > 0 ? sum / weights : first;
}

bool always_flows(const Scene& scene, const BodySpec& body) {
    for (const BehaviorUse& use : behaviors_of(scene, body)) {
        const TakesPressure takes = Behaviors::find(use.name)->pressure;
        const bool whole = !use.values.track("weight") && use.values.number("weight") == 1;
        if (takes == TakesPressure::wholly || (takes == TakesPressure::by_weight && whole)) return true;
    }
    return false;
}

bool may_flow(const Scene& scene, const BodySpec& body) {
    const auto uses = behaviors_of(scene, body);
    return std::any_of(uses.begin(), uses.end(),
                       [](const BehaviorUse& use) { return Behaviors::find(use.name)->pressure != TakesPressure::no; });
}

namespace {

// What the scene gives a body at the start, at most; a field is looked at in some places all over the shape.
double fastest_at_start(const BodySpec& body) {
    constexpr int places = 12; // along each axis
    const Vec3d steady = body.values.vector("velocity");
    if (!body.start_velocity || !body.shape) return length(steady);
    const Bounds bounds = body.shape->bounds();
    double fastest = 0;
    for (int k = 0; k < places * places * places; ++k) {
        const Vec3d share{double(k % places), double(k / places % places), double(k / (places * places))};
        Vec3d at = bounds.lo;
        for (std::size_t axis = 0; axis < 3; ++axis) at[axis] += share[axis] / (places - 1) * bounds.size()[axis];
        const double speed = length(steady + body.start_velocity->at(at, bounds.center()));
        if (std::isfinite(speed)) fastest = std::max(fastest, speed);
    }
    return fastest;
}

} // namespace

double expected_speed(const Scene& scene) {
    Bounds walls, filled;
    double fastest = 0, gained = 0;
    for (const BodySpec& body : scene.bodies) {
        if (body.shape) (body.boundary ? walls : filled).add(body.shape->bounds());
        for (const EmitterSpec& emitter : body.emitters) {
            filled.add(emitter.shape->bounds());
            for (const Values& values : at_keys(emitter.values)) fastest = std::max(fastest, values.number("speed"));
        }
        if (body.boundary) {
            const double reach = length(body.shape->bounds().size());
            fastest = std::max(fastest, top_speed(body.boundary->motion, reach, 0, scene.values.number("duration")));
        } else {
            fastest = std::max(fastest, fastest_at_start(body));
        }
    }
    if (filled.empty()) filled.add(Vec3d{});
    Bounds all = filled;
    all.add(walls);
    for (const BodySpec& body : scene.bodies) {
        if (body.boundary) continue;
        const SceneScale scale{all, filled, scene.spacing(), rest_density(scene, body)};
        for (const BehaviorUse& use : behaviors_of(scene, body))
            if (const BehaviorType* type = Behaviors::find(use.name); type->expected_speed)
                for (const Values& values : at_keys(use.values))
                    gained = std::max(gained, type->expected_speed(values, scale));
    }
    return std::max({fastest + gained, 1e-3 * scene.spacing() * scene.values.number("fps"), 1e-6});
}

Error within(Error error, const std::string& path) {
    error.where = error.where.empty() ? path : path + "." + error.where;
    return error;
}

} // namespace loam
