// Anisotropic kernels (Yu & Turk 2010): each particle becomes an ellipsoid that follows its neighborhood, flat along a
// surface and long along a filament, at a place smoothed over its neighbors; the surface is a level of their color
// field. Smooth where the fluid is, sharp at edges, thin sheets stay whole.
//
//   m_i  = sum_j w_ij x_j / sum_j w_ij,   w_ij = 1 - (|x_i - x_j| / R)^3               (eq. 10, 11)
//   x'_i = x_i + s (b_i - t B_i)          b_i = m_i - x_i, B_i its mean; three rounds  (eq. 6)
//   C_i  = sum_j w_ij (x_j - m_i)(x_j - m_i)^T / sum_j w_ij
//        = Q diag(c1 >= c2 >= c3) Q^T                                                  (eq. 9)
//   l_k  = sqrt(max(c_k, c1 / stretch^2) / c0), but not less than l_own                (eq. 15)
//   G_i  = Q diag(1 / l_k) Q^T / h                                                     (eq. 16)
//   f(x) = sum_j g_j V_j W(G_j (x - x'_j)) - level                                     (eq. 4)
//
//   s smoothing, R reach of the neighborhood (two spacings), c0 the value of c in an even neighborhood, h reach of its
//   kernel
//
// What differs from the paper:
//
// Places. It moves particles all the way to m_i (t = 0), which draws the whole surface inwards by half a spacing or
// more; taking most of the neighbors' mean movement back (as Vollmer et al. 1999 do for meshes) leaves of it what evens
// out bumps. Neighbors count in B_i by b_i . b_j where that is positive: the outermost layer most, the other side of a
// film or a drop not at all. With t = 0.7 the volumes of balls, boxes and a dam break come out within 1 %.
//
// Axes go with the roots of C's eigenvalues, with deviations instead of variances: ellipsoids of half the flatness show
// less of the single particles. A particle is no point: l_own gives the kernel of a lone one the variance of a ball of
// its volume. Where the ellipsoid is larger than what the neighborhood holds, as on a thread that is drawn out, its
// short axes give in; and where particles are far apart, in spray or in a stream that falls faster and faster, all of
// them do: even kernels would fill space to less than the level there, and leave nothing to see.
//
// Height. At the level 1/2 the field of a small thing is smaller than the thing: it is a blob, near a Gaussian of its
// volume. At the rim of a thread, where pi r^2 is its volume per length, that is u exp(-u) with u = r^2 / (2 sigma^2),
// at most 1 / e and nearly so for all sigma that matter; at the rim of a ball at most 0.309; beside a sheet 0.484. So
// kernels are higher by g = 1/2 / these, by how many directions their neighborhood ends in.
#include <algorithm>
#include <array>

#include "base/eigen3.h"
#include "base/parallel.h"
#include "surface/blobs.h"
#include "surface/methods/anisotropic.h"

namespace loam {
namespace {

constexpr double few_weight = 0.12; // sum of w, against that of a full neighborhood
// g of threads, and how much more for balls; and from which l on a direction ends (1: it goes on).
constexpr double thread_gain = 0.5 * 2.71828183, ball_gain = 0.5 / 0.309 / thread_gain, ended = 0.75;
constexpr double well_filled = 0.8; // the neighborhood, against an even one of its extent
constexpr double even_lean = 0.02, even_density = 0.97;
constexpr double taken_back = 0.7; // t
constexpr int rounds = 3;

class Anisotropic : public KernelField {
public:
    explicit Anisotropic(const Values& values)
        : reach_(values.number("reach")), smoothing_(values.number("smoothing")), stretch_(values.number("stretch")),
          level_(values.number("level")) {}

    double reach(const Cloud& cloud) const override { return largest_axis * reach_ * cloud.spacing(); }
    double largest_shift(const Cloud& cloud) const override { return smoothing_ * cloud.spacing(); }
    float outside(const Cloud&) const override { return static_cast<float>(-level_); }
    float inside(const Cloud&) const override { return static_cast<float>(1 - level_); }
    double steepness(const Cloud& cloud) const override { return 1.9 / (reach_ * cloud.spacing()); }

    void begin(const Cloud& cloud) override {
        shapes_.assign(cloud.size(), {});
        ways_.assign(cloud.size() + 1, {});
    }

