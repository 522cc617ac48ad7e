// Exchange of an amount between two particles i and j: heat, solute, water in pores. Written in the common subset of
// C++ and OpenCL C.
//
//   F_ij = g_ij (u_i - u_j + b . (x_j - x_i))            what i gives to j per time      Cleary & Monaghan 1999
//   g_ij = 2 V_i V_j k_ij m_up s,   k_ij = 2 / (1 / k_i + 1 / k_j)
//
//   a     amount: heat [J], solute [m^3], water [m^3]
//   u     potential, what makes it flow: temperature [K], concentration [-], pressure [Pa]
//   b     potential per length that is the same everywhere [u/m], such as rho g for water in pores
//   k     conductivity [a m^2 / (u s m^3)]: W/(m K) for heat, m^2/s for solute, permeability / viscosity for water. The
//         harmonic mean k_ij makes the flux across a border of materials right, and 0 where one does not conduct
//   m_up  mobility [-] of the side that gives (upwind): how much of what it could give is free to go; else 1
//   s     -(dW/dr) / r, never negative [1/m^(d+2)]
//   V     volume [m^d]
//   w     how much u changes in this step, where it is solved for (implicit.h); else 0
//
// F_ij = -F_ji to the last bit, so that nothing is lost or made: what the sides share is a product or a sum in which
// they may be swapped, and what tells them apart changes its sign and nothing else. Upwind looks at u before the step,
// so that the system that is solved for w stays linear.
//
// Limits (as in Zalesak 1979): of what i and j want to exchange, that share moves which the giver can give to all who
// ask and the taker can take from all who bring. So nobody gives more than it holds, or gets more than it can hold.

typedef struct Side {
    real potential, resistance, mobility, change, volume; // u, 1 / k, m, w, V
} Side;

typedef struct Between {
    real conductance, drop, change; // g_ij dt; u_i - u_j + b . (x_j - x_i); w_i - w_j
} Between;

typedef struct Limits {
    real give, take; // shares from 0 to 1
} Limits;

typedef struct Wanted {
    wide out, in;
} Wanted;

typedef struct Moved {
    wide out;       // less what came in
    real3 received; // sum of what came in, times its velocity relative to i
} Moved;

typedef struct Row { // of the implicit system
    real diagonal, out;
} Row;

LAW real upwind(real drop, real own, real other) {
    return drop > 0.0f ? own : (drop < 0.0f ? other : 0.5f * (own + other));
}

// d = x_i - x_j
LAW Between between(Side own, Side other, real3 drive, real3 d, real steepness, real dt) {
    Between pair;
    pair.drop = own.potential - other.potential - dot(drive, d);
    pair.change = own.change - other.change;
    pair.conductance = (own.volume * other.volume) * steepness * (4.0f / (own.resistance + other.resistance)) *
                       upwind(pair.drop, own.mobility, other.mobility) * dt;
    return pair;
}

LAW real wanted(Between pair) { return pair.conductance * (pair.drop + pair.change); }

LAW real limited(real amount, Limits own, Limits other) {
    return amount * (amount > 0.0f ? smaller(own.give, other.take) : smaller(other.give, own.take));
}

LAW void accumulate_wanted(Between pair, Wanted* sums) {
    const real amount = wanted(pair);
    sums->out += to_wide(positive_part(amount));
    sums->in += to_wide(positive_part(-amount));
}

LAW real accumulate_moved(Between pair, Limits own, Limits other, Moved* sums) {
    const real amount = limited(wanted(pair), own, other);
    sums->out += to_wide(amount);
    return amount;
}

// What moves has the giver's velocity. The taker's new velocity is that of all that it then holds:
//   v_i' = v_i + M / m_i' sum_j (-F_ij)+ dt (v_j - v_i),   M mass per amount, m_i' the mass after the exchange
// which changes nothing where all move alike, and keeps the sum of m v. What comes back in exchange, with its own mass
// per amount (a fluid that takes the place of what was dissolved in it), does the same the other way; `back` is the
// ratio of the two masses.
LAW void accumulate_velocity(real amount, real back, real3 own, real3 other, Moved* sums) {
    sums->received += (positive_part(-amount) + back * positive_part(amount)) * (other - own);
}

LAW void accumulate_row(Between pair, Row* sums) {
    sums->diagonal += pair.conductance;
    sums->out += wanted(pair);
}

LAW void accumulate_product(Between pair, real* sum) { *sum += pair.conductance * pair.change; }
