#include "behaviors/elastic/passes.h"

#include <cstring>

#include "base/lanes.h"

namespace loam::LOAM_ISA {
namespace {

#include "behaviors/elastic/elastic.law.h"

constexpr int most_turns = 12;
constexpr float turned_enough = 1e-12f; // squared angle

LAW real load(const float* from) {
    real x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

LAW real3 bond_at(const BondView& bonds, std::uint32_t k) {
    return {load(bonds.x + k), load(bonds.y + k), load(bonds.z + k)};
}

LAW Float4 row_times(const Float4& r, const Float4& first, const Float4& second) { // r L
    return {r.x * first.x + r.y * first.y + r.z * first.z, r.x * first.y + r.y * first.w + r.z * second.x,
            r.x * first.z + r.y * second.x + r.z * second.y, 0};
}

LAW float along(const Float4& r, const Float4& n) { return r.x * n.x + r.y * n.y + r.z * n.z; }

// Indices of consecutive particles, and of the first of their three rows.
struct Group {
    std::uint32_t particle[lanes], row[lanes];

    LAW explicit Group(std::size_t first) {
        for (int k = 0; k < lanes; ++k) {
            particle[k] = static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(k);
            row[k] = 3 * particle[k];
        }
    }
};

LAW columns3 load_rows(const Float4* rows, const std::uint32_t* first) {
    const real3 x = gather(rows, first).xyz, y = gather(rows + 1, first).xyz, z = gather(rows + 2, first).xyz;
    return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
}

LAW void store(Float4* to, const std::uint32_t* index, real x, real y, real z, real w) {
    float a[lanes], b[lanes], c[lanes], d[lanes];
    std::memcpy(a, &x, sizeof a), std::memcpy(b, &y, sizeof b), std::memcpy(c, &z, sizeof c),
        std::memcpy(d, &w, sizeof d);
    for (int k = 0; k < lanes; ++k) to[index[k]] = {a[k], b[k], c[k], d[k]};
}

LAW bool all_below(real x, float bound) {
    const real above = x > bound ? broadcast(1) : broadcast(0);
    return !(sum(above) > 0);
}

LAW columns3 add(columns3 a, columns3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

// M = P L - k (H + h n^T)
LAW void store_stress(const ElasticArgs& a, const Group& group, columns3 p, columns3 h, real k) {
    const real4 first = gather(a.inverse_first, group.particle), second = gather(a.inverse_second, group.particle);
    const real3 n = gather(a.null, group.particle).xyz;
    const real3 across{gather(a.gradient, group.row).w, gather(a.gradient + 1, group.row).w,
                       gather(a.gradient + 2, group.row).w};
    h = {h.x + n.x * across, h.y + n.y * across, h.z + n.z * across};
    k *= second.xyz.z;
    const columns3 l{{first.xyz.x, first.xyz.y, first.xyz.z},
                     {first.xyz.y, first.w, second.xyz.x},
                     {first.xyz.z, second.xyz.x, second.xyz.y}};
    const columns3 pl = times(p, l);
    store(a.stress, group.row, pl.x.x - k * h.x.x, pl.y.x - k * h.y.x, pl.z.x - k * h.z.x, k);
    store(a.stress + 1, group.row, pl.x.y - k * h.x.y, pl.y.y - k * h.y.y, pl.z.y - k * h.z.y, k);
    store(a.stress + 2, group.row, pl.x.z - k * h.x.z, pl.y.z - k * h.y.z, pl.z.z - k * h.z.z, k);
}

} // namespace

void elastic_gradient(const ElasticArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const real3 u = broadcast(a.displacement[i]);
        real3 x = zero3(), y = zero3(), z = zero3();
        for (std::uint32_t k = a.bonds.begin[i]; k != a.bonds.begin[i + 1]; k += lanes) {
            const real3 d = load(a.bonds.weight + k) * (gather(a.displacement, a.bonds.other + k).xyz - u);
            const real3 bond = bond_at(a.bonds, k);
            x += d.x * bond, y += d.y * bond, z += d.z * bond;
        }
        const Float4 &first = a.inverse_first[i], &second = a.inverse_second[i];
        const Float4 sums[3] = {sum3(x), sum3(y), sum3(z)};
        Float4* const row = a.gradient + 3 * i;
        for (int k = 0; k < 3; ++k) row[k] = row_times(sums[k], first, second);
        if (second.w > 0) // few
            for (int k = 0; k < 3; ++k) row[k].w = second.w * along(sums[k], a.null[i]);
    }
}

namespace {

LAW columns3 unit_matrix() {
    const real one = broadcast(1), zero = broadcast(0);
    return {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
}

LAW columns3 minus(columns3 a, columns3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

LAW void store_rows(Float4* rows, const std::uint32_t* first, columns3 m, real w) {
    store(rows, first, m.x.x, m.y.x, m.z.x, w);
    store(rows + 1, first, m.x.y, m.y.y, m.z.y, w);
    store(rows + 2, first, m.x.z, m.y.z, m.z.z, w);
}

template <bool flows> LAW void find_stress(const ElasticArgs& a, Range range) {
    for (std::size_t i = range.begin; i < range.end; i += lanes) {
        const Group group(i);
        const columns3 h = load_rows(a.gradient, group.row);
        const columns3 n = null_projector(gather(a.null, group.particle));
        columns3 f = minus(add(h, unit_matrix()), n), g = unit_matrix();
        if constexpr (flows) {
            g = load_rows(a.flow, group.row);
            f = times(f, g);
        }
        real4 q = gather(a.turn, group.particle);
        for (int turn = 0; turn < most_turns; ++turn) {
            real left = broadcast(0);
            q = turn_towards(q, f, &left);
            if (all_below(left, turned_enough)) break;
        }
        store(a.turn, group.particle, q.xyz.x, q.xyz.y, q.xyz.z, q.w);

        const columns3 rotation = rotation_of(q);
        columns3 strain = minus(add(transposed_times(rotation, f), n), unit_matrix());
        const real4 moduli = gather(a.moduli, group.particle);
        const real lambda = moduli.xyz.x, mu = moduli.xyz.y;
        real k = moduli.xyz.z;
        if constexpr (flows) {
            const real3 given = gather(a.flow_law, group.particle).xyz;
            const flow_law law{given.x, given.y, given.z};
            real gamma = gather(a.flow, group.row).w;
            strain = yielding(strain, law, mu, &g, &gamma);
            k = softened(k, lambda, mu, law, gamma);
            store_rows(a.flow, group.row, g, gamma);
        }
        columns3 p = turned_stress(rotation, strain, lambda, mu);
        const real inner = moduli.w;
        p = {p.x - inner * rotation.x, p.y - inner * rotation.y, p.z - inner * rotation.z};
        if constexpr (flows) p = times(p, transposed(g));
        store_stress(a, group, p, h, k);
    }
}

} // namespace

void elastic_stress(const ElasticArgs& a, Range range) {
    if (a.flow)
        find_stress<true>(a, range);
    else
        find_stress<false>(a, range);
}

void elastic_stress_change(const ElasticArgs& a, Range range) {
    for (std::size_t i = range.begin; i < range.end; i += lanes) {
        const Group group(i);
        const columns3 h = load_rows(a.gradient, group.row);
        const columns3 g = a.flow ? load_rows(a.flow, group.row) : unit_matrix();
        const columns3 rotation = rotation_of(gather(a.turn, group.particle));
        const real4 moduli = gather(a.moduli, group.particle);
        const columns3 strain = transposed_times(rotation, a.flow ? times(h, g) : h);
        const columns3 p = turned_stress(rotation, strain, moduli.xyz.x, moduli.xyz.y);
        store_stress(a, group, a.flow ? times(p, transposed(g)) : p, h, moduli.xyz.z);
    }
}

void elastic_force(const ElasticArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const real3 u = broadcast(a.displacement[i]);
        const real k_i = broadcast(a.stress[3 * i].w);
        real3 weighted = zero3(), force = zero3(); // sum w X; all but M_i
        for (std::uint32_t k = a.bonds.begin[i]; k != a.bonds.begin[i + 1]; k += lanes) {
            const std::uint32_t* const other = a.bonds.other + k;
            std::uint32_t row[lanes];
            for (int lane = 0; lane < lanes; ++lane) row[lane] = 3 * other[lane];
            const real w = load(a.bonds.weight + k);
            const real3 wx = w * bond_at(a.bonds, k);
            const real3 between = gather(a.displacement, other).xyz - u;
            const real4 mx = gather(a.stress, row), my = gather(a.stress + 1, row), mz = gather(a.stress + 2, row);
            weighted += wx;
            force += real3{dot(mx.xyz, wx), dot(my.xyz, wx), dot(mz.xyz, wx)} + (w * (k_i + mx.w)) * between;
        }
        const Float4 f = sum3(force), b = sum3(weighted);
        const Float4 &x = a.stress[3 * i], &y = a.stress[3 * i + 1], &z = a.stress[3 * i + 2];
        a.force[i] = {f.x + x.x * b.x + x.y * b.y + x.z * b.z, f.y + y.x * b.x + y.y * b.y + y.z * b.z,
                      f.z + z.x * b.x + z.y * b.y + z.z * b.z, 0};
    }
}

void elastic_damping(const ElasticArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const real3 u = broadcast(a.displacement[i]), v = broadcast(a.velocity[i]);
        const real eta = broadcast(a.velocity[i].w);
        real3 force = zero3();
        for (std::uint32_t k = a.bonds.begin[i]; k != a.bonds.begin[i + 1]; k += lanes) {
            const std::uint32_t* const other = a.bonds.other + k;
            const real4 there = gather(a.velocity, other);
            const real3 d = bond_at(a.bonds, k) + (gather(a.displacement, other).xyz - u);
            const real rate = load(a.bonds.weight + k) * (eta + there.w) / (dot(d, d) + 1e-30f);
            force += (rate * dot(there.xyz - v, d)) * d;
        }
        const Float4 f = sum3(force);
        Float4& to = a.force[i];
        to = {to.x + f.x, to.y + f.y, to.z + f.z, 0};
    }
}

} // namespace loam::LOAM_ISA
