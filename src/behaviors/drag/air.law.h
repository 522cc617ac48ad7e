// Drag of a particle in air, in the subset that OpenCL C shares.
//
//   a = -e (b + q |u|) u
//
//   u   velocity of the particle relative to the air [m/s]
//   b   linear drag [1/s], as of small or slow things            q   quadratic drag [1/m]: 1/2 c rho_air A / m
//   e   exposure: 0 inside a fluid, about 1/2 at a flat surface, 1 for a lone particle

// From the density as a multiple of the rest density: 1 inside, `lone` for a particle without neighbors. Densities of
// particles inside waver a little, so the first few percent do not count.
LAW real exposure(real density, real lone) {
    const real open = (0.95f - density) / (0.95f - lone);
    return open > 0.0f ? (open < 1.0f ? open : 1.0f) : 0.0f;
}

// a / u, the rate at which the relative velocity decays [1/s].
LAW real drag_rate(real exposed, real speed, real linear, real quadratic) {
    return exposed * (linear + quadratic * speed);
}
