#include "foam/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {
namespace {

// Padding has no volume, all others 1.
LAW real weight(const Pair& pair, float inverse_reach) {
    return pair.volume * positive_part(1.0f - pair.r2 * pair.inverse_r * inverse_reach);
}

} // namespace

void flow_around(const FlowArgs& a, Range range) {
    const float inverse_reach = 1 / a.reach, reach2 = a.reach * a.reach;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 flow = zero3();
        real all = broadcast(0), count = broadcast(0);
        each_neighbor(a.drops, i, [&](const Pair& pair) LAW_LAMBDA {
            const real w = weight(pair, inverse_reach);
            all += w;
            count += pair.r2 < reach2 ? pair.volume : broadcast(0);
            flow += w * gather(a.velocity, pair.j).xyz;
        });
        const Float4 sums = sum(flow, all);
        const float inverse = sums.w > 0 ? 1 / sums.w : 0;
        a.flow[i] = {inverse * sums.x, inverse * sums.y, inverse * sums.z, sum(count)};
    }
}

void motion_around(const MotionArgs& a, Range range) {
    const float inverse_reach = 1 / a.reach;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const real3 own = broadcast(a.velocity[i]);
        real clash = broadcast(0), all = broadcast(0);
        real3 lean = zero3();
        each_neighbor(a.fluid, i, [&](const Pair& pair) LAW_LAMBDA {
            const real w = weight(pair, inverse_reach);
            const real3 v = own - gather(a.velocity, pair.j).xyz;
            clash += w * (square_root(dot(v, v)) - dot(v, pair.d) * pair.inverse_r);
            lean += (w * pair.inverse_r) * pair.d;
            all += w;
        });
        a.clash[i] = sum(clash);
        a.lean[i] = sum(lean, all);
    }
}

void crest_around(const CrestArgs& a, Range range) {
    const float inverse_reach = 1 / a.reach;
    for (std::size_t k = range.begin; k != range.end; ++k) {
        const std::size_t i = a.some[k];
        const real3 own = broadcast(a.normal[i]);
        real crest = broadcast(0);
        each_neighbor(a.fluid, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 other = gather(a.normal, pair.j);
            const real below = dot(pair.d, own) > 0.0f ? other.w : broadcast(0);
            crest += below * (1.0f - dot(own, other.xyz)) * weight(pair, inverse_reach);
        });
        a.crest[k] = sum(crest);
    }
}

} // namespace loam::LOAM_ISA
