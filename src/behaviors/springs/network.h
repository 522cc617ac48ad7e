// Springs between slots: how they are chosen from a sheet or a filled shape, and their arrays for the loops.
#pragma once

#include <span>
#include <vector>

#include "behaviors/springs/passes.h"
#include "particles/sheet.h"
#include "passes/kernel.h"

namespace loam {

struct Spring {
    std::uint32_t a = 0, b = 0; // slots
    float rest = 0;
    float stiffness = 0;
    float damping = 0; // as a fraction of critical damping

    // As long at rest as the points are apart.
    static Spring between(std::span<const Vec3d> points, std::uint32_t a, std::uint32_t b, double stiffness,
                          double damping) {
        return {a, b, static_cast<float>(length(points[a] - points[b])), static_cast<float>(stiffness),
                static_cast<float>(damping)};
    }
};

enum class SpringKind { structural, shear, flexion };
struct Link {
    std::uint32_t a, b; // points
    SpringKind kind;
};

// B 4.1.1. A rectangle: to the next point along rows and columns, along diagonals, and to the next but one. Any other
// sheet: along edges, and between the two corners that face each other across an edge.
std::vector<Link> links_of(const Sheet& sheet);
// Points that fill a shape: to the next ones (structural), the diagonal ones (shear), and those two spacings away.
std::vector<Link> links_of(std::span<const Vec3d> points, double spacing);

// Bonds to all points within the kernel's support, by distances only (Lenaerts 2009, section 4.4.2): a membrane with
// Poisson's ratio 1/3 that resists no bending. Stiffnesses are as near to the kernel as a membrane of this stiffness
// [N/m] allows, the modulus times the thickness (of a rope [N]), that is the same in all directions; shares as in
// Sheet.
struct Bond {
    std::uint32_t a, b;
    double stiffness; // [N/m]
};
std::vector<Bond> bonds_of(const Sheet& sheet, const Kernel& kernel, double membrane);

class SpringNetwork {
public:
    SpringNetwork() = default;
    SpringNetwork(const std::vector<Spring>& springs, std::size_t slots);

    SpringRows rows() const {
        return {.first = first_.data(),
                .other = other_.data(),
                .rest = rest_.data(),
                .stiffness = stiffness_.data(),
                .damping = damping_.data()};
    }
    std::size_t groups() const { return first_.empty() ? 0 : first_.size() - 1; }
    std::size_t slots() const { return groups() * spring_lanes; } // with those that fill the last group
    std::size_t entries() const { return other_.size(); }
    std::size_t springs() const { return springs_; }

    // Breaks springs that are longer than (1 + strain by slot) times their rest length; both ends find the same. Says
    // whether any broke.
    bool tear(std::span<const Float4> places, std::span<const float> strain);

    // Which entries are broken, for checkpoints.
    std::vector<double> broken() const;
    bool break_again(std::span<const double> broken);

    // The stiffness of the springs of a slot: sum of k (1 / m + 1 / m_j). What bounds a time step.
    double load(std::size_t slot, std::span<const float> per_mass) const;

    template <class Visit> void each(std::size_t slot, const Visit& visit) const {
        const std::size_t group = slot / spring_lanes, within = slot % spring_lanes;
        for (std::size_t row = first_[group]; row != first_[group + 1]; ++row)
            if (const std::size_t at = row * spring_lanes + within; stiffness_[at] > 0)
                visit(other_[at], rest_[at], stiffness_[at]);
    }

private:
    std::vector<std::uint32_t> first_, other_;
    std::vector<float> rest_, stiffness_, damping_;
    std::vector<std::uint8_t> broken_; // by entry; empty: none
    std::size_t springs_ = 0;
};

} // namespace loam
