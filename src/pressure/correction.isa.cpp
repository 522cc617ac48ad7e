#include "pressure/correction.h"

#include "passes/kept_pairs.h"

namespace loam::LOAM_ISA {
namespace {

// A symmetric matrix.
template <class T> struct Symmetric { T xx, yy, zz, xy, xz, yz; };

LAW Float4 product(const Symmetric<float>& a, const Float4& x) {
    return {a.xx * x.x + a.xy * x.y + a.xz * x.z, a.xy * x.x + a.yy * x.y + a.yz * x.z,
            a.xz * x.x + a.yz * x.y + a.zz * x.z, 0};
}

// 1 + b N
LAW Symmetric<float> correction(const Float4& straight, const Float4& across, float b) {
    return {1 + b * straight.x, 1 + b * straight.y, 1 + b * straight.z, b * across.x, b * across.y, b * across.z};
}

// M^-1 - 1. Drops, jets and films have too few neighbors for it: then it is 0.
struct Inverse {
    Symmetric<float> less_one{};
    bool exists = false;
};
LAW Inverse inverse(const Symmetric<float>& m) {
    const Symmetric<float> minors{m.yy * m.zz - m.yz * m.yz, m.xx * m.zz - m.xz * m.xz, m.xx * m.yy - m.xy * m.xy,
                                  m.xz * m.yz - m.xy * m.zz, m.xy * m.yz - m.xz * m.yy, m.xy * m.xz - m.yz * m.xx};
    const float determinant = m.xx * minors.xx + m.xy * minors.xy + m.xz * minors.xz;
    const float squares =
        minors.xx * minors.xx + minors.yy * minors.yy + minors.zz * minors.zz +
        2 * (minors.xy * minors.xy + minors.xz * minors.xz + minors.yz * minors.yz); // |M^-1|^2 determinant^2
    constexpr float largest = 6;                                                     // |M^-1|
    if (!(determinant > 0) || squares > largest * largest * determinant * determinant) return {};
    const float f = 1 / determinant;
    return {{f * minors.xx - 1, f * minors.yy - 1, f * minors.zz - 1, f * minors.xy, f * minors.xz, f * minors.yz},
            true};
}

// From 0 to 1 while neighbors become complete.
LAW float completeness(float density) {
    const float x = (density - 0.85f) * 10;
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

LAW real fluid(const float* solid, const std::uint32_t* j) { return solid ? 1.0f - gather(solid, j) : broadcast(1); }

// L_i : sum_j V_j grad W_ij (x) u_j
LAW float divergence_of_others(const KeptGradients& pairs, std::size_t i, const Float4* field, const Float4& straight,
                               const Float4& across) {
    Symmetric<real> s{broadcast(0), broadcast(0), broadcast(0), broadcast(0), broadcast(0), broadcast(0)};
    each_kept(pairs, i, [&](const std::uint32_t* j, real3 g) LAW_LAMBDA {
        const real4 u = gather(field, j);
        const real3 gv = u.w * g;
        s.xx += gv.x * u.xyz.x, s.yy += gv.y * u.xyz.y, s.zz += gv.z * u.xyz.z;
        s.xy += gv.x * u.xyz.y + gv.y * u.xyz.x;
        s.xz += gv.x * u.xyz.z + gv.z * u.xyz.x;
        s.yz += gv.y * u.xyz.z + gv.z * u.xyz.y;
    });
    const Symmetric<float> l = correction(straight, across, straight.w);
    const real total = l.xx * s.xx + l.yy * s.yy + l.zz * s.zz + l.xy * s.xy + l.xz * s.xz + l.yz * s.yz;
    return unit_of(pairs) * sum(total);
}

LAW float least_of(real x) {
    float lane[lanes];
    __builtin_memcpy(lane, &x, sizeof x);
    float least = lane[0];
    for (int k = 1; k < lanes; ++k) least = lane[k] < least ? lane[k] : least;
    return least;
}

LAW float dot3(const Float4& a, const Float4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// Surface tension and weight can crowd a free surface until its density says nothing. Then G tells it: it points into
// the fluid. Close to a wall it is as large, but points to the wall. `own`: of the fluid alone.
LAW bool is_free(float density, const Float4& g, const Float4& own, float support) {
    const float steep = free_gradient / support;
    return density < free_density || (dot3(g, g) > steep * steep && dot3(g, own) > 0);
}

} // namespace

void find_correction(const CorrectionArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real density = broadcast(0);
        real3 gradient = zero3(), straight = zero3(), across = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real volume = fluid(a.solid, pair.j) * pair.volume;
            const real3 g = volume * kept_gradient(a.pairs, i, pair), d = pair.d;
            density += volume * value(a.kernel, pair);
            gradient += g;
            const real near = pair.r2 * a.kernel.inverse_support * a.kernel.inverse_support;
            const auto moment = [&](real x) LAW_LAMBDA { return near < 1.0f ? x : broadcast(0); };
            straight -= real3{moment(g.x * d.x), moment(g.y * d.y), moment(g.z * d.z)};
            across -= real3{moment(g.x * d.y), moment(g.x * d.z), moment(g.y * d.z)};
        });
        const Float4 own = sum(gradient, density), m = sum3(straight), o = sum3(across), &g = a.gradient[i];
        const bool flat = a.kernel.dimensions == 2, is_fluid = !a.solid || a.solid[i] == 0;
        const auto [n, exists] = is_fluid ? inverse({m.x, m.y, flat ? 1 : m.z, o.x, o.y, o.z}) : Inverse{};
        // A wall's sum makes up for the neighbors that it takes the place of. If those on the other side are crowded
        // and count as complete, they do so a second time: what runs into the wall seems to expand. Solvers that keep
        // the density, which ask for no free surfaces, have no crowds.
        const float alone = a.particles.query_place[i].w * a.own_value + own.w;
        const float rest = a.free ? 1 - (a.density[i] - alone) : alone;
        const float away = a.away_from_solids ? a.away_from_solids[i] : 1;
        const Float4 diagonal{n.xx, n.yy, n.zz, exists ? away * completeness(alone < rest ? alone : rest) : 0};
        const Float4 off{n.xy, n.xz, n.yz, exists ? completeness(a.density[i]) : 0};
        const Float4 l = product(correction(diagonal, off, diagonal.w), own);
        Float4 corrected{g.x + l.x - own.x, g.y + l.y - own.y, g.z + l.z - own.z, 0};
        const float s = a.specific_volume ? a.specific_volume[i] : a.common_specific_volume;
        corrected.w = g.w + s * (dot3(corrected, corrected) - dot3(g, g));
        a.straight[i] = diagonal, a.across[i] = off, a.corrected[i] = corrected;
        if (a.free) a.free[i] = !exists ? 2 : is_free(a.density[i], g, own, a.kernel.support) ? 1 : 0;
    }
}

