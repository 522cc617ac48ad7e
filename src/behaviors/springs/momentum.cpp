#include "behaviors/springs/momentum.h"

#include <cmath>

namespace loam {
namespace {

struct Matrix3 { // symmetric
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

    // Solves m w = l; nothing where the matrix has no inverse, as that of a straight rope.
    Vec3d solve(const Vec3d& l) const {
        const double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
        const double det = xx * a + xy * b + xz * c, size = xx + yy + zz;
        if (!(std::abs(det) > 1e-9 * size * size * size)) return {};
        const double d = xx * zz - xz * xz, e = xy * xz - xx * yz, f = xx * yy - xy * xy;
        return Vec3d{a * l.x + b * l.y + c * l.z, b * l.x + d * l.y + e * l.z, c * l.x + e * l.y + f * l.z} / det;
    }
};

} // namespace

void keep_momentum(const SlotMotion& motion, std::vector<Float4>& change) {
    double mass = 0;
    Vec3d center, momentum;
    for (std::size_t s = 0; s < motion.slots.size(); ++s) {
        if (motion.velocity[s].w == 0) return; // what is held takes up any momentum
        const double m = 1 / static_cast<double>(motion.velocity[s].w);
        mass += m, center += m * motion.place[s].xyz_double(), momentum += m * change[s].xyz_double();
    }
    if (mass == 0) return;
    center = center / mass, momentum = momentum / mass;
    Matrix3 inertia;
    Vec3d spin;
    for (std::size_t s = 0; s < motion.slots.size(); ++s) {
        const double m = 1 / static_cast<double>(motion.velocity[s].w);
        const Vec3d r = motion.place[s].xyz_double() - center;
        spin += m * cross(r, change[s].xyz_double() - momentum);
        inertia.xx += m * (r.y * r.y + r.z * r.z), inertia.yy += m * (r.x * r.x + r.z * r.z);
        inertia.zz += m * (r.x * r.x + r.y * r.y);
        inertia.xy -= m * r.x * r.y, inertia.xz -= m * r.x * r.z, inertia.yz -= m * r.y * r.z;
    }
    const Vec3d turn = inertia.solve(spin);
    for (std::size_t s = 0; s < motion.slots.size(); ++s)
        change[s] = float4(change[s].xyz_double() - momentum - cross(turn, motion.place[s].xyz_double() - center));
}

} // namespace loam
