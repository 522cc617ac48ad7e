// Rigid bodies: see README.md. The parts are mass and motion (body.h), all bodies of a scene (bodies.h), the way
// between bodies and particles (particles.h), contacts (contact.h) and the impulses that they give (impulses.h).
#include <cmath>

#include "base/text.h"
#include "behaviors/behavior.h"
#include "behaviors/rigid/bodies.h"
#include "behaviors/rigid/impulses.h"
#include "behaviors/rigid/shape_fit.h"
#include "particles/pieces.h"

namespace loam {
namespace {

constexpr double contact_reach = 0.1;    // gaps up to this count as near, in spacings
constexpr double contact_slop = 0.01;    // overlap that is left alone, in spacings
constexpr double rigid_weight = 0.5;     // bodies with less are not rigid
constexpr double overlap_at_start = 0.3; // more than this is an error, in spacings

// What a scene says about a body.
struct RigidValues {
    bool used = false;
    bool rigid = false; // its weight is enough
    bool held = false;
    double release = 0;
    bool no_slip = false;
};

class Rigid : public Behavior {
public:
    explicit Rigid(const BodyValues& values) { set(values); }
    void set(const BodyValues& values) override;

    // Along walls it is braked by its contacts.
    void tell(std::size_t body, BodyTraits& traits) const override {
        if (!active_[body]) return;
        traits.own_contacts = !differs_[body]; // what has melted has none
        traits.no_slip |= values_[body].no_slip;
        for (const RigidBody& own : bodies_.all()) traits.held |= own.body == body && own.held && !own.left;
        traits.friction = static_cast<float>(surface_[body].friction);
        traits.restitution = static_cast<float>(surface_[body].restitution);
        traits.faces = faces_[body];
    }
    Status prepare(StepContext& step) override;
    Status begin(StepContext& step) override;

    void constrain(StepContext& step, FieldKind kind, std::span<Float4> field) override {
        bodies_.particles().project(step, bodies_.all(), kind, field);
    }

    // Before pressure, so that it does not have to hold up what stands on the ground; and after it.
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

    void unite(StepContext& step, std::span<float> quantity) override {
        bodies_.particles().unite(step, bodies_.all(), quantity);
    }

    // Where a frame is due particles have caught up with gravity.
    Status transfer(StepContext& step) override {
        bodies_.weigh(step);
        bodies_.particles().take_impulses(step, bodies_.all());
        return Done{};
    }

    std::optional<BodyPose> pose(std::size_t body) const override {
        const RigidBody* own = only_one_of(bodies_.all(), body);
        return own ? std::optional(BodyPose{own->center, rotation_vector(own->turn), own->velocity, own->spin})
                   : std::nullopt;
    }
    void save(SavedState& state) const override;
    Status restore(StepContext& step, const SavedState& state) override;

private:
    // Makes bodies of the particles where they are now, with the momentum that they have.
    Status enter(StepContext& step, std::uint32_t b, bool shaped);
    void enter(StepContext& step, std::uint32_t b, const std::vector<std::uint32_t>& own, bool shaped);
    // Where particles have melted or frozen: those of such bodies are made anew, all others stay as they are.
    std::vector<std::uint32_t> members(const StepContext& step, std::uint32_t b) const;
    bool renew(StepContext& step);
    Status check_overlaps(const StepContext& step) const;
    bool is_held(const StepContext& step, std::uint32_t b, double time) const {
        return (values_[b].held || step.scene.bodies[b].motion.moves()) && time < values_[b].release;
    }

    ContactSearch contact_search(const StepContext& step) const;
    void resolve_contacts(StepContext& step);
    void move(StepContext& step);

    // By body of the scene:
    std::vector<RigidValues> values_;
    std::vector<SurfaceValues> surface_;
    Numbers weight_;
    std::vector<std::uint8_t> differs_;               // whether some of its particles may be rigid and others not
    std::vector<std::uint8_t> active_;                // whether its particles are rigid now
    std::vector<std::vector<std::uint32_t>> members_; // ids, in order; where particles differ
    std::vector<std::vector<SolidFace>> faces_;       // of this step
    // By rigid body:
    std::vector<Vec3d> lacks_at_start_; // of this step
    std::vector<ContactSolver::Motion> motion_at_start_;

