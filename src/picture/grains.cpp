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

constexpr double reach = 1.5;                 // of the particles that move a grain, in spacings
constexpr double holds = 0.9, lies_on = 0.75; // of the particles that carry a grain on its own, or that it lands on
constexpr double leash = 1.2; // how far a grain may get from its particle, in the spacings that its size asks for

Vec3f single(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
Vec3d exact(const Vec3f& v) { return {v.x, v.y, v.z}; }

float random(std::uint32_t seed) { return static_cast<float>(Sampler::hash(seed) >> 8) * 0x1p-24f; }

// The mean displacement of what is near, with weights (1 - r^2 / h^2)^3.
template <class Neighbors>
Vec3d displacement_at(const Vec3d& p, const Neighbors& near, const Vec3d& otherwise, double h) {
    Vec3d sum{};
    double weights = 0;
    for (const auto& n : near) {
        const Vec3d d = n.at - p;
        const double q = 1 - dot(d, d) / (h * h);
        if (q <= 0) continue;
        sum += q * q * q * n.moved, weights += q * q * q;
    }
    return weights > 1e-9 ? (1 / weights) * sum : otherwise;
}

// Of rows that go up with their ids: where each of one is among the other, or `none`.
constexpr std::uint32_t none = UINT32_MAX;
template <class Rows> std::vector<std::uint32_t> rows_in(const Rows& one, const Rows& other) {
    std::vector<std::uint32_t> where(one.size(), none);
    for (std::uint32_t i = 0, k = 0; i < one.size() && k < other.size();) {
        const std::uint32_t a = one[i].id, b = other[k].id;
        if (a == b) where[i] = k;
        i += a <= b, k += b <= a;
    }
    return where;
}

bool more_than_one_near(const PointGrid& grid, const Vec3d& at, double distance) {
    int count = 0;
    grid.near(at, distance, [&](std::uint32_t, double) { return ++count > 1; });
    return count > 1;
}

} // namespace

Grain grain_of(std::uint32_t id, int number, int grains, float spacing, std::uint32_t start) {
    const std::uint32_t seed = Sampler::hash(id * 1009u + static_cast<std::uint32_t>(number) + start * 0x9e3779b9u);
    const auto jitter = [&](std::uint32_t k) { return 1.1f * spacing * (random(seed + k) - 0.5f); };
    const float radius = 0.5f * spacing * std::cbrt(0.6f / static_cast<float>(grains));
    return {
        {jitter(1), jitter(2), jitter(3)}, radius * (0.7f + 0.6f * random(seed + 4)), 0.65f + 0.6f * random(seed + 5)};
}

