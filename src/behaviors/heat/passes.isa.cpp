#include "behaviors/heat/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {

void find_exposure(const ExposureArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 around = zero3(), walls = zero3();
        each_neighbor(a.particles, i,
                      [&](const Pair& pair) LAW_LAMBDA { around += (pair.volume * slope(a.kernel, pair)) * pair.d; });
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            walls += pair.volume * wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal).gradient;
        });
        const Float4 n = sum3(around + broadcast(0.5f) * walls);
        a.exposure[i] = __builtin_sqrtf(n.x * n.x + n.y * n.y + n.z * n.z);
    }
}

} // namespace loam::LOAM_ISA
