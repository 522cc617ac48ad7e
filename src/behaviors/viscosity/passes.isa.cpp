#include "behaviors/viscosity/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {
namespace {

#include "behaviors/viscosity/viscosity.law.h"

// k(r) of one model.
template <ViscosityModel model> struct Strength {
    Kernel kernel;
    float scale = 1;
    float curve = 0; // of implicit's k

    explicit Strength(const Kernel& k) : kernel(k) {
        const float h = k.support;
        if (model == ViscosityModel::morris) scale = -2;
        if (model == ViscosityModel::artificial) scale = -1;
        if (model == ViscosityModel::implicit) {
            curve = k.dimensions == 2 ? 1.76f : 1.08f;
            scale = k.dimensions == 2 ? 16 / (6.2831853f * h * h * h * h * (0.05f + 0.0166667f * curve))
                                      : 30 / (12.5663706f * h * h * h * h * h * (0.0333333f + 0.00952381f * curve));
        }
        // The (1 - q) whose second moment is that of a Laplacian: 45 / (pi h^5) in 3D.
        if (model == ViscosityModel::muller)
            scale = k.dimensions == 2 ? 12.7323954f / (h * h * h * h) : 14.3239449f / (h * h * h * h * h);
    }

    LAW real operator()(const Pair& pair) const {
        if constexpr (model == ViscosityModel::xsph) return value(kernel, pair);
        if constexpr (model == ViscosityModel::muller)
            return scale * positive_part(1.0f - pair.r2 * pair.inverse_r * kernel.inverse_support);
        if constexpr (model == ViscosityModel::implicit) {
            const real a = positive_part(1.0f - pair.r2 * pair.inverse_r * kernel.inverse_support);
            return scale * a * (1.0f + curve * a);
        }
        return scale * guard(pair.r2, broadcast(kernel.support)) * slope(kernel, pair);
    }
};

template <ViscosityModel model> LAW real mean(real a, real b) {
    const real both = model == ViscosityModel::muller ? 0.5f * (a + b) : harmonic_mean(a, b);
    const real with_solid = 2.0f * positive_part(larger(a, b));
    return smaller(a, b) < 0.0f ? with_solid : both;
}

template <ViscosityModel model>
inline constexpr bool along_line = model == ViscosityModel::artificial || model == ViscosityModel::implicit;

// What a difference of velocities u = v_j - v_i becomes.
template <ViscosityModel model> LAW real3 directed(const Pair& pair, real3 u) {
    if constexpr (!along_line<model>) return u;
    const real approach = dot(u, pair.d) * pair.inverse_r * pair.inverse_r;
    return (model == ViscosityModel::artificial ? positive_part(approach) : approach) * pair.d;
}

// k of a wall particle and its mirror; 0 unless the wall has no slip.
template <class K> LAW real wall_strength(const K& k, const WallMotion& wall, const Pair& pair, real slip) {
    const WallHeight at = wall_height(pair, wall.normal);
    const real mirror = wall_mirror(at.height - at.depth, at.depth, broadcast(wall.least_height));
    return slip < 0.0f ? pair.volume * k(pair) * mirror : broadcast(0);
}

LAW void divide(Float4& motion, float n) {
    motion.w /= n < least_moment ? least_moment : n > most_moment ? most_moment : n;
}

template <ViscosityModel model> void normalize(const NormalizeArgs& a, Range range) {
    const Strength<model> k(a.kernel);
    const float whole = 2.0f * static_cast<float>(a.kernel.dimensions);
    for (std::size_t i = range.begin; i != range.end; ++i) {
        if (!(a.motion[i].w > 0)) continue;
        real moment = broadcast(0);
        const auto add = [&](const Pair& pair) LAW_LAMBDA { moment += pair.volume * k(pair) * pair.r2; };
        each_neighbor(a.particles, i, add);
        each_neighbor(a.walls, i, add);
        divide(a.motion[i], sum(moment) / whole);
    }
}

// The rate of strain, up to a factor: xx, yy, zz, then twice xy, xz, yz.
struct Strain {
    real xx = broadcast(0), yy = broadcast(0), zz = broadcast(0), xy = broadcast(0), xz = broadcast(0),
         yz = broadcast(0);