float skin_of(float saturation) {
    const float t = std::clamp((saturation - 0.25f) / 0.6f, 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

std::vector<AdvectedGrains::Particle> AdvectedGrains::particles_in(const Frame& frame, bool own) const {
    const auto bodies = whole_numbers(frame, "body"), ids = whole_numbers(frame, "id");
    const std::size_t position = frame.columns.find("position");
    const ParticleSizes sizes(frame);
    std::vector<Particle> found;
    if (position == SIZE_MAX) return found;
    const auto* const places = reinterpret_cast<const Float4*>(frame.columns.bytes(position));
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
        if ((bodies[i] == body_) == own)
            found.push_back({ids.empty() ? i : ids[i], places[i].xyz_double(), 2 * sizes.radius(i)});
    std::sort(found.begin(), found.end(), [](const Particle& a, const Particle& b) { return a.id < b.id; });
    return found;
}

void AdvectedGrains::advance(const Frame& next) {
    std::vector<Particle> particles = particles_in(next, true), others;
    if (loose_) others = particles_in(next, false), loose_->set_time(next.header.time);
    move(particles, others, 2 * next.header.particle_radius, next.header.time - time_);
    particles_ = std::move(particles), others_ = std::move(others);
    frame_ = next.header.frame;
    time_ = next.header.time;
}

void AdvectedGrains::move(const std::vector<Particle>& next, const std::vector<Particle>& others, double spacing,
                          double seconds) {
    const std::vector<std::uint32_t> before = rows_in(next, particles_), after = rows_in(particles_, next);
    const auto each = static_cast<std::size_t>(grains_);
    // Carriers: what is not loose, as it was and as it is. The first ones are particles of the body.
    PointGrid grid(reach * spacing), carriers(reach * spacing), grounds(reach * spacing);
    for (const Particle& p : particles_) grid.add(p.at);
    std::vector<std::uint8_t> is_loose(particles_.size(), 0);
    std::vector<Vec3d> carried;
    if (loose_ && seconds > 0) {
        parallel_each(particles_.size(), [&](std::size_t k) {
            int near = -1; // not itself
            grid.near(particles_[k].at, reach * spacing, [&](std::uint32_t, double) { return ++near > 1; });
            is_loose[k] = near < 2;
        });
        const auto add = [&](const Particle& was, const Particle& is) {
            carriers.add(was.at), carried.push_back(is.at - was.at), grounds.add(is.at);
        };
        for (std::uint32_t k = 0; k < particles_.size(); ++k)
            if (after[k] != none && !is_loose[k]) add(particles_[k], next[after[k]]);
        const std::vector<std::uint32_t> now = rows_in(others_, others);
        for (std::uint32_t k = 0; k < others_.size(); ++k)
            if (now[k] != none) add(others_[k], others[now[k]]);
        const bool some_are = std::find(is_loose.begin(), is_loose.end(), 1) != is_loose.end();
        if (some_are && flights_.empty()) flights_.resize(places_.size());
    }

    const auto on_its_own = [&](const Particle& is, LooseGrains::Flight grain) -> LooseGrains::Flight {
        std::vector<Neighbor> near;
        carriers.near(grain.at, holds * spacing, [&](std::uint32_t n, double) {
            near.push_back({carriers[n], carried[n]});
            return false;
        });
        if (near.size() > 1) {
            const Vec3d moved = displacement_at(grain.at, near, {}, reach * spacing);
            return {grain.at + moved, (1 / seconds) * moved};
        }
        const double radius = grain_of(is.id, 0, grains_, static_cast<float>(is.spacing), seed_).radius;
        return loose_->fly(grain, seconds, radius, 0.3 * spacing,
                           [&](const Vec3d& at) { return more_than_one_near(grounds, at, lies_on * spacing); });
    };

    std::vector<Vec3f> moved(next.size() * each);
    std::vector<Float4> flights(flights_.empty() ? 0 : moved.size());
    parallel_ranges(next.size(), [&](Range range) {
        std::vector<Neighbor> near;
        for (std::size_t i = range.begin; i != range.end; ++i) {
            Vec3f* const to = &moved[i * each];
            const double own_spacing = next[i].spacing;
            const std::uint32_t was = before[i];
            if (was == none) {
                for (int g = 0; g < grains_; ++g)
                    to[g] = single(next[i].at) +
                            grain_of(next[i].id, g, grains_, static_cast<float>(own_spacing), seed_).offset;
                continue;
            }
            near.clear();
            grid.near(particles_[was].at, (reach + leash) * spacing, [&](std::uint32_t n, double) {
                if (after[n] != none) near.push_back({grid[n], next[after[n]].at - grid[n]});
                return false;
            });
            const Vec3d own = next[i].at - particles_[was].at;
            for (std::size_t g = 0; g < each; ++g) {
                const Vec3d from = exact(places_[was * each + g]);
                const Float4 flight = flights.empty() ? Float4{} : flights_[was * each + g];
                // What has landed beside its particle belongs to it again.
                const bool apart = flight.w > 0 && length(from - particles_[was].at) > leash * own_spacing;
                if (is_loose[was] || apart) {
                    const Vec3d sets_out =
                        LooseGrains::scattered((1 / seconds) * own, next[i].id * 1009u + static_cast<std::uint32_t>(g));
                    const auto [at, velocity] =
                        on_its_own(next[i], {from, flight.w > 0 ? flight.xyz_double() : sets_out});
                    to[g] = single(at), flights[i * each + g] = float4(velocity, 1);
                    continue;
                }
                const Vec3d offset = from + displacement_at(from, near, own, reach * spacing) - next[i].at;
                const double most = leash * own_spacing, far = length(offset);
                to[g] = single(next[i].at + (far > most ? most / far : 1.0) * offset);
            }
        }
    });
    places_ = std::move(moved), flights_ = std::move(flights);
}

std::optional<std::size_t> AdvectedGrains::row_of(std::uint32_t id) const {
    const auto at = std::lower_bound(particles_.begin(), particles_.end(), id,
                                     [](const Particle& p, std::uint32_t wanted) { return p.id < wanted; });
    if (at == particles_.end() || at->id != id) return std::nullopt;
    return static_cast<std::size_t>(at - particles_.begin()) * static_cast<std::size_t>(grains_);
}

std::span<const Vec3f> AdvectedGrains::of(std::uint32_t id) const {
    const auto row = row_of(id);
    return row ? std::span(places_).subspan(*row, static_cast<std::size_t>(grains_)) : std::span<const Vec3f>();
}

std::span<const Float4> AdvectedGrains::flights_of(std::uint32_t id) const {
    const auto row = row_of(id);
    return row && !flights_.empty() ? std::span(flights_).subspan(*row, static_cast<std::size_t>(grains_))
                                    : std::span<const Float4>();
}

} // namespace loam
