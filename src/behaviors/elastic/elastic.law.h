// Elasticity of a particle in the frame of its body, eight particles side by side, in the subset that OpenCL C shares.
//
//   F = I + H - N                      deformation gradient; N projects on what neighbors do not tell (usually 0)
//   F = R S                            R by Newton's method on trace(R^T F), from the rotation of the step before;
//   where
//                                      that is not convex, by Mueller et al. 2016
//   eps = sym(R^T F) + N - I           strain
//   sigma = lambda tr(eps) I + 2 mu eps,   E nu / ((1 + nu)(1 - 2 nu)) and E / (2 (1 + nu))        Hooke
//   sigma -= P I                       inner pressure: of water in pores, and of what makes the body swell
//   M = R sigma L - k (H + h n^T)      what the particle adds to the force of each of its bonds; h the fit along n
//                                      where that is known too little to tell strain
//
// Plastic flow keeps F = R S Fp with the elastic stretch S (Lee 1969): F G = R S for G = Fp^-1, eps = S - I, and the
// stress is R sigma G^T. Beyond the yield stress the shear part of eps goes back to it (von Mises, radial return):
//   q = sqrt(3/2) |2 mu dev eps|,   dgamma = (q - yield - hardening gamma) / (3 mu + hardening),   gamma += dgamma
//   dev eps *= 1 - 3 mu dgamma / q,    G *= S_before^-1 S_after
//
// The force w ((M_i + M_j) X + (k_i + k_j) u) is the derivative of an energy: of strain, and of k/2 sum_j w |u - H
// X|^2, which is what the linear map H (+ h n^T) leaves of the neighbors' displacements. It is the fit that makes it
// least, in every direction in which bonds reach: so forces keep momentum, angular momentum and energy, and modes that
// H does not see (Ganzenmueller 2015) are held. A map that leaves more, such as one that turns with R, would turn
// bodies.

typedef struct { // a matrix by its columns
    real3 x, y, z;
} columns3;

LAW columns3 columns_of(real3 x, real3 y, real3 z) {
    columns3 m;
    m.x = x, m.y = y, m.z = z;
    return m;
}

