#include "picture/stage.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "cache/run_folder.h"
#include "foam/foam_run.h"
#include "particles/shapes/animated_mesh.h"
#include "picture/pieces.h"
#include "picture/solid_part.h"
#include "picture/tank.h"
#include "picture/tint.h"
#include "picture/wall_mesh.h"
#include "picture/yarn.h"
#include "surface/from_frame.h"

namespace loam {
namespace {

constexpr double cells_along_wall = 160;

Vec3f single(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
Vec3d exact(const Vec3f& v) { return {v.x, v.y, v.z}; }

Bounds overlap(const Bounds& a, const Bounds& b) { return {max(a.lo, b.lo), min(a.hi, b.hi)}; }

// The part of a wall that pictures show: all of it when it has an end, of terrain and containers what is near to where
// particles are.
Bounds shown_part(const BodySpec& wall, const Bounds& moving, double radius, bool flat) {
    const Bounds own = wall.shape->bounds().grown(2 * radius);
    if (wall.boundary->motion.moves() && wall.shape->bounded()) return own;
    const double reach = length(moving.size());
    const Bounds near = moving.grown((flat ? 0.15 : 1.0) * reach);
    Bounds part = overlap(own, near);
    if (flat) return {{near.lo.x, near.lo.y, -reach}, {near.hi.x, near.hi.y, reach}};
    if (wall.shape->bounded()) return part;
    part.lo.y = std::max(own.lo.y, moving.lo.y - 2 * reach) - 0.08 * reach; // terrain is shown as a block
    return part;
}

// Without the outermost `share` on each side of each axis.
Bounds trimmed(std::vector<Vec3f>& places, double share) {
    Bounds bounds;
    const auto out = static_cast<std::size_t>(share * static_cast<double>(places.size()));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto nth = [&](std::size_t n) {
            const auto at = places.begin() + static_cast<std::ptrdiff_t>(n);
            std::nth_element(places.begin(), at, places.end(),
                             [axis](const Vec3f& a, const Vec3f& b) { return a[axis] < b[axis]; });
            return static_cast<double>((*at)[axis]);
        };
        bounds.lo[axis] = nth(out), bounds.hi[axis] = nth(places.size() - 1 - out);
    }
    return bounds;
}

// Where nearly all is, and what is near to that: a drop that flies off is not followed.
Bounds crowd_of(std::vector<Vec3f>& places) {
    const Bounds core = trimmed(places, 0.02);
    const Vec3d size = core.size();
    return overlap(trimmed(places, 0.002), core.grown(0.75 * std::max({size.x, size.y, size.z})));
}

// With smooth normals.
Triangles triangles_of(const MeshMoment& moment) {
    Triangles all;
    std::vector<Vec3d> normals(moment.mesh().vertices.size());
    for (const Triangle& t : moment.mesh().triangles) {
        const std::vector<Vec3d>& v = moment.mesh().vertices;
        const Vec3d area = cross(v[t[1]] - v[t[0]], v[t[2]] - v[t[0]]);
        for (const std::uint32_t corner : t) normals[corner] += area;
        all.corners.push_back(t);
    }
    for (std::size_t v = 0; v < normals.size(); ++v) {
        all.vertices.push_back(single(moment.mesh().vertices[v]));
        all.normals.push_back(single(normalized(normals[v])));
    }
    return all;
}

// Level ground without end: what is drawn as floor is that.
bool is_ground(const BodySpec& body) {
    const Bounds bounds = body.shape->bounds();
    return !body.shape->bounded() && !body.boundary->motion.moves() && body.look.text("material") == "auto" &&
           body.look.text("color").empty() && bounds.size().y <= 1e-9 * length(bounds.size()) &&
           body.shape->normal(bounds.center()).y > 1 - 1e-9;
}

} // namespace

Bounds crowd_bounds(const Frame& frame) {
    const std::size_t position = frame.columns.find("position"), body = frame.columns.find("body");
    const std::size_t count = frame.columns.size();
    if (position == SIZE_MAX || count == 0) return {};
    const auto* const places = reinterpret_cast<const Float4*>(frame.columns.bytes(position));
    const auto* const bodies =
        body == SIZE_MAX ? nullptr : reinterpret_cast<const std::uint32_t*>(frame.columns.bytes(body));
    std::map<std::uint32_t, std::vector<Vec3f>> by_body;
    for (std::size_t i = 0; i < count; ++i)
        by_body[bodies ? bodies[i] : 0].push_back({places[i].x, places[i].y, places[i].z});
    Bounds all;
    for (auto& [number, own] : by_body) all.add(crowd_of(own));
    return all.grown(frame.header.particle_radius);
}

PictureStage::PictureStage(const Scene& scene, const Bounds& moving, const StageOptions& options)
    : scene_(scene), options_(options) {
    const Vec3d size = moving.size();
    sheets_ = sheets_of(scene);
    depth_ = 0.8 * std::cbrt(std::max(size.x * size.y * size.z, 1e-12));
    set_looks(0);
    make_walls(moving);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        solids_.push_back(SolidMesh::create(scene, b));
        carried_.push_back(solids_.back() ? nullptr : CarriedMesh::create(scene, b));
    }
    set_floor(moving);
    frame(moving);
    set_time(0);
}

