// Contacts solved by sequential impulses (Catto 2005): each contact in turn gets the impulse that it lacks, until all
// hold. Impulses of the step before are the first guess. For each contact, with the relative velocity u of the owner:
//
//   push >= 0,  u_n + gap / dt >= 0          nothing goes deeper; what does not touch yet may come as near as it is
//   u_n' = -e u_n                            where it comes faster than the forces of this step explain; at the moment
//                                            within the step at which it touches
//   |drag| <= mu push                        Coulomb; sticks where that is enough to hold u_t = 0
//
// Overlap, and what a bounce has been too early, is taken back by displacements that are found the same way, apart from
// velocities (split impulses), so that it brings in no energy.
#pragma once

#include <vector>

#include "behaviors/rigid/contact.h"

namespace loam {

class ContactSolver {
public:
    // Takes over new contacts; impulses come from the old ones of the same two. `before`: velocities of bodies before
    // this step's forces.
    struct Motion {
        Vec3d velocity, spin;
    };
    void begin(std::vector<RigidContact> contacts, std::span<RigidBody> bodies, std::span<const Motion> before,
               double dt);
    // Changes velocities until the contacts hold. May be called again after others have changed velocities.
    void solve(std::span<RigidBody> bodies);
    // Moves bodies out of each other: displacement and turn of each body.
    struct Shift {
        Vec3d displacement, turned;
    };
    std::vector<Shift> corrections(std::span<const RigidBody> bodies, double slop);

    // The impulses, for the first guesses of the next step; restore() says whether it can read them.
    std::vector<double> save() const;
    bool restore(const std::vector<double>& saved);

private:
    struct Row {
        Vec3d along[3];    // normal and two tangents
        double mass[3]{};  // that an impulse along them moves
        double target = 0; // least relative speed along the normal
        double ahead = 0;  // by how much a bounce that began at once comes too far
        double drag[2]{};  // impulses along the tangents
    };
    static void bounce(const RigidContact& c, Row& row, double before, std::span<const RigidBody> bodies, double dt);
    double solve_one(std::size_t k, std::span<RigidBody> bodies);
    void apply(const RigidContact& c, std::span<RigidBody> bodies, const Vec3d& impulse) const;

    std::vector<RigidContact> contacts_;
    std::vector<Row> rows_;
};

} // namespace loam
