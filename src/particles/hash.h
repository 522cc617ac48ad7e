// Random numbers by counting: the same for any number of threads and on any machine.
#pragma once

#include <cstdint>

namespace loam {

// splitmix64, Steele et al. 2014: a good mix of all bits.
inline std::uint64_t mix_bits(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

inline std::uint64_t hash_of(std::uint64_t seed, std::int64_t i, std::int64_t j = 0, std::int64_t k = 0) {
    std::uint64_t h = mix_bits(seed ^ static_cast<std::uint64_t>(i));
    h = mix_bits(h ^ static_cast<std::uint64_t>(j));
    return mix_bits(h ^ static_cast<std::uint64_t>(k));
}

// In [0, 1).
inline double unit_number(std::uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1p-53; }

// A sequence of numbers in [0, 1) from a seed.
class Sequence {
public:
    explicit Sequence(std::uint64_t seed) : seed_(seed) {}
    double next() { return unit_number(hash_of(seed_, counter_++)); }
    double next(double lo, double hi) { return lo + (hi - lo) * next(); }

private:
    std::uint64_t seed_;
    std::int64_t counter_ = 0;
};

} // namespace loam
