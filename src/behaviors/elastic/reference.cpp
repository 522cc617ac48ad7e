#include "behaviors/elastic/reference.h"

#include <algorithm>
#include <numeric>

#include "base/eigen3.h"
#include "base/parallel.h"
#include "neighbors/list.h"
#include "particles/point_grid.h"

namespace loam {
namespace {

// M is about the unit matrix inside, half of it at a flat surface, and 0.29 in the direction of a corner. Stiffness
// goes with its inverse: directions that are known less well are left out, or they would need shorter steps.
constexpr double least_known = 0.25;
constexpr double nothing = 1e-4; // of M: no bond reaches there but by rounding
constexpr double reach = 0.999;  // of the support; beyond, bonds weigh nothing

std::uint64_t spread(std::uint64_t x) { // two zero bits after each bit
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

} // namespace

std::vector<std::uint32_t> Reference::spatial_order(const std::vector<Particle>& particles, double spacing) {
    Bounds bounds;
    for (const Particle& p : particles) bounds.add(p.position);
    std::vector<std::uint64_t> key(particles.size());
    parallel_each(key.size(), [&](std::size_t i) {
        const Vec3d d = (particles[i].position - bounds.lo) / spacing;
        const auto cell = [](double x) { return static_cast<std::uint64_t>(std::min(x, 2e6) + 0.5); };
        key[i] = spread(cell(d.x)) | spread(cell(d.y)) << 1 | spread(cell(d.z)) << 2;
    });
    std::vector<std::uint32_t> order(particles.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(particles[a].body, key[a], a) < std::tie(particles[b].body, key[b], b);
    });
    return order;
}

void Reference::build(std::vector<Particle> particles, const Kernel& kernel, const Vec3d& periodic_length) {
    particles_ = std::move(particles);
    dimensions_ = kernel.dimensions;
    broken_.clear(), changed_.clear();
    anchors_.clear(), loosened_.clear();
    find_bodies();
    find_bonds(kernel, periodic_length);
    const std::size_t padded = particles_.size() + list_padding; // passes read whole lanes
    inverse_first_.assign(padded, {}), inverse_second_.assign(padded, {}), null_.assign(padded, {});
    parallel_each(size(), [&](std::size_t s) { invert(s); });
}

void Reference::find_bodies() {
    bodies_.clear();
    for (std::size_t s = 0; s < size(); ++s) {
        if (bodies_.empty() || bodies_.back().body != particles_[s].body)
            bodies_.push_back({particles_[s].body, {s, s}, {}});
        BodyRange& range = bodies_.back();
        ++range.slots.end;
        range.center += particles_[s].position;
    }
    for (BodyRange& range : bodies_) range.center = range.center / static_cast<double>(range.slots.size());
}

void Reference::find_bonds(const Kernel& kernel, const Vec3d& period) {
    bonds_ = {};
    bonds_.begin.push_back(0);
    std::vector<std::uint32_t> near;
    for (const BodyRange& range : bodies_) {
        PointGrid grid(kernel.support);
        for (std::size_t s = range.slots.begin; s != range.slots.end; ++s) grid.add(particles_[s].position);
        for (std::size_t s = range.slots.begin; s != range.slots.end; ++s) {
            const Vec3d at = particles_[s].position;
            near.clear();
            const auto collect = [&](std::uint32_t n, double) {
                if (range.slots.begin + n != s) near.push_back(static_cast<std::uint32_t>(range.slots.begin + n));
                return false;
            };
            // Images of a periodic scene: look from one period away too.
            for (double i = period.x > 0 ? -1 : 0; i <= (period.x > 0); ++i)
                for (double j = period.y > 0 ? -1 : 0; j <= (period.y > 0); ++j)
                    for (double k = period.z > 0 ? -1 : 0; k <= (period.z > 0); ++k)
                        grid.near(at + Vec3d{i * period.x, j * period.y, k * period.z}, reach * kernel.support,
                                  collect);
            std::sort(near.begin(), near.end());
            for (std::uint32_t other : near) {
                const Vec3d d = shortest_way(particles_[other].position - at, period);
                const double r = length(d);
                if (!(r > 0)) continue; // two in one place are no neighbors
                bonds_.other.push_back(other);
                bonds_.x.push_back(static_cast<float>(d.x));
                bonds_.y.push_back(static_cast<float>(d.y));
                bonds_.z.push_back(static_cast<float>(d.z));
                bonds_.weight.push_back(static_cast<float>(-kernel_slope(kernel, r) * particles_[other].volume));
            }
            while (bonds_.other.size() % list_padding != 0) {
                bonds_.other.push_back(static_cast<std::uint32_t>(s));
                for (std::vector<float>* values : {&bonds_.x, &bonds_.y, &bonds_.z, &bonds_.weight})
                    values->push_back(0);
            }
            bonds_.begin.push_back(static_cast<std::uint32_t>(bonds_.other.size()));
        }
    }
}

std::size_t Reference::bonds_of(std::size_t slot) const {
    std::size_t count = 0;
    for (std::size_t k = bonds_.begin[slot]; k != bonds_.begin[slot + 1]; ++k) count += bonds_.weight[k] > 0;
    return count;
}

void Reference::invert(std::size_t slot) {
    Symmetric3 m;
    for (std::size_t k = bonds_.begin[slot]; k != bonds_.begin[slot + 1]; ++k) {
        const double w = bonds_.weight[k], x = bonds_.x[k], y = bonds_.y[k], z = bonds_.z[k];
        m.xx += w * x * x, m.xy += w * x * y, m.xz += w * x * z;
        m.yy += w * y * y, m.yz += w * y * z, m.zz += w * z * z;
    }
    const Eigen3 e = eigen_of(m);
    Symmetric3 l;
    int known = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        if (e.values[k] < least_known) continue;
        ++known;
        const Vec3d& v = e.vectors[k];
        const double s = 1 / e.values[k];
        l.xx += s * v.x * v.x, l.xy += s * v.x * v.y, l.xz += s * v.x * v.z;
        l.yy += s * v.y * v.y, l.yz += s * v.y * v.z, l.zz += s * v.z * v.z;
    }
    inverse_first_[slot] = float4({l.xx, l.xy, l.xz}, l.yy);
    null_[slot] = {};
    double holds = 1, across = 0;
    if (known == 0) {
        null_[slot] = {0, 0, 0, -2};
        holds = 0;
    } else if (known == 1 && dimensions_ == 3) {
        null_[slot] = float4(e.vectors[0], -1);
        holds = e.values[1] < nothing; // two fits would be needed across it
    } else if (known < dimensions_) {
        const Vec3d& v = e.vectors[0];
        null_[slot] = float4(dimensions_ == 3 ? e.vectors[2] : Vec3d{-v.y, v.x, 0}, 1);
        const double moment = e.values[static_cast<std::size_t>(known)];
        across = moment < nothing ? 0 : 1 / moment;
    }
    inverse_second_[slot] = float4({l.yz, l.zz, holds}, across);
}

