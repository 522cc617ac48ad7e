#include "picture/mist.h"

#include <algorithm>
#include <cmath>

#include "particles/hash.h"

namespace loam {
namespace {

constexpr double most_blocks = 1 << 25; // in the table; cells grow where drops are so far apart that it would be more
constexpr int smears = 4;               // places of a drop while the shutter is open
constexpr float pi = 3.14159265f;

// Few are large, many are small; the cross section is that of equal ones, on average.
float size_of(std::uint32_t id) {
    const auto u = static_cast<float>(unit_number(mix_bits(id)));
    return 0.575f + 0.94f * u * u * u * u + 0.365f * u;
}

} // namespace

Mist::Mist(const Frame& drops, const MistOptions& options) : cell_(options.cell) {
    const std::size_t position = drops.columns.find("position"), velocity = drops.columns.find("velocity"),
                      id = drops.columns.find("id");
    const std::size_t count = drops.columns.size();
    if (count == 0 || position == SIZE_MAX || velocity == SIZE_MAX || id == SIZE_MAX) return;
    const auto* const places = reinterpret_cast<const Float4*>(drops.columns.bytes(position));
    const auto* const velocities = reinterpret_cast<const Float4*>(drops.columns.bytes(velocity));
    const auto* const ids = reinterpret_cast<const std::uint32_t*>(drops.columns.bytes(id));
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d smear = 0.5 * options.shutter * velocities[i].xyz_double();
        bounds_.add(places[i].xyz_double() - smear), bounds_.add(places[i].xyz_double() + smear);
    }
    if (options.coarser > 0)
        coarse_ = std::make_unique<const Mist>(drops, MistOptions{options.coarser * cell_, options.shutter, 0});
    cover(bounds_);
    const auto radius = static_cast<float>(drops.header.particle_radius);
    const int parts = options.shutter > 0 ? smears : 1;
    for (std::size_t i = 0; i < count; ++i) {
        const float r = radius * size_of(ids[i]);
        for (int k = 0; k < parts; ++k) {
            const double when = options.shutter * ((k + 0.5) / parts - 0.5);
            add(places[i].xyz_double() + when * velocities[i].xyz_double(), pi * r * r / static_cast<float>(parts));
        }
    }
}

void Mist::cover(const Bounds& all) {
    while (true) {
        const double block = edge * cell_;
        corner_ = all.lo - Vec3d{cell_, cell_, cell_};
        double blocks = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            count_[axis] = static_cast<std::int64_t>((all.size()[axis] + 2 * cell_) / block) + 1;
            blocks *= static_cast<double>(count_[axis]);
        }
        if (blocks <= most_blocks) break;
        cell_ *= 2;
    }
    table_.assign(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]), 0);
}

float* Mist::cell_at(std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::int64_t bx = x / edge, by = y / edge, bz = z / edge;
    if (x < 0 || y < 0 || z < 0 || bx >= count_[0] || by >= count_[1] || bz >= count_[2]) return nullptr;
    std::uint32_t& slot = table_[static_cast<std::size_t>((bz * count_[1] + by) * count_[0] + bx)];
    if (slot == 0) {
        blocks_.emplace_back();
        blocks_.back().fill(0);
        slot = static_cast<std::uint32_t>(blocks_.size());
    }
    const std::int64_t within = ((z % edge) * edge + y % edge) * edge + x % edge;
    return &blocks_[slot - 1][static_cast<std::size_t>(within)];
}

// Shared out among the cells whose middles are around.
void Mist::add(const Vec3d& place, float hides) {
    const Vec3d at = (place - corner_) / cell_ - Vec3d{0.5, 0.5, 0.5};
    const auto x = static_cast<std::int64_t>(std::floor(at.x)), y = static_cast<std::int64_t>(std::floor(at.y)),
               z = static_cast<std::int64_t>(std::floor(at.z));
    const auto fx = static_cast<float>(at.x - static_cast<double>(x)),
               fy = static_cast<float>(at.y - static_cast<double>(y)),
               fz = static_cast<float>(at.z - static_cast<double>(z));
    const auto per_volume = static_cast<float>(1 / (cell_ * cell_ * cell_));
    for (int corner = 0; corner < 8; ++corner) {
        const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const float weight = (i ? fx : 1 - fx) * (j ? fy : 1 - fy) * (k ? fz : 1 - fz);
        if (float* const to = cell_at(x + i, y + j, z + k)) *to += weight * hides * per_volume;
    }
}

