// A damped spring, in the subset that OpenCL C shares.
//
//   f_i = -(k (l - l0) + c (v_i - v_j) . n) n        n = (x_i - x_j) / l        Bayraktar 2013, eq. 4.2
//
//   l, l0   length now and at rest [m]      k   stiffness [N/m]      c   damping [N s/m]
//
// As printed there the damping is added, and drives; it damps with the sign above. It is solved for (implicit.h): what
// calms a whole body would need far shorter explicit steps. Equal and opposite to the last bit: every term changes its
// sign with i and j.

LAW real spring_pull(real length, real rest, real stiffness) { return stiffness * (length - rest); }
