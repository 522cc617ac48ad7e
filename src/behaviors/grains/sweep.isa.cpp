#include "behaviors/grains/sweep.h"

#include <bit>

#include "passes/pair.h"

namespace loam::LOAM_ISA {
namespace {

LAW real load(const float* from) { return *reinterpret_cast<const real*>(from); }
LAW void store(float* to, real x) { *reinterpret_cast<real*>(to) = x; }
LAW real3 load3(const float (*from)[GrainLanes::width], std::size_t l) {
    return {load(from[0] + l), load(from[1] + l), load(from[2] + l)};
}
LAW void store3(float (*to)[GrainLanes::width], std::size_t l, real3 x) {
    store(to[0] + l, x.x), store(to[1] + l, x.y), store(to[2] + l, x.z);
}
LAW real3 cross(real3 a, real3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
LAW real inverse_of(real x) { return x > 0.0f ? 1.0f / x : broadcast(0); }
// As much of v as is no longer than `most`.
LAW real3 shortened(real3 v, real most) {
    const real size2 = dot(v, v);
    return (size2 > most * most ? most / square_root(size2) : broadcast(1)) * v;
}

// set_bits: one for each lane in which a comparison is true. scatter: the inverse of gather(); no record may occur
// twice among the lanes, but the one of nobody.
#if defined(LOAM_ISA_scalar)
LAW std::uint32_t set_bits(bool x) { return x ? 1 : 0; }
LAW void scatter(Float4* column, const std::uint32_t* j, real3 a, real w) { column[*j] = {a.x, a.y, a.z, w}; }
#else
LAW std::uint32_t set_bits(whole x) { return static_cast<std::uint32_t>(_mm256_movemask_ps((real)x)); }
LAW void scatter(Float4* column, const std::uint32_t* j, real3 a, real w) {
    const real xy_lo = __builtin_shufflevector(a.x, a.y, 0, 8, 1, 9, 4, 12, 5, 13);
    const real xy_hi = __builtin_shufflevector(a.x, a.y, 2, 10, 3, 11, 6, 14, 7, 15);
    const real zw_lo = __builtin_shufflevector(a.z, w, 0, 8, 1, 9, 4, 12, 5, 13);
    const real zw_hi = __builtin_shufflevector(a.z, w, 2, 10, 3, 11, 6, 14, 7, 15);
    const auto put = [&](int low, int high, real xy, real zw, bool second) LAW_LAMBDA {
        const real both = second ? __builtin_shufflevector(xy, zw, 2, 3, 10, 11, 6, 7, 14, 15)
                                 : __builtin_shufflevector(xy, zw, 0, 1, 8, 9, 4, 5, 12, 13);
        *reinterpret_cast<quad*>(column + j[low]) = __builtin_shufflevector(both, both, 0, 1, 2, 3);
        *reinterpret_cast<quad*>(column + j[high]) = __builtin_shufflevector(both, both, 4, 5, 6, 7);
    };
    put(0, 4, xy_lo, zw_lo, false);
    put(1, 5, xy_lo, zw_lo, true);
    put(2, 6, xy_hi, zw_hi, false);
    put(3, 7, xy_hi, zw_hi, true);
}
#endif

// Both sides of some contacts, and what they do to each other.
struct Sides {
    const GrainSweepArgs& a;
    const std::uint32_t *i, *j;
    real4 moving_i, moving_j, turning_i, turning_j;
    real3 normal;
    real arm_i, arm_j;

    LAW Sides(const GrainSweepArgs& args, const GrainLanes& c, std::size_t l)
        : a(args), i(c.i + l), j(c.j + l), moving_i(gather(a.moving, i)), moving_j(gather(a.moving, j)),
          turning_i(gather(a.turning, i)), turning_j(gather(a.turning, j)), normal(load3(c.normal, l)),
          arm_i(load(c.arm_i + l)), arm_j(load(c.arm_j + l)) {}

    LAW void push(real3 impulse, real3 roll) const {
        const real3 turn = cross(normal, impulse);
        scatter(a.moving, i, moving_i.xyz + moving_i.w * impulse, moving_i.w);
        scatter(a.turning, i, turning_i.xyz + turning_i.w * (roll - arm_i * turn), turning_i.w);
        scatter(a.moving, j, moving_j.xyz - moving_j.w * impulse, moving_j.w);
        scatter(a.turning, j, turning_j.xyz - turning_j.w * (roll + arm_j * turn), turning_j.w);
    }
};

} // namespace

void grain_begin(const GrainSweepArgs& a, Range range) {
    for (std::size_t k = range.begin; k != range.end; ++k)
        for (std::size_t l = 0; l != GrainLanes::width; l += lanes) {
            const GrainLanes& c = a.contacts[k];
            const Sides sides(a, c, l);
            sides.push(load(c.push + l) * sides.normal + load3(c.drag, l), load3(c.roll, l));
        }
}

void grain_sweep(const GrainSweepArgs& a, Range range) {
    for (std::size_t k = range.begin; k != range.end; ++k)
        for (std::size_t l = 0; l != GrainLanes::width; l += lanes) {
            GrainLanes& c = a.contacts[k];
            const Sides sides(a, c, l);
            const real along = sides.moving_i.w + sides.moving_j.w, turned = sides.turning_i.w + sides.turning_j.w;
            const real across =
                along + sides.arm_i * sides.arm_i * sides.turning_i.w + sides.arm_j * sides.arm_j * sides.turning_j.w;
            const real3 approach = sides.moving_i.xyz - sides.moving_j.xyz;
            const real coming = dot(approach, sides.normal), bond = a.dt * load(c.bond + l);
            const real old_push = load(c.push + l);
            const real push = larger(-bond, old_push + (load(c.target + l) - coming) * inverse_of(along));
            const real hold = positive_part(push + bond);
            const real3 turning = sides.arm_i * sides.turning_i.xyz + sides.arm_j * sides.turning_j.xyz;
            const real3 sliding = approach - coming * sides.normal - cross(turning, sides.normal);
            const real3 old_drag = load3(c.drag, l);
            const real3 drag = shortened(old_drag - inverse_of(across) * sliding, hold * load(c.friction + l));
            const real3 old_roll = load3(c.roll, l);
            const real3 rolling = sides.turning_i.xyz - sides.turning_j.xyz;
            const real3 roll = shortened(old_roll - inverse_of(turned) * rolling, hold * load(c.rolling + l));
            sides.push((push - old_push) * sides.normal + (drag - old_drag), roll - old_roll);
            store(c.push + l, push), store3(c.drag, l, drag), store3(c.roll, l, roll);
        }
}

void grain_shift(const GrainShiftArgs& a, Range range) {
    for (std::size_t k = range.begin; k != range.end; ++k)
        for (std::size_t l = 0; l != GrainLanes::width; l += lanes) {
            const GrainLanes& c = a.contacts[k];
            GrainShift& s = a.shifts[k];
            const real4 i = gather(a.shift, c.i + l), j = gather(a.shift, c.j + l);
            const real3 normal = load3(c.normal, l);
            const real lacks = load(s.wanted + l) - dot(i.xyz - j.xyz, normal), old = load(s.moved + l);
            const real moved = larger(load(s.least + l), old + lacks * inverse_of(i.w + j.w));
            const real3 by = (moved - old) * normal;
            scatter(a.shift, c.i + l, i.xyz + i.w * by, i.w);
            scatter(a.shift, c.j + l, j.xyz - j.w * by, j.w);
            store(s.moved + l, moved);
        }
}

std::uint32_t grain_near(const GrainNearArgs& a, std::size_t i, std::uint32_t* to) {
    std::uint32_t count = 0;
    const real3 own = broadcast(a.approach[i]);
    const float radius = a.approach[i].w;
    each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
        const real4 other = gather(a.approach, pair.j);
        const real gap = pair.r2 * pair.inverse_r - other.w - radius;
        const real comes = -a.dt * pair.inverse_r * dot(own - other.xyz, pair.d);
        std::uint32_t bits = set_bits(gap <= larger(comes, broadcast(a.near))); // padding: none
        if (a.others) bits |= set_bits(other.w == 0.0f);
        for (; bits; bits &= bits - 1) to[count++] = pair.j[std::countr_zero(bits)];
    });
    return count;
}

} // namespace loam::LOAM_ISA
