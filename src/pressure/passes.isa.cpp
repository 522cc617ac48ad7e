#include "pressure/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {

void density_and_gradient(const DensityArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real density = broadcast(0), squares = broadcast(0);
        real3 gradient = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real g = pair.volume * slope(a.kernel, pair);
            density += pair.volume * value(a.kernel, pair);
            gradient += g * pair.d;
            const real s = a.specific_volume ? gather(a.specific_volume, pair.j) : broadcast(a.common_specific_volume);
            squares += s * g * slope(a.kernel, pair) * pair.r2;
        });
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            const WallShare share = wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal);
            density += pair.volume * share.value;
            gradient += pair.volume * share.gradient;
        });
        const float own_volume = a.particles.query_place[i].w;
        const float s = a.specific_volume ? a.specific_volume[i] : a.common_specific_volume;
        Float4 g = sum(gradient, squares);
        g.w = s * (g.x * g.x + g.y * g.y + g.z * g.z) + own_volume * g.w;
        a.gradient[i] = g;
        a.density[i] = own_volume * a.own_value + sum(density);
    }
}

void density_alone(const DensityArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real total = broadcast(0);
        each_neighbor(a.particles, i,
                      [&](const Pair& pair) LAW_LAMBDA { total += pair.volume * value(a.kernel, pair); });
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
            total += (pair.volume * slope(a.kernel, pair)) * pair.d;
        });
        const Float4 t = sum3(total), &g = a.gradient[i];
        const float p = a.pressure[i], s = a.specific_volume ? a.specific_volume[i] : a.common_specific_volume;
        Float4 push{-s * (p * g.x + t.x), -s * (p * g.y + t.y), -s * (p * g.z + t.z), 0};
        if (a.add) push = {a.push[i].x + push.x, a.push[i].y + push.y, a.push[i].z + push.z, a.push[i].w};
        a.push[i] = push;
    }
}

namespace {

LAW float divergence_at(const PairView& particles, const Kernel& kernel, const Float4* gradient, const Float4* field,
                        std::size_t i) {
    real others = broadcast(0);
    each_neighbor(particles, i, [&](const Pair& pair) LAW_LAMBDA {
        others += pair.volume * slope(kernel, pair) * dot(gather(field, pair.j).xyz, pair.d);
    });
    const Float4 &g = gradient[i], &u = field[i];
    return u.x * g.x + u.y * g.y + u.z * g.z - sum(others);
}

} // namespace

void field_divergence(const DivergenceArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        float divergence = divergence_at(a.particles, a.kernel, a.gradient, a.field, i);
        if (a.wall_field) {
            real others = broadcast(0);
            each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
                const WallShare share = wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal);
                others += pair.volume * dot(gather(a.wall_field, pair.j).xyz, share.gradient);
            });
            divergence -= sum(others);
        }
        a.divergence[i] = divergence;
    }
}

void felt_pressure(const FeltArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const real own = broadcast(a.pressure[i]);
        real total = broadcast(0);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            total += pair.volume * (own + gather(a.pressure, pair.j)) * slope(a.kernel, pair) * pair.r2;
        });
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            const WallShare share = wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal);
            const real3 n = gather(a.wall_normal, pair.j).xyz;
            const real height = dot(n, pair.d);
            const real across = dot(share.gradient, n) * height;
            const real along = 2.0f * slope(a.kernel, pair) * (pair.r2 - height * height);
            total += pair.volume * own * (across + along);
        });
        const float crowded = a.density[i] > 1 ? a.density[i] : 1; // at a free surface neighbors are missing
        a.felt[i] = -0.5f * crowded * sum(total) / static_cast<float>(a.kernel.dimensions);
    }
}

ResidualSums residual_of_push(const ResidualArgs& a, Range range) {
    ResidualSums sums;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const float r = a.source[i] + divergence_at(a.particles, a.kernel, a.gradient, a.push, i);
        const float diagonal = a.gradient[i].w > a.usual_diagonal ? a.gradient[i].w : a.usual_diagonal;
        add_residual(sums, r, a.residual_before[i], a.pressure[i], a.pressure_before[i], a.particles.query_place[i].w,
                     diagonal, a.least_diagonal);
        a.residual[i] = r;
    }
    return sums;
}

} // namespace loam::LOAM_ISA
