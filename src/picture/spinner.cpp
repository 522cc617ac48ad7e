#include "picture/spinner.h"

#include <algorithm>
#include <cmath>

#include "picture/sampler.h"

namespace loam {
namespace {

constexpr float pi = 3.14159265f;

float random(std::uint32_t seed) { return static_cast<float>(Sampler::hash(seed) >> 8) * 0x1p-24f; }

} // namespace

void Spinner::spin(const std::vector<YarnStation>& way, std::uint32_t number) {
    if (way.size() < 4) return;
    turned_.assign(way.size(), random(number + options_.seed));
    for (std::size_t k = 1; k < way.size(); ++k)
        turned_[k] = turned_[k - 1] + pattern_.twist * length(way[k].at - way[k - 1].at) / pitch_;
    for (int ply = 0; ply < pattern_.plies; ++ply) add_ply(way, number, ply);
    const auto stitches = static_cast<float>(way.size()) / static_cast<float>(pattern_.points);
    const auto count = [&](int per_stitch) {
        return static_cast<std::uint32_t>(stitches * static_cast<float>(per_stitch));
    };
    for (std::uint32_t k = 0; k < count(options_.fuzz); ++k) add_fiber(way, number, k);
    for (std::uint32_t k = 0; k < count(pattern_.fluff); ++k) add_fluff(way, number, k);
}

Spinner::Axes Spinner::axes(const std::vector<YarnStation>& way, std::size_t k) const {
    const Vec3f d = way[std::min(k + 1, way.size() - 1)].at - way[k > 0 ? k - 1 : 0].at;
    const Vec3f along = length(d) > 0 ? normalized(d) : Vec3f{1, 0, 0};
    Vec3f off = way[k].off - dot(way[k].off, along) * along;
    if (length(off) < 1e-3f) off = tangents(along).a; // a rope has no sides, and turns as it likes
    off = normalized(off);
    return {along, off, cross(along, off)};
}

void Spinner::add(const std::vector<Float4>& thread, const std::vector<YarnStation>& stations, float shade) {
    const std::size_t before = curves_.colors.size();
    curves_.add(thread, options_.color);
    for (std::size_t k = before; k < curves_.colors.size(); ++k)
        curves_.colors[k] = shade * stations[k - before + 1].color;
    for (const YarnStation& station : stations) curves_.movement.push_back(station.movement);
}

void Spinner::add_ply(const std::vector<YarnStation>& way, std::uint32_t number, int ply) {
    // Plies touch each other and, together, fill the yarn.
    const float whole = pattern_.radius * pitch_, radius = whole * (pattern_.plies == 2 ? 0.62f : 0.52f);
    std::vector<Float4> thread;
    for (std::size_t k = 0; k < way.size(); ++k) {
        const float turned = turned_[k] + static_cast<float>(ply) / static_cast<float>(pattern_.plies);
        const Axes a = axes(way, k);
        const Vec3f shift = (whole - radius) * (std::cos(2 * pi * turned) * a.off + std::sin(2 * pi * turned) * a.side);
        const Vec3f p = way[k].at + shift;
        thread.push_back({p.x, p.y, p.z, radius});
    }
    const std::uint32_t seed = Sampler::hash(options_.seed ^ (number * 31u + static_cast<std::uint32_t>(ply)));
    add(thread, way, 0.92f + 0.16f * random(seed));
}

// One that stands off.
void Spinner::add_fiber(const std::vector<YarnStation>& way, std::uint32_t number, std::uint32_t fiber) {
    const std::uint32_t seed = Sampler::hash(Sampler::hash(options_.seed ^ number) + 7919u * fiber);
    const auto k = static_cast<std::size_t>(random(seed + 1) * static_cast<float>(way.size() - 1));
    const Axes a = axes(way, k);
    const float angle = 2 * pi * random(seed + 2), lean = 2.4f * (random(seed + 3) - 0.5f);
    const Vec3f out = std::cos(angle) * a.off + std::sin(angle) * a.side;
    const Vec3f curl = std::cos(angle + 2) * a.off + std::sin(angle + 2) * a.side;
    const float reach = pitch_ * (0.12f + 0.35f * random(seed + 4) * random(seed + 5));
    std::vector<Float4> thread;
    for (int p = 0; p < 5; ++p) {
        const float t = static_cast<float>(p - 1) / 2; // from within the yarn to its end
        const Vec3f at = way[k].at + (0.8f * pattern_.radius * pitch_ + t * reach) * out +
                         t * reach * (lean * a.along + 0.6f * (t - 1) * curl);
        thread.push_back({at.x, at.y, at.z, 0.011f * pitch_ * (1.3f - 0.5f * t)});
    }
    add(thread, std::vector<YarnStation>(thread.size(), way[k]), 1.0f + 0.25f * random(seed + 6));
}

// One that goes along: how far from the middle such fibers are is the density of a lumislice, the cross-section of
// the yarn, which turns with its plies (Xu et al. 2001). Most are at the core's edge, few far out.
void Spinner::add_fluff(const std::vector<YarnStation>& way, std::uint32_t number, std::uint32_t fiber) {
    constexpr std::size_t coarse = 3; // stations per point: it bends less sharply than plies show
    const std::uint32_t seed = Sampler::hash(Sampler::hash(options_.seed ^ number ^ 0x5bd1e995u) + 104729u * fiber);
    const auto first = static_cast<std::size_t>(random(seed + 1) * static_cast<float>(way.size() - 1));
    const auto wanted =
        static_cast<std::size_t>(static_cast<float>(pattern_.points) * (0.25f + 0.5f * random(seed + 2)));
    const std::size_t count = std::min(wanted, way.size() - first) / coarse; // points
    if (count < 4) return;
    const float core = pattern_.radius * pitch_, near = 0.8f * core;
    const float far = core * (0.9f - 0.3f * std::log(1 - 0.95f * random(seed + 3)));
    const float around = random(seed + 4), wave = 2 * pi * random(seed + 5);
    std::vector<Float4> thread;
    std::vector<YarnStation> stations;
    for (std::size_t p = 0; p < count; ++p) {
        const std::size_t k = first + p * coarse;
        const float t = static_cast<float>(p) / static_cast<float>(count - 1);
        const float r = near + (far - near) * std::sin(pi * t);
        const float turn = 2 * pi * (turned_[k] + around) + 0.8f * std::sin(wave + 5 * t);
        const Axes a = axes(way, k);
        const Vec3f at = way[k].at + r * (std::cos(turn) * a.off + std::sin(turn) * a.side);
        thread.push_back({at.x, at.y, at.z, 0.008f * pitch_});
        stations.push_back(way[k]);
    }
    add(thread, stations, 0.95f + 0.35f * random(seed + 6));
}

} // namespace loam
