// The surface value (B 5.5-5.10, P 11-14): blobs that grow towards the surface, which flattens it.
//
//   n_i = x_i - c_i                   c_i the mean place of the neighbors within h                  (B 5.6-5.7)
//   M_i = sum_j V_j |n_j| / (K_i h)   K_i the volume of the neighbors; M the largest M_i            (B 5.9)
//   s_i = 1 - (M_i + M / 2)           smaller at the surface                                        (B 5.8)
//   phi = sqrt(sum_i v_i (1 - (d_i s_i / h')^2)^3)                                                  (B 5.10)
//
// A particle is felt as far as its bracket is positive, to h' / s_i: cut off at h' as B writes, the field would jump.
// h' is smaller than the h of the neighborhood, so that kernels inside reach two spacings. B has v_i = 1; then blobs,
// which are larger at the surface, add up to more there than inside, and M, which depends on single particles, decides
// where the surface lies: a dam break had 10-20 % too much volume, a ball holes inside. Here v_i is the particle's
// volume over the integral of its kernel, so the sum is 1 inside. B's particles are alike; here they count by volume.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "surface/blobs.h"

namespace loam {
namespace {

constexpr float least_value = 0.4f; // keeps the reach within bounds

class SurfaceValue : public KernelField {
public:
    explicit SurfaceValue(const Values& values) : reach_(values.number("reach")), level_(values.number("level")) {}

    double reach(const Cloud& cloud) const override { return reach_ * cloud.spacing() / least_; }
    float outside(const Cloud&) const override { return static_cast<float>(-level_); }
    float inside(const Cloud&) const override { return static_cast<float>(1 - level_); }
    double steepness(const Cloud& cloud) const override { return level_ / cloud.spacing(); }

    void begin(const Cloud& cloud) override {
        const auto h = static_cast<float>(cloud.neighbor_reach());
        values_.resize(cloud.size());
        parallel_each(cloud.size(), [&](std::size_t i) {
            double sum = 0, volume = 0;
            for (const std::uint32_t j : cloud.neighbors().of(i)) {
                const Float4& n = cloud.lean()[j];
                sum += n.w * length(n.xyz());
                volume += n.w;
            }
            values_[i] = volume == 0 ? 0 : static_cast<float>(sum) / (static_cast<float>(volume) * h);
        });
        const float most = most_value(cloud);
        for (float& value : values_) value = std::max(1 - (value + most / 2), least_value);
        least_ = *std::min_element(values_.begin(), values_.end());
    }

    void sample(const Cloud& cloud, const BlockFrame& block, std::span<const std::uint32_t> particles,
                float* values) const override {
        std::vector<Blob> blobs = make_blobs(cloud, block, particles, reach_ * cloud.spacing(), 0);
        const double spacing = cloud.spacing(), volume = spacing * spacing * (cloud.flat() ? 1 : spacing);
        for (std::size_t k = 0; k < blobs.size(); ++k) {
            const float s = values_[particles[k]];
            blobs[k].reach /= s;
            blobs[k].weight = static_cast<float>(volume / kernel_integral(reach_ * spacing / s, cloud.flat()));
        }
        Sums sums(1);
        splat_color.on(cloud.isa())({blobs.data(), blobs.size(), cloud.flat(), sums.data()});
        for (std::size_t n = 0; n < sampled_nodes(cloud); ++n)
            values[n] = std::sqrt(sums[0][n]) - static_cast<float>(level_);
    }

private:
    // M. What is small beside the largest particle has as little say, so that nothing changes when it goes.
    float most_value(const Cloud& cloud) const {
        const double largest = cloud.particles().share(cloud.largest_size());
        double most = 0;
        for (std::size_t i = 0; i < cloud.size(); ++i) most = std::max(most, values_[i] * cloud.share(i) / largest);
        return static_cast<float>(most);
    }

    double reach_, level_;
    std::vector<float> values_; // s
    double least_ = least_value;
};

const RegisterSurfaceMethod entry{
    {.declaration = {.name = "surface-value",
                     .help = "Blobs that grow towards the surface (Bayraktar 5.5-5.10). Flat faces; loses small drops.",
                     .properties = {number("reach", "", 1.6, {1, 3}, "Reach h' of the blobs, in spacings."),
                                    number("level", "", 0.69, {0.1, 0.99}, "Value at the surface.")}},
     .make = make_surface_method<KernelMethod<SurfaceValue>>}};

} // namespace
} // namespace loam
