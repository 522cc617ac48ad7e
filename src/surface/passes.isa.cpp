#include "surface/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {
namespace {

LAW real neighbor_weight(const Pair& pair, float inverse_reach) {
    const real q = pair.r2 * pair.inverse_r * inverse_reach;
    return positive_part(1.0f - q * q * q);
}

// sum_j w s_j v_j / sum_j w s_j with s_j = share(v_i, v_j).
template <class Share> LAW void mean_weighted(const MeanArgs& a, Range range, const Share& share) {
    for (std::size_t k = range.begin; k != range.end; ++k) {
        const Float4& v = a.vectors[a.some[k]];
        const real3 own = broadcast(v);
        real3 vector = zero3();
        real weight = broadcast(0);
        const float inverse_reach = a.inverse_reach / a.particles.query_place[a.some[k]].w;
        each_neighbor(a.particles, a.some[k], [&](const Pair& pair) LAW_LAMBDA {
            const real3 other = gather(a.vectors, pair.j).xyz;
            const real w = neighbor_weight(pair, inverse_reach) * share(own, other);
            weight += w;
            vector += w * other;
        });
        const Float4 others = sum(vector, weight);
        const float own_weight = sum(share(own, own)) / lanes, all = others.w + own_weight;
        const float inverse = all > 0 ? 1 / all : 0;
        a.means[k] = {inverse * (others.x + own_weight * v.x), inverse * (others.y + own_weight * v.y),
                      inverse * (others.z + own_weight * v.z), 0};
    }
}

} // namespace

void crowding(const CrowdArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real density = broadcast(0);
        real3 way = zero3(); // of the neighbors to the particle
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            density += pair.volume * value(a.kernel, pair);
            const real there = pair.r2 < 1e20f ? broadcast(1) : broadcast(0); // padding is far away
            way += there * pair.d;
        });
        const Float4 sums = sum(way, density);
        const float count = static_cast<float>(a.particles.entries[i].count + 1);
        a.lean[i] = {sums.x / count, sums.y / count, sums.z / count, count};
        a.density[i] = a.particles.query_place[i].w * a.own_value + sums.w;
    }
}

void moments(const MomentArgs& a, Range range) {
    for (std::size_t k = range.begin; k != range.end; ++k) {
        real3 first = zero3(), square = zero3(), mixed = zero3();
        real weight = broadcast(0);
        const float inverse_reach = a.inverse_reach / a.particles.query_place[a.some[k]].w;
        each_neighbor(a.particles, a.some[k], [&](const Pair& pair) LAW_LAMBDA {
            const real w = neighbor_weight(pair, inverse_reach);
            const real3 d = zero3() - pair.d, wd = w * d;
            weight += w;
            first += wd;
            square += real3{wd.x * d.x, wd.y * d.y, wd.z * d.z};
            mixed += real3{wd.x * d.y, wd.x * d.z, wd.y * d.z};
        });
        float* const m = a.moments + 10 * k;
        const Float4 f = sum(first, weight), s = sum3(square), x = sum3(mixed);
        m[0] = f.w + 1, m[1] = f.x, m[2] = f.y, m[3] = f.z;
        m[4] = s.x, m[5] = s.y, m[6] = s.z, m[7] = x.x, m[8] = x.y, m[9] = x.z;
    }
}

void mean_vectors(const MeanArgs& a, Range range) {
    mean_weighted(a, range, [](real3, real3) LAW_LAMBDA { return broadcast(1); });
}

void mean_alike(const MeanArgs& a, Range range) {
    mean_weighted(a, range, [](real3 own, real3 other) LAW_LAMBDA { return positive_part(dot(own, other)); });
}

} // namespace loam::LOAM_ISA
