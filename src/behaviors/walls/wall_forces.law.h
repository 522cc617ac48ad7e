// Forces between a particle and a wall particle, as accelerations, in the subset that OpenCL C shares.
//
//   lennard-jones  B 5.3    f = D/r ((d/r)^12 - (d/r)^6) away from the wall, for r < d
//   dem            B 4.8-4.10, with the signs that push apart and brake:
//                           k u - c v_n along e, u = d - r > 0, f = k u
//   both                    mu f against the motion along the wall. Their particles are bumps, which brake what slides;
//                           along the wall's normal, |e . n| f n, they would not, but that has no potential: water that
//                           splashed about obstacles had twice its energy after a second
//   adhesion       B 5.4's sum over wall particles, attractive (the printed sign repels), with a constant A for the
//                  pressures, since a fluid that hangs has none, and the kernel of Akinci 2013 eq. 7. It pulls along
//                  the wall's normal and only what has left its place at rest, half a spacing above the surface, or the
//                  first layer would be drawn into the wall
//
//   r   distance [m], e the direction from the wall particle     d   distance at rest: one spacing [m]
//   D   strength [m^2/s^2]    k stiffness [1/s^2]    c damping [1/s]    mu friction [-]
//   A   adhesion [m^2/s^2]    V_b volume that the wall particle stands for [m^3]

// Both return the acceleration along e, and add the slope of the force over distance to `stiffness` [1/s^2].
LAW real lennard_jones(real strength, real inverse_r, real rest, real* stiffness) {
    const real q = rest * inverse_r;
    const real near = smaller(q, broadcast(4.0f)); // deeper in, the force grows no more: it is beyond any use
    const real q2 = near * near, q6 = q2 * q2 * q2;
    const real touches = q > 1.0f ? strength : broadcast(0.0f);
    *stiffness += touches * near * near * (13.0f * q6 * q6 - 7.0f * q6) / (rest * rest);
    return touches * near * (q6 * q6 - q6) / rest;
}

LAW real damped_spring(real spring, real damping, real overlap, real approach, real* stiffness) {
    const real touches = overlap > 0.0f ? spring : broadcast(0.0f);
    *stiffness += touches;
    // The wall pushes or lets go; damping never makes it pull.
    return positive_part(touches * overlap - (overlap > 0.0f ? damping : broadcast(0.0f)) * approach);
}

// Deceleration per speed along the wall: mu f / |v_t|, made finite where the motion ends: no faster than the spring of
// this stiffness, for which the time step is short enough.
LAW real friction_rate(real friction, real push, real stiffness, real speed) {
    const real pressing = friction * push;
    return pressing / (speed + 0.2f * pressing / square_root(stiffness + 1e-9f) + 1e-9f);
}

// Shape of Akinci's kernel on q = r / support: (6q - 4q^2 - 2)^(1/4) between 1/2, where particles rest, and 1; times
// the share of it that acts at a height above the surface, in spacings.
LAW real adhesion_shape(real q, real height) {
    const real inside = positive_part(6.0f * q - 4.0f * q * q - 2.0f);
    return square_root(square_root(inside)) * smaller(positive_part(4.0f * height - 2.0f), broadcast(1.0f));
}
