#include <cmath>

#include "base/parallel.h"
#include "picture/features.h"

namespace loam {
namespace {

constexpr int rounds = 4; // each with holes twice as wide
constexpr float floor_albedo = 0.02f;

struct Work {
    std::vector<Color> light; // divided by the albedo
    std::vector<float> luminance, variance;
};

float kernel_weight(int k) { return k == 0 ? 0.375f : std::abs(k) == 1 ? 0.25f : 0.0625f; } // B3 spline

// The variance itself is noisy; means of 3 x 3 pixels serve better.
float smooth_variance(const std::vector<float>& variance, Size size, int x, int y) {
    float sum = 0, weights = 0;
    for (int j = std::max(0, y - 1); j <= std::min(size.height - 1, y + 1); ++j)
        for (int i = std::max(0, x - 1); i <= std::min(size.width - 1, x + 1); ++i) {
            const float w = (i == x ? 2.0f : 1.0f) * (j == y ? 2.0f : 1.0f);
            sum += w * variance[static_cast<std::size_t>(j) * size.width + i], weights += w;
        }
    return sum / weights;
}

// About exp(-x), and 0 from 16 on; the exponential itself would take a third of the time.
float falloff(float x) {
    const float a = std::max(0.0f, 1 - x / 16), b = a * a, c = b * b, d = c * c;
    return d * d;
}

// What is seen at a pixel, side by side in memory and weighted by what differences count.
struct alignas(32) Seen {
    Vec3f normal;
    float depth = 0;
    Color albedo;
};

std::vector<Seen> seen(const Features& f) {
    const float normals = std::sqrt(12.0f), albedos = std::sqrt(60.0f);
    std::vector<Seen> all(f.depth.size());
    parallel_each(all.size(), [&](std::size_t i) {
        all[i] = {normals * f.normal.pixels[i], f.depth[i], albedos * f.albedo.pixels[i]};
    });
    return all;
}

// How unlike what is seen at two pixels is: 0 for the same surface, large across an edge.
float difference_of(const Seen& a, const Seen& b, float per_depth) {
    const Vec3f normal = a.normal - b.normal;
    const Color albedo = a.albedo - b.albedo;
    return dot(normal, normal) + dot(albedo, albedo) + std::abs(a.depth - b.depth) * per_depth;
}

void filter_pixel(const Work& from, Work& to, const std::vector<Seen>& seen, Size size, int x, int y, int hole) {
    const auto here = static_cast<std::size_t>(y) * size.width + x;
    const float per_noise = 1 / (3 * std::sqrt(smooth_variance(from.variance, size, x, y)) + 1e-4f);
    const float per_depth = 1 / (0.02f * static_cast<float>(hole) * std::max(1e-6f, seen[here].depth));
    Color sum;
    float weights = 0, variance = 0;
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) {
            const int u = x + i * hole, v = y + j * hole;
            if (u < 0 || v < 0 || u >= size.width || v >= size.height) continue;
            const auto there = static_cast<std::size_t>(v) * size.width + u;
            const float light = std::abs(from.luminance[here] - from.luminance[there]) * per_noise;
            if (light > 12) continue;
            const float unlike = difference_of(seen[here], seen[there], per_depth);
            if (light + unlike > 12) continue;
            const float w = kernel_weight(i) * kernel_weight(j) * falloff(light + unlike);
            sum += w * from.light[there], weights += w, variance += w * w * from.variance[there];
        }
    to.light[here] = (1 / weights) * sum;
    to.luminance[here] = luminance(to.light[here]);
    to.variance[here] = variance / (weights * weights);
}

} // namespace

Image denoised(const Image& noisy, const Features& features) {
    const Size size = noisy.size;
    const auto albedo = [&](std::size_t i) {
        const Color a = features.albedo.pixels[i];
        return Color{std::max(a.x, floor_albedo), std::max(a.y, floor_albedo), std::max(a.z, floor_albedo)};
    };
    Work work{noisy.pixels, std::vector<float>(size.pixels()), features.variance}, next = work;
    parallel_each(size.pixels(), [&](std::size_t i) {
        const Color a = albedo(i);
        work.light[i] = {noisy.pixels[i].x / a.x, noisy.pixels[i].y / a.y, noisy.pixels[i].z / a.z};
        work.luminance[i] = luminance(work.light[i]);
        work.variance[i] /= luminance(a) * luminance(a);
    });
    const std::vector<Seen> guide = seen(features);
    for (int round = 0; round < rounds; ++round) {
        parallel_each(size.pixels(), [&](std::size_t i) {
            filter_pixel(work, next, guide, size, static_cast<int>(i) % size.width, static_cast<int>(i) / size.width,
                         1 << round);
        });
        std::swap(work, next);
    }
    Image clean(size);
    for (std::size_t i = 0; i < size.pixels(); ++i) clean.pixels[i] = work.light[i] * albedo(i);
    return clean;
}

} // namespace loam