void Reference::break_bond(std::size_t slot, std::size_t bond) {
    const auto cut = [&](std::size_t s, std::size_t k) {
        if (!(bonds_.weight[k] > 0)) return;
        bonds_.weight[k] = 0;
        broken_.push_back(static_cast<std::uint32_t>(k));
        changed_.push_back(static_cast<std::uint32_t>(s));
    };
    const std::size_t other = bonds_.other[bond];
    cut(slot, bond);
    for (std::size_t k = bonds_.begin[other]; k != bonds_.begin[other + 1]; ++k)
        if (bonds_.other[k] == slot) cut(other, k);
}

void Reference::break_all_of(std::size_t slot) {
    for (std::size_t k = bonds_.begin[slot]; k != bonds_.begin[slot + 1]; ++k)
        if (bonds_.weight[k] > 0) break_bond(slot, k);
}

void Reference::break_these(const std::vector<std::uint32_t>& bonds) {
    for (std::uint32_t k : bonds) {
        const auto after = std::upper_bound(bonds_.begin.begin(), bonds_.begin.end(), k);
        changed_.push_back(static_cast<std::uint32_t>(after - bonds_.begin.begin() - 1));
        bonds_.weight[k] = 0;
        broken_.push_back(k);
    }
    refresh();
}

std::vector<BondPair> Reference::broken_pairs() const {
    std::vector<BondPair> pairs;
    for (std::uint32_t k : broken_) {
        const auto after = std::upper_bound(bonds_.begin.begin(), bonds_.begin.end(), k);
        pairs.push_back({static_cast<std::uint32_t>(after - bonds_.begin.begin() - 1), bonds_.other[k]});
    }
    return pairs;
}

void Reference::break_pairs(const std::vector<BondPair>& pairs) {
    for (const auto& [slot, other] : pairs)
        for (std::size_t k = bonds_.begin[slot]; k != bonds_.begin[slot + 1]; ++k)
            if (bonds_.other[k] == other && bonds_.weight[k] > 0) break_bond(slot, k);
    refresh();
}

void Reference::refresh() {
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    for (std::uint32_t slot : changed_) invert(slot);
    changed_.clear();
}

} // namespace loam
