#include "behaviors/sand/passes.h"

#include "passes/kept_pairs.h"

namespace loam::LOAM_ISA {
namespace {

// Below it neighbors do not tell how velocities change in all directions: a thread, a lone pair.
constexpr float least_shape_2d = 0.02f, least_shape_3d = 0.004f;

struct Matrix { // of sums over lanes
    real3 x = zero3(), y = zero3(), z = zero3();

    LAW void add(real3 a, real3 b, bool flat) { // += a (x) b
        x += a.x * b;
        y += a.y * b;
        if (!flat) z += a.z * b;
    }
};

struct Flat3 {
    float x, y, z;
};
LAW Flat3 flat(const Float4& a) { return {a.x, a.y, a.z}; }
LAW float dot(Flat3 a, Flat3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LAW Flat3 cross(Flat3 a, Flat3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
LAW Flat3 times(float s, Flat3 a) { return {s * a.x, s * a.y, s * a.z}; }

LAW float between(Flat3 n, Flat3 x, Flat3 y, Flat3 z) { return n.x * dot(x, n) + n.y * dot(y, n) + n.z * dot(z, n); }

// See `bearing` in passes.h: the part E of B by which kernels of walls and solids are steeper, and B, both across the
// surface.
LAW float borne(Flat3 ex, Flat3 ey, Flat3 ez, Flat3 x, Flat3 y, Flat3 z, Flat3 n) {
    const float whole = between(n, x, y, z), steeper = between(n, ex, ey, ez);
    if (!(steeper > 0) || !(whole > 0)) return 1;
    return whole < 2 * steeper ? 2 : whole / (whole - steeper);
}

} // namespace

void sand_shape(const SandShapeArgs& a, Range range) {
    const SandPairs& of = a.pairs;
    const bool in_plane = of.flat;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        a.inverse_x[i] = a.inverse_y[i] = a.inverse_z[i] = a.touch[i] = a.into_wall[i] = a.wall_motion[i] = {};
        a.stiffness[i] = a.bearing[i] = 0;
        const auto kept_of = [&](const Pair& pair, real slope)
                                 LAW_LAMBDA { return keep(of.kept, i, pair, slope * pair.d); };
        if (!(a.sand[i] > 0)) {
            if (!(a.grips[i] > 0)) continue;
            each_neighbor(of.particles, i, [&](const Pair& pair) LAW_LAMBDA { // solids are pushed by the same gradients
                kept_of(pair, pair_share(of.solid_kernel, of.kernel, pair, of.solid, i).slope);
            });
            continue;
        }
        Matrix shape, squares, steeper;
        real3 gradient = zero3(), into_solid = zero3();
        real contact = broadcast(0), rough = broadcast(0), friction = broadcast(0);
        each_neighbor(of.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real counts = gather(a.grips, pair.j);
            const auto [w, slope] = pair_share(of.solid_kernel, of.kernel, pair, of.solid, i);
            const real3 g = kept_of(pair, slope), weighted = (counts * pair.volume) * g;
            gradient += weighted;
            shape.add(real3_of(-pair.d.x, -pair.d.y, -pair.d.z), weighted, in_plane);
            squares.add(gather(a.specific_volume, pair.j) * g, weighted, in_plane);
            if (a.rub) {
                const real3 plain = loam::LOAM_ISA::slope(of.kernel, pair) * pair.d;
                steeper.add(real3_of(-pair.d.x, -pair.d.y, -pair.d.z), weighted - (counts * pair.volume) * plain,
                            in_plane);
                into_solid += gather(of.solid, pair.j) * weighted;
                const real rub = gather(a.rub, pair.j);
                const real share = gather(of.solid, pair.j) * pair.volume * w;
                contact += share;
                rough += rub < 0.0f ? share : broadcast(0);
                friction += rub < 0.0f ? broadcast(0) : share * rub;
            }
        });
        real3 into_wall = zero3(), wall_motion = zero3();
        real touched = broadcast(0);
        each_neighbor(of.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            const WallShare share = wall_share(of.wall_kernel, of.kernel, pair, of.wall_normal);
            const real3 weighted = pair.volume * share.gradient;
            into_wall += weighted;
            shape.add(real3_of(-pair.d.x, -pair.d.y, -pair.d.z), weighted, in_plane);
            const real3 plain = loam::LOAM_ISA::slope(of.kernel, pair) * pair.d;
            steeper.add(real3_of(-pair.d.x, -pair.d.y, -pair.d.z), weighted - pair.volume * plain, in_plane);
            const real4 wall = gather(a.wall_velocity, pair.j);
            const real slip = wall.w, touches = pair.volume * value(of.kernel, pair);
            wall_motion += touches * wall.xyz;
            touched += touches;
            contact += touches;
            rough += slip < 0.0f ? touches : broadcast(0);
            friction += slip < 0.0f ? broadcast(0) : touches * slip;
        });
        const Flat3 x = flat(sum3(shape.x)), y = flat(sum3(shape.y)),
                    z = in_plane ? Flat3{0, 0, 1} : flat(sum3(shape.z));
        const Flat3 yz = cross(y, z), zx = cross(z, x), xy = cross(x, y); // B^-T has the rows yz, zx, xy / det
        const float determinant = dot(x, yz);
        a.touch[i] = {sum(contact), sum(rough), sum(friction), sum(touched)};
        const Float4 wall = sum3(into_wall), motion = sum3(wall_motion);
        const float per = a.touch[i].w > 0 ? 1 / a.touch[i].w : 0;
        a.into_wall[i] = wall;
        a.wall_motion[i] = {per * motion.x, per * motion.y, per * motion.z, 0};
        if (!(determinant > (in_plane ? least_shape_2d : least_shape_3d))) continue;
        const float scale = 1 / determinant;
        const Flat3 rx = times(scale, yz), ry = times(scale, zx), rz = times(in_plane ? 0 : scale, xy);
        const Float4 of_particles = sum3(gradient);
        const Flat3 g{of_particles.x + wall.x, of_particles.y + wall.y, of_particles.z + wall.z};
        const Float4 solids = sum3(into_solid);
        const float bears = borne(flat(sum3(steeper.x)), flat(sum3(steeper.y)), flat(sum3(steeper.z)), x, y, z,
                                  {wall.x + solids.x, wall.y + solids.y, wall.z + solids.z});
        const float volume = bears * of.particles.query_place[i].w;
        a.bearing[i] = volume;
        const Flat3 along{bears * dot(rx, g), bears * dot(ry, g), bears * dot(rz, g)};
        a.inverse_x[i] = {rx.x, rx.y, rx.z, along.x};
        a.inverse_y[i] = {ry.x, ry.y, ry.z, along.y};
        a.inverse_z[i] = {rz.x, rz.y, rz.z, along.z};
        // trace(B^-T Q B^-1), Q = sum_j V_j s_j g (x) g
        const Flat3 qx = flat(sum3(squares.x)), qy = flat(sum3(squares.y)), qz = flat(sum3(squares.z));
        const auto square = [&](Flat3 r) LAW_LAMBDA { return r.x * dot(qx, r) + r.y * dot(qy, r) + r.z * dot(qz, r); };
        a.stiffness[i] =
            (volume * (square(rx) + square(ry) + square(rz)) + a.specific_volume[i] * dot(along, along) / bears) /
            static_cast<float>(of.kernel.dimensions);
    }
}

