// Friction of a particle along walls, as a change of its velocity over a time step dt.
//
//   push       a_n = s p |sum_b V_b grad W_ib|                       Akinci 2012: what the wall's pressure gives
//   friction   v_t <- v_t max(0, 1 - mu a_n dt / |v_t|)              Coulomb; it stops, it never turns around
//   no slip    v_t <- v_t max(0, 1 - contact / full_contact)         for what has no viscosity of its own
//   contact    sum_b V_b W_ib                                        share of the kernel that walls fill
//
//   v_t velocity along the wall, relative to it [m/s]    mu coefficient of friction [-]    s = V / m [m^3/kg]
//   p   pressure of the step before [Pa]                 full_contact: a little less than that of a particle at rest

LAW float kept_by_friction(float speed, float mu, float push, float dt) {
    const float left = speed - mu * push * dt;
    return left > 0 ? left / speed : 0;
}

LAW float kept_by_sticking(float contact, float full_contact) {
    const float left = 1 - contact / full_contact;
    return left > 0 ? left : 0;
}
