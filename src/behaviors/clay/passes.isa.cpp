#include "behaviors/clay/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {

#include "behaviors/clay/clay.law.h"

void clay_forces(const ClayArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        if (a.tension[i] < 0) continue;
        real3 total = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real other = gather(a.tension, pair.j);
            const real both = other >= 0.0f ? a.tension[i] + other : broadcast(0);
            const real apart = held_apart(pair.r2 * pair.inverse_r * a.inverse_spacing);
            total += (pair.volume * both * apart * slope(a.kernel, pair)) * pair.d;
        });
        const Float4 t = sum3(total);
        const float scale = a.particles.query_place[i].w / a.mass[i];
        Float4& to = a.acceleration[i];
        to = {to.x + scale * t.x, to.y + scale * t.y, to.z + scale * t.z, to.w};
    }
}

} // namespace loam::LOAM_ISA
