// The numbers that inner loops compute with: `real` is one float or eight of them side by side. Only *.isa.cpp sources
// include this header; everything lives in the namespace of the instruction set and is inlined, so that no code for one
// instruction set can be linked into another.
//
// The vectors are the compilers' own (GCC and clang vector extensions): + - * / < ?: work on them as on floats, so a
// law reads the same for one float, for lanes, and in OpenCL C. Roots and quotients are exact ones: estimates (rsqrt)
// differ from one maker of processors to the other, and are not faster here.
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "base/vec.h"

#define LAW [[gnu::always_inline]] inline
#define LAW_LAMBDA __attribute__((always_inline))

namespace loam::LOAM_ISA {

#if defined(LOAM_ISA_scalar)

inline constexpr int lanes = 1;
using real = float;
using whole = std::int32_t;

LAW real broadcast(float x) { return x; }
LAW real square_root(real x) { return __builtin_sqrtf(x); }
LAW real inverse_root(real x) { return 1.0f / __builtin_sqrtf(x); }
LAW real positive_part(real x) { return x > 0.0f ? x : 0.0f; }
LAW real nearest_whole(real x) { return __builtin_rintf(x); }
LAW float sum(real x) { return x; }
LAW real gather(const float* column, const std::uint32_t* j) { return column[*j]; }
LAW whole rounded(real x) { return static_cast<whole>(__builtin_rintf(x)); }
LAW real to_real(whole x) { return static_cast<real>(x); }
LAW whole load_words(const std::uint32_t* from) { return static_cast<whole>(*from); }
LAW void store_words(std::uint32_t* to, whole x) { *to = static_cast<std::uint32_t>(x); }

// Doubles, for sums that must lose nothing.
using wide = double;
LAW wide to_wide(real x) { return x; }
LAW double sum(wide x) { return x; }

#else

inline constexpr int lanes = 8;
using real = float __attribute__((vector_size(32)));
using quad = float __attribute__((vector_size(16)));
using whole = std::int32_t __attribute__((vector_size(32)));

LAW real broadcast(float x) { return real{} + x; }
LAW real square_root(real x) { return _mm256_sqrt_ps(x); }
LAW real inverse_root(real x) { return 1.0f / _mm256_sqrt_ps(x); }
LAW real positive_part(real x) { return _mm256_max_ps(x, real{}); }
LAW real nearest_whole(real x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
LAW float sum(real x) {
    const quad half = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
    return (half[0] + half[2]) + (half[1] + half[3]);
}
// The sums of four reals at once, as one record.
LAW quad sums(real a, real b, real c, real d) {
    const real ab_lo = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    const real ab_hi = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    const real cd_lo = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    const real cd_hi = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    const real ab = ab_lo + ab_hi, cd = cd_lo + cd_hi; // a b a b | a b a b
    const real all = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13) +
                     __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
    return __builtin_shufflevector(all, all, 0, 1, 2, 3) + __builtin_shufflevector(all, all, 4, 5, 6, 7);
}
LAW real gather(const float* column, const std::uint32_t* j) {
    return real{column[j[0]], column[j[1]], column[j[2]], column[j[3]],
                column[j[4]], column[j[5]], column[j[6]], column[j[7]]};
}
LAW whole rounded(real x) { return (whole)_mm256_cvtps_epi32(x); }
LAW real to_real(whole x) { return __builtin_convertvector(x, real); }
LAW whole load_words(const std::uint32_t* from) {
    return (whole)_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
LAW void store_words(std::uint32_t* to, whole x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), (__m256i)x); }

// Doubles, for sums that must lose nothing.
struct wide {
    __m256d low, high;

    LAW wide& operator+=(wide b) { return *this = {low + b.low, high + b.high}; }
};
LAW wide to_wide(real x) {
    return {_mm256_cvtps_pd(_mm256_castps256_ps128(x)), _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1))};
}
LAW double sum(wide x) {
    const __m256d half = x.low + x.high;
    return (half[0] + half[2]) + (half[1] + half[3]);
}

#endif

LAW real larger(real a, real b) { return a > b ? a : b; }
LAW real smaller(real a, real b) { return a < b ? a : b; }

struct real3 {
    real x, y, z;

    LAW friend real3 operator+(real3 a, real3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    LAW friend real3 operator-(real3 a, real3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    LAW friend real3 operator*(real s, real3 a) { return {s * a.x, s * a.y, s * a.z}; }
    LAW real3& operator+=(real3 b) { return *this = *this + b; }
    LAW real3& operator-=(real3 b) { return *this = *this - b; }
};

// Laws build vectors by these: OpenCL C has no braces that do.
LAW real3 real3_of(real x, real y, real z) { return {x, y, z}; }
LAW real dot(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LAW real3 broadcast(const Float4& a) { return {broadcast(a.x), broadcast(a.y), broadcast(a.z)}; }
LAW real3 zero3() { return {broadcast(0), broadcast(0), broadcast(0)}; }

// Four values per particle, loaded as one record.
struct real4 {
    real3 xyz;
    real w;
};
LAW real4 real4_of(real3 xyz, real w) { return {xyz, w}; }

#if defined(LOAM_ISA_scalar)

LAW Float4 sum(real3 a, real w) { return {a.x, a.y, a.z, w}; }

LAW real4 gather(const Float4* column, const std::uint32_t* j) {
    const Float4& a = column[*j];
    return {{a.x, a.y, a.z}, a.w};
}

#else

LAW Float4 sum(real3 a, real w) {
    Float4 all;
    *reinterpret_cast<quad*>(&all) = sums(a.x, a.y, a.z, w);
    return all;
}

// Eight 16-byte loads and a transposition: much cheaper than four gather instructions.
LAW real4 gather(const Float4* column, const std::uint32_t* j) {
    const auto record = [&](int k) __attribute__((always_inline)) {
        return *reinterpret_cast<const quad*>(column + j[k]);
    };
    const auto join = [](quad a, quad b) __attribute__((always_inline))->real {
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    };
    const real a = join(record(0), record(4)), b = join(record(1), record(5));
    const real c = join(record(2), record(6)), d = join(record(3), record(7));
    const real ab_xy = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    const real ab_zw = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    const real cd_xy = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    const real cd_zw = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    return {{__builtin_shufflevector(ab_xy, cd_xy, 0, 1, 8, 9, 4, 5, 12, 13),
             __builtin_shufflevector(ab_xy, cd_xy, 2, 3, 10, 11, 6, 7, 14, 15),
             __builtin_shufflevector(ab_zw, cd_zw, 0, 1, 8, 9, 4, 5, 12, 13)},
            __builtin_shufflevector(ab_zw, cd_zw, 2, 3, 10, 11, 6, 7, 14, 15)};
}

#endif

LAW Float4 sum3(real3 a) { return sum(a, broadcast(0)); }

} // namespace loam::LOAM_ISA
