#include "step/loads.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "neighbors/neighborhood.h"

namespace loam {
namespace {

constexpr double touching = 1.5; // spacings between centers

struct Load {
    Vec3d pressure; // force of fluids [N]
    Vec3d touch;    // how much mass of solids touches it, along which axes [kg]
};
using Loads = std::vector<Load>; // by body

// A kernel that is made steeper, f(h) W(r) with the height or distance h: see passes/kernel.h.
struct Steep {
    double full, extra, support, inverse_span;

    // -grad of it, for d from the other one; `up` is where h grows.
    Vec3d push(const Kernel& kernel, const Vec3d& d, double h, const Vec3d& up) const {
        const double r = length(d), t = std::max(0.0, (support - h) * inverse_span);
        const double f = t * t * t * (full + extra * t), falling = t * t * (3 * full + 4 * extra * t) * inverse_span;
        return (falling * kernel_value(kernel, r)) * up - (f * kernel_slope(kernel, r)) * d;
    }
};

Vec3d sizes(const Vec3d& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }

class LoadSums {
public:
    LoadSums(const StepContext& step, std::span<const std::uint8_t> fixed)
        : step_(step), pool_(step.particles), fixed_(fixed) {
        const std::size_t diagonal = pool_.find("sand_stress"), shear = pool_.find("sand_stress_shear");
        if (diagonal == SIZE_MAX || shear == SIZE_MAX) return;
        diagonal_ = pool_[Column<Float4>{diagonal}], shear_ = pool_[Column<Float4>{shear}];
    }

    Loads find() const {
        const auto some = [&](Range range) {
            Loads loads(fixed_.size());
            for (std::size_t i = range.begin; i != range.end; ++i) add(i, loads);
            return loads;
        };
        return parallel_reduce(pool_.size(), Loads(fixed_.size()), some, [](Loads a, const Loads& b) {
            for (std::size_t k = 0; k < a.size(); ++k) a[k].pressure += b[k].pressure, a[k].touch += b[k].touch;
            return a;
        });
    }

private:
    void add(std::size_t i, Loads& loads) const {
        const bool solid = step_.is_solid(i);
        const std::uint32_t body = pool_[pool_.body][i];
        if (solid && fixed_[body]) return;
        const Float4 own = pool_[pool_.place][i];
        const double strength = solid ? 0 : own.w;
        const double reach = touching * step_.scene.spacing;
        const auto meet = [&](const Vec3d& d, const Vec3d& pushed, double volume, Load& load) {
            if (!solid)
                load.pressure -= strength * volume * stressed(i, pushed);
            else if (length(d) < reach)
                load.touch += static_cast<double>(pool_[pool_.mass][i]) * sizes(normalized(pushed));
        };
        for (const std::uint32_t w : step_.neighbors->walls.of(i)) {
            const Float4 &other = step_.walls[step_.walls.place][w], &n = step_.walls[step_.walls.normal][w];
            const Vec3d d = way(own, other);
            meet(d, by_wall(d, n), other.w, loads[step_.walls[step_.walls.body][w]]);
        }
        if (step_.flow.all) return;
        for (const std::uint32_t j : step_.neighbors->particles.of(i)) {
            const std::uint32_t b = pool_[pool_.body][j];
            if (b == body || !step_.is_solid(j) || (solid && !fixed_[b])) continue;
            const Float4& other = pool_[pool_.place][j];
            const Vec3d d = way(own, other);
            meet(d, by_solid(d), other.w, loads[b]);
        }
    }
    // By pressure, and what sand drags at (its stress pulls).
    Vec3d stressed(std::size_t i, const Vec3d& v) const {
        const Vec3d pressed = static_cast<double>(pool_[pool_.pressure][i]) * v;
        if (diagonal_.empty()) return pressed;
        const Float4 &d = diagonal_[i], &s = shear_[i];
        return pressed - Vec3d{d.x * v.x + s.z * v.y + s.y * v.z, s.z * v.x + d.y * v.y + s.x * v.z,
                               s.y * v.x + s.x * v.y + d.z * v.z};
    }
    Vec3d way(const Float4& from, const Float4& other) const {
        return shortest_way(from.xyz_double() - other.xyz_double(), step_.scene.periodic_length);
    }
    Vec3d by_wall(const Vec3d& d, const Float4& normal) const {
        const WallKernel& k = step_.scene.wall_kernel;
        const Steep steep{k.full, k.extra, k.support, k.inverse_span};
        if (normal.w < 0) return steep.push(step_.scene.kernel, d, length(d), normalized(d)); // an edge
        const double above = dot(normal.xyz_double(), d);
        return steep.push(step_.scene.kernel, d, std::abs(above), (above < 0 ? -1.0 : 1.0) * normal.xyz_double());
    }
    Vec3d by_solid(const Vec3d& d) const {
        const SolidKernel& k = step_.scene.solid_kernel;
        const Steep steep{k.full, k.extra, k.support, k.inverse_span};
        const double r = length(d);
        return steep.push(step_.scene.kernel, d, std::max<double>(r, k.nearest), r < k.nearest ? Vec3d{} : d / r);
    }

    const StepContext& step_;
    const Pool& pool_;
    std::span<const Float4> diagonal_, shear_; // of sand's stress; empty where there is none
    std::span<const std::uint8_t> fixed_;
};

// Adds a rest to the fixed ones, axis by axis in proportion to their shares; evenly where nobody has any.
template <class Share>
void add_rest(std::span<const std::uint8_t> fixed, const Vec3d& rest, const Share& share, std::span<Vec3d> forces) {
    Vec3d sum;
    double any = 0, count = 0;
    for (std::size_t b = 0; b < fixed.size(); ++b)
        if (fixed[b]) sum += share(b), any += length(share(b)), ++count;
    for (std::size_t b = 0; b < fixed.size(); ++b) {
        if (!fixed[b]) continue;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double part = sum[axis] > 0 ? share(b)[axis] / sum[axis]
                                : any > 0     ? length(share(b)) / any
                                              : 1 / count;
            forces[b][axis] += part * rest[axis];
        }
    }
}

} // namespace

void share_among_fixed(const StepContext& step, std::span<const std::uint8_t> fixed, std::span<Vec3d> forces) {
    const auto count = std::count_if(fixed.begin(), fixed.end(), [](std::uint8_t is) { return is != 0; });
    Loads loads(fixed.size());
    if (count > 1) loads = LoadSums(step, fixed).find(); // one alone bears everything
    Vec3d by_fluids, by_solids;
    for (std::size_t b = 0; b < fixed.size(); ++b) {
        by_fluids -= loads[b].pressure;
        if (fixed[b]) {
            forces[b] = loads[b].pressure;
        } else if (step.flow.share.by_body()[b] > 0) {
            by_fluids -= forces[b];
        } else {
            by_solids -= forces[b] - loads[b].pressure;
        }
    }
    add_rest(
        fixed, by_fluids, [&](std::size_t b) { return sizes(loads[b].pressure); }, forces);
    add_rest(
        fixed, by_solids, [&](std::size_t b) { return loads[b].touch; }, forces);
}

} // namespace loam
