// Arithmetic of the surface tension models, per particle or pair, in the subset that OpenCL C shares.
//
//   morris           Morris 2000, B 3.24-3.28: f = -sigma kappa n |G| C per volume, kappa = div n, and see below
//   becker-teschner  Becker & Teschner 2007, L 3.14: f_ij = -K V_i V_j x_ij W_ij between particles of one body that are
//                    farther apart than at rest, see `parted`
//
//   sigma   surface tension [N/m]                        V   volume at rest [m^3]
//   G       -sum_j V_j grad W_ij, over particles and walls: out of the fluid [1/m]. Towards unlike fluids: over
//           particles of other bodies, inwards, so with the other sign
//   n       G / |G|, averaged over some spacings; or in the direction of x_i - sum_j V_j x_j / sum_j V_j (B 5.6-5.7)
//   kappa   curvature [1/m], averaged as well and sharpened again, 2 A kappa - A A kappa with A the average: this gives
//           back what averages of normals and curvatures take from waves of some spacings
//   C       makes the sum over the layers of the surface its area, sum_i V_i |G_i| C = A: 1 / C, here `crowd`, is the
//           sum of V_j |G_j| W(x_ij along the surface), W a kernel of one dimension less. A constant C would pump
//           energy in: layers are more crowded where the surface shrinks than where it grows
//   nu      alpha sqrt(sigma l / rho), l the spacing: a viscosity between particles of one body (Monaghan 2005's form)
//           that damps ripples of the size of particles, which curvature cannot see; it goes to 0 with the spacing
//   K       from sigma, see calibrate.h

// B 3.26 with the part of x_ij along the surface only, and normalized as in Adami 2010 eq. 20: particles stand on one
// side of a free surface, and where they stand must not matter. The shape tensor of the surface is
//   S = (d-1) sum_j g a (n_i - n_j) / sum_j g |a|^2,   a and n_i - n_j along the surface, g = V_j W'_ij / r_ij
// with div n = trace S, and Gauss's curvature K = (trace^2 S - trace S^2) / 2.
//
// The outermost particles stand half a spacing below the surface that they stand for. An area A of theirs is an area
// A + depth (integral of div n) + ... of the surface itself; the force that shrinks this has
//   kappa = div n + 2 depth K
// For a drop that is depth / radius more than without; a jet, and anything in 2D, has K = 0.
LAW real3 along_surface(real3 d, real3 normal) { return d - dot(d, normal) * normal; }
// yz, zx, xy of a b + b a
LAW real3 cross_sums(real3 a, real3 b) {
    return real3_of(a.y * b.z + a.z * b.y, a.z * b.x + a.x * b.z, a.x * b.y + a.y * b.x);
}

// How far a particle stands out alone, from 0 to 1. Flat surfaces have densities above 0.65, single particles and small
// groups less than 0.45. They have no curvature to speak of, and forces made from it would set them flying by
// themselves; they are drawn to their neighbors instead, in pairs, by the law of cohesion where they are farther than
// at rest.
LAW real loneliness(real density) {
    const real alone = (0.55f - density) * 10.0f;
    return smaller(positive_part(alone), broadcast(1.0f));
}
// Closer than at rest cohesion vanishes: it would gather particles at one point, and throw the rest apart by the energy
// that this sets free.
LAW real parted(real distance_in_spacings) {
    return smaller(positive_part(4.0f * distance_in_spacings - 3.0f), broadcast(1.0f));
}
