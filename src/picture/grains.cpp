#include "picture/grains.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "cache/particle_sizes.h"
#include "particles/point_grid.h"
#include "picture/sampler.h"
#include "surface/from_frame.h"

namespace loam {
namespace {

constexpr double reach = 1.5; // of the particles that move a grain, in spacings
constexpr double leash = 1.2; // how far a grain may get from its particle, in the spacings that its size asks for

Vec3f single(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
Vec3d exact(const Vec3f& v) { return {v.x, v.y, v.z}; }

float random(std::uint32_t seed) { return static_cast<float>(Sampler::hash(seed) >> 8) * 0x1p-24f; }

// The mean displacement of what is near, with weights (1 - r^2 / h^2)^3.
struct Neighbor {
    Vec3d at, moved;
};
Vec3d displacement_at(const Vec3d& p, const std::vector<Neighbor>& near, const Vec3d& otherwise, double h) {
    Vec3d sum{};
    double weights = 0;
    for (const Neighbor& n : near) {
        const Vec3d d = n.at - p;
        const double q = 1 - dot(d, d) / (h * h);
        if (q <= 0) continue;
        sum += q * q * q * n.moved, weights += q * q * q;
    }
    return weights > 1e-9 ? (1 / weights) * sum : otherwise;
}

} // namespace

Grain grain_of(std::uint32_t id, int number, int grains, float spacing) {
    const std::uint32_t seed = Sampler::hash(id * 1009u + static_cast<std::uint32_t>(number));
    const auto jitter = [&](std::uint32_t k) { return 1.1f * spacing * (random(seed + k) - 0.5f); };
    const float radius = 0.5f * spacing * std::cbrt(0.6f / static_cast<float>(grains));
    return {
        {jitter(1), jitter(2), jitter(3)}, radius * (0.7f + 0.6f * random(seed + 4)), 0.65f + 0.6f * random(seed + 5)};
}

float skin_of(float saturation) {
    const float t = std::clamp((saturation - 0.25f) / 0.6f, 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

std::vector<AdvectedGrains::Particle> AdvectedGrains::particles_in(const Frame& frame) const {
    const auto bodies = whole_numbers(frame, "body"), ids = whole_numbers(frame, "id");
    const std::size_t position = frame.columns.find("position");
    const ParticleSizes sizes(frame);
    std::vector<Particle> found;
    if (position == SIZE_MAX) return found;
    const auto* const places = reinterpret_cast<const Float4*>(frame.columns.bytes(position));
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
        if (bodies[i] == body_)
            found.push_back({ids.empty() ? i : ids[i], places[i].xyz_double(), 2 * sizes.radius(i)});
    std::sort(found.begin(), found.end(), [](const Particle& a, const Particle& b) { return a.id < b.id; });
    return found;
}

void AdvectedGrains::advance(const Frame& next) {
    std::vector<Particle> particles = particles_in(next);
    const double spacing = 2 * next.header.particle_radius;
    move(particles, spacing);
    particles_ = std::move(particles);
    frame_ = next.header.frame;
}

void AdvectedGrains::move(const std::vector<Particle>& next, double spacing) {
    // Who was there before: rows of both frames go up with their ids.
    constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> before(next.size(), none), after(particles_.size(), none);
    for (std::uint32_t i = 0, k = 0; i < next.size() && k < particles_.size();) {
        if (next[i].id == particles_[k].id) before[i] = k, after[k] = i;
        const std::uint32_t a = next[i].id, b = particles_[k].id;
        i += a <= b, k += b <= a;
    }
    PointGrid grid(reach * spacing);
    for (const Particle& p : particles_) grid.add(p.at);

    std::vector<Vec3f> moved(next.size() * static_cast<std::size_t>(grains_));
    parallel_ranges(next.size(), [&](Range range) {
        std::vector<Neighbor> near;
        for (std::size_t i = range.begin; i != range.end; ++i) {
            Vec3f* const to = &moved[i * static_cast<std::size_t>(grains_)];
            const double own_spacing = next[i].spacing;
            const std::uint32_t was = before[i];
            if (was == none) {
                for (int g = 0; g < grains_; ++g)
                    to[g] =
                        single(next[i].at) + grain_of(next[i].id, g, grains_, static_cast<float>(own_spacing)).offset;
                continue;
            }
            near.clear();
            grid.near(particles_[was].at, (reach + leash) * spacing, [&](std::uint32_t n, double) {
                if (after[n] != none) near.push_back({grid[n], next[after[n]].at - grid[n]});
                return false;
            });
            const Vec3d own = next[i].at - particles_[was].at;
            for (int g = 0; g < grains_; ++g) {
                const Vec3d from =
                    exact(places_[was * static_cast<std::size_t>(grains_) + static_cast<std::size_t>(g)]);
                const Vec3d offset = from + displacement_at(from, near, own, reach * spacing) - next[i].at;
                const double most = leash * own_spacing, far = length(offset);
                to[g] = single(next[i].at + (far > most ? most / far : 1.0) * offset);
            }
        }
    });
    places_ = std::move(moved);
}

std::span<const Vec3f> AdvectedGrains::of(std::uint32_t id) const {
    const auto at = std::lower_bound(particles_.begin(), particles_.end(), id,
                                     [](const Particle& p, std::uint32_t wanted) { return p.id < wanted; });
    if (at == particles_.end() || at->id != id) return {};
    const auto row = static_cast<std::size_t>(at - particles_.begin());
    return {&places_[row * static_cast<std::size_t>(grains_)], static_cast<std::size_t>(grains_)};
}

} // namespace loam