void PictureStage::frame(const Bounds& moving) {
    framed_ = moving;
    if (!tanks_shown_.empty()) framed_.add(overlap(tanks_shown_, moving.grown(0.08 * length(moving.size()))));
    if (!walls_shown_.empty()) framed_.add(overlap(walls_shown_, moving.grown(0.35 * length(moving.size()))));
}

void PictureStage::make_walls(const Bounds& moving) {
    const bool flat = scene_.dimensions() == 2;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
        const BodySpec& body = scene_.bodies[b];
        if (!body.boundary || looks_[b].form == Look::Form::hidden) continue;
        if (!flat && scene_.light.text("floor") != "none" && is_ground(body)) {
            ground_ = std::max(ground_.value_or(-INFINITY), body.shape->bounds().lo.y);
            continue;
        }
        if (looks_[b].form == Look::Form::tank) {
            make_tank(b, moving);
            continue;
        }
        if (const AnimatedMesh* bends = animation_of(*body.shape)) {
            walls_shown_.add(bends->bounds_over_time());
            walls_.push_back({b, triangles_of(*bends->at(0)), {}});
            continue;
        }
        const Bounds box = shown_part(body, moving, scene_.radius(), flat);
        const Vec3d size = box.size();
        if (!(size.x > 0 && size.y > 0 && size.z > 0)) continue;
        const double longest = flat ? std::max(size.x, size.y) : std::max({size.x, size.y, size.z});
        const double cell = longest / (flat ? 4 * cells_along_wall : cells_along_wall);
        Triangles mesh = flat ? slab_of(*body.shape, box, cell, -2 * scene_.radius()) : mesh_of(*body.shape, box, cell);
        for (const Vec3f& v : mesh.vertices) walls_shown_.add(exact(v));
        walls_.push_back({b, std::move(mesh), {}});
    }
}

// Glass is drawn a little higher than anything gets, not up to where a tall tank may end. Where it is much wider than
// its contents, not all of it is in view.
void PictureStage::make_tank(std::size_t body, const Bounds& moving) {
    const double top = moving.hi.y + 0.04 * moving.size().y;
    Tank tank = tank_of(*scene_.bodies[body].shape, {.top = top, .gap = scene_.radius()});
    for (const Vec3f& v : tank.panes.vertices) tanks_shown_.add(exact(v));
    walls_.push_back({body, std::move(tank.panes), std::move(tank.edges)});
}

void PictureStage::set_floor(const Bounds& moving) {
    const std::string& kind = scene_.light.text("floor");
    if (kind == "none" || (kind == "auto" && scene_.dimensions() == 2)) return;
    Bounds all = moving;
    all.add(walls_shown_);
    const double reach = length(all.size());
    Floor floor;
    // A little above the lowest particles, so that no air is seen between them and the floor.
    const bool on_walls = !walls_shown_.empty() && walls_shown_.lo.y < moving.lo.y;
    const double lowest = on_walls ? walls_shown_.lo.y : moving.lo.y + 0.5 * scene_.radius();
    floor.height = static_cast<float>(ground_.value_or(lowest));
    floor.color = *parse_color(scene_.light.text("floor_color").empty() ? "#8f9296" : scene_.light.text("floor_color"));
    floor.checker = kind != "checker" ? 0 : static_cast<float>(std::max(all.size().x, all.size().z) / 10);
    floor.middle = single(all.center());
    floor.fade_begin = static_cast<float>(0.5 * reach), floor.fade_end = static_cast<float>(3.5 * reach);
    floor_ = floor;
}

void PictureStage::set_looks(double time) {
    looks_ = looks_of(scene_, depth_, time);
    for (std::size_t b = 0; b < sheets_.size(); ++b)
        if (sheets_[b].sheet && scene_.bodies[b].look.text("material") == "auto")
            looks_[b].material.coat = false, looks_[b].material.let_through = 0.15f; // as "cloth"
}

