// The walls of a scene, for drops that meet them.
#pragma once

#include <vector>

#include "scene/scene.h"

namespace loam {

class Obstacles {
public:
    explicit Obstacles(const Scene& scene);

    void set_time(double time); // walls may move
    // To the nearest wall, negative inside; no more than `reach`.
    double distance(const Vec3d& at, double reach) const;
    // The place itself, or the nearest one that far outside of all walls if that is near.
    Vec3d pushed_out(const Vec3d& at, double gap = 0) const;

private:
    struct Wall {
        const BodySpec* body = nullptr;
        bool moves = false;
        Pose pose;
        Bounds box; // at rest; everything where the solid has no end
    };
    Vec3d at_rest(const Wall& wall, const Vec3d& at) const { return wall.moves ? wall.pose.point_at_rest(at) : at; }

    std::vector<Wall> walls_;
};

} // namespace loam
