#include "behaviors/grains/contacts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "passes/pass.h"

namespace loam {
namespace {

constexpr double near_gap = 0.05;            // of the spacing: what is nearer may come to touch
constexpr double rounding = 0.001;           // of places in lanes, beside the spacing
constexpr double other_face = 0.95;          // cosine; normals nearer than this are those of one face
constexpr std::uint32_t faces_of_a_wall = 3; // that a grain may touch at once: a corner
constexpr float sticks = 0.02f;              // radii; what is nearer than this touches as far as cohesion goes
constexpr unsigned most_rounds = 64;         // what does not fit in waits for the next step
constexpr std::size_t bodies_near = 4;       // rigid bodies that a grain may touch at once

Vec3f narrow(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

// Two radii as one: that of a ball on a plane that would roll and stick alike.
float reduced(float a, float b) { return b > 0 ? a * b / (a + b) : a; }

// Contacts of one grain after the other.
class Finder {
public:
    Finder(const StepContext& step, const GrainPool& grains, std::span<const GrainSurface> surfaces)
        : step_(step), pool_(step.particles), surfaces_(surfaces), position_(pool_[pool_.position]),
          velocity_(pool_[pool_.velocity]), acceleration_(pool_[pool_.acceleration]), radius_(grains.radius),
          body_(pool_[pool_.body]), id_(pool_[pool_.id]), near_(near_gap * step.scene.spacing) {
        const bool others = std::any_of(step.traits.begin(), step.traits.end(),
                                        [](const BodyTraits& t) { return t.touches || !t.faces.empty(); });
        Pass pass(step, "grains near");
        search_ = {.particles = pass.pairs(),
                   .approach = grains.approach.data(),
                   .near = static_cast<float>((near_gap + rounding) * step.scene.spacing),
                   .dt = static_cast<float>(step.dt),
                   .others = others};
        for (const WallBody& wall : step.walls.bodies) goes_on_.push_back(wall.goes_on());
    }

    void add_all(std::size_t i, std::vector<GrainContact>& to) const {
        std::array<std::uint32_t, bodies_near> faced{}; // bodies with faces that are near
        std::size_t faced_count = 0;
        for (const std::uint32_t j : near(i)) {
            if (radius_[j] > 0) {
                if (id_[i] < id_[j]) add_pair(i, j, radius_[j], to);
                continue;
            }
            const BodyTraits& traits = step_.traits[body_[j]];
            if (!traits.faces.empty()) {
                const auto end = faced.begin() + static_cast<std::ptrdiff_t>(faced_count);
                if (faced_count < bodies_near && std::find(faced.begin(), end, body_[j]) == end)
                    faced[faced_count++] = body_[j];
            } else if (traits.touches) {
                add_pair(i, j, static_cast<float>(0.5 * step_.scene.spacing), to);
            }
        }
        for (std::size_t k = 0; k < faced_count; ++k) add_faces(i, faced[k], to);
        // Walls are found by their particles; some go on beyond them.
        const bool far = step_.neighbors->walls.of(i).empty();
        for (std::size_t w = 0; w < step_.walls.bodies.size(); ++w)
            if (!far || goes_on_[w]) add_wall(i, w, to);
    }

private:
    void add_pair(std::size_t i, std::uint32_t j, float other_radius, std::vector<GrainContact>& to) const {
        const Vec3d way = shortest_way(position_[i] - position_[j], step_.scene.periodic_length);
        const double touch = static_cast<double>(radius_[i]) + other_radius;
        const double apart2 = dot(way, way), reach = touch + step_.scene.spacing;
        if (!(apart2 < reach * reach) || !(apart2 > 0)) return;
        const double apart = std::sqrt(apart2), gap = apart - touch;
        GrainContact c;
        c.normal = narrow((1 / apart) * way);
        const float coming = -dot(velocity_[i].xyz() - velocity_[j].xyz(), c.normal);
        if (gap > std::max(near_, step_.dt * coming)) return;
        c.i = static_cast<std::uint32_t>(i), c.j = j, c.key = id_[j];
        c.gap = static_cast<float>(gap);
        const bool grain = radius_[j] > 0;
        // To where the contact is taken to be: so what one gains of angular momentum the other loses, to rounding.
        const auto stretch = static_cast<float>(apart / touch);
        c.arm_i = stretch * radius_[i], c.arm_j = grain ? stretch * radius_[j] : 0;
        give_values(c, grain ? other_radius : 0, coming);
        to.push_back(c);
    }

    // The true surface of rigid bodies; what pushes them is put on their particle that is nearest to it.
    void add_faces(std::size_t i, std::uint32_t body, std::vector<GrainContact>& to) const {
        for (const SolidFace& face : step_.traits[body].faces) {
            const Vec3d arm = shortest_way(position_[i] - face.center, step_.scene.periodic_length);
            const double reach = face.reach + radius_[i] + step_.scene.spacing;
            if (dot(arm, arm) > reach * reach) continue;
            const Vec3d rest = face.to_rest(arm);
            const double gap = face.shape->distance(rest) - radius_[i];
            if (gap > step_.scene.spacing) continue;
            GrainContact c;
            c.normal = narrow(face.to_now(face.shape->normal(rest)));
            const std::uint32_t j = nearest_of(i, body, radius_[i] * c.normal);
            if (j == GrainContact::none) continue;
            const float coming = -dot(velocity_[i].xyz() - velocity_[j].xyz(), c.normal);
            if (gap > std::max(near_, step_.dt * coming)) continue;
            c.i = static_cast<std::uint32_t>(i), c.j = j;
            c.key = UINT32_MAX - static_cast<std::uint32_t>(step_.walls.bodies.size()) * faces_of_a_wall - body;
            c.gap = static_cast<float>(gap), c.arm_i = radius_[i];
            give_values(c, 0, coming);
            to.push_back(c);
        }
    }

    std::uint32_t nearest_of(std::size_t i, std::uint32_t body, const Vec3f& to_center) const {
        const Vec3d touch = position_[i] - Vec3d{to_center.x, to_center.y, to_center.z};
        std::uint32_t best = GrainContact::none;
        double least = 1e300;
        for (const std::uint32_t j : step_.neighbors->particles.of(i)) {
            if (body_[j] != body) continue;
            const Vec3d way = shortest_way(position_[j] - touch, step_.scene.periodic_length);
            if (const double apart = dot(way, way); apart < least) least = apart, best = j;
        }
        return best;
    }

    // A distance tells of the nearest face only. Where the grain is moved away from a face it has found, the next one
    // shows: so it rests in edges and corners.
    void add_wall(std::size_t i, std::size_t w, std::vector<GrainContact>& to) const {
        const WallBody& wall = step_.walls.bodies[w];
        Vec3d at = position_[i];
        std::array<Vec3d, faces_of_a_wall> found;
        for (std::size_t face = 0; face < faces_of_a_wall; ++face) {
            const Vec3d rest = wall.pose.point_at_rest(at);
            const double distance = wall.shape->distance(rest);
            if (distance > step_.scene.spacing + length(at - position_[i]) + radius_[i]) return;
            const Vec3d normal = wall.pose.rotate(wall.shape->normal(rest));
            const double gap = distance - dot(normal, at - position_[i]) - radius_[i];
            const auto same = [&](const Vec3d& n) { return dot(n, normal) > other_face; };
            if (std::any_of(found.begin(), found.begin() + face, same)) return;
            found[face] = normal;
            add_face(i, w, face, normal, gap, to);
            at += static_cast<double>(radius_[i]) * normal;
        }
    }

    void add_face(std::size_t i, std::size_t w, std::size_t face, const Vec3d& normal, double gap,
                  std::vector<GrainContact>& to) const {
        const WallBody& wall = step_.walls.bodies[w];
        GrainContact c;
        c.i = static_cast<std::uint32_t>(i);
        c.key = UINT32_MAX - static_cast<std::uint32_t>(w) * faces_of_a_wall - static_cast<std::uint32_t>(face);
        c.normal = narrow(normal), c.gap = static_cast<float>(gap), c.arm_i = radius_[i];
        c.surface_velocity = narrow(wall.pose.velocity_at(position_[i] - static_cast<double>(radius_[i]) * normal));
        const float coming = -dot(velocity_[i].xyz() - c.surface_velocity, c.normal);
        if (gap > std::max(near_, step_.dt * coming)) return;
        give_values(c, 0, coming);
        if (wall.friction >= 0) c.friction = static_cast<float>(std::min(wall.friction, 1e6));
        to.push_back(c);
    }

    void give_values(GrainContact& c, float other_radius, float coming) const {
        const GrainSurface& own = surfaces_[body_[c.i]];
        c.friction = own.friction, c.rolling = own.rolling, c.restitution = own.restitution;
        float cohesion = own.cohesion, stiffness = own.stiffness;
        if (c.j != GrainContact::none && other_radius > 0 && body_[c.i] != body_[c.j]) {
            const GrainSurface& other = surfaces_[body_[c.j]];
            c.friction = std::sqrt(own.friction * other.friction), c.rolling = std::sqrt(own.rolling * other.rolling);
            c.restitution = std::max(own.restitution, other.restitution);
            cohesion = std::sqrt(own.cohesion * other.cohesion);
            stiffness = 2 * own.stiffness * other.stiffness / (own.stiffness + other.stiffness);
        } else if (c.j != GrainContact::none && other_radius == 0) {
            const BodyTraits& other = step_.traits[body_[c.j]];
            c.friction = std::sqrt(own.friction * other.friction);
            c.restitution = std::max(own.restitution, other.restitution);
        }
        const float size = reduced(radius_[c.i], other_radius);
        c.rolling *= size; // now a length
        if (c.gap < sticks * radius_[c.i]) c.bond = cohesion * std::numbers::pi_v<float> * size * size;
        if (own.springs) c.stiffness = stiffness * size;
        const auto dt = static_cast<float>(step_.dt);
        c.target = c.gap > 0 ? -c.gap / dt : 0;
        // What the forces of a step alone bring about does not bounce.
        if (c.restitution > 0 && coming * dt > c.gap && !own.springs && coming > 2 * dt * acceleration(c)) {
            c.target = c.restitution * coming;
            if (c.j == GrainContact::none) c.ahead = std::max(0.0f, c.gap) * (1 + c.restitution);
        }
    }

    float acceleration(const GrainContact& c) const {
        const float own = length(acceleration_[c.i].xyz());
        return c.j != GrainContact::none ? std::max(own, length(acceleration_[c.j].xyz())) : own;
    }

    std::span<const std::uint32_t> near(std::size_t i) const {
        found_.resize(step_.neighbors->particles.of(i).size());
        return {found_.data(), grain_near.on(step_.scene.isa)(search_, i, found_.data())};
    }

    const StepContext& step_;
    const Pool& pool_;
    std::span<const GrainSurface> surfaces_;
    std::span<const Vec3d> position_;
    std::span<const Float4> velocity_, acceleration_;
    std::span<const float> radius_;
    std::span<const std::uint32_t> body_, id_;
    double near_;
    GrainNearArgs search_{};
    mutable std::vector<std::uint32_t> found_;
    std::vector<std::uint8_t> goes_on_; // by wall
};

void put(GrainLanes& to, std::size_t l, float push, const Vec3f& drag, const Vec3f& roll) {
    to.push[l] = push;
    to.drag[0][l] = drag.x, to.drag[1][l] = drag.y, to.drag[2][l] = drag.z;
    to.roll[0][l] = roll.x, to.roll[1][l] = roll.y, to.roll[2][l] = roll.z;
}

} // namespace

void GrainContacts::find_some(const StepContext& step, const GrainPool& grains, std::span<const GrainSurface> surfaces,
                              Range range, Tile& tile) const {
    const Finder finder(step, grains, surfaces);
    const auto id = step.particles[step.particles.id];
    std::vector<GrainContact>& to = tile.contacts;
    to.clear(), tile.within.clear(), tile.between.clear();
    for (std::size_t i = range.begin; i != range.end; ++i) {
        if (!(grains.radius[i] > 0)) continue;
        const std::size_t first = to.size();
        finder.add_all(i, to);
        const std::span<const Memory> memories = remembered(id[i]);
        for (std::size_t k = first; k != to.size(); ++k)
            for (const Memory& old : memories) {
                if (old.key != to[k].key || to[k].target > 0) continue; // a bounce is new
                const Vec3f& n = to[k].normal;
                to[k].push = old.push;
                to[k].drag = old.drag - dot(old.drag, n) * n; // the contact may have turned
                to[k].roll = old.roll;
            }
    }
    for (GrainContact& c : to) {
        const bool here = c.j == GrainContact::none || (c.j >= range.begin && c.j < range.end);
        (here ? tile.within : tile.between).push_back(&c);
    }
}

void GrainContacts::find(const StepContext& step, const GrainPool& grains, std::span<const GrainSurface> surfaces,
                         float longer) {
    const std::size_t particles = step.particles.size();
    taken_.assign(particles, 0);
    tiles_.resize(block_count(particles, tile_size));
    parallel_blocks(particles, tile_size, [&](Range range, std::size_t t) {
        find_some(step, grains, surfaces, range, tiles_[t]);
        tiles_[t].rounds = put_in_rounds(tiles_[t].within);
    });
    between_.clear();
    std::size_t lanes = 0;
    for (Tile& tile : tiles_) {
        tile.lanes = {lanes, lanes + tile.rounds.back()};
        lanes = tile.lanes.end;
        between_.insert(between_.end(), tile.between.begin(), tile.between.end());
    }
    taken_.assign(particles, 0);
    between_rounds_ = put_in_rounds(between_);
    lanes_.resize(lanes + between_rounds_.back());
    wall_velocities_.clear(), with_others_ = false;
    for (Tile& tile : tiles_) {
        for (GrainContact& c : tile.contacts) {
            if (c.j != GrainContact::none) {
                with_others_ |= !(grains.radius[c.j] > 0);
                continue;
            }
            c.wall = static_cast<std::uint32_t>(nobody() + 1 + wall_velocities_.size());
            wall_velocities_.push_back(c.surface_velocity);
        }
    }
    parallel_blocks(tiles_.size(), 1, [&](Range range, std::size_t) {
        for (std::size_t t = range.begin; t != range.end; ++t)
            put_into_lanes(tiles_[t].rounds, tiles_[t].lanes.begin, tiles_[t].within, longer);
    });
    put_into_lanes(between_rounds_, lanes, between_, longer);
    for (std::size_t& begin : between_rounds_) begin += lanes;
}

// Each contact goes into the first round in which both of its particles are free.
GrainContacts::Rounds GrainContacts::put_in_rounds(std::span<GrainContact* const> contacts) {
    std::array<std::uint32_t, most_rounds + 1> count{};
    for (GrainContact* const c : contacts) {
        const bool pair = c->j != GrainContact::none;
        const std::uint64_t free = ~(taken_[c->i] | (pair ? taken_[c->j] : 0));
        const auto round = static_cast<unsigned>(std::countr_zero(free)); // most_rounds: none is left
        c->slot = round == most_rounds ? GrainContact::none : count[round]++ * most_rounds + round;
        if (round == most_rounds) continue;
        taken_[c->i] |= std::uint64_t{1} << round;
        if (pair) taken_[c->j] |= std::uint64_t{1} << round;
    }
    Rounds rounds{0};
    for (unsigned round = 0; round < most_rounds && count[round] > 0; ++round)
        rounds.push_back(rounds.back() + block_count(count[round], GrainLanes::width));
    for (GrainContact* const c : contacts)
        if (c->slot != GrainContact::none)
            c->slot =
                static_cast<std::uint32_t>(rounds[c->slot % most_rounds] * GrainLanes::width) + c->slot / most_rounds;
    return rounds;
}

void GrainContacts::put_into_lanes(const Rounds& rounds, std::size_t first, std::span<GrainContact* const> contacts,
                                   float longer) {
    GrainLanes empty{};
    std::fill_n(empty.i, GrainLanes::width, static_cast<std::uint32_t>(nobody()));
    std::fill_n(empty.j, GrainLanes::width, static_cast<std::uint32_t>(nobody()));
    for (std::size_t round = 0; round + 1 < rounds.size(); ++round) lanes_[first + rounds[round + 1] - 1] = empty;
    for (GrainContact* const c : contacts) {
        if (c->slot == GrainContact::none) continue;
        c->slot += static_cast<std::uint32_t>(first * GrainLanes::width);
        GrainLanes& to = lanes_[c->slot / GrainLanes::width];
        const std::size_t l = c->slot % GrainLanes::width;
        to.i[l] = c->i, to.j[l] = c->j != GrainContact::none ? c->j : c->wall;
        to.normal[0][l] = c->normal.x, to.normal[1][l] = c->normal.y, to.normal[2][l] = c->normal.z;
        to.arm_i[l] = c->arm_i, to.arm_j[l] = c->arm_j, to.target[l] = c->target;
        to.friction[l] = c->friction, to.rolling[l] = c->rolling, to.bond[l] = c->bond;
        put(to, l, longer * c->push, longer * c->drag, longer * c->roll);
    }
}

void GrainContacts::put_impulse(const GrainContact& c, float push, const Vec3f& drag, const Vec3f& roll) {
    if (c.slot != GrainContact::none)
        put(lanes_[c.slot / GrainLanes::width], c.slot % GrainLanes::width, push, drag, roll);
}

void GrainContacts::take_impulse(GrainContact& c) const {
    const GrainLanes& from = lanes_[c.slot / GrainLanes::width];
    const std::size_t l = c.slot % GrainLanes::width;
    c.push = from.push[l];
    c.drag = {from.drag[0][l], from.drag[1][l], from.drag[2][l]};
    c.roll = {from.roll[0][l], from.roll[1][l], from.roll[2][l]};
}

Vec3f GrainContacts::impulse(const GrainContact& c) const {
    if (c.slot == GrainContact::none) return {};
    const GrainLanes& from = lanes_[c.slot / GrainLanes::width];
    const std::size_t l = c.slot % GrainLanes::width;
    return from.push[l] * c.normal + Vec3f{from.drag[0][l], from.drag[1][l], from.drag[2][l]};
}

std::span<const GrainContacts::Memory> GrainContacts::remembered(std::uint32_t id) const {
    if (id >= memories_of_.size()) return {};
    const Memories& of = memories_of_[id];
    return std::span(memories_[of.tile]).subspan(of.begin, of.end - of.begin);
}

void GrainContacts::remember(const StepContext& step) {
    const auto id = step.particles[step.particles.id];
    memories_of_.assign(step.particles.next_id, {});
    memories_.resize(std::max<std::size_t>(tiles_.size(), 1));
    parallel_blocks(tiles_.size(), 1, [&](Range range, std::size_t) {
        for (std::size_t t = range.begin; t != range.end; ++t) {
            std::vector<Memory>& to = memories_[t];
            to.clear();
            for (const GrainContact& c : tiles_[t].contacts) {
                if (c.push == 0 && !(dot(c.drag, c.drag) > 0)) continue; // nothing to remember
                Memories& of = memories_of_[id[c.i]];
                if (of.end == 0) of = {static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(to.size()), 0};
                to.push_back({c.key, c.push, c.drag, c.roll});
                of.end = static_cast<std::uint32_t>(to.size());
            }
        }
    });
}

void GrainContacts::save(std::vector<double>& to) const {
    for (std::uint32_t id = 0; id != memories_of_.size(); ++id)
        for (const Memory& old : remembered(id))
            to.insert(to.end(), {double(id), double(old.key), old.push, old.drag.x, old.drag.y, old.drag.z, old.roll.x,
                                 old.roll.y, old.roll.z});
}

bool GrainContacts::restore(const std::vector<double>& from) {
    constexpr std::size_t each = 9;
    memories_of_.clear(), memories_.assign(1, {});
    if (from.size() % each != 0) return false;
    for (std::size_t k = 0; k < from.size(); k += each) {
        const double* x = from.data() + k;
        const auto f = [&](int n) { return static_cast<float>(x[n]); };
        if (!(x[0] >= 0 && x[0] < 4e9) || x[0] + 1 < static_cast<double>(memories_of_.size())) return false;
        const auto next = static_cast<std::uint32_t>(memories_[0].size());
        if (x[0] + 1 > static_cast<double>(memories_of_.size()))
            memories_of_.resize(static_cast<std::size_t>(x[0]) + 1, {0, next, next});
        memories_[0].push_back({static_cast<std::uint32_t>(x[1]), f(2), {f(3), f(4), f(5)}, {f(6), f(7), f(8)}});
        memories_of_.back().end = next + 1;
    }
    return true;
}

} // namespace loam
