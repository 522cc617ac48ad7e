#include "behaviors/grains/impulses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace loam {
namespace {

constexpr int correction_sweeps = 4, inner_correction_sweeps = 2;
constexpr int inner_sweeps = 3;                                // over a tile at once
constexpr float restored = 0.2f;                               // of an overlap, in a step
constexpr float allowed_overlap = 0.01f, most_restored = 0.1f; // of the spacing

// Both sides of a contact by springs.
struct Sides {
    const GrainContact& c;
    GrainMotion motion;
    float mass_i, mass_j = 0, inertia_i, inertia_j = 0; // inverse
    bool pair;

    Sides(const GrainContact& contact, const GrainPool& grains, GrainMotion all)
        : c(contact), motion(all), mass_i(grains.inverse_mass[c.i]), inertia_i(grains.inverse_inertia[c.i]),
          pair(c.j != GrainContact::none) {
        if (pair) mass_j = grains.inverse_mass[c.j], inertia_j = grains.inverse_inertia[c.j];
    }

    Vec3f approach() const { // of the centers
        return motion.velocity[c.i].xyz() - (pair ? motion.velocity[c.j].xyz() : c.surface_velocity);
    }
    Vec3f sliding() const { // at the contact, across the normal
        const Vec3f centers = approach();
        Vec3f turning = c.arm_i * motion.spin[c.i].xyz();
        if (pair) turning += c.arm_j * motion.spin[c.j].xyz();
        return centers - dot(centers, c.normal) * c.normal - cross(turning, c.normal);
    }
    Vec3f rolling() const { return motion.spin[c.i].xyz() - (pair ? motion.spin[c.j].xyz() : Vec3f{}); }

    float along() const { return mass_i + mass_j; } // inverse masses
    float across() const { return along() + c.arm_i * c.arm_i * inertia_i + c.arm_j * c.arm_j * inertia_j; }
    float turned() const { return inertia_i + inertia_j; }
};

void shorten(Vec3f& v, float most) {
    if (const float size2 = dot(v, v); size2 > most * most) v *= most > 0 ? most / std::sqrt(size2) : 0;
}

// What is left of the speed where springs with this share of critical damping part as soon as they would pull.
double restitution_of(double zeta) {
    const double s = std::sqrt(1 - zeta * zeta);
    return std::exp(-zeta / s * (std::numbers::pi - std::atan2(2 * zeta * s, 1 - 2 * zeta * zeta)));
}

// The inverse: critical damping where that is not enough.
class DampingTable {
public:
    DampingTable() {
        for (std::size_t k = 0; k < size; ++k) {
            const double wanted = static_cast<double>(k) / (size - 1);
            double lo = 0, hi = 0.999999;
            for (int round = 0; round < 50; ++round) {
                const double middle = 0.5 * (lo + hi);
                (restitution_of(middle) > wanted ? lo : hi) = middle;
            }
            zeta_[k] = static_cast<float>(lo);
        }
    }
    float operator()(float restitution) const {
        const float at = std::clamp(restitution, 0.0f, 1.0f) * (size - 1);
        const auto k = std::min(static_cast<std::size_t>(at), size - 2);
        return zeta_[k] + (at - static_cast<float>(k)) * (zeta_[k + 1] - zeta_[k]);
    }

private:
    static constexpr std::size_t size = 201;
    std::array<float, size> zeta_{};
};

} // namespace

GrainSweeps::GrainSweeps(GrainContacts& contacts, const GrainPool& grains, GrainMotion motion, InstructionSet isa,
                         float dt)
    : contacts_(contacts), isa_(isa) {
    const std::size_t particles = motion.velocity.size(), records = particles + 1 + contacts.wall_velocities().size();
    moving_.resize(records), turning_.resize(records);
    parallel_each(particles, [&](std::size_t i) {
        moving_[i] = {motion.velocity[i].x, motion.velocity[i].y, motion.velocity[i].z, grains.inverse_mass[i]};
        turning_[i] = {motion.spin[i].x, motion.spin[i].y, motion.spin[i].z, grains.inverse_inertia[i]};
    });
    Float4* wall = moving_.data() + contacts.nobody() + 1;
    for (const Vec3f& v : contacts.wall_velocities()) *wall++ = {v.x, v.y, v.z, 0};
    args_ = {.contacts = contacts.lanes().data(), .moving = moving_.data(), .turning = turning_.data(), .dt = dt};
}

