#include "behaviors/contact/contact.h"

#include "base/reductions.h"
#include "behaviors/contact/passes.h"
#include "passes/pass.h"

namespace loam {
namespace {

constexpr int iterations = 12;
constexpr double enough = 1e-4;    // of the speed that crosses a spacing in the step: smaller changes do not matter
constexpr double look_ahead = 0.3; // spacings; what is nearer may come to touch in this step
constexpr double crack_room = 0.9; // of their distance at rest, for particles along a crack
constexpr double restored = 0.2;   // of an overlap, per step
constexpr double allowed_overlap = 0.01, most_restored = 0.05; // spacings

double pair_friction(float a, float b) { return std::sqrt(static_cast<double>(a) * b); }

} // namespace

Column<Float4> rest_places(Pool& pool) {
    return pool.declare<Float4>({.name = "rest_place", .unit = "m", .saved = true});
}

Status Contact::prepare(StepContext& step) {
    rest_ = rest_places(step.particles);
    inertia_.declare(step.particles);
    return Done{};
}

double Contact::inverse_mass(const StepContext& step, std::size_t i) const {
    return step.particles.is_held(i) ? 0 : 1 / static_cast<double>(inertia_.of(step.particles, i));
}

// The contact of particle i with j; its gap is huge when they do not touch.
Contact::Touch Contact::meet(const StepContext& step, std::size_t i, std::size_t j, double reach) const {
    const Pool& pool = step.particles;
    Touch touch{
        .other = static_cast<std::uint32_t>(j), .friction = 0, .restitution = 0, .gap = 1e300, .least_speed = 0};
    const Float4 &own = pool[rest_][i], &other = pool[rest_][j];
    if (other.w == 0) return touch;
    const Vec3d d = shortest_way(pool[pool.position][i] - pool[pool.position][j], step.scene.periodic_length);
    const double distance = length(d);
    if (!(distance < reach) || !(distance > 0)) return touch;
    double meets = step.scene.spacing;
    if (std::abs(own.w) == std::abs(other.w)) {
        const double at_rest = length(own.xyz_double() - other.xyz_double());
        if (!(at_rest > step.scene.kernel.support)) {
            if (!(own.w < 0 && other.w < 0)) return touch;
            meets = crack_room * std::min(step.scene.spacing, at_rest);
        }
    }
    const auto body = pool[pool.body];
    const BodyTraits &a = step.traits[body[i]], &b = step.traits[body[j]];
    touch.friction = static_cast<float>(pair_friction(a.friction, b.friction));
    touch.restitution = std::max(a.restitution, b.restitution);
    touch.gap = distance - meets;
    touch.normal = d / distance;
    return touch;
}

void Contact::add_touches(const StepContext& step, std::size_t i, std::vector<Touch>& to) const {
    const Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity];
    const Vec3d own = velocity[i].xyz_double();
    const double margin = look_ahead * step.scene.spacing;
    const auto add = [&](Touch touch, const Vec3d& other) {
        if (touch.gap > margin) return;
        const double approach = dot(own - other, touch.normal);
        touch.least_speed = touch.gap > 0 ? -touch.gap / step.dt : 0;
        // A bounce is due where the surfaces would meet in this step.
        if (approach < touch.least_speed)
            touch.least_speed = std::max(touch.least_speed, -touch.restitution * approach);
        to.push_back(touch);
    };
    if (counts_[i] > 0)
        for (std::uint32_t j : step.neighbors->particles.of(i))
            add(meet(step, i, j, step.scene.spacing + margin), velocity[j].xyz_double());
    if (step.neighbors->walls.of(i).empty()) return;
    const BodyTraits& traits = step.traits[pool[pool.body][i]];
    const Vec3d at = pool[pool.position][i];
    for (const WallBody& surface : step.walls.bodies) {
        const Vec3d rest = surface.pose.point_at_rest(at);
        const double gap = surface.shape->distance(rest) - 0.5 * step.scene.spacing;
        if (gap > margin) continue;
        const Vec3d moves = surface.velocity_at(at);
        add({.other = wall,
             .friction = surface.friction < 0 ? traits.friction : static_cast<float>(surface.friction),
             .restitution = traits.restitution,
             .gap = gap,
             .least_speed = 0,
             .normal = surface.pose.rotate(surface.shape->normal(rest)),
             .wall_velocity = moves},
            moves);
    }
}

void Contact::find_touches(StepContext& step) {
    Pool& pool = step.particles;
    pool.padding(rest_) = {};
    counts_.resize(pool.size());
    const double reach = (1 + look_ahead) * step.scene.spacing * (1 + 1e-6);
    Pass pass(step, "contacts");
    pass.run(count_contacts, {.particles = pass.pairs(),
                              .rest = pass.reads(rest_),
                              .reach2 = static_cast<float>(reach * reach),
                              .rest_reach2 = step.scene.kernel.support * step.scene.kernel.support,
                              .count = counts_.data()});

    struct Found {
        std::vector<std::uint32_t> particles, ends;
        std::vector<Touch> touches;
    };
    std::vector<Found> found(block_count(pool.size()));
    const auto rest = pool[rest_];
    parallel_blocks(pool.size(), block_size, [&](Range range, std::size_t block) {
        Found& some = found[block];
        for (std::size_t i = range.begin; i != range.end; ++i) {
            if (rest[i].w == 0 || (counts_[i] == 0 && step.neighbors->walls.of(i).empty())) continue;
            const std::size_t before = some.touches.size();
            add_touches(step, i, some.touches);
            if (some.touches.size() == before) continue;
            some.particles.push_back(static_cast<std::uint32_t>(i));
            some.ends.push_back(static_cast<std::uint32_t>(some.touches.size()));
        }
    });
    touching_.clear(), touches_.clear();
    begin_.assign(1, 0);
    share_.assign(pool.size(), 0);
    for (const Found& some : found) {
        const auto start = static_cast<std::uint32_t>(touches_.size());
        touching_.insert(touching_.end(), some.particles.begin(), some.particles.end());
        touches_.insert(touches_.end(), some.touches.begin(), some.touches.end());
        for (std::uint32_t end : some.ends) begin_.push_back(start + end);
    }
    for (std::size_t k = 0; k < touching_.size(); ++k) share_[touching_[k]] = begin_[k + 1] - begin_[k];
    change_.resize(touching_.size());
}

