#include "surface/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {
namespace {

// The neighborhood of a particle; pairs carry sizes in place of volumes.
struct Around {
    float inverse_size, inverse_reach;
    bool flat;

    LAW real weight(const Pair& pair) const {
        const real q = pair.r2 * pair.inverse_r * inverse_reach, s = pair.volume * inverse_size;
        return positive_part(1.0f - q * q * q) * (flat ? s * s : s * s * s);
    }
};
template <class Args> LAW Around around(const Args& a, std::size_t k) {
    const float inverse_size = 1.0f / a.particles.query_place[a.some[k]].w;
    return {inverse_size, a.inverse_reach * inverse_size, a.flat};
}

// sum_j w s_j v_j / sum_j w s_j with s_j = share(v_i, v_j).
template <class Share> LAW void mean_weighted(const MeanArgs& a, Range range, const Share& share) {
    for (std::size_t k = range.begin; k != range.end; ++k) {
        const Float4& v = a.vectors[a.some[k]];
        const real3 own = broadcast(v);
        real3 vector = zero3();
        real weight = broadcast(0);
        const Around near = around(a, k);
        each_neighbor(a.particles, a.some[k], [&](const Pair& pair) LAW_LAMBDA {
            const real3 other = gather(a.vectors, pair.j).xyz;
            const real w = near.weight(pair) * share(own, other);
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
        const float own = a.particles.query_place[i].w, width = a.widths ? a.widths[i] : 1.0f;
        const float wide_volume = width > 1.0f ? own : 1.0f; // width^d
        Kernel kernel = a.kernel;
        kernel.support *= width, kernel.inverse_support /= width, kernel.value_scale /= wide_volume;
        // Neighbors that reach here, but lie beyond the particle's own reach, do not count. Padding has no volume.
        const float reach2 = a.widths ? kernel.support * kernel.support : 1e30f;
        real density = broadcast(0), volume = broadcast(0);
        real3 way = zero3(); // of the neighbors to the particle
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real v = pair.r2 < reach2 ? pair.volume : broadcast(0);
            density += v * value(kernel, pair);
            volume += v;
            way += v * pair.d;
        });
        const Float4 sums = sum(way, density);
        const float all = width * (own + sum(volume));
        a.lean[i] = {sums.x / all, sums.y / all, sums.z / all, own};
        a.density[i] = a.full_volume * (own / wide_volume * a.own_value + sums.w);
    }
}

void moments(const MomentArgs& a, Range range) {
    for (std::size_t k = range.begin; k != range.end; ++k) {
        real3 first = zero3(), square = zero3(), mixed = zero3();
        real weight = broadcast(0);
        const Around near = around(a, k);
        each_neighbor(a.particles, a.some[k], [&](const Pair& pair) LAW_LAMBDA {
            const real w = near.weight(pair);
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
