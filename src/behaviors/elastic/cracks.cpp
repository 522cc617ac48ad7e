#include "behaviors/elastic/cracks.h"

#include <algorithm>

#include "base/eigen3.h"
#include "base/parallel.h"
#include "behaviors/elastic/turn.h"

namespace loam {
namespace {

constexpr double crossing = 0.25; // cosine to the direction of pull from which a bond crosses the crack
constexpr double rest_waves = 4;  // spacings that waves travel before a particle may crack again

Mat3 rows(const Float4* r) { return {{r[0].xyz_double(), r[1].xyz_double(), r[2].xyz_double()}}; }

Vec3d bond(const Bonds& bonds, std::size_t k) { return {bonds.x[k], bonds.y[k], bonds.z[k]}; }

} // namespace

Cracks::Pull Cracks::pull_of(const State& state, const ElasticMaterial& m, std::size_t s) {
    const ElasticArgs& a = state.args;
    if (a.null[s].w != 0) return {}; // too few neighbors to tell
    Mat3 f = Mat3::identity() + rows(a.gradient + 3 * s);
    if (a.flow) f = f * rows(a.flow + 3 * s);
    const Mat3 stretch = rotation_of(a.turn[s]).transposed() * f;
    const Vec3d* u = stretch.row;
    const double xx = u[0].x - 1, yy = u[1].y - 1, zz = u[2].z - 1;
    const double pressure = m.lambda * (xx + yy + zz);
    const Symmetric3 sigma{pressure + 2 * m.mu * xx, pressure + 2 * m.mu * yy, pressure + 2 * m.mu * zz,
                           m.mu * (u[0].y + u[1].x), m.mu * (u[0].z + u[2].x), m.mu * (u[1].z + u[2].y)};
    const double bound = std::max({sigma.xx + std::abs(sigma.xy) + std::abs(sigma.xz),
                                   sigma.yy + std::abs(sigma.xy) + std::abs(sigma.yz),
                                   sigma.zz + std::abs(sigma.xz) + std::abs(sigma.yz)});
    if (bound < m.strength) return {bound, {}}; // no eigenvalue is larger; what is below the strength need not be exact
    const Eigen3 principal = eigen_of(sigma);
    return {principal.values[0], principal.vectors[0]};
}

bool Cracks::is_peak(const Reference& reference, std::size_t s) const {
    const Bonds& bonds = reference.bonds();
    for (std::size_t k = bonds.begin[s]; k != bonds.begin[s + 1]; ++k)
        if (bonds.weight[k] > 0 && stress_[reference.particle_of(bonds.other[k])].stress > stress_[s].stress)
            return false;
    return true;
}

// 1 or -1: along the direction of pull or against it, where the neighbors are pulled more.
double Cracks::weaker_side(const Reference& reference, std::size_t s) const {
    const Bonds& bonds = reference.bonds();
    const Vec3d& n = stress_[s].direction;
    double ahead = 0, behind = 0, ahead_weight = 0, behind_weight = 0;
    for (std::size_t k = bonds.begin[s]; k != bonds.begin[s + 1]; ++k) {
        const double along = dot(bond(bonds, k), n), w = bonds.weight[k];
        (along > 0 ? ahead : behind) += w * std::abs(along) * stress_[reference.particle_of(bonds.other[k])].stress;
        (along > 0 ? ahead_weight : behind_weight) += w * std::abs(along);
    }
    if (!(ahead_weight > 0) || !(behind_weight > 0)) return ahead_weight > 0 ? 1 : -1;
    return ahead / ahead_weight >= behind / behind_weight ? 1 : -1;
}

std::vector<std::uint32_t> Cracks::grow(const State& state, Reference& reference) {
    const std::size_t count = reference.size();
    parallel_each(count, [&](std::size_t s) {
        const ElasticMaterial& m = state.materials[reference[s].body];
        stress_[s] = m.breaks() ? pull_of(state, m, s) : Pull{};
    });
    const auto cracks = [&](std::size_t s) {
        return stress_[s].stress > state.materials[reference[s].body].strength && state.time >= rests_until_[s] &&
               is_peak(reference, s);
    };
    std::vector<std::vector<std::uint32_t>> found(block_count(count));
    parallel_blocks(count, block_size, [&](Range range, std::size_t block) {
        for (std::size_t s = range.begin; s != range.end; ++s)
            if (cracks(s)) found[block].push_back(static_cast<std::uint32_t>(s));
    });
    std::vector<std::uint32_t> opened;
    for (const auto& some : found)
        for (std::uint32_t s : some) {
            const Bonds& bonds = reference.bonds();
            const Vec3d n = weaker_side(reference, s) * stress_[s].direction;
            const double until =
                state.time + rest_waves * state.spacing / state.materials[reference[s].body].wave_speed();
            for (std::size_t k = bonds.begin[s]; k != bonds.begin[s + 1]; ++k) {
                const Vec3d x = bond(bonds, k);
                if (!(bonds.weight[k] > 0) || dot(x, n) < crossing * length(x)) continue;
                const std::uint32_t other = reference.particle_of(bonds.other[k]);
                reference.break_bond(s, k);
                opened.insert(opened.end(), {s, other});
                rests_until_[s] = rests_until_[other] = until;
            }
        }
    reference.refresh();
    std::sort(opened.begin(), opened.end());
    opened.erase(std::unique(opened.begin(), opened.end()), opened.end());
    return opened;
}

} // namespace loam
