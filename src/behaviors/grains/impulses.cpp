#include "behaviors/grains/impulses.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace loam {
namespace {

constexpr int correction_sweeps = 4;
constexpr float restored = 0.2f;                               // of an overlap, in a step
constexpr float allowed_overlap = 0.01f, most_restored = 0.1f; // of the spacing

void add(Float4& to, const Vec3f& v) { to = {to.x + v.x, to.y + v.y, to.z + v.z, to.w}; }

// Both sides of a contact.
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

    void push(const Vec3f& impulse, const Vec3f& roll) const {
        const Vec3f turn = cross(c.normal, impulse);
        add(motion.velocity[c.i], mass_i * impulse);
        add(motion.spin[c.i], inertia_i * (roll - c.arm_i * turn));
        if (!pair) return;
        add(motion.velocity[c.j], -mass_j * impulse);
        if (inertia_j > 0) add(motion.spin[c.j], -inertia_j * (roll + c.arm_j * turn));
    }
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

void begin_impulses(GrainContacts& contacts, const GrainPool& grains, GrainMotion motion, float longer) {
    contacts.in_rounds([&](GrainContact& c) {
        c.push *= longer, c.drag *= longer, c.roll *= longer;
        Sides(c, grains, motion).push(c.push * c.normal + c.drag, c.roll);
    });
}

void sweep_impulses(GrainContacts& contacts, const GrainPool& grains, GrainMotion motion, float dt) {
    contacts.in_rounds([&](GrainContact& c) {
        const Sides sides(c, grains, motion);
        if (!(sides.along() > 0)) return;
        const float bond = c.bond * dt;
        const float push = std::max(-bond, c.push + (c.target - dot(sides.approach(), c.normal)) / sides.along());
        Vec3f drag, roll;
        if (const float hold = push + bond; hold > 0) {
            drag = c.drag - sides.sliding() * (1 / sides.across());
            shorten(drag, c.friction * hold);
            if (c.rolling > 0) {
                roll = c.roll - sides.rolling() * (1 / sides.turned());
                shorten(roll, c.rolling * hold);
            }
        }
        sides.push((push - c.push) * c.normal + (drag - c.drag), roll - c.roll);
        c.push = push, c.drag = drag, c.roll = roll;
    });
}

double spring_contact_time(double density, double radius, double stiffness, int dimensions) {
    const double mass = density * (dimensions == 3 ? 4.0 / 3 * std::numbers::pi * radius * radius * radius
                                                   : std::numbers::pi * radius * radius);
    return std::numbers::pi * std::sqrt(0.5 * mass / (0.5 * stiffness * radius));
}

void apply_springs(GrainContacts& contacts, const GrainPool& grains, GrainMotion motion, float dt) {
    // All forces first: none of them sees what another one does.
    static const DampingTable damping_of;
    const std::span<GrainContact> all = contacts.all();
    std::vector<std::pair<Vec3f, Vec3f>> impulses(all.size());
    parallel_each(all.size(), [&](std::size_t k) {
        GrainContact& c = all[k];
        const Sides sides(c, grains, motion);
        if (c.gap >= 0 && c.bond == 0) {
            c.push = 0, c.drag = {};
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
        Vec3f roll;
        if (c.rolling > 0) {
            roll = -sides.rolling() * (1 / sides.turned());
            shorten(roll, c.rolling * (c.push + c.bond) * dt);
        }
        impulses[k] = {dt * (c.push * c.normal + force), roll};
    });
    contacts.in_rounds([&](GrainContact& c) {
        const auto& [impulse, roll] = impulses[static_cast<std::size_t>(&c - all.data())];
        Sides(c, grains, motion).push(impulse, roll);
    });
}

void take_back_overlaps(GrainContacts& contacts, const GrainPool& grains, std::span<const Float4> velocity, float dt,
                        float spacing, std::vector<Vec3f>& shift) {
    shift.assign(velocity.size(), {});
    const auto mass_of = [&](std::uint32_t i) { // inverse
        return i != GrainContact::none ? grains.inverse_mass[i] : 0;
    };
    parallel_each(contacts.all().size(), [&](std::size_t k) {
        GrainContact& c = contacts.all()[k];
        const Vec3f other = c.j == GrainContact::none ? c.surface_velocity : velocity[c.j].xyz();
        const float end = c.gap + dt * dot(velocity[c.i].xyz() - other, c.normal); // of the gap
        const float overlap = -end - allowed_overlap * spacing;
        c.wanted = overlap > 0 ? std::min(restored * overlap, most_restored * spacing) : overlap;
        if (c.ahead > 0) c.wanted = -c.ahead;
        c.moved = 0;
    });
    for (int sweep = 0; sweep < correction_sweeps; ++sweep)
        contacts.in_rounds([&](GrainContact& c) {
            const float mass_i = mass_of(c.i), mass_j = mass_of(c.j);
            if (!(mass_i + mass_j > 0) || c.stiffness > 0) return;
            const Vec3f way = shift[c.i] - (mass_j > 0 ? shift[c.j] : Vec3f{});
            float moved = c.moved + (c.wanted - dot(way, c.normal)) / (mass_i + mass_j);
            if (c.ahead == 0) moved = std::max(0.0f, moved);
            const Vec3f by = (moved - c.moved) * c.normal;
            shift[c.i] += mass_i * by;
            if (mass_j > 0) shift[c.j] -= mass_j * by;
            c.moved = moved;
        });
}

} // namespace loam
