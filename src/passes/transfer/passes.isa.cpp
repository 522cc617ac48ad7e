#include "passes/transfer/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {
namespace {

#include "passes/transfer/transfer.law.h"

// -(dW/dr) / r. Some kernels have no bound where particles almost touch: nearer than this they count as this far. And
// lists end where kernels do, to rounding, so that of two particles there only one may see the other: what is below
// rounding counts as 0.
inline constexpr float nearest = 0.1f, rounding = 1e-11f; // in supports; of the slope's scale
LAW real steepness(const Kernel& k, const Pair& p) {
    const float least_r = nearest * k.support;
    Pair apart = p;
    apart.r2 = larger(p.r2, broadcast(least_r * least_r));
    apart.inverse_r = smaller(p.inverse_r, broadcast(1 / least_r));
    return positive_part(-slope(k, apart) - rounding * k.slope_scale);
}

LAW Side side(real4 record, real volume) { return {record.xyz.x, record.xyz.y, record.xyz.z, record.w, volume}; }

// visit(pair, between) for all that i may exchange with.
template <class Visit> LAW void each_exchange(const TransferArgs& a, std::size_t i, const Visit& visit) {
    const Float4& record = a.record[i];
    const Side own = side({broadcast(record), broadcast(record.w)}, broadcast(a.particles.query_place[i].w));
    const real3 drive = broadcast(a.drive);
    const real dt = broadcast(a.dt);
    each_neighbor(a.particles, i, [&](const Pair& pair) LAW_LAMBDA {
        const Side other = side(gather(a.record, pair.j), pair.volume);
        visit(pair, between(own, other, drive, pair.d, steepness(a.kernel, pair), dt));
    });
}

// Below 1 by more than single precision can be off, so that bounds hold to the last bit, however many take their share.
// What floats cannot tell from nothing is not moved.
inline constexpr double within = 1 - 1e-6, least = 1e-30;
LAW float share(double available, double wanted) {
    const double part = within * available / wanted;
    if (!(available > least && part > least)) return 0;
    return part < 1 ? static_cast<float>(part) : 1;
}

} // namespace

double transfer_headroom(const HeadroomArgs& a, Range range) {
    double headroom = 1e300;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        Row row{};
        each_exchange(a.pairs, i, [&](const Pair&, Between pair) LAW_LAMBDA { accumulate_row(pair, &row); });
        const double conductance = sum(row.diagonal);
        if (conductance > 0 && a.state[i].w < headroom * conductance) headroom = a.state[i].w / conductance;
    }
    return headroom;
}

void transfer_limits(const LimitArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        Wanted total{};
        each_exchange(a.pairs, i, [&](const Pair&, Between pair) LAW_LAMBDA { accumulate_wanted(pair, &total); });
        const float give = share(a.amount[i], sum(total.out));
        const float take = a.capacity ? share(a.capacity[i] - a.amount[i], sum(total.in)) : 1;
        a.limits[i] = {give, take, 0, 0};
    }
}

void transfer_move(const MoveArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const Limits all{broadcast(1.0f), broadcast(1.0f)};
        const Limits own = a.limits ? Limits{broadcast(a.limits[i].x), broadcast(a.limits[i].y)} : all;
        const real3 velocity = a.velocity ? broadcast(a.velocity[i]) : zero3();
        Moved total{};
        each_exchange(a.pairs, i, [&](const Pair& pair, Between exchange) LAW_LAMBDA {
            Limits other = all;
            if (a.limits) {
                const real4 limits = gather(a.limits, pair.j);
                other = {limits.xyz.x, limits.xyz.y};
            }
            const real amount = accumulate_moved(exchange, own, other, &total);
            if (a.velocity)
                accumulate_velocity(amount, broadcast(a.back), velocity, gather(a.velocity, pair.j).xyz, &total);
        });
        a.net[i] = sum(total.out);
        if (a.velocity) a.received[i] = sum3(total.received);
    }
}

void transfer_system(const TransferSystemArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        Row row{};
        each_exchange(a.pairs, i, [&](const Pair&, Between pair) LAW_LAMBDA { accumulate_row(pair, &row); });
        const float diagonal = a.state[i].w + sum(row.diagonal);
        a.inverse_diagonal[i] = diagonal > 0 ? 1 / diagonal : 0;
        a.residual[i] = -sum(row.out);
    }
}

double transfer_product(const TransferProductArgs& a, Range range) {
    double total = 0;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const float own = a.pairs.record[i].w;
        real others = broadcast(0);
        each_exchange(a.pairs, i, [&](const Pair&, Between pair) LAW_LAMBDA { accumulate_product(pair, &others); });
        a.product[i] = a.state[i].w * own + sum(others);
        total += static_cast<double>(own) * a.product[i];
    }
    return total;
}

} // namespace loam::LOAM_ISA
