// Arithmetic of clay, in the subset that OpenCL C shares.
//
//   p    = k (delta - 1), not below -strength      Desbrun & Cani 1999 eq. 1: less than at rest attracts
//   a_i  = -V_i / m_i sum_j V_j (p_i + p_j) grad W_ij, of p < 0 (eq. 4)
//
//   k      stiffness [Pa]       delta  density as a multiple of that at rest [-]       V  volume at rest [m^3]
//
// What is denser than at rest is the pressure solver's business. Pairs closer than at rest do not attract each other:
// tension would gather particles in clumps (Monaghan 2000 calls it the tensile instability).
LAW real held_apart(real distance_in_spacings) {
    return smaller(positive_part(4.0f * distance_in_spacings - 3.0f), broadcast(1.0f));
}