void sand_push(const SandPushArgs& a, Range range) {
    const SandPairs& of = a.pairs;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        a.push[i] = {};
        if (!(a.grips[i] > 0)) continue;
        real3 total = zero3();
        each_kept(of.kept, i, [&](const std::uint32_t* j, real3 g) LAW_LAMBDA {
            total.x += loam::LOAM_ISA::dot(gather(a.stress_x, j).xyz, g);
            total.y += loam::LOAM_ISA::dot(gather(a.stress_y, j).xyz, g);
            if (!of.flat) total.z += loam::LOAM_ISA::dot(gather(a.stress_z, j).xyz, g);
        });
        total = broadcast(unit_of(of.kept)) * total;
        const Float4 t = sum3(total), &d = a.diagonal[i], &s = a.shear[i];
        const Flat3 along{a.own_x[i].w, a.own_y[i].w, a.own_z[i].w};
        const float scale = a.dt * a.specific_volume[i];
        a.push[i] = {scale * (t.x + d.x * along.x + s.z * along.y + s.y * along.z),
                     scale * (t.y + s.z * along.x + d.y * along.y + s.x * along.z),
                     scale * (t.z + s.y * along.x + s.x * along.y + d.z * along.z), 0};
    }
}

void sand_strain(const SandStrainArgs& a, Range range) {
    const SandPairs& of = a.pairs;
    const auto d = static_cast<float>(of.kernel.dimensions);
    for (std::size_t i = range.begin; i != range.end; ++i) {
        a.diagonal[i] = a.shear[i] = {};
        const Flat3 rx = flat(a.inverse_x[i]), ry = flat(a.inverse_y[i]), rz = flat(a.inverse_z[i]);
        if (rx.x == 0 && rx.y == 0 && rx.z == 0) continue;
        const real3 v = broadcast(a.velocity[i]);
        const real unit = broadcast(unit_of(of.kept));
        Matrix change; // sum_j V_j (v_j - v_i) (x) grad W
        each_kept(of.kept, i, [&](const std::uint32_t* j, real3 g) LAW_LAMBDA {
            const real4 other = gather(a.velocity, j);
            change.add((unit * other.w) * (other.xyz - v), g, of.flat);
        });
        each_neighbor(of.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            const WallShare share = wall_share(of.wall_kernel, of.kernel, pair, of.wall_normal);
            change.add(pair.volume * (gather(a.wall_velocity, pair.j).xyz - v), share.gradient, of.flat);
        });
        const Flat3 x = flat(sum3(change.x)), y = flat(sum3(change.y)),
                    z = of.flat ? Flat3{0, 0, 0} : flat(sum3(change.z));
        // of v along axis: dv / dk = change . r_k
        const float xx = dot(x, rx), yy = dot(y, ry), zz = dot(z, rz), mean = (xx + yy + zz) / d;
        a.diagonal[i] = {xx - mean, yy - mean, of.flat ? 0 : zz - mean, 0};
        a.shear[i] = {0.5f * (dot(y, rz) + dot(z, ry)), 0.5f * (dot(x, rz) + dot(z, rx)),
                      0.5f * (dot(x, ry) + dot(y, rx)), 0};
    }
}

