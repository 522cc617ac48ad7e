#include "behaviors/springs/network.h"

#include <algorithm>

#include "base/parallel.h"

namespace loam {

SpringNetwork::SpringNetwork(const std::vector<Spring>& springs, std::size_t slots) : springs_(springs.size()) {
    const std::size_t groups = (slots + spring_lanes - 1) / spring_lanes;
    std::vector<std::uint32_t> count(groups * spring_lanes, 0);
    for (const Spring& s : springs) ++count[s.a], ++count[s.b];
    first_.assign(groups + 1, 0);
    for (std::size_t g = 0; g < groups; ++g)
        first_[g + 1] =
            first_[g] + *std::max_element(&count[g * spring_lanes], &count[g * spring_lanes] + spring_lanes);
    const std::size_t size = first_[groups] * spring_lanes;
    other_.resize(size);
    rest_.assign(size, 0), stiffness_.assign(size, 0), damping_.assign(size, 0);
    for (std::size_t g = 0; g < groups; ++g)
        for (std::size_t at = first_[g] * spring_lanes; at < first_[g + 1] * spring_lanes; ++at)
            other_[at] = static_cast<std::uint32_t>(g * spring_lanes + at % spring_lanes);
    std::fill(count.begin(), count.end(), 0);
    const auto add = [&](std::uint32_t from, std::uint32_t to, const Spring& s) {
        const std::size_t at = (first_[from / spring_lanes] + count[from]++) * spring_lanes + from % spring_lanes;
        other_[at] = to, rest_[at] = s.rest, stiffness_[at] = s.stiffness, damping_[at] = s.damping * s.stiffness;
    };
    for (const Spring& s : springs) add(s.a, s.b, s), add(s.b, s.a, s);
}

bool SpringNetwork::tear(std::span<const Float4> places, std::span<const float> strain) {
    if (broken_.empty()) broken_.assign(entries(), 0);
    return parallel_reduce(
        groups(), false,
        [&](Range range) {
            bool found = false;
            for (std::size_t at = first_[range.begin] * spring_lanes; at < first_[range.end] * spring_lanes; ++at) {
                if (stiffness_[at] == 0) continue;
                const auto group = static_cast<std::size_t>(
                    std::upper_bound(first_.begin(), first_.end(), at / spring_lanes) - first_.begin() - 1);
                const std::size_t slot = group * spring_lanes + at % spring_lanes;
                const Vec3f d = places[slot].xyz() - places[other_[at]].xyz();
                const float most = rest_[at] * (1 + strain[slot]);
                if (places[slot].w == 0 || places[other_[at]].w == 0 || !(dot(d, d) > most * most)) continue;
                stiffness_[at] = damping_[at] = 0;
                broken_[at] = 1, found = true;
            }
            return found;
        },
        [](bool a, bool b) { return a || b; });
}

std::vector<double> SpringNetwork::broken() const {
    std::vector<double> all;
    for (std::size_t at = 0; at < broken_.size(); ++at)
        if (broken_[at]) all.push_back(static_cast<double>(at));
    return all;
}

bool SpringNetwork::break_again(std::span<const double> broken) {
    broken_.assign(entries(), 0);
    for (const double entry : broken) {
        if (!(entry >= 0 && entry < static_cast<double>(entries()))) return false;
        const auto at = static_cast<std::size_t>(entry);
        stiffness_[at] = damping_[at] = 0;
        broken_[at] = 1;
    }
    return true;
}

double SpringNetwork::load(std::size_t slot, std::span<const float> per_mass) const {
    double total = 0;
    each(slot, [&](std::uint32_t other, float, float stiffness) {
        total += stiffness * (static_cast<double>(per_mass[slot]) + per_mass[other]);
    });
    return total;
}

} // namespace loam
