#include "behaviors/rigid/bodies.h"

namespace loam {

RigidBody& RigidBodies::make(const StepContext& step, std::uint32_t b, std::span<const MassPoint> points, Origin origin,
                             const std::optional<Matrix3>& inertia) {
    RigidBody body = body_of(points, step.scene.spacing, step.scene.dimensions);
    if (inertia) {
        body.beyond_points = *inertia + -1.0 * body.inertia;
        body.set_inertia(*inertia, step.scene.dimensions);
    }
    body.body = b;
    if (!turns[b]) body.inverse_at_rest = body.points_inverse_at_rest = {};
    body.refresh();
    std::vector<Vec3d> places;
    for (const MassPoint& point : points) places.push_back(point.position);
    surfaces_.push_back(solid_surface(origin.shaped ? step.scene.bodies[b].shape : nullptr, origin.several, places,
                                      step.scene.spacing));
    body.reach = std::max(body.reach, surfaces_.back().reach_from(body.rest_center));
    origins_.push_back(origin);
    particles_.add(body, points);
    bodies_.push_back(body);
    return bodies_.back();
}

void RigidBodies::leave(StepContext& step, std::uint32_t b) {
    for (RigidBody& body : bodies_)
        if (body.body == b && !body.left) {
            particles_.release(step, body);
            body.left = body.held = true;
            body.refresh();
        }
}

void RigidBodies::remove(StepContext& step, const std::vector<std::uint8_t>& of) {
    struct Kept {
        RigidBody body;
        Origin origin;
        std::vector<MassPoint> points;
        std::vector<std::uint32_t> indices;
    };
    std::vector<Kept> all;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const RigidBody& body = bodies_[k];
        if (body.left || of[body.body]) continue;
        const auto first = particles_.at_rest().begin();
        all.push_back({body,
                       origins_[k],
                       {first + static_cast<std::ptrdiff_t>(body.begin), first + static_cast<std::ptrdiff_t>(body.end)},
                       particles_.indices(step, body)});
    }
    clear();
    particles_.release_all(step);
    for (const Kept& kept : all) {
        RigidBody& body = make(step, kept.body.body, kept.points, kept.origin, kept.body.inertia);
        body.held = kept.body.held;
        body.center = kept.body.center, body.turn = kept.body.turn;
        body.velocity = kept.body.velocity, body.spin = kept.body.spin;
        body.refresh();
        particles_.mark(step, body, kept.indices);
    }
}

void RigidBodies::weigh(StepContext& step) {
    if (step.particles.find("dry_mass") == SIZE_MAX) return; // nothing has pores
    for (RigidBody& body : bodies_) {
        if (body.left || !particles_.weigh(step, body)) continue;
        body.take_mass(body_of(particles_.points(body), step.scene.spacing, step.scene.dimensions), turns[body.body],
                       step.scene.dimensions);
        particles_.measure_from(body);
    }
}

void RigidBodies::give_motion(StepContext& step) {
    particles_.turn(bodies_);
    particles_.give_positions(step, bodies_);
    particles_.give_velocities(step, bodies_);
}

std::vector<std::vector<SolidFace>> RigidBodies::faces(std::size_t scene_bodies) const {
    std::vector<std::vector<SolidFace>> all(scene_bodies);
    for (std::size_t k = 0; k < bodies_.size(); ++k)
        if (const RigidBody& body = bodies_[k]; !body.left)
            all[body.body].push_back(
                {surfaces_[k].shape.get(), body.center, body.rest_center, body.rotation.rows, body.reach});
    return all;
}

// Bodies are made anew from what they were made from, then brought to where they are.
void RigidBodies::save(SavedState& state) const {
    auto& bodies = state["rigid_bodies"];
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const RigidBody& b = bodies_[k];
        for (const double x :
             {double(b.body), double(b.end - b.begin), double(origins_[k].shaped), double(origins_[k].several),
              double(b.held), double(b.left), b.center.x, b.center.y, b.center.z, b.turn.w, b.turn.v.x, b.turn.v.y,
              b.turn.v.z, b.velocity.x, b.velocity.y, b.velocity.z, b.spin.x, b.spin.y, b.spin.z})
            bodies.push_back(x);
        for (const Matrix3& matrix : {b.inertia, b.beyond_points})
            for (const Vec3d& row : matrix.rows) bodies.insert(bodies.end(), {row.x, row.y, row.z});
    }
    auto& points = state["rigid_points"];
    for (const MassPoint& p : particles_.at_rest())
        for (const double x : {p.position.x, p.position.y, p.position.z, p.mass}) points.push_back(x);
}

bool RigidBodies::restore(StepContext& step, const SavedState& state) {
    constexpr std::size_t per_body = 37, per_point = 4;
    const auto take = [&](const char* name, std::size_t each) -> const std::vector<double>* {
        const auto found = state.find(name);
        return found != state.end() && found->second.size() % each == 0 ? &found->second : nullptr;
    };
    const auto *bodies = take("rigid_bodies", per_body), *points = take("rigid_points", per_point);
    if (!bodies || !points) return false;
    clear(), particles_.clear();
    std::size_t next = 0;
    for (std::size_t k = 0; k < bodies->size(); k += per_body) {
        const double* x = bodies->data() + k;
        const auto body = static_cast<std::uint32_t>(x[0]);
        const auto count = static_cast<std::size_t>(x[1]);
        if (body >= turns.size() || (next + count) * per_point > points->size()) return false;
        std::vector<MassPoint> own;
        for (const double* p = points->data() + per_point * next; own.size() < count; p += per_point)
            own.push_back({{p[0], p[1], p[2]}, p[3]});
        next += count;
        Matrix3 inertia;
        for (std::size_t r = 0; r < 3; ++r) inertia.rows[r] = {x[19 + 3 * r], x[20 + 3 * r], x[21 + 3 * r]};
        RigidBody& b = make(step, body, own, {x[2] != 0, x[3] != 0}, inertia);
        for (std::size_t r = 0; r < 3; ++r) b.beyond_points.rows[r] = {x[28 + 3 * r], x[29 + 3 * r], x[30 + 3 * r]};
        b.held = x[4] != 0, b.left = x[5] != 0;
        b.center = {x[6], x[7], x[8]}, b.turn = {x[9], {x[10], x[11], x[12]}};
        b.velocity = {x[13], x[14], x[15]}, b.spin = {x[16], x[17], x[18]};
        b.refresh();
    }
    particles_.turn(bodies_);
    return true;
}

} // namespace loam
