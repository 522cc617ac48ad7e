// Solenthaler, Schläfli & Pajarola 2007, section 4.2: Zhu & Bridson's surface, with the radius taken back where the
// mean place a(x) moves fast, which is where it jumps across concave regions:
//
//   phi(x) = |x - a(x)| - r(x) f,   f = 1                      where E < low
//                                       g^3 - 3 g^2 + 3 g       else, with g = (high - E) / (high - low), at least 0
//
//   E   the largest eigenvalue of grad a: how fast the center of mass moves when x does
//   grad a = (m (x) h - H) / S with S = sum w, m = sum w e / S, h = sum grad w, H = sum (grad w) e^T, e = x - x_j
#include <algorithm>

#include "base/eigen3.h"
#include "surface/blobs.h"

namespace loam {
namespace {

class Solenthaler : public MeanPlaceField {
public:
    explicit Solenthaler(const Values& values)
        : MeanPlaceField(values), low_(values.number("low")), high_(std::max(values.number("high"), low_ + 1e-3)) {}

    void sample(const Cloud& cloud, const BlockFrame& block, std::span<const std::uint32_t> particles,
                float* values) const override {
        const auto blobs = blobs_in(cloud, block, particles);
        Sums sums(14);
        splat_movement.on(cloud.isa())({blobs.data(), blobs.size(), cloud.flat(), sums.data()});
        const auto cell = static_cast<float>(block.cell);
        for (std::size_t n = 0; n < sampled_nodes(cloud); ++n) {
            const float weight = sums[0][n];
            if (weight <= 1e-12f) {
                values[n] = outside(cloud);
                continue;
            }
            const float distance = length(Vec3f{sums[1][n], sums[2][n], sums[3][n]}) / weight;
            float radius = sums[4][n] / weight;
            // Only where the radius decides; elsewhere it is inside or outside anyway.
            if (distance < radius) radius *= static_cast<float>(shrink(movement(sums, n)));
            values[n] = cell * (radius - distance);
        }
    }

private:
    // The symmetric part stands for the matrix: both parts have almost the same direction of fastest movement.
    static double movement(const Sums& sums, std::size_t n) {
        const double s = 1.0 / sums[0][n];
        const Vec3d m = s * Vec3d{sums[1][n], sums[2][n], sums[3][n]}, h{sums[5][n], sums[6][n], sums[7][n]};
        const Symmetric3 gradient{s * (m.x * h.x - sums[8][n]),
                                  s * (m.y * h.y - sums[9][n]),
                                  s * (m.z * h.z - sums[10][n]),
                                  s * (0.5 * (m.x * h.y + m.y * h.x) - sums[11][n]),
                                  s * (0.5 * (m.x * h.z + m.z * h.x) - sums[12][n]),
                                  s * (0.5 * (m.y * h.z + m.z * h.y) - sums[13][n])};
        return eigen_of(gradient).values[0];
    }

    double shrink(double movement) const {
        if (movement < low_) return 1;
        const double g = std::max(0.0, (high_ - movement) / (high_ - low_));
        return g * g * g - 3 * g * g + 3 * g;
    }

    double low_, high_;
};

const RegisterSurfaceMethod entry{
    {.declaration = {.name = "solenthaler",
                     .help = "As zhu-bridson, but concave places stay free: the radius shrinks where the mean place of "
                             "near particles moves fast (Solenthaler et al. 2007).",
                     .properties = {number("reach", "", 2, {1, 4}, "Reach of the means, in spacings."),
                                    number("radius", "", 0.5, {0.1, 2}, "Distance of the surface, in spacings."),
                                    number("low", "", 0.4, not_negative, "Movement up to which nothing shrinks."),
                                    number("high", "", 3.5, not_negative, "Movement at which nothing is left.")}},
     .make = make_surface_method<KernelMethod<Solenthaler>>}};

} // namespace
} // namespace loam
