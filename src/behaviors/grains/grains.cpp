// Grains: each particle is a ball that turns. See README.md; contacts.h finds where they touch, impulses.h says what
// follows.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/reductions.h"
#include "behaviors/behavior.h"
#include "behaviors/grains/impulses.h"
#include "behaviors/sheets/inertia.h"
#include "particles/hash.h"
#include "particles/slot_map.h"

namespace loam {
namespace {

constexpr double grain_weight = 0.5; // bodies with less are no grains
constexpr int sweeps = 15, later_sweeps = 8;
constexpr double steps_per_contact = 25; // of springs
constexpr double farthest = 0.4;         // of the smallest diameter, in a step
// What is slower than forces make it in a small part of a step, for some time, is at rest until it is three times as
// fast.
constexpr float resting_share = 0.1f, waking = 3;
constexpr float resting_speed = 0.01f; // and than this share of sqrt(acceleration * radius)
constexpr float time_to_rest = 4;      // in sqrt(radius / acceleration)

class Grains : public Behavior {
public:
    explicit Grains(const BodyValues& values) { set(values); }
    void set(const BodyValues& values) override;

    void tell(std::size_t body, BodyTraits& traits) const override {
        if (!surfaces_[body].grains) return;
        traits.own_contacts = traits.no_slip = true;
    }
    Status prepare(StepContext& step) override;
    void born(StepContext& step, const Renewal& renewal) override { make(step, renewal.born); }
    TimeStepLimit time_step(const StepContext& step) const override;

    // Before pressure, so that it does not have to hold up what lies on the ground; and after it. Rigid bodies have
    // found by then what holds them up: what that takes more of pushes they get with the next step.
    Status begin(StepContext& step) override;
    Status apply_implicit(StepContext& step) override;
    Status before_motion(StepContext& step) override;
    Status after_motion(StepContext& step) override;

    void save(SavedState& state) const override {
        auto& saved = state["grains_contacts"];
        saved.push_back(last_dt_);
        contacts_.save(saved);
        for (const Owed& owed : owed_)
            for (const double x : {double(owed.id), owed.impulse.x, owed.impulse.y, owed.impulse.z})
                state["grains_owed"].push_back(x);
    }
    Status restore(StepContext& step, const SavedState& state) override;

private:
    Status check_body(const StepContext& step, std::size_t body) const;
    void make(StepContext& step, Range range); // of particles as they are born, grains
    void look_at(const StepContext& step);     // fills grains_
    void sweep(StepContext& step, int times, bool first);
    void sweep_later(StepContext& step);
    void let_rest(StepContext& step);
    GrainMotion motion(StepContext& step) const {
        return {step.particles[step.particles.velocity], step.particles[spin_]};
    }

    // By body:
    std::vector<GrainSurface> surfaces_;
    std::vector<double> spread_;
    std::vector<std::uint64_t> seed_;
    bool impulses_ = true; // else springs
    Column<float> radius_, rested_;
    Column<Float4> spin_, orientation_;
    Inertia inertia_;

