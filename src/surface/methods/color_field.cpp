// The color field (L 2.8): c(x) = sum_j V_j W(x - x_j), 1 inside and 0 outside, with the surface where it is a half.
//
//   W   the kernel (1 - q^2)^3, normalized; its reach is a property, as a multiple of the spacing
#include "surface/blobs.h"

namespace loam {
namespace {

class ColorField : public KernelField {
public:
    explicit ColorField(const Values& values) : reach_(values.number("reach")), level_(values.number("level")) {}

    double reach(const Cloud& cloud) const override { return reach_ * cloud.spacing(); }
    float outside(const Cloud&) const override { return static_cast<float>(-level_); }
    float inside(const Cloud&) const override { return static_cast<float>(1 - level_); }
    double steepness(const Cloud& cloud) const override { return 1 / reach(cloud); }

    void sample(const Cloud& cloud, const BlockFrame& block, std::span<const std::uint32_t> particles,
                float* values) const override {
        std::vector<Blob> blobs = make_blobs(cloud, block, particles, reach(cloud), 0);
        // A particle and its kernel grow together, so the size cancels out.
        const double spacing = cloud.spacing(), volume = spacing * spacing * (cloud.flat() ? 1 : spacing);
        for (Blob& blob : blobs) blob.weight = static_cast<float>(volume / kernel_integral(reach(cloud), cloud.flat()));
        Sums sums(1);
        splat_color.on(cloud.isa())({blobs.data(), blobs.size(), cloud.flat(), sums.data()});
        for (std::size_t n = 0; n < sampled_nodes(cloud); ++n) values[n] = sums[0][n] - static_cast<float>(level_);
    }

private:
    double reach_, level_;
};

const RegisterSurfaceMethod entry{
    {.declaration = {.name = "color-field",
                     .help = "Where the particles' smoothed volumes fill half of space (Lenaerts 2.8). Simple; bumpy.",
                     .properties = {number("reach", "", 2, {1, 4}, "Reach of the kernel, in spacings."),
                                    number("level", "", 0.5, {0.01, 0.99}, "Value at the surface.")}},
     .make = make_surface_method<KernelMethod<ColorField>>}};

} // namespace
} // namespace loam
