// What contacts of grains do to velocities, spins and places.
//
// Impulses (the default), non-smooth: in each round every contact gets the impulse that it lacks, as in Moreau & Jean
// 1996's contact dynamics, by projected Gauss-Seidel. With u the relative velocity at the contact, n its normal, R
// radii, m and I masses and inertias, b the largest pull of cohesion times the step:
//
//   push >= -b,         u_n >= -gap / dt, or e times what it came with where it bounces
//   |drag| <= mu (push + b)          against sliding: u_t = 0 where that is enough
//   |roll| <= c R (push + b)         against rolling and twisting: w_i - w_j = 0 where that is enough;
//                                    R the reduced radius, c the coefficient of rolling friction
//   1/m_n = 1/m_i + 1/m_j,   1/m_t = 1/m_n + R_i^2/I_i + R_j^2/I_j
//
// Springs (Cundall & Strack 1979), with delta the overlap, xi how far the contact has slid without slipping:
//
//   F_n = k delta - c_n u_n - b >= -b,   F_t = -k_t xi - c_t u_t,  |F_t| <= mu (F_n + b), which also limits xi
//   k_t = 2/7 k, so that both directions ring alike;  c = 2 zeta sqrt(m k), with s = sqrt(1 - zeta^2)
//   e = exp(-zeta / s (pi - atan2(2 zeta s, 1 - 2 zeta^2)))     Schwager & Poeschel 2007: springs push, they do not
//   pull
//
// Bayraktar 2010 (4.8)-(4.10) has neither spin nor the memory xi, and counts overlap below 0: there 4.9 attracts.
#pragma once

#include "behaviors/grains/contacts.h"

namespace loam {

// The state of motion, by particle.
struct GrainMotion {
    std::span<Float4> velocity, spin;
};

// Sweeps over the contacts, on a copy of the motion that has a record for each wall.
class GrainSweeps {
public:
    GrainSweeps(GrainContacts& contacts, const GrainPool& grains, GrainMotion motion, InstructionSet isa, float dt);
    // Where the step before has ended; once, before the first sweep.
    void begin();
    void sweep(int times);
    void give(GrainMotion motion) const; // the motion back

private:
    GrainContacts& contacts_;
    InstructionSet isa_;
    std::vector<Float4> moving_, turning_;
    GrainSweepArgs args_{};
};

void apply_springs(GrainContacts& contacts, const GrainPool& grains, GrainMotion motion, InstructionSet isa, float dt);
// How long two balls of a mass and radius touch that meet.
double spring_contact_time(double density, double radius, double stiffness, int dimensions);

// Displacements that take back a part of what overlaps at the end of the step, without velocities (split impulses); by
// particle. Rigid bodies do not give way: their inverse masses are 0 by then.
void take_back_overlaps(GrainContacts& contacts, const GrainPool& grains, std::span<const Float4> velocity,
                        InstructionSet isa, float dt, float spacing, std::vector<Float4>& shift);

} // namespace loam