    GrainPool grains_;
    GrainContacts contacts_;
    double last_dt_ = 0;
    struct Owed { // to particles of rigid bodies
        std::uint32_t id = 0;
        Vec3d impulse;
    };
    std::vector<Owed> owed_;
    std::vector<Float4> shift_;
};

void Grains::set(const BodyValues& values) {
    surfaces_.resize(values.size());
    spread_.assign(values.size(), 1);
    seed_.assign(values.size(), 0);
    for (std::size_t b = 0; b < values.size(); ++b) {
        if (!values.uses(b)) continue;
        const Values& own = values[b];
        const auto number = [&](const char* name) { return static_cast<float>(own.number(name)); };
        surfaces_[b] = {own.number("weight") >= grain_weight,
                        own.text("contact") == "spring",
                        number("density"),
                        number("friction"),
                        number("rolling"),
                        number("restitution"),
                        number("cohesion"),
                        number("stiffness")};
        spread_[b] = own.number("spread");
        seed_[b] = static_cast<std::uint64_t>(own.number("seed"));
        impulses_ = !surfaces_[b].springs;
    }
}

Status Grains::check_body(const StepContext& step, std::size_t body) const {
    const std::string where = "bodies." + step.scene.bodies[body].name + ".behaviors.grains";
    const auto wrong = [&](const char* what, const char* hint) { return Error{Fault::scene, where, what, hint}; };
    if (step.scene.verlet)
        return wrong("grains cannot be moved by velocity-verlet", "use \"integrator\": \"symplectic-euler\"");
    if (step.scene.sheets[body].sheet)
        return wrong("a sheet cannot be of grains", "give it a shape that has an inside");
    if (step.flow.share.by_body()[body] > 0)
        return wrong("a body cannot flow and be grains at the same time",
                     "leave one out, or key their weights so that one goes when the other comes");
    if (step.traits[body].touches || !step.traits[body].faces.empty())
        return wrong("a body cannot be one solid and grains at the same time", "leave one of its behaviors out");
    for (const auto& surface : surfaces_)
        if (surface.grains && surface.springs != surfaces_[body].springs)
            return wrong("some grains touch by springs and others by impulses", "give all the same \"contact\"");
    return Done{};
}

Status Grains::prepare(StepContext& step) {
    Pool& pool = step.particles;
    radius_ = pool.declare<float>(
        {.name = "radius", .unit = "m", .help = "of a grain; 0 for others", .saved = true, .output = true});
    spin_ = pool.declare<Float4>(
        {.name = "spin", .unit = "rad/s", .help = "angular velocity of a grain", .saved = true, .output = true});
    orientation_ = pool.declare<Float4>({.name = "orientation",
                                         .help = "x, y, z of the unit quaternion by which a grain has turned; w is the "
                                                 "positive root of 1 - x^2 - y^2 - z^2",
                                         .saved = true,
                                         .output = true});
    rested_ =
        pool.declare<float>({.name = "rested", .unit = "s", .help = "since when a grain has been slow", .saved = true});
    inertia_.declare(pool);
    for (std::size_t b = 0; b < surfaces_.size(); ++b)
        if (surfaces_[b].grains)
            if (Status good = check_body(step, b); !good) return good;
    make(step, {0, pool.size()});
    return Done{};
}

// Balls as large as fit between their neighbors, or smaller.
void Grains::make(StepContext& step, Range range) {
    Pool& pool = step.particles;
    const bool flat = step.scene.dimensions == 2;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        const std::uint32_t b = pool[pool.body][i];
        if (!surfaces_[b].grains) continue;
        const double part = unit_number(hash_of(seed_[b] ^ 0x6772616e, pool[pool.id][i]));
        const double r = 0.5 * step.scene.spacing * (1 - part * (1 - 1 / spread_[b]));
        const double volume = std::numbers::pi * r * r * (flat ? 1 : 4.0 / 3 * r);
        pool[radius_][i] = static_cast<float>(r);
        pool[pool.volume][i] = static_cast<float>(volume);
        pool[pool.mass][i] = static_cast<float>(surfaces_[b].density * volume);
        pool[orientation_][i] = {0, 0, 0, 1};
    }
}

TimeStepLimit Grains::time_step(const StepContext& step) const {
    const Pool& pool = step.particles;
    const auto radius = pool[radius_];
    const auto body = pool[pool.body];
    const auto velocity = pool[pool.velocity];
    TimeStepLimit limit;
    double smallest = 1e300;
    for (std::size_t b = 0; b < surfaces_.size(); ++b) {
        if (!surfaces_[b].grains) continue;
        const double least = 0.5 * step.scene.spacing / spread_[b];
        smallest = std::min(smallest, least);
        if (impulses_) continue;
        const double contact =
            spring_contact_time(surfaces_[b].density, least, surfaces_[b].stiffness, step.scene.dimensions);
        if (contact / steps_per_contact < limit.seconds) limit = {contact / steps_per_contact, "springs of grains"};
    }
    const double fastest = std::sqrt(parallel_max(pool.size(), [&](std::size_t i) {
        return radius[i] > 0 && surfaces_[body[i]].grains ? dot(velocity[i].xyz(), velocity[i].xyz()) : 0;
    }));
    if (fastest > 0 && farthest * 2 * smallest / fastest < limit.seconds)
        limit = {farthest * 2 * smallest / fastest, "speed of grains"};
    return limit;
}

void Grains::look_at(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto radius = pool[radius_], mass = pool[pool.mass];
    const float round = step.scene.dimensions == 2 ? 2 : 2.5f; // 1 / (I / m R^2)
    for (auto* values : {&grains_.radius, &grains_.inverse_mass, &grains_.inverse_inertia}) values->resize(pool.size());
    const auto velocity = pool[pool.velocity];
    grains_.approach.resize(pool.size() + 1);
    grains_.approach.back() = {0, 0, 0, -1e30f}; // neighbor lists are padded with it
    parallel_each(pool.size(), [&](std::size_t i) {
        const bool grain = surfaces_[body[i]].grains && radius[i] > 0;
        const float m = grain ? mass[i] : inertia_.of(pool, i);
        const float inverse = m > 0 && !pool.is_held(i) && !step.traits[body[i]].held ? 1 / m : 0;
        grains_.radius[i] = grain ? radius[i] : 0;
        grains_.approach[i] = {velocity[i].x, velocity[i].y, velocity[i].z, grains_.radius[i]};
        grains_.inverse_mass[i] = inverse;
        grains_.inverse_inertia[i] = grain ? round * inverse / (radius[i] * radius[i]) : 0;
    });
}

Status Grains::begin(StepContext& step) {
    if (owed_.empty()) return Done{};
    Pool& pool = step.particles;
    SlotMap where;
    where.follow_ids(pool, pool.next_id);
    where.find(pool);
    for (const auto& [id, impulse] : owed_)
        if (const std::uint32_t i = where[id]; i != SlotMap::gone) {
            Float4& v = pool[pool.velocity][i];
            v = float4(v.xyz_double() + impulse / static_cast<double>(pool[pool.mass][i]), v.w);
        }
    owed_.clear();
    return Done{};
}

Status Grains::apply_implicit(StepContext& step) {
    if (!(step.dt > 0)) return Done{};
    step.profile.time("grains", [&] {
        step.profile.time("contacts of grains", [&] {
            look_at(step);
            // Impulses grow with the step.
            contacts_.find(step, grains_, surfaces_, last_dt_ > 0 ? static_cast<float>(step.dt / last_dt_) : 1);
        });
        step.profile.time("sweeps of grains", [&] {
            if (impulses_)
                sweep(step, sweeps, true);
            else
                apply_springs(contacts_, grains_, motion(step), step.scene.isa, static_cast<float>(step.dt));
        });
    });
    return Done{};
}

// What moves as one takes up the pushes on its particles after each sweep.
void Grains::sweep(StepContext& step, int times, bool first) {
    const bool constrain = contacts_.with_others() && step.constrain;
    const int at_once = constrain ? 1 : times;
    for (int done = 0; done < times; done += at_once) {
        GrainSweeps some(contacts_, grains_, motion(step), step.scene.isa, static_cast<float>(step.dt));
        if (first && done == 0) some.begin();
        some.sweep(at_once);
        some.give(motion(step));
        if (constrain) step.constrain(FieldKind::velocity, step.particles[step.particles.velocity]);
    }
}

Status Grains::before_motion(StepContext& step) {
    if (!(step.dt > 0) || !impulses_) return Done{};
    step.profile.time("grains", [&] {
        if (contacts_.with_others() || step.flow.anything(step.particles)) sweep_later(step);
        let_rest(step);
    });
    return Done{};
}

// Rigid bodies stay as they are.
void Grains::sweep_later(StepContext& step) {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    struct Before {
        const GrainContact* contact;
        Vec3f impulse;
    };
    std::vector<Before> before;
    if (contacts_.with_others())
        contacts_.each_in_order([&](const GrainContact& c) {
            if (c.j != GrainContact::none && !step.traits[body[c.j]].faces.empty() && grains_.inverse_mass[c.j] > 0)
                before.push_back({&c, contacts_.impulse(c)});
        });
    for (const Before& old : before) grains_.inverse_mass[old.contact->j] = 0;
    sweep(step, later_sweeps, false);
    for (const auto& [contact, earlier] : before) {
        const Vec3f more = contacts_.impulse(*contact) - earlier;
        owed_.push_back({pool[pool.id][contact->j], {-more.x, -more.y, -more.z}});
    }
}

void Grains::let_rest(StepContext& step) {
    Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity], spin = pool[spin_], acceleration = pool[pool.acceleration];
    const auto rested = pool[rested_];
    const auto dt = static_cast<float>(step.dt);
    parallel_each(pool.size(), [&](std::size_t i) {
        const float r = grains_.radius[i];
        if (!(r > 0)) return;
        const float a = length(acceleration[i].xyz());
        const float slow = std::min(resting_share * a * dt, resting_speed * std::sqrt(a * r));
        const float speed2 = dot(velocity[i].xyz(), velocity[i].xyz()) + r * r * dot(spin[i].xyz(), spin[i].xyz());
        const bool rests = a > 0 && rested[i] > time_to_rest * std::sqrt(r / a);
        if (rests && speed2 < waking * waking * slow * slow) {
            velocity[i] = {0, 0, 0, velocity[i].w}, spin[i] = {};
            return;
        }
        rested[i] = speed2 < slow * slow ? rested[i] + dt : 0;
    });
}

