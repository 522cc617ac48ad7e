#include "step/emitter.h"

#include <cmath>

#include "base/text.h"

namespace loam {
namespace {

// A number in [0, 1) from where it is used, not from how often one was drawn before: the same after a restart.
double random_at(std::uint64_t seed, std::uint64_t layer, std::uint64_t point, std::uint64_t use) {
    std::uint64_t h = seed * 0x9e3779b97f4a7c15 ^ layer * 0xbf58476d1ce4e5b9 ^ point * 0x94d049bb133111eb ^ use;
    for (int k = 0; k < 3; ++k) {
        h ^= h >> 31;
        h *= 0xd6e8feb86659fd93;
    }
    return static_cast<double>(h >> 11) * 0x1p-53;
}

} // namespace

Result<Emitter> Emitter::create(const EmitterSpec& spec, std::uint32_t body, double volume, double mass, double spacing,
                                int dimensions, std::uint64_t seed) {
    Emitter e;
    const Vec3d direction = normalized(spec.values.vector("direction"));
    e.direction_ = direction;
    e.values_ = spec.values;
    e.start_ = spec.values.number("start"), e.stop_ = spec.values.number("stop");
    e.jitter_ = spec.values.number("jitter");
    e.seed_ = seed + static_cast<std::uint64_t>(spec.values.number("seed"));
    e.spacing_ = spacing, e.flat_ = dimensions == 2, e.body_ = body;
    e.volume_ = volume, e.mass_ = mass;
    if (length(direction) == 0) return Error{Fault::scene, "direction", "the direction has no length"};
    if (e.fastest() <= 0) return Error{Fault::scene, "speed", "an emitter needs a speed above 0"};

    // A square lattice across the direction through the middle of the shape.
    const Vec3d side = e.flat_ ? Vec3d{0, 0, 1} : std::abs(direction.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
    const Vec3d u = normalized(cross(side, direction)), v = e.flat_ ? Vec3d{} : cross(direction, u);
    const Bounds bounds = spec.shape->bounds();
    const Vec3d middle = bounds.center();
    const double half = 0.5 * length(bounds.size());
    if (!spec.shape->bounded() || !std::isfinite(half))
        return Error{Fault::scene, "shape", "an emitter needs a shape with an end"};
    const int reach = static_cast<int>(half / spacing) + 1, across = e.flat_ ? 0 : reach;
    if (reach > 20000)
        return Error{Fault::scene, "shape", "more than 40000 particles across", "use a larger particle_radius"};
    for (int b = -across; b <= across; ++b)
        for (int a = -reach; a <= reach; ++a) {
            const Vec3d p = middle + (a * spacing) * u + (b * spacing) * v;
            if (spec.shape->distance(p) <= -0.25 * spacing) e.points_.push_back(p);
        }
    if (e.points_.empty())
        return Error{Fault::scene, "shape", "the emitter is narrower than a particle",
                     "make it wider than particle_radius"};

    e.layer_volume_ = static_cast<double>(e.points_.size()) * std::pow(spacing, dimensions);
    const double most = e.layer_volume_ / spacing * e.fastest(), rate = spec.values.number("rate");
    if (rate > most * 1.05)
        return Error{Fault::scene, "rate", "a rate of " + number_text(rate) + " is more than the speed carries",
                     "at most " + number_text(most) + "; raise the speed or widen the shape"};
    return e;
}

double Emitter::fastest() const {
    const Track* keyed = values_.track("speed");
    if (!keyed) return values_.number("speed");
    double most = 0;
    for (const Key& key : keyed->keys) most = std::max(most, key.value.x);
    return most;
}

// When a layer leaves: the speed has carried it a particle distance from the one before. Later than `until` if not yet.
double Emitter::leaves(std::uint64_t layer, double until) const {
    const double way = static_cast<double>(layer) * spacing_;
    const Track* speed = values_.track("speed");
    if (!speed) return start_ + static_cast<double>(layer) * (spacing_ / values_.number("speed"));
    if (until < start_ || speed->integral(start_, until) < way) return until + 1;
    double lo = start_, hi = until;
    for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (lo + hi);
        (speed->integral(start_, middle) < way ? lo : hi) = middle;
    }
    return hi;
}

std::vector<Pool::Birth> Emitter::emit(double time) {
    std::vector<Pool::Birth> births;
    for (;; ++layer_) {
        const double left = leaves(layer_, time);
        if (left > time || left >= stop_) return births;
        const Values then = values_.at(left);
        const Vec3d velocity = then.number("speed") * direction_;
        const double rate = then.number("rate"), most = layer_volume_ / spacing_ * then.number("speed");
        const double share = rate > 0 || then.track("rate") ? rate / std::max(most, 1e-300) : 1;
        for (std::size_t k = 0; k < points_.size(); ++k) {
            if (share < 1 && random_at(seed_, layer_, k, 0) >= share) continue;
            Vec3d p = points_[k] + (time - left) * velocity;
            for (std::size_t axis = 0; axis < (flat_ ? 2 : 3); ++axis)
                p[axis] += jitter_ * spacing_ * (random_at(seed_, layer_, k, axis + 1) - 0.5);
            births.push_back({p, velocity, volume_, mass_, body_});
        }
    }
}

} // namespace loam
