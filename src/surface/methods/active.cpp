// The active implicit surface (D 17-18): a field f kept from frame to frame whose zero surface follows the particles,
// smooth and without popping when particles appear, vanish, split or merge.
//
//   df/dt = [tracking (rho - iso) + tension kappa + volume (V0 - V) / V0] |grad f|                       (D 17, 18)
//
//   rho    density of the particles: the field of `anisotropic`; iso its level. As a length, T = (rho - iso) / |grad
//   rho| kappa  curvature of the surface         V0, V  volumes of the particles and inside of the surface
//
// D integrates this in every step of the simulation. Here a frame may lie many steps from the one before, so the
// surface first moves along with the particles: f(x) <- f(x - u dt), with their mean velocity u near x. Then for one
// unit of the method's own time:
//
//   tracking   f <- f + a (T - f) in a few steps: on the surface this is D's first term. Away from it, it keeps f a
//   distance
//              to the surface, for which D takes rho - iso from the nearest point of the surface.
//   tension    motion by curvature (level_set.h)
//   volume     f <- f + volume (V0 - V) / A, D's third term for a surface of area A
//
// f is a distance in m, cut off at a band; new drops grow over two or three frames instead of popping up.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.h"
#include "surface/blobs.h"
#include "surface/level_set.h"
#include "surface/march.h"
#include "surface/methods/anisotropic.h"

namespace loam {
namespace {

constexpr double band_width = 1.5; // of f, in spacings
constexpr std::size_t blocks_at_once = 8;

// The mean velocity of near particles at the nodes of blocks.
class Velocities {
public:
    Velocities(const Cloud& cloud, const MeshColumn* column) : cloud_(cloud), column_(column) {}

    // visit(node, velocity, known) for the nodes of a block.
    template <class Visit> void each_node(const Vec3d& first_node, double cell, const Visit& visit) const {
        const BlockFrame block{first_node - cloud_.origin(), cell};
        const std::vector<VectorBlob> blobs = near(block);
        Sums sums(4);
        splat_vector.on(cloud_.isa())({blobs.data(), blobs.size(), cloud_.flat(), sums.data()});
        const std::size_t sampled = sampled_nodes(cloud_);
        for (std::size_t n = 0; n < block_nodes; ++n) {
            const std::size_t from = n % sampled;
            const double weight = sums[0][from];
            const Vec3d sum{sums[1][from], sums[2][from], sums[3][from]};
            visit(n, weight > 1e-9 ? sum / weight : Vec3d{}, weight > 1e-9);
        }
    }

private:
    std::vector<VectorBlob> near(const BlockFrame& block) const {
        const double reach = cloud_.neighbor_reach(), width = (block_edge - 1) * block.cell;
        const Vec3d margin{reach, reach, reach}, lo = cloud_.origin() + block.first_node;
        std::vector<VectorBlob> blobs;
        cloud_.each_in_box(lo - margin, lo + Vec3d{width, width, width} + margin, [&](std::uint32_t i) {
            const Vec3f p = in_cells(cloud_.places()[i].xyz_double(), block);
            const auto share = static_cast<float>(cloud_.share(i));
            VectorBlob blob{p.x, p.y, p.z, static_cast<float>(reach / block.cell), share, 0, 0, 0};
            if (column_) {
                const float* v = column_->values.data() + 3 * std::size_t{cloud_.order()[i]};
                blob.vx = v[0], blob.vy = v[1], blob.vz = v[2];
            }
            blobs.push_back(blob);
        });
        return blobs;
    }

    const Cloud& cloud_;
    const MeshColumn* column_;
};

const MeshColumn* velocity_of(const SurfaceParticles& particles) {
    for (const MeshColumn& column : particles.columns)
        if (column.name == "velocity" && column.components == 3) return &column;
    return nullptr;
}

class Active : public SurfaceMethod {
public:
    explicit Active(const Values& values)
        : tracking_(values.number("tracking")), tension_(values.number("tension")), volume_(values.number("volume")),
          density_(make_anisotropic_field()) {}

    bool remembers() const override { return true; }

    Result<SparseField> field(const Cloud& cloud, const FieldOptions& options) override {
        if (cloud.size() == 0) {
            before_.reset();
            return SparseField{.cell = options.cell};
        }
        Result<SparseField> target = distance_to_density(cloud, options);
        if (!target) return target.error();
        SparseField next = std::move(*target);
        if (before_ && before_->cell == options.cell) follow(next, advected(next, cloud));
        relax(next, cloud);
        close(next);
        keep_volume(next, cloud);
        if (cloud.flat()) cut_slab(next, cloud);
        close(next);
        time_ = cloud.particles().time;
        before_ = next;
        return next;
    }

private:
    // T, with blocks further out than a surface needs: it may lag behind.
    Result<SparseField> distance_to_density(const Cloud& cloud, const FieldOptions& options) {
        const double reach = cloud.neighbor_reach();
        Result<NearBlocks> near = blocks_near(cloud, reach, options);
        if (!near) return near.error();
        const auto band = static_cast<float>(band_width * cloud.spacing());
        SparseField field{.cell = options.cell, .keys = std::move(near->exposed), .outside = -band, .inside = band};
        std::set_difference(near->others.begin(), near->others.end(), field.keys.begin(), field.keys.end(),
                            std::back_inserter(field.interior));
        density_->begin(cloud);
        BlockSampler sampler(cloud, *density_, options.cell);
        sampler.sample(field.keys, field.values);
        to_distance(field.values, cloud);
        for (auto more = missing_blocks(field); !more.empty(); more = missing_blocks(field)) {
            std::vector<float> values;
            sampler.sample(more, values);
            to_distance(values, cloud);
            add_blocks(field, more, values);
        }
        return field;
    }

