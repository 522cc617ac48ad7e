#include "picture/solid_part.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "particles/solutes.h"
#include "surface/from_frame.h"

namespace loam {
namespace {

template <class Visit> void each_solid(const Scene& scene, std::size_t body, const Visit& visit) {
    for (const char* name : {"elastic", "rigid"})
        if (const BehaviorUse* use = find_behavior(scene, scene.bodies[scene.whole_body(body)], name))
            visit(use->values);
}

// What a track is keyed over, as a column of a frame.
using Driven = std::function<double(std::size_t row)>;
Driven driver_of(const Scene& scene, const Track& track, const Frame& frame) {
    const Columns& columns = frame.columns;
    const auto numbers = [&](const std::string& name) -> const float* {
        const std::size_t column = columns.find(name);
        return column == SIZE_MAX || columns.info(column).type != ElementType::f32
                   ? nullptr
                   : reinterpret_cast<const float*>(columns.bytes(column));
    };
    const auto plain = [&](const char* name) -> Driven {
        const float* const values = numbers(name);
        if (!values) return {};
        return [values](std::size_t row) { return static_cast<double>(values[row]); };
    };
    switch (track.driver) {
    case Driver::temperature: return plain("temperature");
    case Driver::melted: return plain("melted");
    case Driver::saturation: return plain("saturation");
    case Driver::age: return plain("age");
    case Driver::pressure: return plain("pressure");
    case Driver::concentration: {
        std::vector<const float*> parts;
        for (const SoluteSpec& solute : scene.solutes)
            if (track.of.empty() || track.of == solute.name)
                if (const float* part = numbers(concentration_column(solute.name))) parts.push_back(part);
        return [parts](std::size_t row) {
            double sum = 0;
            for (const float* part : parts) sum += part[row];
            return sum;
        };
    }
    case Driver::height:
    case Driver::speed: {
        const bool height = track.driver == Driver::height;
        const std::size_t column = columns.find(height ? "position" : "velocity");
        if (column == SIZE_MAX) return {};
        const auto* const vectors = reinterpret_cast<const Float4*>(columns.bytes(column));
        return [vectors, height](std::size_t row) {
            const Vec3d v = vectors[row].xyz_double();
            return height ? v.y : length(v);
        };
    }
    case Driver::time: break;
    }
    const double time = frame.header.time;
    return [time](std::size_t) { return time; };
}

} // namespace

std::vector<float> solid_weights(const Scene& scene, std::size_t body, const Frame& frame) {
    std::vector<float> weights(frame.columns.size(), 0);
    const auto bodies = whole_numbers(frame, "body");
    each_solid(scene, body, [&](const Values& values) {
        const Track* track = values.track("weight");
        const Driven driver = track ? driver_of(scene, *track, frame) : Driven{};
        for (std::size_t row = 0; row < weights.size(); ++row) {
            if (row < bodies.size() && bodies[row] != body) continue;
            const double weight = driver ? track->at(driver(row)).x : values.number("weight");
            weights[row] = std::max(weights[row], static_cast<float>(weight));
        }
    });
    return weights;
}

} // namespace loam
