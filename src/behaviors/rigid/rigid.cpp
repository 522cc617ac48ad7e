// Rigid bodies: see README.md. The parts are mass and motion (body.h), the way between bodies and particles
// (particles.h), contacts (contact.h) and the impulses that they give (impulses.h).
#include <cmath>

#include "base/text.h"
#include "behaviors/behavior.h"
#include "behaviors/rigid/impulses.h"
#include "behaviors/rigid/particles.h"
#include "particles/pieces.h"

namespace loam {
namespace {

constexpr double contact_reach = 0.1;    // gaps up to this count as near, in spacings
constexpr double contact_slop = 0.01;    // overlap that is left alone, in spacings
constexpr double overlap_at_start = 0.3; // more than this is an error, in spacings

// What a scene says about a body.
struct RigidValues {
    SurfaceValues surface;
    bool held = false;
    double release = 0;
    bool no_slip = false;
};

class Rigid : public Behavior {
public:
    explicit Rigid(const BodyValues& values) { set(values); }

    Status prepare(StepContext& step) override {
        particles_.declare(step);
        step.viscous.resize(step.body_count);
        for (std::uint32_t b = 0; b < uses_.size(); ++b) {
            if (!uses_[b]) continue;
            step.own_contacts[b] = 1;
            step.no_slip[b] = values_[b].no_slip;
            step.viscous[b] = 1; // along walls it is braked by its contacts
            if (Status done = enter(step, b); !done) return done;
        }
        return check_overlaps(step);
    }

    bool constrains() const override { return true; }
    void constrain(StepContext& step, std::span<Float4> field) override {
        const bool of_velocity = field.data() == step.particles[step.particles.velocity].data();
        particles_.project(step, bodies_, field, of_velocity);
    }

    // Before pressure, so that it does not have to hold up what stands on the ground.
    Status apply_implicit(StepContext& step) override {
        step.profile.time("rigid contacts", [&] { resolve_contacts(step); });
        return Done{};
    }

    Status before_motion(StepContext& step) override {
        step.profile.time("rigid contacts", [&] { resolve_contacts(step); });
        return Done{};
    }

    Status after_motion(StepContext& step) override {
        step.profile.time("rigid motion", [&] { move(step); });
        return Done{};
    }

    void save(SavedState& state) const override;
    Status restore(StepContext& step, const SavedState& state) override;

private:
    void set(const BodyValues& values) {
        values_.resize(values.size());
        surface_.resize(values.size());
        uses_.resize(values.size());
        for (std::size_t b = 0; b < values.size(); ++b) {
            if (!(uses_[b] = values.uses(b))) continue;
            const Values& own = values[b];
            surface_[b] = {own.number("friction"), own.number("restitution")};
            values_[b] = {surface_[b], own.flag("held"), own.number("release"), own.text("slip") == "no"};
        }
    }

    // Makes bodies of the particles where they are now.
    Status enter(StepContext& step, std::uint32_t b);
    Status check_overlaps(const StepContext& step) const;
    bool is_held(const StepContext& step, std::uint32_t b, double time) const {
        return (values_[b].held || step.bodies[b].motion.moves()) && time < values_[b].release;
    }

    ContactSearch contact_search(const StepContext& step, std::vector<WallObstacle>& walls) const;
    void resolve_contacts(StepContext& step);
    void move(StepContext& step);