void corrected_push(const CorrectedPushArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 total = zero3();
        each_kept(a.pairs, i, [&](const std::uint32_t* j, real3 g) LAW_LAMBDA {
            const real3 d = gather(a.straight, j).xyz, o = gather(a.across, j).xyz;
            total += real3{d.x * g.x + o.x * g.y + o.y * g.z, o.x * g.x + d.y * g.y + o.z * g.z,
                           o.y * g.x + o.z * g.y + d.z * g.z};
        });
        const Float4 t = sum3(total), &g = a.gradient[i];
        const float p = a.pressure[i], unit = unit_of(a.pairs);
        const float s = a.specific_volume ? a.specific_volume[i] : a.common_specific_volume;
        a.push[i] = {-s * (p * g.x + unit * t.x), -s * (p * g.y + unit * t.y), -s * (p * g.z + unit * t.z),
                     a.volume[i]};
    }
}

void corrected_divergence(const CorrectedDivergenceArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real walls = broadcast(0);
        if (a.wall_field)
            each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
                const WallShare share = wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal);
                walls += pair.volume * dot(gather(a.wall_field, pair.j).xyz, share.gradient);
            });
        a.divergence[i] = dot3(a.field[i], a.gradient[i]) -
                          divergence_of_others(a.pairs, i, a.field, a.straight[i], a.across[i]) - sum(walls);
    }
}

ResidualSums corrected_residual(const CorrectedResidualArgs& args, Range range) {
    const ResidualArgs& a = args.of;
    ResidualSums sums;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4 &g = a.gradient[i], &u = a.push[i];
        float r = a.source[i] + dot3(u, g) - divergence_of_others(a.pairs, i, a.push, args.straight[i], args.across[i]);
        if (a.compliance) r -= a.compliance[i] * a.pressure[i];
        const float diagonal = g.w > a.usual_diagonal ? g.w : a.usual_diagonal;
        add_residual(sums, r, a.residual_before[i], a.pressure[i], a.pressure_before[i], u.w, diagonal,
                     a.least_diagonal.of(i));
        a.residual[i] = r;
    }
    return sums;
}

void reference_push(const ReferenceArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 total = zero3();
        const real c = broadcast(a.record[i].x), rho = broadcast(a.record[i].y);
        each_kept(a.pairs, i, [&](const std::uint32_t* j, real3 g) LAW_LAMBDA {
            const real4 other = gather(a.record, j);
            total += (2.0f * other.xyz.z * (other.xyz.x - c) / (rho + other.xyz.y)) * g;
        });
        const Float4 t = product(correction(a.straight[i], a.across[i], a.across[i].w), sum3(total));
        const float unit = a.record[i].z > 0 ? unit_of(a.pairs) : 0; // none for solids
        a.acceleration[i] = {-unit * t.x, -unit * t.y, -unit * t.z, a.across[i].w};
    }
}

void change_along(const AlongArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 total = zero3();
        const Float4 l = product(correction(a.straight[i], a.across[i], a.across[i].w), a.way[i]), &v = a.velocity[i];
        const real3 way{broadcast(l.x), broadcast(l.y), broadcast(l.z)};
        const real3 own{broadcast(v.x), broadcast(v.y), broadcast(v.z)};
        each_kept(a.pairs, i, [&](const std::uint32_t* j, real3 g) LAW_LAMBDA {
            total += (gather(a.way, j).w * dot(way, g)) * (gather(a.velocity, j).xyz - own);
        });
        const Float4 t = sum3(total);
        const float unit = unit_of(a.pairs);
        a.change[i] = {unit * t.x, unit * t.y, unit * t.z, 0};
    }
}

void least_around(const AroundArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const real none = broadcast(1e30f);
        real least = broadcast(a.values[i]);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real other = fluid(a.solid, pair.j) * gather(a.values, pair.j);
            const real near = pair.r2 * a.kernel.inverse_support * a.kernel.inverse_support;
            least = smaller(least, near < 1.0f ? other : none);
        });
        a.to[i] = least_of(least);
    }
}

void mean_around(const AroundArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real values = broadcast(0), weights = broadcast(0);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real weight = fluid(a.solid, pair.j) * pair.volume * value(a.kernel, pair);
            weights += weight;
            values += weight * gather(a.values, pair.j);
        });
        const float own = a.particles.query_place[i].w * a.own_value;
        a.to[i] = (own * a.values[i] + sum(values)) / (own + sum(weights));
    }
}

} // namespace loam::LOAM_ISA
