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
    e.speed_ = spec.values.number("speed");
    e.velocity_ = e.speed_ * direction;
    e.start_ = spec.values.number("start"), e.stop_ = spec.values.number("stop");
    e.jitter_ = spec.values.number("jitter");
    e.seed_ = seed + static_cast<std::uint64_t>(spec.values.number("seed"));
    e.spacing_ = spacing, e.flat_ = dimensions == 2, e.body_ = body;
    e.volume_ = volume, e.mass_ = mass;
    if (length(direction) == 0) return Error{Fault::scene, "direction", "the direction has no length"};
    if (e.speed_ <= 0) return Error{Fault::scene, "speed", "an emitter needs a speed above 0"};

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

    e.interval_ = spacing / e.speed_;
    const double most = static_cast<double>(e.points_.size()) * std::pow(spacing, dimensions) / e.interval_;
    const double rate = spec.values.number("rate");
    if (rate > most * 1.05)
        return Error{Fault::scene, "rate", "a rate of " + number_text(rate) + " is more than the speed carries",
                     "at most " + number_text(most) + "; raise the speed or widen the shape"};
    e.share_ = rate > 0 ? std::min(1.0, rate / most) : 1;
    return e;
}

std::vector<Pool::Birth> Emitter::emit(double time) {
    std::vector<Pool::Birth> births;
    for (;; ++layer_) {
        const double leaves = start_ + static_cast<double>(layer_) * interval_;
        if (leaves > time || leaves >= stop_) return births;
        for (std::size_t k = 0; k < points_.size(); ++k) {
            if (share_ < 1 && random_at(seed_, layer_, k, 0) >= share_) continue;
            Vec3d p = points_[k] + (time - leaves) * velocity_;
            for (std::size_t axis = 0; axis < (flat_ ? 2 : 3); ++axis)
                p[axis] += jitter_ * spacing_ * (random_at(seed_, layer_, k, axis + 1) - 0.5);
            births.push_back({p, velocity_, volume_, mass_, body_});
        }
    }
}

} // namespace loam