LAW real3 cross(real3 a, real3 b) {
    return real3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

LAW columns3 rotation_of(real4 q) {
    const real x = q.xyz.x, y = q.xyz.y, z = q.xyz.z, w = q.w;
    return columns_of(real3_of(1.0f - 2.0f * (y * y + z * z), 2.0f * (x * y + w * z), 2.0f * (x * z - w * y)),
                      real3_of(2.0f * (x * y - w * z), 1.0f - 2.0f * (x * x + z * z), 2.0f * (y * z + w * x)),
                      real3_of(2.0f * (x * z + w * y), 2.0f * (y * z - w * x), 1.0f - 2.0f * (x * x + y * y)));
}

LAW columns3 transposed_times(columns3 a, columns3 b) { // a^T b
    return columns_of(real3_of(dot(a.x, b.x), dot(a.y, b.x), dot(a.z, b.x)),
                      real3_of(dot(a.x, b.y), dot(a.y, b.y), dot(a.z, b.y)),
                      real3_of(dot(a.x, b.z), dot(a.y, b.z), dot(a.z, b.z)));
}

LAW real3 times_vector(columns3 m, real3 v) { return v.x * m.x + (v.y * m.y + v.z * m.z); }
LAW columns3 times(columns3 a, columns3 b) {
    return columns_of(times_vector(a, b.x), times_vector(a, b.y), times_vector(a, b.z));
}

// One step towards the rotation of f; `left` is the largest angle by which it turned, in all lanes.
LAW real4 turn_towards(real4 q, columns3 f, real* left) {
    const columns3 b = transposed_times(rotation_of(q), f);
    const real3 axial = real3_of(b.y.z - b.z.y, b.z.x - b.x.z, b.x.y - b.y.x);
    const real trace = b.x.x + b.y.y + b.z.z;
    // G = tr(B) I - sym(B); its inverse by cross products of columns.
    const real xy = -0.5f * (b.x.y + b.y.x), xz = -0.5f * (b.x.z + b.z.x), yz = -0.5f * (b.y.z + b.z.y);
    const real3 g0 = real3_of(trace - b.x.x, xy, xz), g1 = real3_of(xy, trace - b.y.y, yz),
                g2 = real3_of(xz, yz, trace - b.z.z);
    const real3 c0 = cross(g1, g2), c1 = cross(g2, g0), c2 = cross(g0, g1);
    const real determinant = dot(g0, c0), size = g0.x + g1.y + g2.z;
    const real3 newton = real3_of(dot(axial, c0), dot(axial, c1), dot(axial, c2));
    const real bound = 1e-3f * size * size * size;
    // Positive definite: leading minors above 0.
    const real least = smaller(smaller(g0.x, c2.z), smaller(determinant - bound, size));
    const real scale = (trace < 0.0f ? -trace : trace) + 1e-6f;
    const real inverse = 1.0f / (least > 0.0f ? determinant : scale);
    real3 turn = real3_of((least > 0.0f ? newton.x : axial.x) * inverse, (least > 0.0f ? newton.y : axial.y) * inverse,
                          (least > 0.0f ? newton.z : axial.z) * inverse);
    const real angle2 = dot(turn, turn);
    *left = larger(*left, angle2);
    turn = (angle2 > 1.0f ? inverse_root(angle2) : broadcast(1.0f)) * turn;
    // q (1, turn / 2), brought back to unit length
    const real3 h = broadcast(0.5f) * turn;
    const real3 v = q.xyz + (q.w * h + cross(q.xyz, h));
    const real w = q.w - dot(q.xyz, h);
    const real n = inverse_root(dot(v, v) + w * w);
    return real4_of(n * v, n * w);
}

// R sigma(sym(R^T change) + known part): the stress of a strain, turned with the particle.
LAW columns3 turned_stress(columns3 rotation, columns3 b, real lambda, real mu) {
    const real pull = lambda * (b.x.x + b.y.y + b.z.z), twice = mu + mu;
    const real xy = mu * (b.x.y + b.y.x), xz = mu * (b.x.z + b.z.x), yz = mu * (b.y.z + b.z.y);
    const columns3 sigma = columns_of(real3_of(pull + twice * b.x.x, xy, xz), real3_of(xy, pull + twice * b.y.y, yz),
                                      real3_of(xz, yz, pull + twice * b.z.z));
    return times(rotation, sigma);
}

LAW columns3 null_projector(real4 n) {
    const real one = n.w > 0.0f ? broadcast(1) : broadcast(0), minus = n.w < 0.0f ? broadcast(1) : broadcast(0);
    const real s = one - minus; // n n^T, or I - n n^T
    const real3 sn = s * n.xyz;
    return columns_of(real3_of(minus + n.xyz.x * sn.x, n.xyz.x * sn.y, n.xyz.x * sn.z),
                      real3_of(n.xyz.y * sn.x, minus + n.xyz.y * sn.y, n.xyz.y * sn.z),
                      real3_of(n.xyz.z * sn.x, n.xyz.z * sn.y, minus + n.xyz.z * sn.z));
}

// What flow leaves of an elastic strain, which stays symmetric; g and gamma take up the rest.
typedef struct {
    real yield, hardening, kept; // kept: part of the shear strain that creep leaves in this step
} flow_law;

LAW columns3 yielding(columns3 strain, flow_law law, real mu, columns3* g, real* gamma) {
    const real mean = (strain.x.x + strain.y.y + strain.z.z) * (1.0f / 3.0f);
    const real xx = strain.x.x - mean, yy = strain.y.y - mean, zz = strain.z.z - mean;
    const real xy = 0.5f * (strain.x.y + strain.y.x), xz = 0.5f * (strain.x.z + strain.z.x),
               yz = 0.5f * (strain.y.z + strain.z.y);
    const real size2 = xx * xx + yy * yy + zz * zz + 2.0f * (xy * xy + xz * xz + yz * yz);
    const real q = 2.44948974f * mu * square_root(size2) * law.kept; // sqrt(3/2) 2 mu |dev eps|
    const real over = positive_part(q - law.yield - law.hardening * *gamma);
    const real flown = over / (3.0f * mu + law.hardening + 1e-30f);
    const real s = law.kept * (1.0f - 3.0f * mu * flown / (q + 1e-30f));
    *gamma += flown;
    const columns3 after = columns_of(real3_of(mean + s * xx, s * xy, s * xz), real3_of(s * xy, mean + s * yy, s * yz),
                                      real3_of(s * xz, s * yz, mean + s * zz));
    // S_before^-1 by cofactors
    const real3 a = real3_of(1.0f + mean + xx, xy, xz), b = real3_of(xy, 1.0f + mean + yy, yz),
                c = real3_of(xz, yz, 1.0f + mean + zz);
    const real3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
    const real determinant = dot(a, bc);
    const real inverse = 1.0f / (determinant > 0.05f ? determinant : broadcast(0.05f));
    columns3 stretch = after;
    stretch.x.x += 1.0f, stretch.y.y += 1.0f, stretch.z.z += 1.0f;
    // I + S_before^-1 (S_after - S_before): exact where nothing flows
    const columns3 lost = columns_of(stretch.x - a, stretch.y - b, stretch.z - c);
    const columns3 inverse_before = columns_of(inverse * bc, inverse * ca, inverse * ab);
    const columns3 change = times(*g, times(inverse_before, lost));
    *g = columns_of(g->x + change.x, g->y + change.y, g->z + change.z);
    return after;
}

LAW columns3 transposed(columns3 m) {
    return columns_of(real3_of(m.x.x, m.y.x, m.z.x), real3_of(m.x.y, m.y.y, m.z.y), real3_of(m.x.z, m.y.z, m.z.z));
}

// Zero-energy modes of a body that has flown are held by a tenth of the stress that it still bears per strain: what is
// left of a linear map is then mostly flow too, which must not make the body noticeably stronger.
LAW real softened(real k, real lambda, real mu, flow_law law, real gamma) {
    const real young = mu * (3.0f * lambda + 2.0f * mu) / (lambda + mu + 1e-30f);
    const real bears = 0.1f * (law.yield + law.hardening * gamma);
    return gamma > 0.0f ? k * bears / (bears + young * gamma) : k;
}