    void prepare(const Cloud& cloud, std::span<const std::uint32_t> particles) override {
        std::vector<std::uint32_t> uneven; // the others are deep inside: even spheres at their places
        for (const std::uint32_t i : particles) {
            shapes_[i] = even_shape(cloud, i);
            if (length(cloud.lean()[i].xyz()) > even_lean * cloud.neighbor_reach() || cloud.density()[i] < even_density)
                uneven.push_back(i);
        }
        const std::vector<float> moments = cloud.moments_of(uneven);
        parallel_each(uneven.size(), [&](std::size_t k) {
            const float* m = moments.data() + 10 * k;
            const Vec3d way = share_of(m[0] / full_weight(cloud)) / m[0] * Vec3d{m[1], m[2], m[3]};
            ways_[uneven[k]] = float4(way, 0);
            shapes_[uneven[k]] = shape_of(cloud, uneven[k], {m, m + 10});
        });
        smooth_places(cloud, uneven);
    }

    void sample(const Cloud& cloud, const BlockFrame& block, std::span<const std::uint32_t> particles,
                float* values) const override {
        const auto per_metre = static_cast<float>(block.cell);
        const double spacing = cloud.spacing(), volume = spacing * spacing * (cloud.flat() ? 1 : spacing);
        const double even = volume / kernel_integral(reach_ * spacing, cloud.flat());
        std::vector<Ellipsoid> ellipsoids(particles.size());
        for (std::size_t k = 0; k < particles.size(); ++k) {
            const Shape& s = shapes_[particles[k]];
            const Vec3f p = in_cells(s.place, block);
            const float g = per_metre * per_metre;
            ellipsoids[k] = {p.x,
                             p.y,
                             p.z,
                             s.reach / per_metre,
                             static_cast<float>(even) * s.weight,
                             g * s.metric[0],
                             g * s.metric[1],
                             g * s.metric[2],
                             g * s.metric[3],
                             g * s.metric[4],
                             g * s.metric[5]};
        }
        Sums sums(1);
        splat_ellipsoid.on(cloud.isa())({ellipsoids.data(), ellipsoids.size(), cloud.flat(), sums.data()});
        for (std::size_t n = 0; n < sampled_nodes(cloud); ++n) values[n] = sums[0][n] - static_cast<float>(level_);
    }

private:
    static constexpr double largest_axis = 1.25; // of an ellipsoid, as a multiple of the even one

    struct Shape {
        Vec3d place;
        float reach = 0;
        float weight = 0; // how much higher the kernel is than an even one, its integral being the particle's volume
        float metric[6] = {}; // G^T G [1/m^2]
    };

    // Each round: the way to the neighbors' mean place, less the mean of their own ways.
    void smooth_places(const Cloud& cloud, std::span<const std::uint32_t> particles) {
        std::vector<Float4> shifts(cloud.size() + 1), ways = ways_;
        const double most = largest_shift(cloud);
        for (int round = 0; round < rounds; ++round) {
            if (round > 0) {
                const std::vector<Float4> means = cloud.means_of(particles, shifts);
                parallel_each(particles.size(), [&](std::size_t k) {
                    const std::uint32_t i = particles[k];
                    const Vec3d way = ways_[i].xyz_double() + means[k].xyz_double() - shifts[i].xyz_double();
                    ways[i] = float4(way, 0);
                });
            }
            const std::vector<Float4> means = cloud.means_alike(particles, ways);
            parallel_each(particles.size(), [&](std::size_t k) {
                const std::uint32_t i = particles[k];
                Vec3d shift =
                    shifts[i].xyz_double() + smoothing_ * (ways[i].xyz_double() - taken_back * means[k].xyz_double());
                if (length(shift) > most) shift *= most / length(shift);
                shifts[i] = float4(shift, 0);
                shapes_[i].place = cloud.places()[i].xyz_double() + shift;
            });
        }
    }

    // The sum of w in a full neighborhood: its integral over R, 2/3 pi R^3 or 3/5 pi R^2, by the spacing.
    static double full_weight(const Cloud& cloud) {
        const double cells = cloud.neighbor_reach() / cloud.spacing();
        return cloud.flat() ? 3.14159265 * 0.6 * cells * cells : 3.14159265 * 2 / 3 * cells * cells * cells;
    }

    // Particles that fly alone keep their place; between few and many neighbors it changes gradually.
    static double share_of(double fullness) { return std::clamp((fullness - 0.5 * few_weight) / few_weight, 0.0, 1.0); }

    // l_own. The variances along an axis: of (1 - q^2)^3 reach^2 / 11 (2D: / 10), of a ball of volume 1 r^2 / 5 (/ 4).
    double own_axis(bool flat) const { return (flat ? 0.892 : 0.920) / reach_; }

    // g, from the two longest axes: the third always ends at a surface.
    static double gain_of(const std::array<double, 3>& axis, bool flat) {
        const auto share = [](double l) { return std::clamp((1 - l) / (1 - ended), 0.0, 1.0); };
        if (flat) return 1 + (thread_gain - 1) * share(axis[0]);
        return (1 + (thread_gain - 1) * share(axis[1])) * (1 + (ball_gain - 1) * share(axis[0]));
    }

