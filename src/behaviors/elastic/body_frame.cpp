#include "behaviors/elastic/body_frame.h"

#include "base/parallel.h"

namespace loam {

BodyFrame fit_frame(const Pool& pool, const SlotMap& slots, const Reference& reference,
                    const Reference::BodyRange& body, const Vec3d& period, int dimensions) {
    BodyFrame frame;
    frame.rest_center = body.center;
    frame.period = period;
    const auto position = pool[pool.position];
    const auto velocity = pool[pool.velocity];
    std::size_t first = body.slots.begin;
    while (first != body.slots.end && slots[first] == SlotMap::gone) ++first;
    if (first == body.slots.end) return frame;
    frame.anchor = position[slots[first]];

    struct Sums {
        double count = 0;
        Vec3d place, rest, velocity;
        Mat3 product{}; // of place and rest, about the anchor and the rest center
    };
    const Sums sums = parallel_reduce(
        body.slots.size(), Sums{},
        [&](Range range) {
            Sums some;
            for (std::size_t k = range.begin; k != range.end; ++k) {
                const std::size_t s = body.slots.begin + k;
                const std::uint32_t i = slots[s];
                if (i == SlotMap::gone) continue;
                const Vec3d place = frame.near_anchor(position[i]) - frame.anchor;
                const Vec3d rest = reference[s].position - body.center;
                some.count += 1;
                some.place += place, some.rest += rest, some.velocity += velocity[i].xyz_double();
                some.product = some.product + Mat3::outer(place, rest);
            }
            return some;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{a.count + b.count, a.place + b.place, a.rest + b.rest, a.velocity + b.velocity,
                        a.product + b.product};
        });
    const Vec3d place = sums.place / sums.count, rest = sums.rest / sums.count;
    Mat3 product = (1 / sums.count) * sums.product - Mat3::outer(place, rest);
    if (dimensions == 2) product.row[2].z += std::abs(product.row[0].x) + std::abs(product.row[1].y) + 1e-300;
    frame.turn = nearest_rotation(product);
    frame.center = frame.anchor + place - frame.turn * rest;
    frame.velocity = sums.velocity / sums.count;
    return frame;
}

} // namespace loam
