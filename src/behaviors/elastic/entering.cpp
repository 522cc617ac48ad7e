#include "behaviors/elastic/entering.h"

#include <cmath>

#include "behaviors/elastic/turn.h"
#include "particles/point_grid.h"

namespace loam {
namespace {

constexpr double same = 0.25; // of the support: places at rest that differ by less agree

class Neighbors {
public:
    Neighbors(const std::vector<Entrant>& particles, double support)
        : particles_(particles), support_(support), grid_(support) {}

    std::size_t size() const { return grid_.size(); }
    void add(std::uint32_t k) { grid_.add(particles_[k].now), who_.push_back(k); }

    // Whether there is any.
    bool place(Entrant& to) const {
        const Entrant* nearest = nullptr;
        double least = support_ * support_;
        each(to, [&](const Entrant& other, double r2) {
            if (r2 < least) least = r2, nearest = &other;
        });
        if (!nearest) return false;
        const Vec3d first = at_rest(to, *nearest);
        Vec3d place, turn;
        double weight = 0, real = 0; // real: of the quaternion
        each(to, [&](const Entrant& other, double r2) {
            const Vec3d at = at_rest(to, other);
            if (length(at - first) > same * support_) return;
            const double share = 1 - std::sqrt(r2) / support_;
            const Vec3d q = other.turn.xyz_double();
            const double sign = dot(turn, q) + real * other.turn.w < 0 ? -share : share; // q and -q are one rotation
            weight += share, place += share * at;
            turn += sign * q, real += sign * other.turn.w;
        });
        if (!(weight > 0)) return false;
        to.at_rest = place / weight;
        const double size = std::sqrt(dot(turn, turn) + real * real);
        to.turn = float4(turn / size, real / size);
        return true;
    }

private:
    template <class Visit> void each(const Entrant& of, const Visit& visit) const {
        grid_.near(of.now, support_, [&](std::uint32_t n, double r2) {
            visit(particles_[who_[n]], r2);
            return false;
        });
    }
    static Vec3d at_rest(const Entrant& to, const Entrant& by) {
        return by.at_rest + rotation_of(by.turn).transposed() * (to.now - by.now);
    }

    const std::vector<Entrant>& particles_;
    double support_;
    PointGrid grid_;
    std::vector<std::uint32_t> who_; // by point of the grid
};

} // namespace

void place_entrants(std::vector<Entrant>& particles, double support) {
    Neighbors placed(particles, support);
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t k = 0; k < particles.size(); ++k)
        if (particles[k].placed)
            placed.add(k);
        else
            waiting.push_back(k);
    while (!waiting.empty() && placed.size() > 0) { // layer by layer
        std::vector<std::uint32_t> layer, left;
        for (std::uint32_t k : waiting) (placed.place(particles[k]) ? layer : left).push_back(k);
        if (layer.empty()) break;
        for (std::uint32_t k : layer) placed.add(k);
        waiting = std::move(left);
    }
    for (std::uint32_t k : waiting) particles[k].at_rest = particles[k].now;
}

} // namespace loam