    void to_distance(std::vector<float>& values, const Cloud& cloud) const {
        const auto band = static_cast<float>(band_width * cloud.spacing());
        const auto scale = static_cast<float>(1 / density_->steepness(cloud));
        parallel_each(values.size(), [&](std::size_t n) { values[n] = std::clamp(scale * values[n], -band, band); });
    }

    // The field of the frame before at the nodes of `now`, moved along with the particles.
    std::vector<float> advected(const SparseField& now, const Cloud& cloud) const {
        const double dt = cloud.particles().time - time_;
        const Velocities velocities(cloud, velocity_of(cloud.particles()));
        const FieldReader before(*before_);
        std::vector<float> moved(now.values.size());
        parallel_blocks(now.keys.size(), blocks_at_once, [&](Range range, std::size_t) {
            for (std::size_t b = range.begin; b != range.end; ++b) {
                const Vec3d first = now.origin(b);
                velocities.each_node(first, now.cell, [&](std::size_t n, const Vec3d& u, bool known) {
                    const Vec3d node{double(n % 8), double(n / 8 % 8), double(n / 64)};
                    moved[b * block_nodes + n] = known ? before.at(first + now.cell * node - dt * u) : now.outside;
                });
            }
        });
        return moved;
    }

    // Tracking, from the moved field to T.
    void follow(SparseField& target, const std::vector<float>& moved) const {
        const auto share = static_cast<float>(tracking_);
        parallel_each(target.values.size(),
                      [&](std::size_t n) { target.values[n] = moved[n] + share * (target.values[n] - moved[n]); });
    }

    void relax(SparseField& field, const Cloud& cloud) const {
        const double amount = tension_ * cloud.spacing() * cloud.spacing(), most = field.cell * field.cell / 8;
        const int steps = static_cast<int>(std::ceil(amount / most));
        const CurvatureFlow flow{.amount = steps > 0 ? amount / steps : 0,
                                 .largest = 1 / cloud.spacing(),
                                 .band = cloud.spacing(),
                                 .flat = cloud.flat()};
        for (int k = 0; k < steps; ++k) curvature_step(field, flow);
    }

    void keep_volume(SparseField& field, const Cloud& cloud) const {
        const SurfaceMesh mesh = march(field);
        const double surface = area(mesh);
        if (volume_ == 0 || surface <= 0) return;
        // At most a tenth of a spacing in a frame: what splashes away in drops too small to see is not put back at
        // once.
        const double most = 0.1 * cloud.spacing();
        const auto shift = static_cast<float>(
            std::clamp(volume_ * (cloud.particles().volume() - enclosed_volume(mesh)) / surface, -most, most));
        parallel_each(field.values.size(), [&](std::size_t n) {
            if (std::abs(field.values[n]) < field.inside) field.values[n] += shift;
        });
    }

    // The faces of a 2D surface's slab stay where they are.
    static void cut_slab(SparseField& field, const Cloud& cloud) {
        for (std::size_t b = 0; b < field.keys.size(); ++b)
            for (std::size_t n = 0; n < block_nodes; ++n) {
                const double height = field.origin(b).z + field.cell * static_cast<double>(n / 64);
                float& value = field.block(b)[n];
                value = std::min(value, static_cast<float>(0.5 * cloud.spacing() - std::abs(height)));
            }
    }

    // A surface that has left its blocks ends at their rim: nodes around it go with their block's neighbors.
    static void close(SparseField& field) {
        for (auto more = missing_blocks(field); !more.empty(); more = missing_blocks(field)) {
            const BlockIndex interior(field.interior);
            std::vector<float> values;
            for (const BlockKey key : more)
                values.insert(values.end(), block_nodes, interior.has(key) ? field.inside : field.outside);
            add_blocks(field, more, values);
        }
    }

    double tracking_, tension_, volume_;
    std::unique_ptr<KernelField> density_;
    std::optional<SparseField> before_;
    double time_ = 0;
};

const RegisterSurfaceMethod entry{
    {.declaration =
         {.name = "active",
          .help = "A surface that is kept from frame to frame and drawn to the particles, under tension and "
                  "with their volume (Desbrun & Cani 17-18). Calm; nothing pops. Frames depend on those "
                  "before.",
          .properties = {number("tracking", "", 0.6, {0.01, 1},
                                "Share of the way to the density's surface, per frame."),
                         number("tension", "", 0.1, {0, 2}, "Motion by curvature, in spacings squared per frame."),
                         number("volume", "", 0.5, fraction, "Share of a volume error that is mended, per frame.")}},
     .make = make_surface_method<Active>}};

} // namespace
} // namespace loam
