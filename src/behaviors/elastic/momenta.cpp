#include "behaviors/elastic/momenta.h"

#include <algorithm>
#include <numeric>

#include "base/mat3.h"
#include "base/parallel.h"

namespace loam {

namespace {

// A bond across a periodic side: a piece that goes on without end has no angular momentum to keep.
bool goes_round(const Reference& reference, std::uint32_t slot, std::uint32_t bond) {
    const Bonds& bonds = reference.bonds();
    const Vec3d way = reference.place_of(bonds.other[bond]) - reference[slot].position,
                at_rest{bonds.x[bond], bonds.y[bond], bonds.z[bond]};
    return dot(way - at_rest, way - at_rest) > 0.01 * dot(at_rest, at_rest);
}

} // namespace

// What bonds hold together, from either side: what is clamped has none to what is free, but anchors belong to it. Slots
// of a piece are in their order.
void Momenta::find_pieces(const Reference& reference) {
    if (!pieces_.empty() && broken_ == reference.broken().size()) return;
    const Bonds& bonds = reference.bonds();
    broken_ = reference.broken().size();
    std::vector<std::uint32_t> toward(reference.size()); // the first slot of a piece, over some others
    std::iota(toward.begin(), toward.end(), 0);
    const auto first_of = [&](std::uint32_t slot) {
        while (toward[slot] != slot) slot = toward[slot] = toward[toward[slot]];
        return slot;
    };
    std::vector<std::uint8_t> endless(reference.size(), 0);
    for (std::uint32_t s = 0; s < reference.size(); ++s)
        for (std::uint32_t b = bonds.begin[s]; b != bonds.begin[s + 1]; ++b) {
            if (!(bonds.weight[b] > 0)) continue;
            endless[s] |= goes_round(reference, s, b);
            const std::uint32_t own = first_of(s), others = first_of(reference.particle_of(bonds.other[b]));
            toward[std::max(own, others)] = std::min(own, others);
        }
    std::vector<std::vector<std::uint32_t>> members(reference.size());
    for (std::uint32_t s = 0; s < reference.size(); ++s) members[first_of(s)].push_back(s);
    slots_.clear(), pieces_.clear();
    for (const std::vector<std::uint32_t>& piece : members) {
        if (piece.empty()) continue;
        const std::size_t begin = slots_.size();
        slots_.insert(slots_.end(), piece.begin(), piece.end());
        pieces_.push_back({{begin, slots_.size()},
                           std::none_of(piece.begin(), piece.end(), [&](std::uint32_t s) { return endless[s] != 0; })});
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
