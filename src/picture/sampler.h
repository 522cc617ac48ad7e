// Evenly spread random numbers: Sobol points, shuffled and scrambled by hashes (Burley 2020, Practical Hash-based Owen
// Scrambling). A number depends only on seed, pixel, sample and dimension, so pictures do not depend on threads.
#pragma once

#include <cstdint>
#include <utility>

namespace loam {

class Sampler {
public:
    static constexpr std::uint32_t most_samples = 4096;

    Sampler(std::uint32_t seed, std::uint32_t pixel, std::uint32_t sample)
        : seed_(hash(seed ^ hash(pixel + 0x9e3779b9u))), sample_(sample) {}

    std::pair<float, float> next2() {
        const Dimension d = next_dimension();
        if (!d.spread) return {to_unit(d.index), to_unit(hash(d.index))};
        return {first(d), to_unit(scrambled(second_sobol(d.index), hash(d.seed ^ 0x297a2d39u)))};
    }
    float next() {
        const Dimension d = next_dimension();
        return d.spread ? first(d) : to_unit(d.index);
    }

    static std::uint32_t hash(std::uint32_t x) {
        x ^= x >> 16, x *= 0x21f0aaadu, x ^= x >> 15, x *= 0xd35a2d97u, x ^= x >> 15;
        return x;
    }

private:
    struct Dimension {
        std::uint32_t seed;
        std::uint32_t index; // of the point; a plain random number where not spread
        bool spread;
    };
    Dimension next_dimension() {
        const std::uint32_t seed = hash(seed_ + 0x51ed270bu * ++dimension_);
        if (dimension_ > spread_dimensions) // deep in a path even spreading gains nothing
            return {seed, hash(seed ^ 0x68bc21ebu * (sample_ + 1)), false};
        return {seed, scrambled(sample_, seed) & (most_samples - 1), true};
    }
    static float first(const Dimension& d) { return to_unit(scrambled(reversed(d.index), hash(d.seed ^ 0x2c1b3c6du))); }

    static std::uint32_t reversed(std::uint32_t x) {
        x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
        x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
        x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
        return __builtin_bswap32(x);
    }
    static std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
        x = reversed(x);
        x += seed;
        x ^= x * 0x6c50b47cu, x ^= x * 0xb82f1e52u, x ^= x * 0xc7afe638u, x ^= x * 0x8d22f6e6u;
        return reversed(x);
    }
    static std::uint32_t second_sobol(std::uint32_t index) {
        std::uint32_t result = 0;
        for (std::uint32_t v = 1u << 31; index; index >>= 1, v ^= v >> 1)
            if (index & 1u) result ^= v;
        return result;
    }
    static float to_unit(std::uint32_t x) { return static_cast<float>(x >> 8) * 0x1p-24f; }

    static constexpr std::uint32_t spread_dimensions = 7;

    std::uint32_t seed_, sample_, dimension_ = 0;
};

} // namespace loam
