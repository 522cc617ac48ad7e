// Shapes of the smoothing kernels on q = r / support in [0, 1], with inverse_q = 1 / q.
// Written in the common subset of C++ and OpenCL C: `real` is a float, lanes of floats, or an OpenCL float.
//
//   cubic      Monaghan 1992: w = 2 (1-q)^3 - 8 (1/2-q)^3, each bracket only where positive
//   wendland   Wendland 1995 C2: w = (1-q)^4 (1+4q)
//   poly6      L 2.4: w = (1-q^2)^3
//   spiky      L 3.16, and D 21 with support 2h: w = (1-q)^3
//   viscosity  L 3.17: w = -q^3/2 + q^2 + 1/(2q) - 1

LAW real kernel_shape(int kind, real q, real inverse_q) {
    const real a = positive_part(1.0f - q);
    switch (kind) {
    case KERNEL_CUBIC: {
        const real b = positive_part(0.5f - q);
        return 2.0f * a * a * a - 8.0f * b * b * b;
    }
    case KERNEL_WENDLAND: return a * a * a * a * (1.0f + 4.0f * q);
    case KERNEL_POLY6: {
        const real c = positive_part(1.0f - q * q);
        return c * c * c;
    }
    case KERNEL_SPIKY: return a * a * a;
    default: return a > 0.0f ? q * q - 0.5f * q * q * q + 0.5f * inverse_q - 1.0f : a;
    }
}

LAW real kernel_slope_shape(int kind, real q, real inverse_q) {
    const real a = positive_part(1.0f - q);
    switch (kind) {
    case KERNEL_CUBIC: {
        const real b = positive_part(0.5f - q);
        return (24.0f * b * b - 6.0f * a * a) * inverse_q;
    }
    case KERNEL_WENDLAND: return -20.0f * a * a * a;
    case KERNEL_POLY6: {
        const real c = positive_part(1.0f - q * q);
        return -6.0f * c * c;
    }
    case KERNEL_SPIKY: return -3.0f * a * a * inverse_q;
    default: return a > 0.0f ? 2.0f - 1.5f * q - 0.5f * inverse_q * inverse_q * inverse_q : a;
    }
}

LAW real kernel_curvature_shape(int kind, real q, real inverse_q) { // w''
    const real a = positive_part(1.0f - q);
    switch (kind) {
    case KERNEL_CUBIC: return 12.0f * a - 48.0f * positive_part(0.5f - q);
    case KERNEL_WENDLAND: return 60.0f * q * a * a - 20.0f * a * a * a;
    case KERNEL_POLY6: {
        const real c = positive_part(1.0f - q * q);
        return 24.0f * q * q * c - 6.0f * c * c;
    }
    case KERNEL_SPIKY: return 6.0f * a;
    default: return a > 0.0f ? 2.0f - 3.0f * q + inverse_q * inverse_q * inverse_q : a;
    }
}
