#include "foam/obstacles.h"

#include "particles/shapes/animated_mesh.h"

namespace loam {

Obstacles::Obstacles(const Scene& scene) {
    for (const BodySpec& body : scene.bodies)
        // What bends is known as it is at the start only: drops pass it.
        if (body.boundary && body.boundary->values.text("method") != "none" && !animation_of(*body.shape))
            walls_.push_back({&body, body.boundary->motion.moves(), {}, body.shape->bounds()});
    set_time(0);
}

void Obstacles::set_time(double time) {
    for (Wall& wall : walls_)
        if (wall.moves) wall.pose = pose_at(wall.body->boundary->motion, time);
}

double Obstacles::distance(const Vec3d& at, double reach) const {
    double nearest = reach;
    for (const Wall& wall : walls_) {
        const Vec3d place = at_rest(wall, at);
        if (wall.body->shape->bounded() && !wall.box.grown(reach).contains(place)) continue;
        nearest = std::min(nearest, wall.body->shape->distance(place));
    }
    return nearest;
}

Vec3d Obstacles::pushed_out(const Vec3d& at, double gap) const {
    Vec3d place = at;
    for (const Wall& wall : walls_) {
        const Vec3d own = at_rest(wall, place);
        if (wall.body->shape->bounded() && !wall.box.grown(gap).contains(own)) continue;
        const double inside = gap - wall.body->shape->distance(own);
        if (!(inside > 0)) continue;
        const Vec3d outside = own + inside * wall.body->shape->normal(own);
        place = wall.moves ? wall.pose.point(outside) : outside;
    }
    return place;
}

} // namespace loam
