#include "step/emitter.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

// How far a particle is ahead of others of its layer, in spacings: evenly spread and unlike that of its neighbors (the
// golden ratio's kin in two dimensions, Roberts 2018). A stream that gets faster as it falls would come apart into
// disks otherwise.
double delay(int a, int b) {
    const double way = 0.7548776662466927 * a + 0.5698402909980532 * b;
    return way - std::floor(way);
}

constexpr std::size_t narrow = 200; // points; for more of them it matters little how the lattice lies

// Area of the shape's section in cells of the lattice; in 2D its width.
template <class Inside> double cross_section(const Inside& inside, int reach, int across) {
    constexpr int fine = 8;
    const int rows = across > 0 ? fine : 1;
    int count = 0;
    for (int b = -rows * across; b <= rows * across; ++b)
        for (int a = -fine * reach; a <= fine * reach; ++a)
            count += inside((a + 0.5) / fine, across > 0 ? (b + 0.5) / fine : 0, 0);
    return static_cast<double>(count) / (fine * rows);
}

} // namespace

Result<Emitter> Emitter::create(const EmitterSpec& spec, std::uint32_t body, double volume, double mass, double spacing,
                                int dimensions, std::uint64_t seed) {
    Emitter e;
    e.direction_ = normalized(spec.values.vector("direction"));
    e.values_ = spec.values;
    e.start_ = spec.values.number("start"), e.stop_ = spec.values.number("stop");
    e.jitter_ = spec.values.number("jitter");
    e.seed_ = seed + static_cast<std::uint64_t>(spec.values.number("seed"));
    e.spacing_ = spacing, e.flat_ = dimensions == 2, e.body_ = body;
    e.volume_ = volume, e.mass_ = mass;
    if (length(e.direction_) == 0) return Error{Fault::scene, "direction", "the direction has no length"};
    if (e.fastest() <= 0) return Error{Fault::scene, "speed", "an emitter needs a speed above 0"};
    if (Status laid = e.lay_out(*spec.shape); !laid) return laid.error();

    e.layer_volume_ = static_cast<double>(e.points_.size()) * std::pow(spacing, dimensions);
    const double most = e.layer_volume_ / spacing * e.fastest(), rate = spec.values.number("rate");
    if (rate > most * 1.05)
        return Error{Fault::scene, "rate", "a rate of " + number_text(rate) + " is more than the speed carries",
                     "at most " + number_text(most) + "; raise the speed or widen the shape"};
    return e;
}

