#include "behaviors/elastic/momenta.h"

#include <algorithm>

#include "base/mat3.h"
#include "base/parallel.h"

namespace loam {

namespace {

// A bond across a periodic side: a piece that goes on without end has no angular momentum to keep.
bool goes_round(const Reference& reference, std::uint32_t slot, std::uint32_t bond) {
    const Bonds& bonds = reference.bonds();
    const Vec3d way = reference[bonds.other[bond]].position - reference[slot].position,
                at_rest{bonds.x[bond], bonds.y[bond], bonds.z[bond]};
    return dot(way - at_rest, way - at_rest) > 0.01 * dot(at_rest, at_rest);
}

} // namespace

// What bonds hold together. Slots of a piece are in their order.
void Momenta::find_pieces(const Reference& reference) {
    if (!pieces_.empty() && broken_ == reference.broken().size()) return;
    const Bonds& bonds = reference.bonds();
    broken_ = reference.broken().size();
    slots_.clear(), pieces_.clear();
    std::vector<std::uint8_t> found(reference.size(), 0);
    for (std::uint32_t first = 0; first < reference.size(); ++first) {
        if (found[first]) continue;
        const std::size_t begin = slots_.size();
        bool ends = true;
        slots_.push_back(first), found[first] = 1;
        for (std::size_t k = begin; k < slots_.size(); ++k)
            for (std::uint32_t b = bonds.begin[slots_[k]]; b != bonds.begin[slots_[k] + 1]; ++b) {
                if (!(bonds.weight[b] > 0)) continue;
                ends &= !goes_round(reference, slots_[k], b);
                if (const std::uint32_t other = bonds.other[b]; !found[other])
                    slots_.push_back(other), found[other] = 1;
            }
        std::sort(slots_.begin() + static_cast<std::ptrdiff_t>(begin), slots_.end());
        pieces_.push_back({{begin, slots_.size()}, ends});
    }
}

void Momenta::keep(const Reference& reference, std::span<Change> changes) {
    find_pieces(reference);
    struct Sums {
        double mass = 0, held = 0;
        Vec3d place, linear, angular;
        Mat3 second{}; // moments of mass
    };
    for (const Piece& part : pieces_) {
        const Range piece = part.slots;
        const auto own = [&](std::size_t k) -> Change& { return changes[slots_[piece.begin + k]]; };
        const Sums sums = parallel_reduce(
            piece.size(), Sums{},
            [&](Range range) {
                Sums some;
                for (std::size_t k = range.begin; k != range.end; ++k) {
                    const Change& c = own(k);
                    const Vec3d impulse = c.mass * c.change;
                    some.mass += c.mass, some.held += c.held;
                    some.place += c.mass * c.place, some.linear += impulse;
                    some.angular += cross(c.place, impulse);
                    some.second = some.second + c.mass * Mat3::outer(c.place, c.place);
                }
                return some;
            },
            [](const Sums& a, const Sums& b) {
                return Sums{a.mass + b.mass,     a.held + b.held,       a.place + b.place,
                            a.linear + b.linear, a.angular + b.angular, a.second + b.second};
            });
        if (!(sums.mass > 0) || sums.held > 0) continue;
        const Vec3d center = sums.place / sums.mass, velocity = sums.linear / sums.mass;
        const Mat3 second = sums.second - sums.mass * Mat3::outer(center, center);
        // A row of particles has no inertia about itself, and nothing turns it about that.
        const Mat3 inertia = (1 + 1e-9) * second.trace() * Mat3::identity() - second;
        const bool turns = part.ends && second.trace() > 1e-12 * sums.second.trace();
        const Vec3d spin = turns ? inertia.inverse() * (sums.angular - cross(center, sums.linear)) : Vec3d{};
        parallel_each(piece.size(), [&](std::size_t k) {
            Change& c = own(k);
            c.change -= velocity + cross(spin, c.place - center);
        });
    }
}

} // namespace loam