    // l_k from the eigenvalues c_k / c0, for a neighborhood that holds this share of a full one.
    std::array<double, 3> axes_of(const std::array<double, 3>& spread, double fullness, bool flat) const {
        const double own = own_axis(flat), flattest = std::min(spread[0], 1.0) / (stretch_ * stretch_);
        const auto axes_above = [&](double least) {
            std::array<double, 3> axis{};
            for (int k = 0; k < 3; ++k)
                axis[k] = std::min(std::max(std::sqrt(std::max(spread[k], least)), own), largest_axis);
            if (flat) axis[2] = 1; // of no account: distances are taken in the plane
            return axis;
        };
        const auto filled = [&](const std::array<double, 3>& axis) { return fullness / (axis[0] * axis[1] * axis[2]); };
        return axes_above(flattest * std::min(1.0, filled(axes_above(flattest))));
    }

    Shape even_shape(const Cloud& cloud, std::uint32_t i) const {
        const auto reach = static_cast<float>(reach_ * cloud.spacing() * cloud.places()[i].w);
        const float g = 1 / (reach * reach);
        return {cloud.places()[i].xyz_double(), reach, 1, {g, g, g, 0, 0, 0}};
    }

    Shape shape_of(const Cloud& cloud, std::uint32_t i, std::span<const float> m) const {
        const bool flat = cloud.flat();
        const double weight = m[0], around = cloud.neighbor_reach() * cloud.places()[i].w;
        const double even_reach = reach_ * cloud.spacing() * cloud.places()[i].w;
        const double even_variance = around * around * (flat ? (0.25 - 1.0 / 7) / 0.6 : 0.15);
        Shape shape{.place = cloud.places()[i].xyz_double()};
        const Vec3d mean{m[1] / weight, m[2] / weight, m[3] / weight};
        const Eigen3 e = eigen_of({m[4] / weight - mean.x * mean.x, m[5] / weight - mean.y * mean.y,
                                   flat ? 0 : m[6] / weight - mean.z * mean.z, m[7] / weight - mean.x * mean.y,
                                   m[8] / weight - mean.x * mean.z, m[9] / weight - mean.y * mean.z});
        std::array<double, 3> axis =
            axes_of({e.values[0] / even_variance, e.values[1] / even_variance, e.values[2] / even_variance},
                    weight / full_weight(cloud), flat);
        const double gain = gain_of(axis, flat);
        const double shrunk = std::min(1.0, weight / full_weight(cloud) / (axis[0] * axis[1] * axis[2]) / well_filled);
        for (double& l : axis) l = std::max(shrunk * l, std::min(l, own_axis(flat)));
        double metric[6] = {};
        for (int k = 0; k < 3; ++k) {
            const double g = 1 / (axis[k] * even_reach), gg = g * g;
            const Vec3d& v = e.vectors[k];
            metric[0] += gg * v.x * v.x, metric[1] += gg * v.y * v.y, metric[2] += gg * v.z * v.z;
            metric[3] += gg * v.x * v.y, metric[4] += gg * v.x * v.z, metric[5] += gg * v.y * v.z;
        }
        for (int k = 0; k < 6; ++k) shape.metric[k] = static_cast<float>(metric[k]);
        shape.reach = static_cast<float>(even_reach * std::max({axis[0], axis[1], axis[2]}));
        shape.weight = static_cast<float>(gain / (axis[0] * axis[1] * axis[2]));
        return shape;
    }

    double reach_, smoothing_, stretch_, level_;
    std::vector<Shape> shapes_; // of the cloud's particles, where prepared
    std::vector<Float4> ways_;  // b; 0 where not prepared, which is deep inside
};

const Declaration declaration{
    .name = "anisotropic",
    .help = "Ellipsoids that follow the particles' neighborhoods (Yu & Turk 2010). Smooth faces, sharp edges, whole "
            "sheets, round drops.",
    .properties = {number("reach", "", 3, {1, 5}, "Reach of an even kernel, in spacings."),
                   number("smoothing", "", 0.9, fraction, "How far places move to their neighbors' mean."),
                   number("stretch", "", 2, {1, 10}, "Largest ratio of an ellipsoid's axes."),
                   number("level", "", 0.5, {0.01, 0.99}, "Value at the surface.")}};

const RegisterSurfaceMethod entry{{declaration, make_surface_method<KernelMethod<Anisotropic>>}};

} // namespace

std::unique_ptr<KernelField> make_anisotropic_field() { return std::make_unique<Anisotropic>(Values(declaration)); }

} // namespace loam