// Each contact acts as if its particles' masses were shared out evenly over their contacts (Tonge et al. 2012), so all
// can be solved at once, each from both of its sides with the same numbers: what one particle gets the other loses.
double Contact::solve(StepContext& step) {
    Pool& pool = step.particles;
    const auto velocity = pool[pool.velocity];
    parallel_each(touching_.size(), [&](std::size_t k) {
        const std::size_t i = touching_[k];
        const double own_inverse = inverse_mass(step, i);
        Vec3d impulse;
        for (std::uint32_t t = begin_[k]; t != begin_[k + 1]; ++t) {
            Touch& touch = touches_[t];
            const bool of_wall = touch.other == wall;
            const double other_inverse = of_wall ? 0 : inverse_mass(step, touch.other) * share_[touch.other];
            const double mobility = own_inverse * share_[i] + other_inverse;
            if (!(mobility > 0)) continue;
            const Vec3d other = of_wall ? touch.wall_velocity : velocity[touch.other].xyz_double();
            const Vec3d relative = velocity[i].xyz_double() - other;
            const double along = dot(relative, touch.normal);
            const double push = std::max(0.0, touch.push + (touch.least_speed - along) / mobility);
            Vec3d drag = touch.drag - (relative - along * touch.normal) / mobility;
            const double most = touch.friction * push, size = length(drag);
            if (push == 0) // also where friction is infinite
                drag = {};
            else if (size > most)
                drag *= most / size;
            impulse += (push - touch.push) * touch.normal + (drag - touch.drag);
            touch.push = push, touch.drag = drag;
        }
        change_[k] = own_inverse * impulse;
    });
    return parallel_max(touching_.size(), [&](std::size_t k) {
        Float4& v = velocity[touching_[k]];
        v = float4(v.xyz_double() + change_[k], v.w);
        return dot(change_[k], change_[k]);
    });
}

Status Contact::before_motion(StepContext& step) {
    if (!(step.dt > 0)) return Done{};
    step.profile.time("contact", [&] {
        find_touches(step);
        const double small = enough * step.scene.spacing / step.dt;
        for (int k = 0; k < iterations && !touching_.empty(); ++k) {
            const double change = solve(step);
            if (step.constrain) step.constrain(FieldKind::velocity, step.particles[step.particles.velocity]);
            if (change < small * small) break;
        }
    });
    return Done{};
}

// Takes back a part of what overlaps, without a change of velocities; heavy particles move less, so the center of mass
// stays.
Status Contact::after_motion(StepContext& step) {
    if (touching_.empty()) return Done{};
    Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto velocity = pool[pool.velocity];
    const double slop = allowed_overlap * step.scene.spacing, most = most_restored * step.scene.spacing;
    parallel_each(touching_.size(), [&](std::size_t k) {
        const std::size_t i = touching_[k];
        const double own = inverse_mass(step, i);
        Vec3d moved;
        for (std::uint32_t t = begin_[k]; t != begin_[k + 1]; ++t) {
            const Touch& touch = touches_[t];
            const bool of_wall = touch.other == wall;
            const Vec3d other = of_wall ? touch.wall_velocity : velocity[touch.other].xyz_double();
            const double gap = touch.gap + step.dt * dot(velocity[i].xyz_double() - other, touch.normal);
            const double mobility =
                own * share_[i] + (of_wall ? 0 : inverse_mass(step, touch.other) * share_[touch.other]);
            if (!(gap < -slop) || !(mobility > 0)) continue;
            moved += (own / mobility) * std::min(restored * (-gap - slop), most) * touch.normal;
        }
        change_[k] = moved;
    });
    parallel_each(touching_.size(), [&](std::size_t k) { position[touching_[k]] += change_[k]; });
    return Done{};
}

namespace {

const RegisterImplied contact{{
    .declaration = {.name = "contact", .help = "Solids that touch each other, themselves and walls."},
    .acts = {{Stage::prepare, {}},
             {Stage::before_motion, {bounds("velocity"), sets("contacts")}},
             {Stage::after_motion, {bounds("position"), reads("velocity"), sets("contacts")}}},
    .make = [](const StepContext& step) -> std::unique_ptr<Behavior> {
        const auto touches = [](const BodyTraits& body) { return body.touches; };
        if (std::none_of(step.traits.begin(), step.traits.end(), touches)) return nullptr;
        return std::make_unique<Contact>();
    },
}};

} // namespace

} // namespace loam