void PictureStage::set_time(double time) {
    set_looks(time);
    const Values given = scene_.camera.at(time);
    light_ = light_of(scene_, time);
    light_.sky.map = map_;
    shutter_ = given.number("shutter") / scene_.values.number("fps");
    exposure_ = given.number("exposure");
    if (scene_.dimensions() == 3 && !options_.coloring) contrast_ = given.number("contrast"); // not of diagrams
    camera_ = frame_bounds(framed_, scene_.dimensions(), options_.size, given.number("view"));
    const Vec3d from = given.vector("from"), to = given.vector("to");
    if (is_finite(to)) {
        camera_.from += to - camera_.to;
        camera_.to = to;
    }
    if (is_finite(from)) camera_.from = from;
    if (given.number("height") > 0) camera_.height = given.number("height");
    camera_.aperture = given.number("aperture");
    camera_.focus = given.number("focus");
}

void PictureStage::add_walls(World& world, double time) const {
    for (const Wall& wall : walls_) {
        const Pose pose = pose_at(scene_.bodies[wall.body].boundary->motion, time);
        Triangles mesh = wall.mesh;
        Curves edges = wall.edges;
        if (const AnimatedMesh* bends = animation_of(*scene_.bodies[wall.body].shape)) {
            const MeshMomentPtr now = bends->at(time);
            mesh = triangles_of(*now);
            for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
                const Vec3d at = pose.point(now->mesh().vertices[v]);
                mesh.vertices[v] = single(at);
                mesh.normals[v] = single(pose.rotate(exact(mesh.normals[v])));
                const Vec3d velocity = pose.velocity_at(at) + pose.rotate(now->velocities()[v]);
                if (shutter_ > 0) mesh.movement.push_back(single(shutter_ * velocity));
            }
        } else if (scene_.bodies[wall.body].boundary->motion.moves()) {
            for (Vec3f& v : mesh.vertices) {
                v = single(pose.point(exact(v)));
                if (shutter_ > 0) mesh.movement.push_back(single(shutter_ * pose.velocity_at(exact(v))));
            }
            for (Vec3f& n : mesh.normals) n = single(pose.rotate(exact(n)));
            for (Float4& p : edges.points) {
                const Vec3f v = single(pose.point(p.xyz_double()));
                p = {v.x, v.y, v.z, p.w};
            }
        }
        if (!edges.pieces.empty()) world.add(std::move(edges), glass_edge_material());
        world.add(std::move(mesh), looks_[wall.body].material);
    }
}

void PictureStage::add_heaters(World& world, double time) const {
    for (const HeaterSpec& heater : scene_.heaters) {
        const auto color = parse_color(heater.values.text("glow"));
        if (!color || time < heater.values.number("start") || time >= heater.values.number("stop")) continue;
        constexpr double cells = 32;
        const Bounds box = heater.shape->bounds();
        const Vec3d size = box.size();
        const double longest = std::max({size.x, size.y, size.z});
        Triangles mesh = mesh_of(*heater.shape, box.grown(2 * longest / cells), longest / cells);
        const Pose pose = pose_at(heater.motion, time);
        for (Vec3f& v : mesh.vertices) v = single(pose.point(exact(v)));
        for (Vec3f& n : mesh.normals) n = single(pose.rotate(exact(n)));
        Material shine;
        shine.color = {};
        shine.glow = static_cast<float>(heater.values.number("brightness")) * *color;
        world.add(std::move(mesh), shine);
    }
}

Status PictureStage::add_body(World& world, const Frame& frame, std::size_t body) {
    const Look& look = looks_[body];
    if (look.form == Look::Form::hidden) return Done{};
    const bool as_spheres =
        options_.coloring || options_.particles || look.form == Look::Form::particles || look.is_grainy();
    if (look.form == Look::Form::yarn && !as_spheres && has_threads(sheets_[body])) {
        add_yarn(world, frame, body);
        return Done{};
    }
    if (!as_spheres && sheets_[body].sheet && !sheets_[body].sheet->triangles.empty()) {
        add_sheet(world, frame, body);
        return Done{};
    }
    if (!as_spheres && solids_[body])
        if (std::optional<Triangles> mesh = solids_[body]->in(frame, shutter_)) {
            moisten(*mesh, frame, body);
            world.add(std::move(*mesh), look.material);
            return Done{};
        }
    if (!as_spheres) return scene_.bodies[body].group_of ? Done{} : add_solid_and_melt(world, frame, body);
    const bool as_pieces = !look.piece.empty() && !look.is_grainy() && !options_.coloring && scene_.dimensions() == 3;
    return as_pieces ? add_pieces(world, frame, body) : add_spheres(world, frame, body);
}

