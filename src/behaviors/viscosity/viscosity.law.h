// Viscosity between two particles i and j. Written in the common subset of C++ and OpenCL C.
//
//   F_ij = V_i V_j mu_ij k(r) (v_j - v_i)                 along the difference of velocities, or
//   F_ij = V_i V_j mu_ij k(r) ((v_j - v_i) . e) e         along the line of centers, e = x_ij / r
//
//   model       k(r)                       form           from
//   morris      -2 s                       difference     Morris 1997 eq. 22; P 6
//   muller      c (1 - q)                  difference     Mueller 2003 eq. 14; B 3.22 (there twice as weak)
//   xsph        W                          difference     Monaghan 1989, as a rate
//   artificial  -s, where v_ij . x_ij < 0  line           Monaghan 1992; L 3.11-3.13 with the sign that damps
//   implicit    c (1 - q) (1 + b (1 - q))  line           Weiler 2018 eq. 8, there -2 (d + 2) s
//
//   V     rest volume [m^d]               d    dimensions
//   s     (dW/dr) / r [1/m^(d+2)], never positive: every k is >= 0, so every force damps
//   W     kernel [1/m^d]                  q    r / support
//   mu    [Pa s]; artificial: alpha rho h c, h half the support [m], c speed of sound [m/s]; xsph: rate rho [kg/m^3/s]
//   mu_ij harmonic mean, so that no stress passes into a fluid that has no viscosity; muller: arithmetic, as printed.
//         Solids without slip count as infinitely viscous, marked by mu < 0: mu_ij = 2 mu_i for a fluid with a solid,
//         which puts the velocity of the solid half way between the two, at its surface; 0 between solids
//
// A force along the line of centers sees the fourth moments of k. With -2 (d + 2) s a fluid on a square lattice, four
// radii of support, would be 34% too thin for shear along the lattice and as much too thick across it. In a flow rows
// slide past each other; b makes the fourth moment that resists shear exact in the mean over all such slides: 1.76 in
// 2D, 1.08 in 3D (where it differs by up to 5 % and 1 % from slide to slide). c gives k the second moment of -2 (d + 2)
// s.
//
// Each mu_i has been divided by a moment of k over i's neighbors (see normalized_viscosity in passes.h), which makes
// the sum exact for parabolas wherever neighbors are spread evenly, however coarse the kernel. For implicit it is the
// fourth moment along the rate of strain: what is left of that difference is gone too.

LAW real harmonic_mean(real a, real b) { return 2.0f * a * b / (a + b + 1e-30f); }

// Particles almost in one place: e has no direction there, and s of some kernels no bound.
LAW real guard(real r2, real support) { return r2 / (r2 + 0.0025f * support * support); }

// No slip: the wall particle stands in for fluid behind the surface that moves so that the velocity at the surface is
// the wall's (Morris 1997 eq. 27). v_j - v_i becomes mirror (v_wall - v_i), mirror = 1 + depth of wall / height of i.
LAW real wall_mirror(real height, real depth, real least_height) { return 1.0f + depth / larger(height, least_height); }
