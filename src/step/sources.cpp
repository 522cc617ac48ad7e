#include "step/sources.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "step/materials.h"

namespace loam {
namespace {

Bounds open_sides_of(const Scene& scene, const SceneFacts& facts) {
    Bounds sides{scene.domain.vector("min"), scene.domain.vector("max")};
    constexpr double endless = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k)
        if (facts.periodic_length[k] > 0) sides.lo[k] = -endless, sides.hi[k] = endless;
    return sides;
}

bool ends(const Vec3d& v) { return std::isfinite(v.x) || std::isfinite(v.y) || std::isfinite(v.z); }

} // namespace

Status Sources::open(const Scene& scene, const SceneFacts& facts, double volume) {
    const auto seed = static_cast<std::uint64_t>(scene.values.number("seed"));
    for (std::uint32_t b = 0; b < scene.bodies.size(); ++b)
        for (const EmitterSpec& spec : scene.bodies[b].emitters) {
            auto emitter = Emitter::create(spec, b, volume, rest_density(scene, scene.bodies[b]) * facts.space,
                                           facts.spacing, facts.dimensions, seed);
            if (!emitter) return within(emitter.error(), "bodies." + scene.bodies[b].name + ".emitters." + spec.name);
            emitters_.push_back(std::move(*emitter));
        }
    for (const DrainSpec& spec : scene.drains) {
        Drain drain{spec.shape, {}};
        for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
            const std::string& name = scene.bodies[scene.whole_body(b)].name;
            drain.takes.push_back(spec.bodies.empty() ||
                                  std::find(spec.bodies.begin(), spec.bodies.end(), name) != spec.bodies.end());
        }
        drains_.push_back(std::move(drain));
    }
    sides_ = open_sides_of(scene, facts);
    loses_ = ends(sides_.lo) || ends(sides_.hi) || !drains_.empty();
    return Done{};
}

double Sources::fastest_between(double from, double to) const {
    double fastest = 0;
    for (const Emitter& emitter : emitters_) fastest = std::max(fastest, emitter.fastest_between(from, to));
    return fastest;
}

std::vector<float> Sources::slowest_led(std::size_t bodies) const {
    constexpr double share = 0.2; // of the fastest that the emitter lets out
    if (emitters_.empty()) return {};
    std::vector<float> speeds(bodies, std::numeric_limits<float>::max());
    for (const Emitter& emitter : emitters_) {
        float& own = speeds[emitter.body()];
        own = std::min(own, static_cast<float>(share * emitter.fastest()));
    }
    return speeds;
}

void Sources::renew(const Pool& pool, double time, Births& births) {
    for (Emitter& emitter : emitters_)
        for (const Pool::Birth& birth : emitter.emit(time)) births.add(birth);
    if (loses_) find_lost(pool, births);
}

void Sources::find_lost(const Pool& pool, Births& births) const {
    std::vector<std::uint8_t> lost(pool.size(), 0);
    const auto position = pool[pool.position];
    const auto body = pool[pool.body];
    parallel_each(pool.size(), [&](std::size_t i) {
        lost[i] = !sides_.contains(position[i]);
        for (std::size_t d = 0; d < drains_.size() && !lost[i]; ++d)
            lost[i] = drains_[d].takes[body[i]] && drains_[d].shape->distance(position[i]) < 0;
    });
    for (std::size_t i = 0; i < lost.size(); ++i)
        if (lost[i]) births.die(i);
}

std::vector<double> Sources::save(double time) const {
    std::vector<double> streams;
    for (const Emitter& emitter : emitters_) {
        const Emitter::Stream stream = emitter.stream(time);
        for (const double x : {stream.emitted, stream.ahead, stream.carried}) streams.push_back(x);
    }
    return streams;
}

bool Sources::restore(const std::vector<double>& streams, double time) {
    constexpr std::size_t per_emitter = 3;
    if (streams.size() != per_emitter * emitters_.size()) return false;
    for (std::size_t k = 0; k < emitters_.size(); ++k) {
        const double* x = streams.data() + per_emitter * k;
        emitters_[k].go_on({x[0], x[1], x[2]}, time);
    }
    return true;
}

} // namespace loam
