#include "behaviors/rigid/rigid.h"

#include <cmath>

#include "base/text.h"
#include "behaviors/rigid/shape_fit.h"
#include "particles/pieces.h"

namespace loam {
namespace {

constexpr double contact_reach = 0.1;    // gaps up to this count as near, in spacings
constexpr double contact_slop = 0.01;    // overlap that is left alone, in spacings
constexpr double overlap_at_start = 0.3; // more than this is an error, in spacings

} // namespace

void Rigid::set(const BodyValues& values) {
    values_.resize(values.size());
    surface_.resize(values.size());
    active_.resize(values.size());
    differs_.resize(values.size());
    weight_ = values.numbers("weight");
    for (std::size_t b = 0; b < values.size(); ++b) {
        if (!values.uses(b)) continue;
        const Values& own = values[b];
        const Track* const track = own.track("weight");
        differs_[b] = track && track->driver != Driver::time;
        surface_[b] = {own.number("friction"), own.number("restitution")};
        values_[b] = {true,
                      own.number("weight") >= rigid_weight,
                      own.flag("held"),
                      own.number("release"),
                      own.text("slip") == "no",
                      own.flag("turns")};
    }
}

Status Rigid::prepare(StepContext& step) {
    particles_.declare(step);
    for (std::uint32_t b = 0; b < values_.size(); ++b)
        if (values_[b].rigid && !differs_[b])
            if (Status done = enter(step, b, true); !done) return done;
    give_motion(step);
    return check_overlaps(step);
}

Status Rigid::begin(StepContext& step) {
    bool entered = renew(step);
    for (std::uint32_t b = 0; b < values_.size(); ++b) {
        if (differs_[b]) continue;
        if (values_[b].rigid && !active_[b]) {
            if (Status done = enter(step, b, false); !done) return done;
            entered = true;
        }
        if (!values_[b].rigid && active_[b]) leave(step, b);
    }
    if (entered) give_motion(step);
    lacks_at_start_ = particles_.lacks(step, bodies_);
    return Done{};
}

Status Rigid::enter(StepContext& step, std::uint32_t b, bool shaped) {
    const Pool& pool = step.particles;
    const auto body_of_particle = pool[pool.body];
    std::vector<std::uint32_t> own;
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (body_of_particle[i] == b) own.push_back(i);
    const std::string where = "bodies." + step.scene.bodies[b].name;
    if (own.empty()) return Error{Fault::scene, where, "a rigid body cannot be emitted", "give it a shape to fill"};
    if (own.size() == 1)
        return Error{Fault::scene, where, "only one particle fits into the rigid body",
                     "make its shape larger or particle_radius smaller; it is " +
                         number_text(0.5 * step.scene.spacing)};
    enter(step, b, own, shaped);
    return Done{};
}

void Rigid::enter(StepContext& step, std::uint32_t b, const std::vector<std::uint32_t>& own, bool shaped) {
    const Pool& pool = step.particles;
    const std::vector<MassPoint> given = points_of(pool, own);
    const ShapePtr shape = shaped ? step.scene.bodies[b].shape : nullptr;
    if (shape) smooth_surface(step, *shape, own);
    std::vector<Vec3d> positions;
    for (const std::uint32_t i : own) positions.push_back(pool[pool.position][i]);
    const auto pieces = connected_pieces(positions, step.scene.spacing);
    for (const auto& piece : pieces) {
        if (piece.size() < 2) continue; // a crumb, until it melts
        std::vector<std::uint32_t> indices;
        std::vector<Vec3d> places;
        std::vector<MassPoint> given_piece;
        for (const std::uint32_t k : piece)
            indices.push_back(own[k]), places.push_back(positions[k]), given_piece.push_back(given[k]);
        const Origin origin{shape != nullptr, pieces.size() > 1};
        std::optional<Matrix3> inertia;
        if (shape) inertia = fit_to_shape(step, *piece_of(shape, origin.several, places, step.scene.spacing), indices);
        const std::vector<MassPoint> points = points_of(pool, indices);
        const std::vector<Vec3d> velocities = velocities_of(pool, indices);
        RigidBody& body = make_body(step, b, points, origin, inertia);
        if (shaped && values_[b].turns && !all_alike(velocities))
            move_as(body, body_of(given_piece, step.scene.spacing, step.scene.dimensions), given_piece, velocities);
        else
            push_as(body, points, velocities);
        if (body.held = is_held(step, b, step.time); body.held)
            body.follow(pose_at(step.scene.bodies[b].motion, step.time));
        particles_.mark(step, body, indices);
    }
    active_[b] = 1;
}

// All bodies at once: it visits every particle.
void Rigid::give_motion(StepContext& step) {
    particles_.turn(bodies_);
    particles_.give_positions(step, bodies_);
    particles_.give_velocities(step, bodies_);
}

void Rigid::leave(StepContext& step, std::uint32_t b) {
    for (RigidBody& body : bodies_)
        if (body.body == b && !body.left) {
            particles_.release(step, body);
            body.left = body.held = true;
            body.refresh();
        }
    active_[b] = 0;
}

RigidBody& Rigid::make_body(const StepContext& step, std::uint32_t b, std::span<const MassPoint> points, Origin origin,
                            const std::optional<Matrix3>& inertia) {
    RigidBody body = body_of(points, step.scene.spacing, step.scene.dimensions);
    if (inertia) body.set_inertia(*inertia, step.scene.dimensions);
    body.body = b;
    if (!values_[b].turns) body.inverse_at_rest = body.points_inverse_at_rest = {};
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

ContactSearch Rigid::contact_search(const StepContext& step) const {
    return {.bodies = bodies_,
            .surfaces = surfaces_,
            .walls = step.walls.bodies,
            .values = surface_,
            .periodic_length = step.scene.periodic_length,
            .periodic_begin = step.scene.periodic_begin,
            .reach = contact_reach * step.scene.spacing,
            .dt = step.dt};
}

Status Rigid::check_overlaps(const StepContext& step) const {
    ContactSearch search = contact_search(step);
    search.dt = 0;
    const RigidContact* worst = nullptr;
    const std::vector<RigidContact> contacts = find_contacts(search);
    for (const RigidContact& c : contacts)
        if (!worst || c.gap < worst->gap) worst = &c;
    if (!worst || worst->gap > -overlap_at_start * step.scene.spacing) return Done{};
    const std::uint32_t other =
        worst->with_wall ? step.walls.bodies[worst->key.other - bodies_.size()].body : bodies_[worst->key.other].body;
    const std::uint32_t own = bodies_[worst->key.owner].body;
    return Error{Fault::scene, "bodies." + step.scene.bodies[own].name,
                 "the rigid body overlaps " + std::string(worst->with_wall ? "the wall " : "") +
                     step.scene.bodies[other].name + " by " + number_text(-worst->gap) + " m at the start",
                 "move one of them away; up to " + number_text(overlap_at_start * step.scene.spacing) +
                     " m are allowed"};
}

// The first call in a step finds the contacts; a second one goes on where the first has ended.
void Rigid::resolve_contacts(StepContext& step) {
    if (!contacts_known_) {
        // Gravity acts all the time, wherever in its step velocities take it up.
        const std::vector<Vec3d> lacks = particles_.lacks(step, bodies_);
        motion_at_start_.clear();
        for (std::size_t k = 0; k < bodies_.size(); ++k)
            motion_at_start_.push_back({bodies_[k].velocity + lacks_at_start_[k] - lacks[k], bodies_[k].spin});
    }
    particles_.take_impulses(step, bodies_);
    if (!contacts_known_) {
        solver_.begin(find_contacts(contact_search(step)), bodies_, motion_at_start_, step.dt);
        contacts_known_ = true;
    }
    solver_.solve(bodies_);
    particles_.give_velocities(step, bodies_);
}

void Rigid::move(StepContext& step) {
    const auto shifts = solver_.corrections(bodies_, contact_slop * step.scene.spacing);
    const double time = step.time + step.dt;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        RigidBody& body = bodies_[k];
        if (body.held && !is_held(step, body.body, time)) body.held = false, body.refresh();
        if (body.held) {
            body.follow(pose_at(step.scene.bodies[body.body].motion, time));
            continue;
        }
        body.move(step.dt);
        body.shift(shifts[k].displacement, shifts[k].turned);
    }
    give_motion(step);
    contacts_known_ = false;
}

namespace {

const RegisterBehavior rigid{{
    .declaration =
        {.name = "rigid",
         .help = "A solid that keeps its shape: it moves and turns as one.\n"
                 "Each connected part of the shape is a body of its own. Rigid bodies touch each other and walls with "
                 "friction and restitution, float or sink in fluids, and may be moved by the body's `motion`.",
         .properties =
             {number("density", "kg/m^3", 1000, {1e-3, 1e5}, "Mass per volume.").fixed(),
              number("friction", "", 0.5, {0, 10},
                     "Coefficient of friction; between bodies, and with walls whose slip is \"friction\", "
                     "the geometric mean counts."),
              number("restitution", "", 0, fraction,
                     "What is left of the speed of an impact: 0 does not bounce, 1 loses nothing."),
              choice("slip", {"free", "no"}, "What viscous fluids do along its surface: nothing, or they stick to it."),
              flag("turns", true, "Whether it may turn; else it only moves."),
              flag("held", false, "Held where it is, until `release`."),
              number("release", "s", 1e9, {0, 1e9}, "When a body that is held, or moved by its `motion`, is let go.")
                  .fixed()}},
    .form = Form::cluster,
    .acts = {{Stage::prepare, {changes("position"), changes("volume"), changes("mass")}},
             {Stage::begin, {changes("velocity"), changes("position"), reads("mass"), reads("lack")}},
             {Stage::implicit, {changes("velocity")}},
             {Stage::before_motion, {changes("velocity")}},
             {Stage::after_motion, {changes("position"), changes("velocity")}},
             {Stage::transfer, {reads("velocity")}},
             {Stage::constrain, {changes("field")}}},
    .make = make_behavior<Rigid>,
    .material = true,
}};

} // namespace
} // namespace loam