    RigidBodies bodies_;
    ContactSolver solver_;
    bool contacts_known_ = false; // of this step
};

void Rigid::set(const BodyValues& values) {
    values_.resize(values.size());
    surface_.resize(values.size());
    active_.resize(values.size());
    differs_.resize(values.size());
    bodies_.turns.resize(values.size(), 1);
    weight_ = values.numbers("weight");
    faces_.resize(values.size());
    for (std::size_t b = 0; b < values.size(); ++b) {
        if (!values.uses(b)) continue;
        const Values& own = values[b];
        const Track* const track = own.track("weight");
        differs_[b] = track && track->driver != Driver::time;
        surface_[b] = {own.number("friction"), own.number("restitution")};
        values_[b] = {true, own.number("weight") >= rigid_weight, own.flag("held"), own.number("release"),
                      own.text("slip") == "no"};
        bodies_.turns[b] = own.flag("turns");
    }
}

Status Rigid::prepare(StepContext& step) {
    bodies_.particles().declare(step);
    for (std::uint32_t b = 0; b < values_.size(); ++b)
        if (values_[b].rigid && !differs_[b])
            if (Status done = enter(step, b, true); !done) return done;
    bodies_.give_motion(step);
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
        if (!values_[b].rigid && active_[b]) bodies_.leave(step, b), active_[b] = 0;
    }
    if (entered) bodies_.give_motion(step);
    bodies_.weigh(step);
    faces_ = bodies_.faces(values_.size());
    lacks_at_start_ = bodies_.particles().lacks(step, bodies_.all());
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
        const RigidBodies::Origin origin{shape != nullptr, pieces.size() > 1};
        std::optional<Matrix3> inertia;
        if (shape) inertia = fit_to_shape(step, *piece_of(shape, origin.several, places, step.scene.spacing), indices);
        const std::vector<MassPoint> points = points_of(pool, indices);
        const std::vector<Vec3d> velocities = velocities_of(pool, indices);
        RigidBody& body = bodies_.make(step, b, points, origin, inertia);
        if (shaped && bodies_.turns[b] && !all_alike(velocities))
            move_as(body, body_of(given_piece, step.scene.spacing, step.scene.dimensions), given_piece, velocities);
        else
            push_as(body, points, velocities);
        if (body.held = is_held(step, b, step.time); body.held)
            body.follow(pose_at(step.scene.bodies[b].motion, step.time));
        bodies_.particles().mark(step, body, indices);
    }
    active_[b] = 1;
}

std::vector<std::uint32_t> Rigid::members(const StepContext& step, std::uint32_t b) const {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto weight = weight_.of(pool);
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (body[i] == b && weight[i] >= rigid_weight) all.push_back(i);
    return all;
}

bool Rigid::renew(StepContext& step) {
    if (std::none_of(differs_.begin(), differs_.end(), [](std::uint8_t x) { return x != 0; })) return false;
    const Pool& pool = step.particles;
    const auto id = pool[pool.id];
    std::vector<std::uint8_t> made_anew(values_.size(), 0);
    std::vector<std::vector<std::uint32_t>> now(values_.size());
    members_.resize(values_.size());
    for (std::uint32_t b = 0; b < values_.size(); ++b) {
        if (!differs_[b]) continue;
        now[b] = members(step, b);
        std::vector<std::uint32_t> ids;
        for (const std::uint32_t i : now[b]) ids.push_back(id[i]);
        std::sort(ids.begin(), ids.end());
        if (ids == members_[b]) continue;
        made_anew[b] = 1;
        members_[b] = std::move(ids);
    }
    if (std::none_of(made_anew.begin(), made_anew.end(), [](std::uint8_t x) { return x != 0; })) return false;
    bodies_.remove(step, made_anew);
    solver_ = {}; // its guesses go by the number of bodies
    for (std::uint32_t b = 0; b < values_.size(); ++b) {
        if (!made_anew[b]) continue;
        active_[b] = 0;
        // In an order that does not depend on how the pool is sorted.
        std::sort(now[b].begin(), now[b].end(), [&](std::uint32_t i, std::uint32_t j) { return id[i] < id[j]; });
        if (now[b].size() > 1) enter(step, b, now[b], false);
    }
    return true;
}

