// Particle shifting (Lind et al. 2012, eq. 23): particles drift from where they are crowded to where they are sparse,
// so that smooth flows, which draw them out into threads, stay evenly sampled.
//
//   dx_i = -A h v dt G_i,   |dx_i| <= 0.1 spacing       A strength [-], h half the support, v the fastest speed,
//                                                       G = sum_j V_j grad W_ij, 0 where neighbors are even
//
// Near a free surface G points out of the fluid, so particles there are left alone; solids have an order of their own.
#include <cmath>

#include "step/simulation.h"

namespace loam {

void Simulation::shift(double seconds) {
    const double strength = scene_.solver.number("shifting");
    if (strength <= 0 || pool_.size() == 0) return;
    const auto gradient = pool_[pool_.declare<Float4>({.name = "kernel_gradient"})];
    const auto position = pool_[pool_.position];
    const auto density = pool_[pool_.density];
    const double scale = strength * 0.5 * context_.kernel.support * pool_.fastest() * seconds,
                 most = 0.1 * context_.spacing;
    parallel_each(pool_.size(), [&](std::size_t i) {
        if (density[i] < 0.95f || context_.is_solid(i)) return;
        const Vec3d by = -scale * gradient[i].xyz_double();
        const double l = length(by);
        position[i] += l > most ? most / l * by : by;
    });
}

} // namespace loam
