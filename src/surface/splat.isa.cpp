#include "surface/splat.h"

#include "base/lanes.h"

namespace loam::LOAM_ISA {
namespace {

constexpr int edge = 8, nodes = 512;

LAW real& sums_at(float* sums, int sum, int node) { return *reinterpret_cast<real*>(sums + (sum * nodes + node)); }

LAW real first_nodes() { // the x of the nodes in the lanes
#if defined(LOAM_ISA_scalar)
    return 0.0f;
#else
    return real{0, 1, 2, 3, 4, 5, 6, 7};
#endif
}

// visit(e, node) for the rows of nodes that a sphere around the shape meets, with `lanes` nodes at a time.
template <class Shape, class Visit> LAW void each_row(const Shape& s, bool flat, const Visit& visit) {
    const float reach2 = s.reach * s.reach;
    const int last_z = flat ? 1 : edge;
    for (int z = 0; z < last_z; ++z) {
        const float dz = flat ? 0.0f : static_cast<float>(z) - s.z;
        if (dz * dz >= reach2) continue;
        for (int y = 0; y < edge; ++y) {
            const float dy = static_cast<float>(y) - s.y;
            const float beyond = s.x < 0.0f ? -s.x : s.x > edge - 1.0f ? s.x - (edge - 1.0f) : 0.0f;
            if (dy * dy + dz * dz + beyond * beyond >= reach2) continue;
            for (int x = 0; x < edge; x += lanes) {
                const real dx = first_nodes() + (static_cast<float>(x) - s.x);
                visit(real3{dx, broadcast(dy), broadcast(dz)}, (z * edge + y) * edge + x);
            }
        }
    }
}

// The sums of a mean place and radius.
LAW void add_mean(float* sums, int node, real w, real3 e, float radius) {
    sums_at(sums, 0, node) += w;
    sums_at(sums, 1, node) += w * e.x;
    sums_at(sums, 2, node) += w * e.y;
    sums_at(sums, 3, node) += w * e.z;
    sums_at(sums, 4, node) += w * radius;
}

} // namespace

void splat_color(const SplatArgs<Blob>& a) {
    for (std::size_t j = 0; j < a.count; ++j) {
        const Blob& s = a.shapes[j];
        const float inverse = 1.0f / (s.reach * s.reach);
        each_row(s, a.flat, [&](real3 e, int node) LAW_LAMBDA {
            const real t = positive_part(1.0f - inverse * dot(e, e));
            sums_at(a.sums, 0, node) += s.weight * t * t * t;
        });
    }
}

void splat_mean(const SplatArgs<Blob>& a) {
    for (std::size_t j = 0; j < a.count; ++j) {
        const Blob& s = a.shapes[j];
        const float inverse = 1.0f / (s.reach * s.reach);
        each_row(s, a.flat, [&](real3 e, int node) LAW_LAMBDA {
            const real t = positive_part(1.0f - inverse * dot(e, e));
            add_mean(a.sums, node, t * t * t, e, s.radius);
        });
    }
}

void splat_movement(const SplatArgs<Blob>& a) {
    for (std::size_t j = 0; j < a.count; ++j) {
        const Blob& s = a.shapes[j];
        const float inverse = 1.0f / (s.reach * s.reach);
        each_row(s, a.flat, [&](real3 e, int node) LAW_LAMBDA {
            const real t = positive_part(1.0f - inverse * dot(e, e));
            add_mean(a.sums, node, t * t * t, e, s.radius);
            const real3 ge = (-6.0f * inverse * t * t) * e;
            sums_at(a.sums, 5, node) += ge.x;
            sums_at(a.sums, 6, node) += ge.y;
            sums_at(a.sums, 7, node) += ge.z;
            sums_at(a.sums, 8, node) += ge.x * e.x;
            sums_at(a.sums, 9, node) += ge.y * e.y;
            sums_at(a.sums, 10, node) += ge.z * e.z;
            sums_at(a.sums, 11, node) += ge.x * e.y;
            sums_at(a.sums, 12, node) += ge.x * e.z;
            sums_at(a.sums, 13, node) += ge.y * e.z;
        });
    }
}

void splat_vector(const SplatArgs<VectorBlob>& a) {
    for (std::size_t j = 0; j < a.count; ++j) {
        const VectorBlob& s = a.shapes[j];
        const float inverse = 1.0f / (s.reach * s.reach);
        each_row(s, a.flat, [&](real3 e, int node) LAW_LAMBDA {
            const real t = positive_part(1.0f - inverse * dot(e, e));
            const real w = s.weight * t * t * t;
            sums_at(a.sums, 0, node) += w;
            sums_at(a.sums, 1, node) += w * s.vx;
            sums_at(a.sums, 2, node) += w * s.vy;
            sums_at(a.sums, 3, node) += w * s.vz;
        });
    }
}

void splat_ellipsoid(const SplatArgs<Ellipsoid>& a) {
    for (std::size_t j = 0; j < a.count; ++j) {
        const Ellipsoid& s = a.shapes[j];
        const float reach2 = s.reach * s.reach, inverse_xx = 1.0f / s.xx;
        for (int z = 0; z < (a.flat ? 1 : edge); ++z) {
            const float dz = a.flat ? 0.0f : static_cast<float>(z) - s.z;
            if (dz * dz >= reach2) continue;
            for (int y = 0; y < edge; ++y) {
                const float dy = static_cast<float>(y) - s.y;
                // Along a row q^2 = least + xx (x - middle)^2.
                const float mixed = s.xy * dy + s.xz * dz, middle = s.x - mixed * inverse_xx;
                const float least =
                    s.yy * dy * dy + s.zz * dz * dz + 2.0f * s.yz * dy * dz - mixed * mixed * inverse_xx;
                const float half2 = (1.0f - least) * inverse_xx; // the square of the row's half-length inside
                const float beyond = middle < 0.0f ? -middle : middle > edge - 1.0f ? middle - (edge - 1.0f) : 0.0f;
                if (half2 <= beyond * beyond) continue;
                for (int x = 0; x < edge; x += lanes) {
                    const real dx = first_nodes() + (static_cast<float>(x) - middle);
                    const real t = positive_part(s.xx * (half2 - dx * dx));
                    sums_at(a.sums, 0, (z * edge + y) * edge + x) += s.weight * t * t * t;
                }
            }
        }
    }
}

} // namespace loam::LOAM_ISA
