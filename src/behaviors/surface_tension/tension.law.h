// Arithmetic of the surface tension models, per particle or pair, in the subset that OpenCL C shares.
//
//   area             E = C sum_i V_i (sigma_i F(|G_i|) + gamma_i/2 F(|U_i|) - sigma_i cos(theta) F(|B_i|))
//                    the surface's energy as a function of the particles' places; forces are its exact gradient
//   morris           Morris 2000; B 3.24-3.28, curvature as in Adami 2010 eq. 20
//   becker-teschner  Becker & Teschner 2007; L 3.14
//
//   sigma   surface tension towards air [N/m]            gamma   towards unlike fluids [N/m]
//   theta   contact angle with walls                     V       volume at rest [m^3]
//   G       sum_j V_j grad W_ij over particles and walls: the gradient of the color field, points inwards [1/m]
//   U       the same over particles of other bodies      B       the same over walls
//   F(g)    sqrt(g^2 + eps^2) - eps: the area that a particle stands for; disorder inside, of size eps, counts little
//   C       makes the sum over the layers of a flat surface its area, sum_i V_i F_i C = A
//   P       dE/dG per volume = C sigma F'(G); likewise for U and B
//   H       second derivatives of W: the tensor s I + (w'' - s) e e^T, s = W' / r, e = x_ij / r

// H v of a pair.
LAW real3 hessian_times(real slope, real curvature, real3 direction, real3 v) {
    return slope * v + ((curvature - slope) * dot(direction, v)) * direction;
}
