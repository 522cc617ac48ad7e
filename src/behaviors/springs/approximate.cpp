#include "behaviors/springs/approximate.h"

#include <algorithm>
#include <cmath>

#include "behaviors/springs/momentum.h"
#include "passes/pass.h"

namespace loam {
namespace {

using Field = std::vector<Float4>;

// h f~ of every slot; nothing for those that are held.
void find_impulses(const SpringNetwork& network, const SlotMotion& motion, double h, InstructionSet isa, Field& to) {
    to.resize(network.slots());
    run_on_slots(
        isa, spring_accelerations,
        {.rows = network.rows(), .place = motion.place.data(), .velocity = motion.velocity.data(), .result = to.data()},
        network.groups(), groups_at_once);
    parallel_each(network.slots(), [&](std::size_t s) {
        const Float4& v = motion.velocity[s];
        if (v.w == 0) return;
        Vec3d force = to[s].xyz_double() / static_cast<double>(v.w);
        network.each(s, [&](std::uint32_t j, float, float stiffness) {
            force += (h * stiffness) * (motion.velocity[j].xyz_double() - v.xyz_double());
        });
        to[s] = float4(h * force);
    });
}

// Cuthill and McKee: level by level from a slot at the end of a body, so that neighbors get numbers close together.
std::vector<std::uint32_t> band_order(const SpringNetwork& network) {
    const std::size_t count = network.slots();
    const auto walk = [&](std::uint32_t from, std::vector<std::uint8_t>& seen) {
        std::vector<std::uint32_t> all{from};
        seen[from] = 1;
        for (std::size_t k = 0; k < all.size(); ++k) {
            const std::size_t begin = all.size();
            network.each(all[k], [&](std::uint32_t j, float, float) {
                if (!seen[j]) seen[j] = 1, all.push_back(j);
            });
            std::sort(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end());
        }
        return all;
    };
    std::vector<std::uint8_t> seen(count, 0);
    std::vector<std::uint32_t> order(count);
    std::uint32_t next = 0;
    for (std::uint32_t s = 0; s < count; ++s) {
        if (seen[s]) continue;
        std::vector<std::uint8_t> trial = seen;
        const std::uint32_t end = walk(s, trial).back(); // farthest from s
        for (const std::uint32_t k : walk(end, seen)) order[k] = next++;
    }
    return order;
}

std::size_t band_width(const SpringNetwork& network, const std::vector<std::uint32_t>& order) {
    std::size_t width = 0;
    for (std::size_t s = 0; s < network.slots(); ++s)
        network.each(s, [&](std::uint32_t j, float, float) {
            width = std::max<std::size_t>(width, order[s] > order[j] ? order[s] - order[j] : order[j] - order[s]);
        });
    return width;
}

} // namespace

std::size_t BandFactor::bytes(const SpringNetwork& network) {
    return network.slots() * (band_width(network, band_order(network)) + 1) * sizeof(double);
}

BandFactor::BandFactor(const SpringNetwork& network, std::span<const Float4> velocity, double h)
    : order_(band_order(network)), width_(band_width(network, order_)) {
    const std::size_t count = network.slots();
    band_.assign(count * (width_ + 1), 0);
    for (std::size_t s = 0; s < count; ++s) {
        const std::size_t row = order_[s];
        const bool free = velocity[s].w > 0;
        double diagonal = free ? 1 / static_cast<double>(velocity[s].w) : 1;
        network.each(s, [&](std::uint32_t j, float, float stiffness) {
            if (!free) return;
            diagonal += h * h * stiffness;
            if (velocity[j].w > 0 && order_[j] < row) at(row, order_[j]) -= h * h * stiffness;
        });
        at(row, row) = diagonal;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = i > width_ ? i - width_ : 0;
        for (std::size_t j = begin; j <= i; ++j) {
            const std::size_t from = std::max(begin, j > width_ ? j - width_ : 0);
            double sum = at(i, j);
            for (std::size_t k = from; k < j; ++k) sum -= at(i, k) * at(j, k);
            at(i, j) = j < i ? sum / at(j, j) : std::sqrt(sum);
        }
    }
}

void BandFactor::solve(Field& right_side) const {
    const std::size_t count = order_.size();
    std::vector<Vec3d> x(count);
    for (std::size_t s = 0; s < count; ++s) x[order_[s]] = right_side[s].xyz_double();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = i > width_ ? i - width_ : 0; k < i; ++k) x[i] -= at(i, k) * x[k];
        x[i] = x[i] / at(i, i);
    }
    for (std::size_t i = count; i-- > 0;) {
        x[i] = x[i] / at(i, i);
        for (std::size_t k = i > width_ ? i - width_ : 0; k < i; ++k) x[k] -= at(i, k) * x[i];
    }
    for (std::size_t s = 0; s < count; ++s) right_side[s] = float4(x[order_[s]]);
}

const Field& FilteredSprings::solve(const SpringNetwork& network, const SlotMotion& motion, double h,
                                    InstructionSet isa) {
    // Steps of one factor: those up to it, and down to four fifths of it. A longer step in the filter only smooths
    // more.
    constexpr double longer = 1.25;
    const double step = std::pow(longer, std::ceil(std::log(h) / std::log(longer) - 1e-9));
    const auto same = [](const Float4& a, const Float4& b) { return a.w == b.w; };
    if (factor_.empty() || step != step_ ||
        !std::equal(held_.begin(), held_.end(), motion.velocity.begin(), motion.velocity.end(), same)) {
        factor_.clear();
        factor_.emplace_back(network, motion.velocity, step);
        step_ = step, held_ = motion.velocity;
    }
    find_impulses(network, motion, h, isa, change_);
    factor_.front().solve(change_);
    keep_momentum(motion, change_);
    return change_;
}

const Field& KangSprings::solve(const SpringNetwork& network, const SlotMotion& motion, double h, InstructionSet isa) {
    find_impulses(network, motion, h, isa, impulse_);
    first_.resize(network.slots()), change_.resize(network.slots());
    const auto divided = [&](std::size_t s, const Vec3d& impulse) {
        const float per_mass = motion.velocity[s].w;
        if (per_mass == 0) return Float4{};
        double all = 1 / static_cast<double>(per_mass);
        network.each(s, [&](std::uint32_t, float, float stiffness) { all += h * h * stiffness; });
        return float4(impulse / all);
    };
    parallel_each(network.slots(), [&](std::size_t s) { first_[s] = divided(s, impulse_[s].xyz_double()); });
    parallel_each(network.slots(), [&](std::size_t s) {
        Vec3d impulse = impulse_[s].xyz_double();
        network.each(s, [&](std::uint32_t j, float, float stiffness) {
            impulse += (h * h * stiffness) * first_[j].xyz_double();
        });
        change_[s] = divided(s, impulse);
    });
    keep_momentum(motion, change_);
    return change_;
}

} // namespace loam
