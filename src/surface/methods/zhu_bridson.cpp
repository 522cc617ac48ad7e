// Zhu & Bridson 2005, eq. 7-10: phi(x) = |x - a(x)| - r(x), with means of places and radii near x
//
//   a = sum_j w_j x_j / sum_j w_j    r = sum_j w_j r_j / sum_j w_j    w_j = (1 - |x - x_j|^2 / reach^2)^3
//
// Flat where the particles are flat, unlike a sum of blobs; but the mean place jumps across the mouth of a concave
// region, which leaves crumbs there. With a reach of two spacings and r_j of half a spacing the surface of a half-space
// lies where the particles' volume ends: there |x - a| = 0.246 reach.
#include "surface/blobs.h"

namespace loam {
namespace {

class ZhuBridson : public MeanPlaceField {
public:
    using MeanPlaceField::MeanPlaceField;

    void sample(const Cloud& cloud, const BlockFrame& block, std::span<const std::uint32_t> particles,
                float* values) const override {
        const auto blobs = blobs_in(cloud, block, particles);
        Sums sums(5);
        splat_mean.on(cloud.isa())({blobs.data(), blobs.size(), cloud.flat(), sums.data()});
        const auto cell = static_cast<float>(block.cell);
        for (std::size_t n = 0; n < sampled_nodes(cloud); ++n) {
            const float weight = sums[0][n];
            const Vec3f way{sums[1][n], sums[2][n], sums[3][n]};
            values[n] = weight > 1e-12f ? cell * (sums[4][n] - length(way)) / weight : outside(cloud);
        }
    }
};

const RegisterSurfaceMethod entry{
    {.declaration = {.name = "zhu-bridson",
                     .help = "At a radius from the mean place of near particles (Zhu & Bridson 2005). Flat where the "
                             "particles are; leaves crumbs in concave places.",
                     .properties = {number("reach", "", 2, {1, 4}, "Reach of the means, in spacings."),
                                    number("radius", "", 0.5, {0.1, 2}, "Distance of the surface, in spacings.")}},
     .make = make_surface_method<KernelMethod<ZhuBridson>>}};

} // namespace
} // namespace loam
