#include "behaviors/surface_tension/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {

#include "behaviors/surface_tension/tension.law.h"

namespace {

LAW real only(const float* label, std::size_t i, const Pair& pair, bool like, real weight) {
    if (!label) return weight;
    const real other = gather(label, pair.j), zero = broadcast(0);
    return other == label[i] ? (like ? weight : zero) : (like ? zero : weight);
}

LAW void add_force(Float4& acceleration, const Float4& force, float inverse_mass) {
    acceleration = {acceleration.x + inverse_mass * force.x, acceleration.y + inverse_mass * force.y,
                    acceleration.z + inverse_mass * force.z, acceleration.w};
}

// Of the tensor in tension.law.h, given its diagonal and what stands beside it.
LAW float curvature_of_true_surface(float scale, const Float4& diagonal, const Float4& beside, float depth) {
    const float trace = diagonal.x + diagonal.y + diagonal.z;
    const float squares = diagonal.x * diagonal.x + diagonal.y * diagonal.y + diagonal.z * diagonal.z +
                          2 * (beside.x * beside.x + beside.y * beside.y + beside.z * beside.z);
    const float mean = scale * trace, gauss = 0.5f * scale * scale * (trace * trace - squares);
    return mean + 2 * depth * gauss;
}

LAW float length_of(const Float4& v) { return __builtin_sqrtf(v.x * v.x + v.y * v.y + v.z * v.z); }

// B 5.6-5.7: from the middle of all that is within reach, by volume. Only its direction is used.
LAW Float4 off_the_centroid(const SurfaceArgs& s, std::size_t i) {
    real3 away = zero3();
    const float reach2 = s.kernel.support * s.kernel.support;
    const auto count = [&](const Pair& pair)
                           LAW_LAMBDA { away += (pair.r2 < reach2 ? pair.volume : broadcast(0)) * pair.d; };
    each_neighbor(s.particles, i, count);
    each_neighbor(s.walls, i, count);
    return sum3(away);
}

LAW float strength_of(const SurfaceArgs& s, std::size_t i) { return s.own ? s.own[i] : s.strength[s.body[i]]; }

LAW float loneliness_of(float density) { return sum(loneliness(broadcast(density))) / lanes; }

} // namespace

void color_normals(const NormalArgs& a, Range range) {
    const SurfaceArgs& s = a.surface;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        a.normal[i] = {};
        if (strength_of(s, i) == 0) continue;
        real3 total = zero3();
        each_neighbor(s.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            total += only(s.label, i, pair, false, pair.volume * slope(s.kernel, pair)) * pair.d;
        });
        if (!s.label)
            each_neighbor(s.walls, i, [&](const Pair& pair) LAW_LAMBDA {
                total += (pair.volume * slope(s.kernel, pair)) * pair.d;
            });
        const Float4 g = sum3(total);
        const float length = length_of(g), sign = s.label ? 1 : -1;
        if (!(length > s.least)) continue;
        a.normal[i] = {sign * g.x, sign * g.y, sign * g.z, length};
        if (s.label || !a.by_centroid[s.body[i]]) continue;
        const Float4 away = off_the_centroid(s, i);
        if (const float far = length_of(away); far > 0)
            a.normal[i] = {length / far * away.x, length / far * away.y, length / far * away.z, length};
    }
}

void average_normals(const AverageArgs& a, Range range) {
    const SurfaceArgs& s = a.surface;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& own = a.from[i];
        a.to[i] = own;
        if (own.w == 0) continue;
        real3 total = zero3();
        each_neighbor(s.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            total += only(s.label, i, pair, true, pair.volume * value(s.kernel, pair)) * gather(a.from, pair.j).xyz;
        });
        const Float4 t = sum3(total);
        const float weight = s.particles.query_place[i].w * s.own_value;
        const float x = t.x + weight * own.x, y = t.y + weight * own.y, z = t.z + weight * own.z;
        const float scale = own.w / __builtin_sqrtf(x * x + y * y + z * z + 1e-30f);
        a.to[i] = {scale * x, scale * y, scale * z, own.w};
    }
}

