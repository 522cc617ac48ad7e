#include "behaviors/springs/passes.h"

#include "base/lanes.h"

namespace loam::LOAM_ISA {
namespace {

#include "behaviors/springs/spring.law.h"

constexpr float least_length2 = 1e-24f; // two ends in one place have no direction

LAW real load(const float* from) {
#if defined(LOAM_ISA_scalar)
    return *from;
#else
    return _mm256_loadu_ps(from);
#endif
}
LAW void store(float* to, real x) {
#if defined(LOAM_ISA_scalar)
    *to = x;
#else
    _mm256_storeu_ps(to, x);
#endif
}
LAW float lane(real x, [[maybe_unused]] std::size_t k) {
#if defined(LOAM_ISA_scalar)
    return x;
#else
    return x[k];
#endif
}

LAW real4 own(const Float4* column, std::size_t slot) {
    std::uint32_t slots[lanes];
    for (int k = 0; k < lanes; ++k) slots[k] = static_cast<std::uint32_t>(slot) + static_cast<std::uint32_t>(k);
    return gather(column, slots);
}

struct End {
    real3 n; // towards i
    real length, approach, weight;
};
LAW End other_end(const SpringArgs& a, const real4& x, const real4& v, const std::uint32_t* j) {
    const real4 xj = gather(a.place, j), vj = gather(a.velocity, j);
    const real3 d = x.xyz - xj.xyz;
    const real l2 = dot(d, d) + least_length2, inverse = inverse_root(l2);
    const real3 n = inverse * d;
    return {n, l2 * inverse, dot(n, v.xyz - vj.xyz), smaller(x.w, xj.w)};
}

// visit(at: place of the entry in the rows) for all springs of `lanes` slots.
template <class Visit> LAW void each_row(const SpringRows& rows, std::size_t slot, const Visit& visit) {
    const std::size_t group = slot / spring_lanes, within = slot % spring_lanes;
    for (std::size_t row = rows.first[group]; row != rows.first[group + 1]; ++row) visit(row * spring_lanes + within);
}

template <class Work> LAW void each_slot(Range groups, const Work& work) {
    for (std::size_t slot = groups.begin * spring_lanes; slot != groups.end * spring_lanes; slot += lanes) work(slot);
}

} // namespace

void spring_accelerations(const SpringArgs& a, Range groups) {
    each_slot(groups, [&](std::size_t slot) LAW_LAMBDA {
        const real4 x = own(a.place, slot), v = own(a.velocity, slot);
        real3 total = zero3();
        each_row(a.rows, slot, [&](std::size_t at) LAW_LAMBDA {
            const End end = other_end(a, x, v, a.rows.other + at);
            const real pull = spring_pull(end.length, load(a.rows.rest + at), load(a.rows.stiffness + at));
            total -= (end.weight * pull) * end.n;
        });
        for (std::size_t k = 0; k < lanes; ++k) {
            const float per_mass = lane(v.w, k);
            a.result[slot + k] = {per_mass * lane(total.x, k), per_mass * lane(total.y, k), per_mass * lane(total.z, k),
                                  0};
        }
    });
}

// With stiffness k, force f = -k (l - l0) n, the derivative by the place of the other end is
//   k ((1 - l0 / l) (I - n n^T) + n n^T),   the part across the spring left out where it is compressed: it would push
// sideways, and the matrix would not be positive (Choi and Ko 2002).
void spring_blocks(const SpringBlockArgs& a, Range groups) {
    const float h = a.h, h2 = a.h * a.h;
    const SpringArgs ends{.rows = a.rows, .place = a.place, .velocity = a.velocity, .result = nullptr};
    each_slot(groups, [&](std::size_t slot) LAW_LAMBDA {
        const real4 x = own(a.place, slot), v = own(a.velocity, slot);
        real3 force = zero3(), diagonal = zero3();
        each_row(a.rows, slot, [&](std::size_t at) LAW_LAMBDA {
            const std::uint32_t* const j = a.rows.other + at;
            const End end = other_end(ends, x, v, j);
            const real rest = load(a.rows.rest + at), k = (a.stiff * end.weight) * load(a.rows.stiffness + at),
                       c = (a.damping_time * end.weight) * load(a.rows.damping + at);
            const real across = k * positive_part(1.0f - rest / end.length), along = k - across;
            const real3 dv = v.xyz - gather(a.velocity, j).xyz;
            const real pull = k * (end.length - rest) + (c + h * along) * end.approach;
            force -= pull * end.n + (h * across) * dv;
            const real block_across = h2 * across, block_along = h2 * along + h * c;
            const real3 n = end.n;
            store(a.blocks.nx + at, n.x), store(a.blocks.ny + at, n.y), store(a.blocks.nz + at, n.z);
            store(a.blocks.across + at, block_across), store(a.blocks.along + at, block_along);
            diagonal += real3{block_across + block_along * n.x * n.x, block_across + block_along * n.y * n.y,
                              block_across + block_along * n.z * n.z};
        });
        for (std::size_t k = 0; k < lanes; ++k) {
            a.force[slot + k] = {lane(force.x, k), lane(force.y, k), lane(force.z, k), 0};
            a.diagonal[slot + k] = {lane(diagonal.x, k), lane(diagonal.y, k), lane(diagonal.z, k), 0};
        }
    });
}

void spring_product(const SpringProductArgs& a, Range groups) {
    each_slot(groups, [&](std::size_t slot) LAW_LAMBDA {
        const real4 p = own(a.of, slot);
        real3 total = zero3();
        each_row(a.rows, slot, [&](std::size_t at) LAW_LAMBDA {
            const real3 d = p.xyz - gather(a.of, a.rows.other + at).xyz;
            const real3 n{load(a.blocks.nx + at), load(a.blocks.ny + at), load(a.blocks.nz + at)};
            total += load(a.blocks.across + at) * d + (load(a.blocks.along + at) * dot(n, d)) * n;
        });
        for (std::size_t k = 0; k < lanes; ++k) {
            const float per_mass = a.velocity[slot + k].w;
            const float mass = per_mass > 0 ? 1 / per_mass : 0, on = per_mass > 0 ? 1.0f : 0.0f;
            a.product[slot + k] = {on * lane(total.x, k) + mass * lane(p.xyz.x, k),
                                   on * lane(total.y, k) + mass * lane(p.xyz.y, k),
                                   on * lane(total.z, k) + mass * lane(p.xyz.z, k), 0};
        }
    });
}

} // namespace loam::LOAM_ISA