    std::vector<RigidValues> values_; // by body of the scene
    std::vector<SurfaceValues> surface_;
    std::vector<std::uint8_t> uses_;
    std::vector<RigidBody> bodies_;
    std::vector<ContactGeometry> geometry_;              // of bodies_
    std::vector<ContactSolver::Motion> motion_at_start_; // of bodies_, of this step
    RigidParticles particles_;
    ContactSolver solver_;
    bool contacts_known_ = false; // of this step
};

Status Rigid::enter(StepContext& step, std::uint32_t b) {
    const Pool& pool = step.particles;
    const auto body_of_particle = pool[pool.body];
    std::vector<std::uint32_t> own;
    std::vector<Vec3d> positions;
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (body_of_particle[i] == b) own.push_back(i), positions.push_back(pool[pool.position][i]);
    const std::string where = "bodies." + step.bodies[b].name;
    if (own.empty()) return Error{Fault::scene, where, "a rigid body cannot be emitted", "give it a shape to fill"};
    if (own.size() == 1)
        return Error{Fault::scene, where, "only one particle fits into the rigid body",
                     "make its shape larger or particle_radius smaller; it is " + number_text(0.5 * step.spacing)};
    const auto pieces = connected_pieces(positions, step.spacing);
    for (const auto& piece : pieces) {
        std::vector<std::uint32_t> indices;
        std::vector<MassPoint> points;
        std::vector<Vec3d> places;
        for (const std::uint32_t k : piece) {
            indices.push_back(own[k]);
            points.push_back({positions[k], pool[pool.mass][own[k]]});
            places.push_back(positions[k]);
        }
        RigidBody body = body_of(points, step.spacing, step.dimensions);
        body.body = b;
        body.velocity = pool[pool.velocity][own[piece.front()]].xyz_double();
        if (body.held = is_held(step, b, step.time); body.held) body.follow(pose_at(step.bodies[b].motion, step.time));
        body.refresh();
        geometry_.push_back(
            contact_geometry(step.bodies[b].shape, pieces.size() > 1, places, body.rest_center, step.spacing));
        particles_.add(step, body, indices);
        bodies_.push_back(body);
    }
    particles_.turn(bodies_);
    particles_.give_positions(step, bodies_);
    particles_.give_velocities(step, bodies_);
    return Done{};
}

ContactSearch Rigid::contact_search(const StepContext& step, std::vector<WallObstacle>& walls) const {
    for (std::uint32_t b = 0; b < step.bodies.size(); ++b) {
        if (!step.bodies[b].is_wall) continue;
        const Values& boundary = *step.wall_values[b];
        const double friction = boundary.text("slip") == "friction" ? boundary.number("friction") : -1;
        walls.push_back({b, step.bodies[b].shape, pose_at(step.bodies[b].motion, step.time), friction});
    }
    return {.bodies = bodies_,
            .geometry = geometry_,
            .walls = walls,
            .values = surface_,
            .periodic_length = step.periodic_length,
            .periodic_begin = step.periodic_begin,
            .reach = contact_reach * step.spacing,
            .dt = step.dt};
}

Status Rigid::check_overlaps(const StepContext& step) const {
    std::vector<WallObstacle> walls;
    ContactSearch search = contact_search(step, walls);
    search.dt = 0;
    const Contact* worst = nullptr;
    const std::vector<Contact> contacts = find_contacts(search);
    for (const Contact& c : contacts)
        if (!worst || c.gap < worst->gap) worst = &c;
    if (!worst || worst->gap > -overlap_at_start * step.spacing) return Done{};
    const std::uint32_t other =
        worst->with_wall ? walls[worst->key.other - bodies_.size()].body : bodies_[worst->key.other].body;
    const std::uint32_t own = bodies_[worst->key.owner].body;
    return Error{Fault::scene, "bodies." + step.bodies[own].name,
                 "the rigid body overlaps " + std::string(worst->with_wall ? "the wall " : "") +
                     step.bodies[other].name + " by " + number_text(-worst->gap) + " m at the start",
                 "move one of them away; up to " + number_text(overlap_at_start * step.spacing) + " m are allowed"};
}

// The first call in a step finds the contacts; a second one goes on where the first has ended.
void Rigid::resolve_contacts(StepContext& step) {
    if (!contacts_known_) {
        motion_at_start_.clear();
        for (const RigidBody& body : bodies_) motion_at_start_.push_back({body.velocity, body.spin});
    }
    particles_.take_impulses(step, bodies_);
    if (!contacts_known_) {
        std::vector<WallObstacle> walls;
        solver_.begin(find_contacts(contact_search(step, walls)), bodies_, motion_at_start_, step.dt);
        contacts_known_ = true;
    }
    solver_.solve(bodies_);
    particles_.give_velocities(step, bodies_);
}

void Rigid::move(StepContext& step) {
    const auto shifts = solver_.corrections(bodies_, contact_slop * step.spacing);
    const double time = step.time + step.dt;
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        RigidBody& body = bodies_[k];
        if (body.held && !is_held(step, body.body, time)) body.held = false, body.refresh();
        if (body.held) {
            body.follow(pose_at(step.bodies[body.body].motion, time));
            continue;
        }
        body.move(step.dt);
        body.shift(shifts[k].displacement, shifts[k].turned);
    }
    particles_.turn(bodies_);
    particles_.give_positions(step, bodies_);
    particles_.give_velocities(step, bodies_);
    contacts_known_ = false;
}

void Rigid::save(SavedState& state) const {
    auto& poses = state["rigid_bodies"];
    for (const RigidBody& b : bodies_)
        for (const double x :
             {b.center.x, b.center.y, b.center.z, b.turn.w, b.turn.v.x, b.turn.v.y, b.turn.v.z, b.velocity.x,
              b.velocity.y, b.velocity.z, b.spin.x, b.spin.y, b.spin.z, b.held ? 1.0 : 0.0})
            poses.push_back(x);
    auto& impulses = state["rigid_contacts"];
    for (const Contact& c : solver_.contacts())
        for (const double x :
             {double(c.key.owner), double(c.key.point), double(c.key.other), c.push, c.drag.x, c.drag.y, c.drag.z})
            impulses.push_back(x);
}

Status Rigid::restore(StepContext&, const SavedState& state) {
    constexpr std::size_t per_body = 14, per_contact = 7;
    const auto poses = state.find("rigid_bodies"), impulses = state.find("rigid_contacts");
    if (poses == state.end() || poses->second.size() != per_body * bodies_.size() || impulses == state.end() ||
        impulses->second.size() % per_contact != 0)
        return Error{Fault::file, "", "the checkpoint's rigid bodies do not fit the scene"};
    for (std::size_t k = 0; k < bodies_.size(); ++k) {
        const double* x = &poses->second[per_body * k];
        RigidBody& b = bodies_[k];
        b.center = {x[0], x[1], x[2]}, b.turn = {x[3], {x[4], x[5], x[6]}};
        b.velocity = {x[7], x[8], x[9]}, b.spin = {x[10], x[11], x[12]};
        b.held = x[13] != 0;
        b.refresh();
    }
    std::vector<Contact> contacts(impulses->second.size() / per_contact);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double* x = &impulses->second[per_contact * k];
        contacts[k].key = {static_cast<std::uint32_t>(x[0]), static_cast<std::uint32_t>(x[1]),
                           static_cast<std::uint32_t>(x[2])};
        contacts[k].push = x[3], contacts[k].drag = {x[4], x[5], x[6]};
    }
    solver_.set_contacts(std::move(contacts));
    particles_.turn(bodies_);
    contacts_known_ = false;
    return Done{};
}

const RegisterBehavior rigid{{
    .declaration =
        {.name = "rigid",
         .help = "A solid that keeps its shape: it moves and turns as one.\n"
                 "Each connected part of the shape is a body of its own. Rigid bodies touch each other and walls with "
                 "friction and restitution, float or sink in fluids, and may be moved by the body's `motion`.",
         .properties =
             {number("density", "kg/m^3", 1000, {1e-3, 1e5}, "Mass per volume."),
              number("friction", "", 0.5, {0, 10},
                     "Coefficient of friction; between bodies, and with walls whose slip is \"friction\", "
                     "the geometric mean counts."),
              number("restitution", "", 0, fraction,
                     "What is left of the speed of an impact: 0 does not bounce, 1 loses nothing."),
              choice("slip", {"free", "no"}, "What viscous fluids do along its surface: nothing, or they stick to it."),
              flag("held", false, "Held where it is, until `release`."),
              number("release", "s", 1e9, {0, 1e9}, "When a body that is held, or moved by its `motion`, is let go.")}},
    .stage = Stage::force,
    .form = Form::cluster,
    .make = make_behavior<Rigid>,
    .material = true,
}};

} // namespace
} // namespace loam
