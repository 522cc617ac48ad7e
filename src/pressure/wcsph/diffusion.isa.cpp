#include "pressure/wcsph/diffusion.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {

void density_diffusion(const DiffusionArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const real p = broadcast(a.record[i].x), rho = broadcast(a.record[i].y);
        const real3 own = broadcast(a.acceleration[i]);
        real total = broadcast(0);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 other = gather(a.record, pair.j);
            const real4 acceleration = gather(a.acceleration, pair.j);
            const real beyond =
                2.0f * (other.xyz.x - p) / (rho + other.xyz.y) - 0.5f * dot(own + acceleration.xyz, pair.d);
            total -= acceleration.w * other.xyz.z * slope(a.kernel, pair) * beyond;
        });
        a.rate[i] = 2 * a.acceleration[i].w * sum(total);
    }
}

} // namespace loam::LOAM_ISA
