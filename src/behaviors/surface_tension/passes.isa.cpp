#include "behaviors/surface_tension/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {

#include "behaviors/surface_tension/tension.law.h"

namespace {

LAW real curvature(const Kernel& k, const Pair& p) { // d2W/dr2
    return k.slope_scale *
           kernel_curvature_shape(k.kind, p.r2 * p.inverse_r * k.inverse_support, p.inverse_r * k.support);
}

LAW Float4 slope_of(const Float4& gradient, float strength, float blur) {
    const float length2 = gradient.x * gradient.x + gradient.y * gradient.y + gradient.z * gradient.z;
    const float scale = strength / __builtin_sqrtf(length2 + blur * blur);
    return {scale * gradient.x, scale * gradient.y, scale * gradient.z, 0};
}

LAW void add_force(Float4& acceleration, const Float4& force, float inverse_mass) {
    acceleration = {acceleration.x + inverse_mass * force.x, acceleration.y + inverse_mass * force.y,
                    acceleration.z + inverse_mass * force.z, acceleration.w};
}

} // namespace

void area_slopes(const AreaSlopeArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const TensionOfBody& tension = a.tension[a.body[i]];
        real3 all = zero3(), unlike = zero3(), wall = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real g = pair.volume * slope(a.kernel, pair);
            all += g * pair.d;
            if (a.interfaces) {
                const real other = gather(a.label, pair.j);
                unlike += (other == a.label[i] ? broadcast(0) : g) * pair.d;
            }
        });
        each_neighbor(a.walls, i,
                      [&](const Pair& pair) LAW_LAMBDA { wall += (pair.volume * slope(a.kernel, pair)) * pair.d; });
        const Float4 b = sum3(wall), g = sum3(all);
        a.surface_slope[i] = slope_of({g.x + b.x, g.y + b.y, g.z + b.z, 0}, tension.surface, a.blur);
        a.wall_slope[i] = slope_of(b, tension.wall, a.blur);
        if (a.interfaces) a.interface_slope[i] = slope_of(sum3(unlike), tension.interface, a.blur);
    }
}

void area_forces(const AreaForceArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 total = zero3();
        const real3 own = broadcast(a.surface_slope[i]);
        const real3 own_unlike = a.interfaces ? broadcast(a.interface_slope[i]) : zero3();
        const real3 own_wall = own + broadcast(a.wall_slope[i]);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            real3 v = own - gather(a.surface_slope, pair.j).xyz;
            if (a.interfaces) {
                // H is even, so dE = V_i V_j (P_i - P_j) H dx_ij for likes and unlikes alike.
                const real3 u = own_unlike - gather(a.interface_slope, pair.j).xyz;
                v += (gather(a.label, pair.j) == a.label[i] ? broadcast(0) : broadcast(1)) * u;
            }
            total += pair.volume *
                     hessian_times(slope(a.kernel, pair), curvature(a.kernel, pair), pair.inverse_r * pair.d, v);
        });
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            total += pair.volume *
                     hessian_times(slope(a.kernel, pair), curvature(a.kernel, pair), pair.inverse_r * pair.d, own_wall);
        });
        add_force(a.acceleration[i], sum3(total), -a.particles.query_place[i].w / a.mass[i]);
    }
}

void color_normals(const NormalArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        real3 total = zero3();
        const auto add = [&](const Pair& pair) LAW_LAMBDA { total += (pair.volume * slope(a.kernel, pair)) * pair.d; };
        each_neighbor(a.particles, i, add);
        each_neighbor(a.walls, i, add);
        const Float4 g = sum3(total);
        const float length = __builtin_sqrtf(g.x * g.x + g.y * g.y + g.z * g.z);
        const bool surface = length > a.least && a.tension[a.body[i]].surface > 0;
        a.normal[i] = surface ? Float4{-g.x, -g.y, -g.z, length} : Float4{};
    }
}

void smooth_normals(const SmoothNormalArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& own = a.normal[i];
        if (own.w == 0) {
            a.unit[i] = {};
            continue;
        }
        real3 total = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            total += (pair.volume * value(a.kernel, pair)) * gather(a.normal, pair.j).xyz;
        });
        const Float4 t = sum3(total);
        const float weight = a.particles.query_place[i].w * a.own_value;
        const float x = t.x + weight * own.x, y = t.y + weight * own.y, z = t.z + weight * own.z;
        const float scale = 1 / __builtin_sqrtf(x * x + y * y + z * z + 1e-30f);
        a.unit[i] = {scale * x, scale * y, scale * z, own.w};
    }
}

void curvatures(const CurvatureArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& n = a.unit[i];
        a.curvature[i] = {};
        if (n.w == 0) continue;
        real turn = broadcast(0), norm = broadcast(0);
        const real3 own = broadcast(n);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 other = gather(a.unit, pair.j);
            const real g = other.w > 0.0f ? pair.volume * slope(a.kernel, pair) : broadcast(0);
            const real3 along = pair.d - dot(pair.d, own) * own; // the tangential part: neighbors are on one side only
            turn += g * dot(own - other.xyz, along);
            norm += g * dot(along, along);
        });
        const float weight = sum(norm);
        if (!(weight < 0)) continue;
        float kappa = static_cast<float>(a.kernel.dimensions - 1) * sum(turn) / weight;
        kappa = kappa > a.sharpest ? a.sharpest : kappa < -a.sharpest ? -a.sharpest : kappa;
        a.curvature[i] = {n.w * kappa, 0, 0, n.w};
    }
}

void curvature_forces(const CurvatureForceArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& n = a.unit[i];
        if (n.w == 0) continue;
        real total = broadcast(0), weights = broadcast(0);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real w = pair.volume * value(a.kernel, pair);
            const real4 other = gather(a.curvature, pair.j);
            total += w * other.xyz.x;
            weights += w * other.w;
        });
        const float own = a.particles.query_place[i].w * a.own_value;
        const float kappa = (sum(total) + own * a.curvature[i].x) / (sum(weights) + own * a.curvature[i].w + 1e-30f);
        const float scale = -a.tension[a.body[i]].surface * kappa * n.w;
        add_force(a.acceleration[i], {scale * n.x, scale * n.y, scale * n.z, 0},
                  a.particles.query_place[i].w / a.mass[i]);
    }
}

void cohesion_forces(const CohesionArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const float stiffness = a.stiffness[a.body[i]];
        if (stiffness == 0) continue;
        real3 total = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real w = gather(a.label, pair.j) == a.label[i] ? pair.volume * value(a.kernel, pair) : broadcast(0);
            total += w * pair.d;
        });
        add_force(a.acceleration[i], sum3(total), -stiffness * a.particles.query_place[i].w / a.mass[i]);
    }
}

} // namespace loam::LOAM_ISA
