// Coarse media, whose pores are wider than particles of fluid: these flow through it.
//
//   dv/dt = -(nu phi / K + F phi^2 |v - v_s|) (v - v_s)          Darcy 1856, Forchheimer 1901
//
//   v    velocity of the fluid, v_s of the medium around it      phi  porosity [-]
//   K    permeability [m^2], nu = mu / rho [m^2/s]                F  Forchheimer's coefficient [1/m]
//
// The medium takes up the volume of its grains alone, (1 - phi) V, in the sums of the pressure solver; so pressure and
// buoyancy are right without more (Boettcher et al. 2025). The drag is implicit, and what fluid loses the medium gets.
#include <cmath>

#include "behaviors/porous/porous.h"

namespace loam {

Status Porous::apply_implicit(StepContext& step) {
    if (std::none_of(passes_.begin(), passes_.end(), [](std::uint8_t b) { return b != 0; })) return Done{};
    step.profile.time("flow through", [&] {
        find_braking(step);
        Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto velocity = pool[pool.velocity];
        const auto mass = pool[pool.mass], volume = pool[pool.volume];
        const auto place = pool[pool.place];
        const double support = step.scene.kernel.support;
        parallel_each(pool.size(), [&](std::size_t i) {
            Float4& v = velocity[i];
            if (braking_[i].share > 0) v = float4(v.xyz_double() + braking_[i].change, v.w);
            if (!passes_[body[i]]) return;
            Vec3d gained; // what the fluid around has lost, by this particle's part in it
            for (const std::uint32_t j : step.neighbors->particles.of(i)) {
                if (!(braking_[j].share > 0)) continue;
                const Vec3d d = shortest_way(place[j].xyz_double() - place[i].xyz_double(), step.scene.periodic_length);
                const double r = length(d);
                if (r < support)
                    gained -= (mass[j] * volume[i] * kernel_value(step.scene.kernel, r) / braking_[j].share) *
                              braking_[j].change;
            }
            if (mass[i] > 0) v = float4(v.xyz_double() + gained / static_cast<double>(mass[i]), v.w);
        });
    });
    return Done{};
}

void Porous::find_braking(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto velocity = pool[pool.velocity];
    const auto volume = pool[pool.volume];
    const auto place = pool[pool.place];
    const double support = step.scene.kernel.support;
    braking_.assign(pool.size(), {});
    parallel_each(pool.size(), [&](std::size_t i) {
        if (step.is_solid(i)) return;
        double share = 0, linear = 0, quadratic = 0, grains = 0, filter = 0; // of the place that is within the medium
        Vec3d mean;
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            const std::uint32_t b = body[j];
            if (!passes_[b]) continue;
            const Vec3d d = shortest_way(place[j].xyz_double() - place[i].xyz_double(), step.scene.periodic_length);
            const double r = length(d);
            if (!(r < support)) continue;
            const Pores& pores = materials_.pores[b];
            const double part = volume[j] * kernel_value(step.scene.kernel, r), medium = part / (1 - pores.porosity);
            const double phi = pores.porosity;
            grains += part, share += medium;
            linear += medium * phi * pores.viscosity / (pool.rest_density(i) * std::max(pores.permeability, 1e-16));
            quadratic += medium * phi * phi * forchheimer_[b];
            filter += medium * filter_[b];
            mean += medium * velocity[j].xyz_double();
        }
        if (!(share > 1e-3)) return;
        mean = mean / share;
        const Vec3d relative = velocity[i].xyz_double() - mean;
        const double rate = linear + quadratic * length(relative), slowed = step.dt * rate / (1 + step.dt * rate);
        braking_[i] = {grains, -slowed * relative, 1 - std::exp(-filter * length(relative) * step.dt)};
    });
}

} // namespace loam