Status Grains::after_motion(StepContext& step) {
    if (!(step.dt > 0)) return Done{};
    Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto spin = pool[spin_], orientation = pool[orientation_];
    step.profile.time("grains", [&] {
        const auto dt = static_cast<float>(step.dt);
        if (impulses_)
            take_back_overlaps(contacts_, grains_, pool[pool.velocity], step.scene.isa, dt,
                               static_cast<float>(step.scene.spacing), shift_);
        parallel_each(pool.size(), [&](std::size_t i) {
            if (impulses_) position[i] += Vec3d{shift_[i].x, shift_[i].y, shift_[i].z};
            if (!(grains_.radius[i] > 0)) return;
            // By the angle |w| dt about w.
            const Vec3d w = spin[i].xyz_double(), v = orientation[i].xyz_double();
            const double angle = 0.5 * dt * length(w), s = orientation[i].w;
            if (!(angle > 0)) return;
            const Vec3d u = (std::sin(angle) / angle * 0.5 * dt) * w;
            const double c = std::cos(angle), real = c * s - dot(u, v);
            const Vec3d turned = c * v + s * u + cross(u, v);
            const double scale = (real < 0 ? -1 : 1) / std::sqrt(real * real + dot(turned, turned));
            orientation[i] = float4(scale * turned, scale * real);
        });
        contacts_.remember(step);
        last_dt_ = step.dt;
    });
    return Done{};
}

