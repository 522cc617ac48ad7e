#include "pressure/passes.h"

#include "passes/kept_pairs.h"

namespace loam::LOAM_ISA {
void density_and_gradient(const GradientArgs& args, Range range) {
    const DensityArgs& a = args.of;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real density = broadcast(0), squares = broadcast(0);
        real3 gradient = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const auto [w, w_slope] = pair_share(a.solid_kernel, a.kernel, pair, a.solid, i);
            const real3 g = args.keep ? keep(*args.keep, i, pair, w_slope * pair.d) : w_slope * pair.d;
            density += pair.volume * w;
            gradient += pair.volume * g;
            const real s =
                args.specific_volume ? gather(args.specific_volume, pair.j) : broadcast(args.common_specific_volume);
            squares += s * pair.volume * w_slope * w_slope * pair.r2;
        });
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            const WallShare share = wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal);
            density += pair.volume * share.value;
            gradient += pair.volume * share.gradient;
        });
        const float own_volume = a.particles.query_place[i].w;
        const float s = args.specific_volume ? args.specific_volume[i] : args.common_specific_volume;
        Float4 g = sum(gradient, squares);
        g.w = s * (g.x * g.x + g.y * g.y + g.z * g.z) + own_volume * g.w;
        args.gradient[i] = g;
        a.density[i] = own_volume * a.own_value + sum(density);
    }
}

void density_alone(const DensityArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real total = broadcast(0);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            total += pair.volume * pair_share(a.solid_kernel, a.kernel, pair, a.solid, i).value;
        });
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            total += pair.volume * wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal).value;
        });
        a.density[i] = a.particles.query_place[i].w * a.own_value + sum(total);
    }
}

void pressure_push(const PushArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 total = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA { // the view's volume is V p here
            total += (pair.volume * pair_share(a.solid_kernel, a.kernel, pair, a.solid, i).slope) * pair.d;
        });
        const Float4 t = sum3(total), &g = a.gradient[i];
        const float p = a.pressure[i], s = a.specific_volume ? a.specific_volume[i] : a.common_specific_volume;
        Float4 push{-s * (p * g.x + t.x), -s * (p * g.y + t.y), -s * (p * g.z + t.z), 0};
        if (a.put == Put::add) push = {a.push[i].x + push.x, a.push[i].y + push.y, a.push[i].z + push.z, a.push[i].w};
        a.push[i] = push;
    }
}

void kept_push(const KeptPushArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        if (a.rests && a.rests[i] > 0) {
            a.push[i] = {0, 0, 0, a.volume[i]};
            continue;
        }
        real3 total = zero3();
        each_kept(a.pairs, i,
                  [&](const std::uint32_t* j, real3 g) LAW_LAMBDA { total += gather(a.weighted_pressure, j) * g; });
        const Float4 t = sum3(total), &g = a.gradient[i];
        const float p = a.pressure[i], unit = unit_of(a.pairs);
        const float s = a.specific_volume ? a.specific_volume[i] : a.common_specific_volume;
        a.push[i] = {-s * (p * g.x + unit * t.x), -s * (p * g.y + unit * t.y), -s * (p * g.z + unit * t.z),
                     a.volume[i]};
    }
}

void field_divergence(const DivergenceArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real others = broadcast(0), walls = broadcast(0);
        each_kept(a.pairs, i, [&](const std::uint32_t* j, real3 g) LAW_LAMBDA {
            others += gather(a.volume, j) * dot(gather(a.field, j).xyz, g);
        });
        if (a.wall_field)
            each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
                const WallShare share = wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal);
                walls += pair.volume * dot(gather(a.wall_field, pair.j).xyz, share.gradient);
            });
        const Float4 &g = a.gradient[i], &u = a.field[i];
        a.divergence[i] = u.x * g.x + u.y * g.y + u.z * g.z - unit_of(a.pairs) * sum(others) - sum(walls);
    }
}

void felt_pressure(const FeltArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const real own = broadcast(a.pressure[i]);
        real total = broadcast(0);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real s = pair_share(a.solid_kernel, a.kernel, pair, a.solid, i).slope;
            total += pair.volume * (own + gather(a.pressure, pair.j)) * s * pair.r2;
        });
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            const WallHeight at = wall_height(pair, a.wall_normal);
            const WallShare share = wall_share(a.wall_kernel, a.kernel, pair, at);
            const real across = dot(share.gradient, at.up) * at.height;
            const real along = 2.0f * slope(a.kernel, pair) * (pair.r2 - at.height * at.height);
            total += pair.volume * own * (across + along);
        });
        const float crowded = a.density[i] > 1 ? a.density[i] : 1; // at a free surface neighbors are missing
        a.felt[i] = -0.5f * crowded * sum(total) / static_cast<float>(a.kernel.dimensions);
    }
}

ResidualSums residual_of_push(const ResidualArgs& a, Range range) {
    ResidualSums sums;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        if (a.rests && a.rests[i] > 0) {
            a.residual[i] = 0;
            continue;
        }
        real others = broadcast(0);
        each_kept(a.pairs, i, [&](const std::uint32_t* j, real3 g) LAW_LAMBDA {
            const real4 u = gather(a.push, j);
            others += u.w * dot(u.xyz, g);
        });
        const Float4 &g = a.gradient[i], &u = a.push[i];
        float r = a.source[i] + u.x * g.x + u.y * g.y + u.z * g.z - unit_of(a.pairs) * sum(others);
        if (a.compliance) r -= a.compliance[i] * a.pressure[i];
        const float diagonal = g.w > a.usual_diagonal ? g.w : a.usual_diagonal;
        add_residual(sums, r, a.residual_before[i], a.pressure[i], a.pressure_before[i], u.w, diagonal,
                     a.least_diagonal.of(i));
        a.residual[i] = r;
    }
    return sums;
}

} // namespace loam::LOAM_ISA