    LAW void add(const Kernel& kernel, const Pair& pair, real3 u) { // u = v_i - v_j
        const real s = pair.volume * slope(kernel, pair);
        const real3& d = pair.d;
        xx += s * u.x * d.x, yy += s * u.y * d.y, zz += s * u.z * d.z;
        xy += s * (u.x * d.y + u.y * d.x), xz += s * (u.x * d.z + u.z * d.x), yz += s * (u.y * d.z + u.z * d.y);
    }
};

LAW Strain strain_at(const NormalizeArgs& a, std::size_t i) {
    const real3 v = broadcast(a.velocity[i]);
    Strain strain;
    each_neighbor(a.particles, i,
                  [&](const Pair& pair) LAW_LAMBDA { strain.add(a.kernel, pair, v - gather(a.velocity, pair.j).xyz); });
    each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
        const real4 wall = gather(a.wall_velocity, pair.j);
        const real sticks = wall.w < 0.0f ? broadcast(1) : broadcast(0);
        strain.add(a.kernel, pair, sticks * (v - wall.xyz));
    });
    return strain;
}

template <> void normalize<ViscosityModel::implicit>(const NormalizeArgs& a, Range range) {
    const Strength<ViscosityModel::implicit> k(a.kernel);
    const auto d = static_cast<float>(a.kernel.dimensions);
    for (std::size_t i = range.begin; i != range.end; ++i) {
        if (!(a.motion[i].w > 0)) continue;
        const Strain lanewise = strain_at(a, i);
        const float xx = sum(lanewise.xx), yy = sum(lanewise.yy), zz = sum(lanewise.zz), xy = sum(lanewise.xy),
                    xz = sum(lanewise.xz), yz = sum(lanewise.yz), trace = xx + yy + zz;
        const float strain = 4 * (xx * xx + yy * yy + zz * zz) + 2 * (xy * xy + xz * xz + yz * yz) + 2 * trace * trace;
        real along = broadcast(0), moment = broadcast(0);
        const auto add = [&](const Pair& pair) LAW_LAMBDA {
            const real3& r = pair.d;
            const real c = pair.volume * k(pair), stretch = xx * r.x * r.x + yy * r.y * r.y + zz * r.z * r.z +
                                                            xy * r.x * r.y + xz * r.x * r.z + yz * r.y * r.z;
            moment += c * pair.r2;
            along += c * stretch * stretch * pair.inverse_r * pair.inverse_r;
        };
        each_neighbor(a.particles, i, add);
        each_neighbor(a.walls, i, add);
        const Float4& v = a.velocity[i]; // where nothing but rounding is left of the strain, all directions count
        const float least =
            1e-10f * (v.x * v.x + v.y * v.y + v.z * v.z) * a.kernel.inverse_support * a.kernel.inverse_support + 1e-30f;
        divide(a.motion[i], (sum(along) + least * sum(moment)) / (strain + least * 2 * d * (d + 2)));
    }
}

template <ViscosityModel model> void accelerate(const ViscousForceArgs& args, Range range) {
    const ViscosityArgs& a = args.law;
    const Strength<model> k(a.kernel);
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& own = a.motion[i];
        const real3 v = broadcast(own);
        const real mu = broadcast(own.w);
        real3 force = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 other = gather(a.motion, pair.j);
            force += (pair.volume * mean<model>(mu, other.w) * k(pair)) * directed<model>(pair, other.xyz - v);
        });
        if (model != ViscosityModel::xsph)
            each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
                const real4 wall = gather(a.wall.velocity, pair.j);
                force +=
                    (positive_part(mu) * wall_strength(k, a.wall, pair, wall.w)) * directed<model>(pair, wall.xyz - v);
            });
        const float s = a.volume[i] / a.mass[i];
        const Float4 f = sum3(force);
        Float4& to = args.acceleration[i];
        to = {to.x + s * f.x, to.y + s * f.y, to.z + s * f.z, to.w};
    }
}

struct Block { // sum of c e e^T
    real xx = broadcast(0), xy = broadcast(0), xz = broadcast(0), yy = broadcast(0), yz = broadcast(0),
         zz = broadcast(0);

    LAW void add(real c, const Pair& pair) {
        const real w = c * pair.inverse_r * pair.inverse_r;
        const real3& d = pair.d;
        xx += w * d.x * d.x, xy += w * d.x * d.y, xz += w * d.x * d.z;
        yy += w * d.y * d.y, yz += w * d.y * d.z, zz += w * d.z * d.z;
    }
};