template <class Visit> void Mist::walk(const Ray& ray, float distance, const Visit& visit) const {
    if (empty()) return;
    const auto cell = static_cast<float>(cell_), per_cell = 1 / cell;
    const Vec3f corner{static_cast<float>(corner_.x), static_cast<float>(corner_.y), static_cast<float>(corner_.z)};
    const Vec3f from = per_cell * (ray.from - corner), along = per_cell * ray.direction; // in cells
    float begin = std::max(ray.begin, 0.0f), end = distance;
    Vec3f inverse;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        inverse[axis] = std::abs(along[axis]) > 1e-12f ? 1 / along[axis] : std::copysign(1e12f, along[axis]);
        const float a = -from[axis] * inverse[axis],
                    b = (static_cast<float>(edge * count_[axis]) - from[axis]) * inverse[axis];
        begin = std::max(begin, std::min(a, b)), end = std::min(end, std::max(a, b));
    }
    const float step = 1e-3f * cell; // beyond the face between two cells
    for (float t = begin; t < end;) {
        const Vec3f at = from + (t + step) * along;
        std::int64_t cell_of[3], block_of[3];
        bool within = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            cell_of[axis] = static_cast<std::int64_t>(std::floor(at[axis]));
            within &= at[axis] >= 0 && cell_of[axis] < edge * count_[axis];
            block_of[axis] = cell_of[axis] / edge;
        }
        if (!within) {
            t += step;
            if (t + step >= end) return;
            continue;
        }
        const std::uint32_t slot =
            table_[static_cast<std::size_t>((block_of[2] * count_[1] + block_of[1]) * count_[0] + block_of[0])];
        // To where the ray leaves the cell, or the block if that is empty.
        float leaves = end;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::int64_t lo = slot ? cell_of[axis] : block_of[axis] * edge, size = slot ? 1 : edge;
            const auto face = static_cast<float>(along[axis] > 0 ? lo + size : lo);
            leaves = std::min(leaves, (face - from[axis]) * inverse[axis]);
        }
        leaves = std::max(leaves, t + step);
        if (slot) {
            const std::int64_t index = ((cell_of[2] % edge) * edge + cell_of[1] % edge) * edge + cell_of[0] % edge;
            const float hides = blocks_[slot - 1][static_cast<std::size_t>(index)];
            if (hides > 0 && visit(t, std::min(leaves, end), hides)) return;
        }
        t = leaves;
    }
}

float Mist::depth(const Ray& ray, float distance) const {
    if (coarse_) return coarse_->depth(ray, distance);
    constexpr float dark = 12;
    float sum = 0;
    walk(ray, distance, [&](float begin, float end, float hides) {
        sum += (end - begin) * hides;
        return sum > dark;
    });
    return sum;
}

std::optional<float> Mist::meets(const Ray& ray, float distance, Sampler& sampler, Detail detail) const {
    if (detail == Detail::coarse && coarse_) return coarse_->meets(ray, distance, sampler);
    // Each ray sees the cells a little elsewhere: on average they have no edges.
    const auto [a, b] = sampler.next2();
    const float c = sampler.next(), cell = static_cast<float>(cell_);
    Ray shifted = ray;
    shifted.from += cell * Vec3f{a - 0.5f, b - 0.5f, c - 0.5f};
    float left = -std::log(std::max(1 - sampler.next(), 1e-9f));
    std::optional<float> met;
    walk(shifted, distance, [&](float begin, float end, float hides) {
        const float more = (end - begin) * hides;
        if (more >= left) met = begin + left / hides;
        left -= more;
        return met.has_value();
    });
    return met;
}

} // namespace loam