Status PictureStage::add_pieces(World& world, const Frame& frame, std::size_t body) {
    const Look& look = looks_[body];
    auto& shape = pieces_[body];
    if (!shape) {
        Result<std::shared_ptr<const Triangles>> made = piece_shape(look.piece);
        if (!made) return made.error();
        shape = *made;
    }
    Pieces pieces = pieces_of(frame, static_cast<std::uint32_t>(body), look, shutter_);
    pieces.shape = shape;
    world.add(std::move(pieces), look.material);
    return Done{};
}

Status PictureStage::add_spheres(World& world, const Frame& frame, std::size_t body) {
    const Look& look = looks_[body];
    Material material = look.material;
    if (material.kind == Material::Kind::clear) material = {.color = look.material.color};
    SphereOptions options{shutter_, options_.coloring ? &*options_.coloring : nullptr};
    const bool grainy = look.is_grainy() && !options_.coloring && !options_.particles;
    if (grainy && look.form == Look::Form::sand && !options_.run.empty()) {
        if (Status carried = carry_grains(frame, body); !carried) return carried;
        options.carried = &grains_.at(body);
    }
    world.add(spheres_of(frame, scene_, static_cast<std::uint32_t>(body), look, options), material);
    if (grainy && frame.columns.find("saturation") != SIZE_MAX) return add_surface(world, frame, body, {});
    return Done{};
}

Status PictureStage::add_white_water(World& world, std::uint64_t frame) const {
    const bool wanted = !scene_.foam || scene_.foam->number("amount") > 0;
    if (!wanted || options_.drops_of.empty() || options_.coloring) return Done{};
    const Result<std::optional<Frame>> drops = read_foam(options_.drops_of, frame);
    if (!drops) return drops.error();
    if (!*drops || (*drops)->columns.size() == 0) return Done{};
    if (scene_.dimensions() == 2) {
        Material white{.kind = Material::Kind::flat, .color = {1, 1, 1}};
        world.add(drops_as_spheres(**drops, shutter_), white);
        return Done{};
    }
    // About as fine as pixels, but neither finer than a drop nor coarser than a particle of the fluid.
    const double pixel = Lens(camera_, options_.size).pixel_size(), drop = (*drops)->header.particle_radius;
    world.set_mist(Mist(**drops, {.cell = std::clamp(1.2 * pixel, drop, scene_.radius()), .shutter = shutter_}));
    return Done{};
}

// Through all frames from the first one on, so that a picture does not depend on which others are made.
Status PictureStage::carry_grains(const Frame& frame, std::size_t body) {
    const std::uint64_t wanted = frame.header.frame;
    auto found = grains_.find(body);
    if (found != grains_.end() && found->second.frame() > wanted) grains_.erase(found), found = grains_.end();
    if (found == grains_.end())
        found = grains_
                    .emplace(body, AdvectedGrains(static_cast<std::uint32_t>(body), looks_[body].grains, &scene_,
                                                  looks_[body].seed))
                    .first;
    AdvectedGrains& grains = found->second;
    for (const std::uint64_t number : list_frames(options_.run)) {
        if (number >= wanted || (grains.frame() && number <= *grains.frame())) continue;
        const Result<Frame> between = read_frame(frame_path(options_.run, number));
        if (!between) return between.error();
        grains.advance(*between);
    }
    if (grains.frame() != wanted) grains.advance(frame);
    return Done{};
}

Result<World> PictureStage::world_at(const Frame& frame) {
    World world;
    if (const std::string& file = scene_.light.text("map"); !file.empty() && !map_ && scene_.dimensions() == 3) {
        auto read = EnvironmentMap::read(file);
        if (!read) return read.error();
        map_ = std::move(*read);
    }
    set_time(frame.header.time);
    add_walls(world, frame.header.time);
    add_heaters(world, frame.header.time);
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
        if (scene_.bodies[b].boundary) continue;
        if (const Status added = add_body(world, frame, b); !added) return added.error();
    }
    if (const Status added = add_white_water(world, frame.header.frame); !added) return added.error();
    if (floor_) world.set_floor(*floor_);
    if (const Status ready = world.commit(); !ready) return ready.error();
    return world;
}

} // namespace loam