struct FlatBlock {
    float xx, xy, xz, yy, yz, zz;

    LAW explicit FlatBlock(const Block& b, float scale, float mass)
        : xx(mass + scale * sum(b.xx)), xy(scale * sum(b.xy)), xz(scale * sum(b.xz)), yy(mass + scale * sum(b.yy)),
          yz(scale * sum(b.yz)), zz(mass + scale * sum(b.zz)) {}
    LAW void store(Float4& first, Float4& second) const {
        first = {xx, xy, xz, yy};
        second = {yz, zz, 0, 0};
    }
    LAW void invert() {
        const float a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
        const float scale = 1 / (xx * a + xy * b + xz * c);
        const float d = xx * zz - xz * xz, e = xy * xz - xx * yz, f = xx * yy - xy * xy;
        xx = scale * a, xy = scale * b, xz = scale * c, yy = scale * d, yz = scale * e, zz = scale * f;
    }
};

} // namespace

void normalized_viscosity(const NormalizeArgs& a, Range range) {
    switch (a.model) {
    case ViscosityModel::morris: return normalize<ViscosityModel::morris>(a, range);
    case ViscosityModel::muller: return normalize<ViscosityModel::muller>(a, range);
    case ViscosityModel::implicit: return normalize<ViscosityModel::implicit>(a, range);
    default: return;
    }
}

void viscous_acceleration(const ViscousForceArgs& a, Range range) {
    switch (a.model) {
    case ViscosityModel::morris: return accelerate<ViscosityModel::morris>(a, range);
    case ViscosityModel::muller: return accelerate<ViscosityModel::muller>(a, range);
    case ViscosityModel::implicit: return accelerate<ViscosityModel::implicit>(a, range);
    case ViscosityModel::artificial: return accelerate<ViscosityModel::artificial>(a, range);
    case ViscosityModel::xsph: return accelerate<ViscosityModel::xsph>(a, range);
    }
}

void implicit_blocks(const ViscousBlockArgs& args, Range range) {
    constexpr auto model = ViscosityModel::implicit;
    const ViscosityArgs& a = args.law;
    const Strength<model> k(a.kernel);
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& own = a.motion[i];
        const real3 v = broadcast(own);
        const real mu = broadcast(own.w);
        const float scale = args.dt * a.volume[i];
        real3 force = zero3();
        Block block;
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 wall = gather(a.wall.velocity, pair.j);
            const real c = positive_part(mu) * wall_strength(k, a.wall, pair, wall.w);
            block.add(c, pair);
            force += c * directed<model>(pair, wall.xyz - v);
        });
        FlatBlock(block, scale, a.mass[i]).store(args.own_first[i], args.own_second[i]);
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 other = gather(a.motion, pair.j);
            const real c = pair.volume * mean<model>(mu, other.w) * k(pair);
            block.add(c, pair);
            force += c * directed<model>(pair, other.xyz - v);
        });
        FlatBlock all(block, scale, a.mass[i]);
        all.invert();
        all.store(args.inverse_first[i], args.inverse_second[i]);
        const Float4 f = sum3(force);
        args.right[i] = {scale * f.x, scale * f.y, scale * f.z, 0};
    }
}

double implicit_product(const ViscousProductArgs& a, Range range) {
    constexpr auto model = ViscosityModel::implicit;
    const Strength<model> k(a.kernel);
    double total = 0;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4& p = a.direction[i];
        const real3 own = broadcast(p);
        const real mu = broadcast(p.w);
        real3 others = zero3();
        each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 other = gather(a.direction, pair.j);
            others += (pair.volume * mean<model>(mu, other.w) * k(pair)) * directed<model>(pair, own - other.xyz);
        });
        const float scale = a.dt * a.volume[i];
        const Float4 o = sum3(others), &f = a.own_first[i], &g = a.own_second[i];
        const Float4 y{f.x * p.x + f.y * p.y + f.z * p.z + scale * o.x, f.y * p.x + f.w * p.y + g.x * p.z + scale * o.y,
                       f.z * p.x + g.x * p.y + g.y * p.z + scale * o.z, 0};
        a.product[i] = y;
        total += static_cast<double>(p.x) * y.x + static_cast<double>(p.y) * y.y + static_cast<double>(p.z) * y.z;
    }
    return total;
}

} // namespace loam::LOAM_ISA