// Points on a square lattice across the direction, through the middle of the shape.
Status Emitter::lay_out(const Shape& shape) {
    const Vec3d side = flat_ ? Vec3d{0, 0, 1} : std::abs(direction_.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
    const Vec3d u = normalized(cross(side, direction_)), v = flat_ ? Vec3d{} : cross(direction_, u);
    const Bounds bounds = shape.bounds();
    const Vec3d middle = bounds.center();
    const double half = 0.5 * length(bounds.size());
    if (!shape.bounded() || !std::isfinite(half))
        return Error{Fault::scene, "shape", "an emitter needs a shape with an end"};
    const int reach = static_cast<int>(half / spacing_) + 1, across = flat_ ? 0 : reach;
    if (reach > 20000)
        return Error{Fault::scene, "shape", "more than 40000 particles across", "use a larger particle_radius"};
    const auto inside = [&](double a, double b, double depth) {
        return shape.distance(middle + (a * spacing_) * u + (b * spacing_) * v) <= -depth * spacing_;
    };
    const auto lattice = [&](double a0, double b0, double depth) {
        std::vector<Point> points;
        for (int b = -across; b <= across; ++b)
            for (int a = -reach; a <= reach; ++a)
                if (inside(a + a0, b + b0, depth))
                    points.push_back(
                        {middle + ((a + a0) * spacing_) * u + ((b + b0) * spacing_) * v, delay(a, b) * spacing_});
        return points;
    };
    points_ = lattice(0, 0, 0.25);
    // An emitter of few particles across lets through what its area does only if they stand rightly: two of them side
    // by side, not one in the middle; or somewhat nearer to its edge.
    if (points_.size() < narrow) {
        const double area = cross_section(inside, reach, across);
        const auto off = [&](const std::vector<Point>& points) { return std::abs(double(points.size()) - area); };
        for (const double depth : {0.25, 0.1})
            for (const auto& [a0, b0] : {std::pair{0.0, 0.0}, {0.5, 0.5}, {0.5, 0.0}, {0.0, 0.5}})
                if (std::vector<Point> other = lattice(a0, flat_ ? 0 : b0, depth);
                    off(other) < off(points_) - 0.05 * area)
                    points_ = std::move(other);
    }
    if (!points_.empty()) return Done{};
    return Error{Fault::scene, "shape", "the emitter is narrower than a particle",
                 "make it wider than particle_radius"};
}

bool Emitter::reaches_into(const Bounds& space) const {
    return std::any_of(points_.begin(), points_.end(), [&](const Point& point) { return space.contains(point.place); });
}

double Emitter::least_depth_in(const Shape& shape, const Pose& pose) const {
    double least = std::numeric_limits<double>::max();
    for (const Point& point : points_) least = std::min(least, -shape.distance(pose.point_at_rest(point.place)));
    return least;
}

double Emitter::fastest_between(double from, double to) const {
    from = std::max(from, start_), to = std::min(to, stop_);
    if (from > to) return 0;
    const Track* keyed = values_.track("speed");
    if (!keyed) return values_.number("speed");
    double most = std::max(values_.at(from).number("speed"), values_.at(to).number("speed"));
    for (const Key& key : keyed->keys)
        if (key.at >= from && key.at <= to) most = std::max(most, key.value.x);
    return most;
}

// How far the speed has carried the stream.
double Emitter::length_at(double time) const {
    if (time < start_) return -1;
    const Track* speed = values_.track("speed");
    return speed ? speed->integral(start_, time) : (time - start_) * values_.number("speed");
}

double Emitter::carried_by(double time) const { return std::max(0.0, length_at(std::min(time, stop_))); }

void Emitter::go_on(const Stream& from, double time) {
    const double carried = carried_by(time);
    emitted_ = from.emitted;
    ahead_ = carried == from.carried ? from.ahead : from.ahead + from.carried - carried;
}

double Emitter::time_of(double length, double until) const {
    if (!values_.track("speed")) return start_ + length / values_.number("speed");
    double lo = start_, hi = until;
    for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (lo + hi);
        (length_at(middle) < length ? lo : hi) = middle;
    }
    return hi;
}

double Emitter::poured(double time) const {
    constexpr int parts = 200; // speed and rate may be keyed
    const double begin = start_, end = std::min(time, stop_);
    double particles = 0;
    for (int k = 0; k < parts && end > begin; ++k) {
        const double from = begin + (end - begin) * k / parts, to = begin + (end - begin) * (k + 1) / parts;
        const Values then = values_.at(0.5 * (from + to));
        const double rate = then.number("rate"), most = layer_volume_ / spacing_ * then.number("speed");
        const double share = rate > 0 || then.track("rate") ? std::min(1.0, rate / std::max(most, 1e-300)) : 1;
        particles += share * static_cast<double>(points_.size()) * (length_at(to) - length_at(from)) / spacing_;
    }
    return particles;
}

std::vector<Pool::Birth> Emitter::emit(double time) {
    const double until = std::min(time, stop_), out = length_at(until) + ahead_;
    std::vector<Pool::Birth> births;
    if (until < start_) return births;
    for (std::size_t k = 0; k < points_.size(); ++k) {
        const auto length_of = [&](double layer) { return layer * spacing_ + points_[k].delay; };
        double layer = std::max(0.0, std::floor((emitted_ - points_[k].delay) / spacing_));
        while (length_of(layer) <= emitted_) ++layer;
        for (; length_of(layer) <= out; ++layer) {
            const double left = time_of(length_of(layer) - ahead_, until);
            const Values then = values_.at(left);
            const Vec3d velocity = then.number("speed") * direction_;
            if (then.number("speed") <= 0) continue; // it begins with the next one
            const double rate = then.number("rate"), most = layer_volume_ / spacing_ * then.number("speed");
            const double share = rate > 0 || then.track("rate") ? rate / std::max(most, 1e-300) : 1;
            const auto random = [&](std::uint64_t use) {
                return random_at(seed_, static_cast<std::uint64_t>(layer), k, use);
            };
            if (share < 1 && random(0) >= share) continue;
            Vec3d p = points_[k].place + (time - left) * velocity;
            for (std::size_t axis = 0; axis < (flat_ ? 2 : 3); ++axis)
                p[axis] += jitter_ * spacing_ * (random(axis + 1) - 0.5);
            births.push_back({p, velocity, volume_, mass_, body_});
        }
    }
    emitted_ = std::max(emitted_, out);
    return births;
}

} // namespace loam
