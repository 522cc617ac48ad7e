#include "behaviors/contact/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {

void count_contacts(const ContactArgs& a, Range range) {
    const real one = broadcast(1), zero = broadcast(0);
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& own = a.rest[i];
        if (own.w == 0) {
            a.count[i] = 0;
            continue;
        }
        const real3 rest = broadcast(own);
        const real body = broadcast(own.w < 0 ? -own.w : own.w);
        const real cracked = own.w < 0 ? one : zero;
        real count = zero;
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 other = gather(a.rest, pair.j);
            const real3 d = other.xyz - rest;
            const real other_body = other.w < 0.0f ? -other.w : other.w;
            real may = dot(d, d) > a.rest_reach2 ? one : (other.w < 0.0f ? cracked : zero);
            may = other_body == body ? may : one;
            may = other_body > 0.0f ? may : zero;
            count += pair.r2 < a.reach2 ? may : zero;
        });
        a.count[i] = static_cast<std::uint32_t>(sum(count));
    }
}

} // namespace loam::LOAM_ISA