Status Grains::restore(StepContext&, const SavedState& state) {
    const auto found = state.find("grains_contacts");
    const Error misfit{Fault::file, "", "the checkpoint's grains do not fit the scene", ""};
    if (found == state.end() || found->second.empty()) return misfit;
    last_dt_ = found->second[0];
    owed_.clear();
    if (const auto owed = state.find("grains_owed"); owed != state.end()) {
        if (owed->second.size() % 4 != 0) return misfit;
        for (const double* x = owed->second.data(); x != owed->second.data() + owed->second.size(); x += 4)
            owed_.push_back({static_cast<std::uint32_t>(x[0]), {x[1], x[2], x[3]}});
    }
    return contacts_.restore({found->second.begin() + 1, found->second.end()}) ? Status(Done{}) : Status(misfit);
}

const RegisterBehavior grains{{
    .declaration = {.name = "grains",
                    .help = "Balls that roll, slide and pile up: gravel, beads, seeds. Each particle is one.\n"
                            "They touch each other, walls and other solids with friction, float or sink in fluids, and "
                            "come to rest. The "
                            "largest have the radius of particles; `spread` makes others smaller.",
                    .properties =
                        {number("density", "kg/m^3", 2600, {1e-3, 1e5},
                                "Mass per volume of a grain; a heap has about 0.6 of that.")
                             .fixed(),
                         number("friction", "", 0.5, {0, 10},
                                "Coefficient of friction; between different grains, the geometric mean."),
                         number("rolling", "", 0.05, {0, 1},
                                "Rolling friction: holds a torque of this times the push, times the radius. Stands for "
                                "grains that are not round."),
                         number("restitution", "", 0.2, fraction, "What is left of the speed of an impact."),
                         number("cohesion", "Pa", 0, {0, 1e9},
                                "Pull that a contact bears, per area of a disk of the grains' reduced radius."),
                         number("spread", "", 1.5, {1, 5}, "Radii differ: the largest over the smallest.").fixed(),
                         integer("seed", 0, {0, 1e9}, "Start of the random numbers for radii.").fixed(),
                         choice("contact", {"impulse", "spring"},
                                "impulse: hard, in steps as long as motion allows. spring: soft, damped, with a memory "
                                "of sliding, in short steps."),
                         number("stiffness", "Pa", 1e6, {1e-3, 1e13},
                                "Of springs: force per overlap and reduced radius.")
                             .fixed()}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {changes("volume"), changes("mass")}},
             {Stage::begin, {changes("velocity"), reads("mass")}},
             {Stage::implicit, {bounds("velocity"), changes("spin")}},
             {Stage::before_motion, {bounds("velocity"), changes("spin"), changes("rested")}},
             {Stage::after_motion, {bounds("position"), reads("velocity"), changes("orientation")}}},
    .make = make_behavior<Grains>,
    .material = true,
    .weight_by_body = true,
}};

} // namespace
} // namespace loam
