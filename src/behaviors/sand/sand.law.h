// Sand: pressure of the scene's solver, and a deviatoric stress s that stops all shear where it can
// (Zhu & Bridson 2005; Narain et al. 2010; Alduan & Otaduy 2011; L 5.1-5.4, which lost the pressure).
//
//   yield     |s| <= w (mu p + c)                                Drucker & Prager; |s| = sqrt(s : s / 2)
//   strain    D_i = dev sym sum_j V_j (v_j - v_i) (x) B_i^-T grad W_ij
//             B_i = sum_j V_j (x_j - x_i) (x) grad W_ij          so that D is exact for linear fields: what turns as
//             one
//                                                                has none, at surfaces too
//   push      m_i a_i = sum_j V_i V_j (s_i B_i^-T + s_j B_j^-T) grad W_ij      the adjoint of D: it does no work but
//                                                                              friction's, keeps momentum and spin
//   law       D = 0 where |s| is below yield, else s along D     the least kinetic energy that s within yield leaves
//
//   s   stress [Pa]; positive where it pulls       p   pressure [Pa], never below 0
//   mu  coefficient of friction [-]                c   cohesion [Pa]          w   share of rigidity [-]
//   V   volume at rest [m^d]                       v   velocity [m/s]
//
// Walls b are neighbors that only the particle's own s pushes at, as its own p does (src/pressure/passes.h), and so are
// solids. Where they touch sand their friction counts, if it is less than the sand's own.

LAW float sand_yield(float weight, float friction, float pressure, float cohesion) {
    return weight * (friction * (pressure > 0 ? pressure : 0) + cohesion);
}

// Of a stress of this size, what the yield leaves.
LAW float kept_by_yield(float size, float yield) { return size > yield ? yield / size : 1; }

// The same of sand that touches something and slips along it: all of the other's friction where contact is full.
LAW float touched_friction(float own, float other, float contact, float full_contact) {
    const float share = contact < full_contact ? contact / full_contact : 1;
    return own < other ? own : own + share * (other - own);
}