ContactSearch Rigid::contact_search(const StepContext& step) const {
    return {.bodies = bodies_.all(),
            .surfaces = bodies_.surfaces(),
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
    const std::uint32_t other = worst->with_wall ? step.walls.bodies[worst->key.other - bodies_.all().size()].body
                                                 : bodies_.all()[worst->key.other].body;
    const std::uint32_t own = bodies_.all()[worst->key.owner].body;
    return Error{Fault::scene, "bodies." + step.scene.bodies[own].name,
                 "the rigid body overlaps " + std::string(worst->with_wall ? "the wall " : "") +
                     step.scene.bodies[other].name + " by " + number_text(-worst->gap) + " m at the start",
                 "move one of them away; up to " + number_text(overlap_at_start * step.scene.spacing) +
                     " m are allowed"};
}

// The first call in a step finds the contacts; a second one goes on where the first has ended.
void Rigid::resolve_contacts(StepContext& step) {
    std::vector<RigidBody>& bodies = bodies_.all();
    if (!contacts_known_) {
        // Gravity acts all the time, wherever in its step velocities take it up.
        const std::vector<Vec3d> lacks = bodies_.particles().lacks(step, bodies);
        motion_at_start_.clear();
        for (std::size_t k = 0; k < bodies.size(); ++k)
            motion_at_start_.push_back({bodies[k].velocity + lacks_at_start_[k] - lacks[k], bodies[k].spin});
    }
    bodies_.particles().take_impulses(step, bodies);
    if (!contacts_known_) {
        solver_.begin(find_contacts(contact_search(step)), bodies, motion_at_start_, step.dt);
        contacts_known_ = true;
    }
    solver_.solve(bodies);
    bodies_.particles().give_velocities(step, bodies);
}

void Rigid::move(StepContext& step) {
    std::vector<RigidBody>& bodies = bodies_.all();
    const auto shifts = solver_.corrections(bodies, contact_slop * step.scene.spacing);
    const double time = step.time + step.dt;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        RigidBody& body = bodies[k];
        if (body.held && !is_held(step, body.body, time)) body.held = false, body.refresh();
        if (body.held) {
            body.follow(pose_at(step.scene.bodies[body.body].motion, time));
            continue;
        }
        body.move(step.dt);
        body.shift(shifts[k].displacement, shifts[k].turned);
    }
    bodies_.give_motion(step);
    contacts_known_ = false;
}

void Rigid::save(SavedState& state) const {
    bodies_.save(state);
    state["rigid_contacts"] = solver_.save();
}

Status Rigid::restore(StepContext& step, const SavedState& state) {
    const auto impulses = state.find("rigid_contacts");
    if (impulses == state.end() || !solver_.restore(impulses->second) || !bodies_.restore(step, state))
        return Error{Fault::file, "", "the checkpoint's rigid bodies do not fit the scene", ""};
    std::fill(active_.begin(), active_.end(), std::uint8_t{0});
    for (const RigidBody& body : bodies_.all())
        if (!body.left) active_[body.body] = 1;
    contacts_known_ = false;
    // Who is in a body is what its slots say, as before.
    members_.assign(values_.size(), {});
    const Pool& pool = step.particles;
    for (const RigidBody& body : bodies_.all())
        if (differs_[body.body] && !body.left)
            for (const std::uint32_t i : bodies_.particles().indices(step, body))
                if (i != SlotMap::gone) members_[body.body].push_back(pool[pool.id][i]);
    for (auto& ids : members_) std::sort(ids.begin(), ids.end());
    return Done{};
}

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
             {Stage::transfer, {reads("velocity"), reads("mass")}},
             {Stage::constrain, {changes("field")}}},
    .make = make_behavior<Rigid>,
    .material = true,
}};

} // namespace
} // namespace loam
