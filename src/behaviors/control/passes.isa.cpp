#include "behaviors/control/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {
namespace {

LAW real closeness(const Pair& pair, float reach) {
    const real t = positive_part(1.0f - pair.r2 * pair.inverse_r * (1 / reach));
    return pair.volume * t * t;
}

} // namespace

void find_cover(const CoverArgs& a, Range range) {
    for (std::size_t c = range.begin; c != range.end; ++c) {
        real covered = broadcast(0);
        each_neighbor(a.led, c, [&](const Pair& pair) LAW_LAMBDA { covered += closeness(pair, a.reach); });
        a.covered[c] = sum(covered);
    }
}

void find_lead(const LeadArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 pull = zero3(), along = zero3();
        real total = broadcast(0);
        each_neighbor(a.leaders, i, [&](const Pair& pair) LAW_LAMBDA {
            const real w = closeness(pair, a.reach);
            pull -= (gather(a.need, pair.j) * w * pair.inverse_r) * pair.d;
            along += w * gather(a.velocity, pair.j).xyz;
            total += w;
        });
        a.pull[i] = sum3(pull);
        a.along[i] = sum(along, total);
    }
}

} // namespace loam::LOAM_ISA