void GrainSweeps::begin() {
    contacts_.in_order(1, [&](Range lanes) { grain_begin.on(isa_)(args_, lanes); });
}

void GrainSweeps::sweep(int times) {
    for (int done = 0; done < times; done += inner_sweeps)
        contacts_.in_order(std::min(inner_sweeps, times - done),
                           [&](Range lanes) { grain_sweep.on(isa_)(args_, lanes); });
}

void GrainSweeps::give(GrainMotion motion) const {
    parallel_each(motion.velocity.size(), [&](std::size_t i) {
        motion.velocity[i] = {moving_[i].x, moving_[i].y, moving_[i].z, motion.velocity[i].w};
        motion.spin[i] = {turning_[i].x, turning_[i].y, turning_[i].z, motion.spin[i].w};
    });
}

double spring_contact_time(double density, double radius, double stiffness, int dimensions) {
    const double mass = density * (dimensions == 3 ? 4.0 / 3 * std::numbers::pi * radius * radius * radius
                                                   : std::numbers::pi * radius * radius);
    return std::numbers::pi * std::sqrt(0.5 * mass / (0.5 * stiffness * radius));
}

// All forces first: none of them sees what another one does.
void apply_springs(GrainContacts& contacts, const GrainPool& grains, GrainMotion motion, InstructionSet isa, float dt) {
    static const DampingTable damping_of;
    contacts.each([&](GrainContact& c) {
        const Sides sides(c, grains, motion);
        if (c.gap >= 0 && c.bond == 0) {
            c.push = 0, c.drag = {};
            contacts.put_impulse(c, 0, {}, {});
            return;
        }
        const float zeta = damping_of(c.restitution), overlap = std::max(0.0f, -c.gap),
                    stiff_across = 2.0f / 7 * c.stiffness;
        const float damping = 2 * zeta * std::sqrt(c.stiffness / sides.along());
        const float damping_across = 2 * zeta * std::sqrt(stiff_across / sides.across());
        c.push = std::max(-c.bond, c.stiffness * overlap - damping * dot(sides.approach(), c.normal) - c.bond);
        const Vec3f sliding = sides.sliding();
        c.drag += dt * sliding;
        const Vec3f wanted = -(stiff_across * c.drag + damping_across * sliding);
        Vec3f force = wanted;
        shorten(force, c.friction * (c.push + c.bond));
        if (force != wanted) c.drag = -(force + damping_across * sliding) * (1 / stiff_across);
        c.roll = {};
        if (c.rolling > 0) {
            c.roll = -sides.rolling() * (1 / sides.turned());
            shorten(c.roll, c.rolling * (c.push + c.bond) * dt);
        }
        contacts.put_impulse(c, dt * c.push, dt * force, c.roll);
    });
    GrainSweeps sweeps(contacts, grains, motion, isa, dt);
    sweeps.begin();
    sweeps.give(motion);
}

void take_back_overlaps(GrainContacts& contacts, const GrainPool& grains, std::span<const Float4> velocity,
                        InstructionSet isa, float dt, float spacing, std::vector<Float4>& shift) {
    constexpr float anything = -1e30f;
    std::vector<GrainShift> shifts(contacts.lanes().size(), GrainShift{});
    contacts.take_impulses([&](const GrainContact& c) {
        const Vec3f other = c.j == GrainContact::none ? c.surface_velocity : velocity[c.j].xyz();
        const float end = c.gap + dt * dot(velocity[c.i].xyz() - other, c.normal); // of the gap
        const float overlap = -end - allowed_overlap * spacing;
        GrainShift& to = shifts[c.slot / GrainLanes::width];
        const std::size_t l = c.slot % GrainLanes::width;
        to.wanted[l] = overlap > 0 ? std::min(restored * overlap, most_restored * spacing) : overlap;
        if (c.ahead > 0) to.wanted[l] = -c.ahead, to.least[l] = anything;
    });
    shift.assign(velocity.size() + 1 + contacts.wall_velocities().size(), {});
    parallel_each(velocity.size(), [&](std::size_t i) { shift[i].w = grains.inverse_mass[i]; });
    const GrainShiftArgs args{.contacts = contacts.lanes().data(), .shifts = shifts.data(), .shift = shift.data()};
    for (int sweep = 0; sweep < correction_sweeps; sweep += inner_correction_sweeps)
        contacts.in_order(inner_correction_sweeps, [&](Range lanes) { grain_shift.on(isa)(args, lanes); });
}

} // namespace loam
