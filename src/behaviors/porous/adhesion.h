// Wet things stick: bridges of water between a wet surface and what it touches pull both together (Lenaerts 2009, 6.8;
// for sand as in Clavet 2005, by its saturation).
//
//   pull per area   a (1 - g / r)^2    a: adhesion [Pa], keyed over saturation   g: gap, 0 in contact   r: reach of
//   bridges
//
// The pull is all there is. What it presses together has friction by the laws of contacts and of sand, so what is wet
// drags too, and more of it the wetter it is.
#pragma once

#include "behaviors/behavior.h"

namespace loam {

class WetAdhesion {
public:
    void set(const BodyValues& values);
    void prepare(StepContext& step);
    void apply(StepContext& step); // adds to accelerations

private:
    bool may_hold(const StepContext& step, std::size_t i, std::size_t j) const;
    // Visits what holds on to a particle: visit(j, strength, normal), the strength without the area, from 0 to a.
    template <class Visit> void each_bridge(const StepContext& step, std::size_t i, const Visit& visit) const;
    Vec3d pull_of_walls(const StepContext& step, std::size_t i) const;

    bool acts_ = false;
    Numbers adhesion_;
    std::vector<double> reach_; // by body [m]
    Column<Float4> rest_;
    std::vector<float> bridges_; // by particle: how many others it holds on to, by their nearness
};

} // namespace loam