void sand_mean(const SandMeanArgs& a, Range range) {
    const SandPairs& of = a.pairs;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Float4 &own = a.diagonal[i], &own_shear = a.shear[i];
        a.mean_diagonal[i] = own, a.mean_shear[i] = own_shear;
        if (!(a.sand[i] > 0)) continue;
        real3 diagonal = zero3(), shear = zero3();
        real rest = broadcast(0), weight = broadcast(0);
        each_neighbor(of.particles, i, [&](const Pair& pair) LAW_LAMBDA {
            const real w = gather(a.sand, pair.j) * pair.volume * value(of.kernel, pair);
            const real4 d = gather(a.diagonal, pair.j), s = gather(a.shear, pair.j);
            diagonal += w * d.xyz;
            shear += w * s.xyz;
            rest += w * d.w;
            weight += w;
        });
        const Float4 d = sum(diagonal, rest), s = sum(shear, weight);
        const float self = of.particles.query_place[i].w * a.own_value, scale = 1 / (self + s.w);
        a.mean_diagonal[i] = {scale * (d.x + self * own.x), scale * (d.y + self * own.y), scale * (d.z + self * own.z),
                              scale * (d.w + self * own.w)};
        a.mean_shear[i] = {scale * (s.x + self * own_shear.x), scale * (s.y + self * own_shear.y),
                           scale * (s.z + self * own_shear.z), 0};
    }
}

} // namespace loam::LOAM_ISA