void find_curvatures(const AverageArgs& a, Range range) {
    const SurfaceArgs& s = a.surface;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& n = a.from[i];
        a.to[i] = {};
        if (n.w == 0) continue;
        real spread = broadcast(0), crowd = broadcast(0);
        real3 turned = zero3(), twisted = zero3(); // the shape tensor: xx yy zz, and yz zx xy
        const real3 own = broadcast(1 / n.w) * broadcast(n);
        each_neighbor(s.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 other = gather(a.from, pair.j);
            const real g =
                other.w > 0.0f ? only(s.label, i, pair, true, pair.volume * slope(s.kernel, pair)) : broadcast(0);
            const real3 along = along_surface(pair.d, own);
            const real3 turn = along_surface((-g / larger(other.w, broadcast(1e-30f))) * other.xyz, own);
            turned += real3{along.x * turn.x, along.y * turn.y, along.z * turn.z};
            twisted += broadcast(0.5f) * (cross_sums(along, turn));
            spread += g * dot(along, along);
            const real inverse = inverse_root(dot(along, along) + least_r2), far = dot(along, along) * inverse;
            crowd += only(s.label, i, pair, true, pair.volume * other.w) *
                     kernel_shape(KERNEL_CUBIC, far * (1 / s.across), inverse * s.across);
        });
        // Neighbors that all stand along the normal, as in a thread that sticks out, say nothing about curvature.
        const float width = sum(spread), along_alone = -0.05f; // a flat surface has about 1 - dimensions
        const float per_width = width < along_alone ? static_cast<float>(s.kernel.dimensions - 1) / width : 0;
        float kappa = curvature_of_true_surface(per_width, sum3(turned), sum3(twisted), s.depth);
        kappa = kappa > s.sharpest ? s.sharpest : kappa < -s.sharpest ? -s.sharpest : kappa;
        const float crowded = s.across_scale * (sum(crowd) + s.particles.query_place[i].w * n.w);
        a.to[i] = {n.w * kappa, n.w * crowded, 0, n.w};
    }
}

void average_curvatures(const AverageArgs& a, Range range) {
    const SurfaceArgs& s = a.surface;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& own = a.from[i];
        a.to[i] = own;
        if (own.w == 0) continue;
        real kappa = broadcast(0), crowd = broadcast(0), weights = broadcast(0);
        each_neighbor(s.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real w = only(s.label, i, pair, true, pair.volume * value(s.kernel, pair));
            const real4 other = gather(a.from, pair.j);
            kappa += w * other.xyz.x;
            crowd += w * other.xyz.y;
            weights += w * other.w;
        });
        const float weight = s.particles.query_place[i].w * s.own_value;
        const float mean = own.w / (sum(weights) + weight * own.w);
        a.to[i].x = mean * (sum(kappa) + weight * own.x);
        a.to[i].y = mean * (sum(crowd) + weight * own.y);
    }
}

Vec3d surface_forces(const SurfaceForceArgs& a, Range range) {
    const SurfaceArgs& s = a.surface;
    Vec3d sum;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& n = a.normal[i];
        if (n.w == 0) continue;
        const float kappa = (2 * a.curvature[i].x - a.curvature_again[i].x) / n.w, crowd = a.curvature[i].y / n.w;
        const float share = s.label ? 1 : 1 - loneliness_of(s.density[i]);
        const float scale = -share * strength_of(s, i) * kappa / (crowd > s.least_crowd ? crowd : s.least_crowd);
        const Float4 force{scale * n.x, scale * n.y, scale * n.z, 0}; // per volume
        const float volume = s.particles.query_place[i].w;
        add_force(a.acceleration[i], force, volume / s.mass[i]);
        sum += static_cast<double>(volume) * force.xyz_double();
    }
    return sum;
}

void ripple_damping(const RippleArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const float viscosity = a.viscosity[a.body[i]], cohesion = a.cohesion[a.body[i]];
        if (viscosity == 0 && cohesion == 0) continue;
        real3 total = zero3();
        const real3 own = broadcast(a.velocity[i]);
        const real alone = loneliness(broadcast(a.density[i]));
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real approach = dot(own - gather(a.velocity, pair.j).xyz, pair.d);
            const real braked = viscosity * slope(a.kernel, pair) * approach * pair.inverse_r * pair.inverse_r;
            const real lonely = 0.5f * (alone + loneliness(gather(a.density, pair.j)));
            const real drawn =
                cohesion * value(a.kernel, pair) * lonely * parted(pair.r2 * pair.inverse_r * a.inverse_spacing);
            const real f = pair.volume * (braked - drawn);
            total += (a.label ? only(a.label, i, pair, true, f) : f) * pair.d;
        });
        add_force(a.acceleration[i], sum3(total), a.particles.query_place[i].w / a.mass[i]);
    }
}

void cohesion_forces(const CohesionArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const float stiffness = a.stiffness[a.body[i]];
        if (stiffness == 0) continue;
        real3 total = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real drawn = value(a.kernel, pair) * parted(pair.r2 * pair.inverse_r * a.inverse_spacing);
            total += only(a.label, i, pair, true, pair.volume * drawn) * pair.d;
        });
        add_force(a.acceleration[i], sum3(total), -stiffness * a.particles.query_place[i].w / a.mass[i]);
    }
}

} // namespace loam::LOAM_ISA
