// Bodies as meshes: surfaces of what flows, meshes of what is solid, sheets and yarn.
#include <algorithm>

#include "picture/solid_part.h"
#include "picture/spinner.h"
#include "picture/stage.h"
#include "picture/tint.h"
#include "picture/yarn.h"
#include "surface/from_frame.h"
#include "surface/sheet_mesh.h"

namespace loam {
namespace {

constexpr const char* hidden_by_mesh = "hidden_by_mesh";

// The body whose surface shows what of this one is not solid: mostly itself.
std::size_t joined_by(const Scene& scene, std::size_t body) {
    const std::string& name = scene.bodies[body].look.text("joins");
    for (std::size_t b = 0; b < scene.bodies.size() && !name.empty(); ++b)
        if (scene.bodies[b].name == name) return b;
    return body;
}

} // namespace

std::vector<std::uint32_t> PictureStage::with_groups(std::size_t body) const {
    std::vector<std::uint32_t> all{static_cast<std::uint32_t>(body)};
    for (std::uint32_t b = 0; b < scene_.bodies.size(); ++b)
        if (scene_.bodies[b].group_of == body) all.push_back(b);
    return all;
}

// Whose particles the surface of a body is made of; no bodies where another one shows it. Of a body that joins another
// one, what is solid is a surface of its own, and the rest belongs to that of the other.
FrameChoice PictureStage::in_surface(const Frame& frame, std::size_t body) const {
    constexpr float solid = 0.5f;
    const bool of_solid = !scene_.bodies[body].look.text("joins").empty();
    FrameChoice choice;
    std::vector<float> weights(frame.columns.size(), 0);
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
        if (scene_.bodies[b].boundary) continue;
        const std::size_t joins = joined_by(scene_, b);
        const bool own = scene_.whole_body(b) == scene_.whole_body(body);
        if (of_solid ? !own : !share_surface(scene_, body, joins)) continue;
        if (!of_solid && joins == b && b < body && !scene_.bodies[b].group_of) return {};
        choice.bodies.push_back(scene_.bodies[b].name);
        if (joins == b) continue;
        const std::vector<float> of_body = solid_weights(scene_, b, frame);
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = std::max(weights[i], of_body[i]);
    }
    choice.only = [of_solid, weights](std::uint32_t row) { return (weights[row] >= solid) == of_solid; };
    return choice;
}

// Darker and shining where the body's particles are wet.
void PictureStage::moisten(Triangles& mesh, const Frame& frame, std::size_t body) const {
    for (const Wet& there : wet_at(frame, with_groups(body), mesh.vertices)) {
        mesh.colors.push_back(wetted(looks_[body].material.color, wetness_of(there.saturation, there.porosity)));
        mesh.film.push_back(film_of(there.saturation));
    }
}

// The body's own mesh where it is solid, fading into the surface of its particles where it is not.
Status PictureStage::add_solid_and_melt(World& world, const Frame& frame, std::size_t body) const {
    if (!carried_[body]) return add_surface(world, frame, body, {});
    std::optional<CarriedMesh::Shown> shown = carried_[body]->in(frame, solid_weights(scene_, body, frame), shutter_);
    if (!shown) return add_surface(world, frame, body, {});
    moisten(shown->mesh, frame, body);
    world.add(std::move(shown->mesh), looks_[body].material);
    return add_surface(world, frame, body, shown->near);
}

Status PictureStage::add_surface(World& world, const Frame& frame, std::size_t body,
                                 const std::vector<float>& fading) const {
    const FrameChoice choice = in_surface(frame, body);
    if (choice.bodies.empty()) return Done{};
    Result<SurfaceParticles> particles = particles_of(frame, choice);
    if (!particles) return particles.error();
    if (particles->positions.empty()) return Done{};
    if (!fading.empty()) {
        MeshColumn hidden{hidden_by_mesh, "", 1, {}};
        const Result<std::vector<std::uint32_t>> rows = rows_of(frame, choice);
        for (const std::uint32_t row : *rows) hidden.values.push_back(fading[row]);
        particles->columns.push_back(std::move(hidden));
    }
    auto maker = SurfaceMaker::create(default_surface_method, {});
    if (!maker) return maker.error();
    const double cell = options_.detail * particles->radius;
    const Result<SurfaceMesh> mesh = (*maker)->make(*particles, {.cell = cell, .smoothing = 2, .isa = options_.isa});
    if (!mesh) return mesh.error();
    add_mesh(world, *mesh, body);
    if (looks_[body].material.dyed) world.set_dye(dye_in(*particles, body));
    return Done{};
}

Dye PictureStage::dye_in(const SurfaceParticles& particles, std::size_t body) const {
    std::vector<Tint> tints;
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
        tints.emplace_back(scene_, scene_.whole_body(b), [&](const std::string& name) -> Tint::Value {
            const auto column = std::find_if(particles.columns.begin(), particles.columns.end(),
                                             [&](const MeshColumn& c) { return c.name == name; });
            if (column == particles.columns.end()) return {};
            return [column](std::size_t i) { return column->values[i]; };
        });
    std::vector<Dye::Particle> dyed;
    for (std::size_t i = 0; i < particles.positions.size(); ++i) {
        const std::size_t b = particles.body[i];
        const bool joined = !scene_.bodies[b].look.text("joins").empty();
        const Color own = looks_[joined ? body : b].material.color;
        dyed.push_back({particles.positions[i], absorption_of(tints[b].color(own, i), looks_[body].material.depth)});
    }
    return {dyed, particles.spacing()};
}

// One layer of particles is drawn by its own triangles, which both sides see.
void PictureStage::add_sheet(World& world, const Frame& frame, std::size_t body) const {
    add_mesh(world, sheet_mesh(frame, sheets_[body]), body);
}

void PictureStage::add_yarn(World& world, const Frame& frame, std::size_t body) const {
    const Look& look = looks_[body];
    const YarnOptions options{look.woven, look.fuzz, look.material.color, shutter_, static_cast<std::uint32_t>(body)};
    world.add(yarn_of(sheet_mesh(frame, sheets_[body]), sheets_[body], options), look.material);
}

void PictureStage::add_mesh(World& world, const SurfaceMesh& mesh, std::size_t body) const {
    Triangles shown{mesh.vertices, mesh.triangles, mesh.normals, {}, {}, {}, {}, {}};
    if (const MeshColumn* velocity = mesh.find("velocity"); velocity && shutter_ > 0)
        for (std::size_t i = 0; i < shown.vertices.size(); ++i) {
            const float* v = &velocity->values[3 * i];
            shown.movement.push_back(static_cast<float>(shutter_) * Vec3f{v[0], v[1], v[2]});
        }
    const Color own = looks_[body].material.color;
    const Tint tint(scene_, body, [&](const std::string& name) -> Tint::Value {
        const MeshColumn* column = mesh.find(name);
        if (!column) return {};
        return [column](std::size_t i) { return column->values[i]; };
    });
    if (tint.colors() && !looks_[body].material.dyed)
        for (std::size_t i = 0; i < shown.vertices.size(); ++i) shown.colors.push_back(tint.color(own, i));
    if (const MeshColumn* saturation = mesh.find("saturation")) {
        const Wetness wetness(mesh);
        shown.colors.resize(shown.vertices.size(), own);
        for (std::size_t i = 0; i < shown.vertices.size(); ++i)
            shown.colors[i] = wetted(shown.colors[i], wetness.at(i));
        for (const float wet : saturation->values) shown.film.push_back(film_of(wet));
        if (looks_[body].is_grainy())
            for (const float wet : saturation->values) shown.opacity.push_back(skin_of(wet));
    }
    if (const MeshColumn* hidden = mesh.find(hidden_by_mesh))
        for (const float other :
             hidden->values) // all of it until most of the mesh is there: nothing is seen through both
            shown.opacity.push_back(std::clamp(2 * (1 - other), 0.0f, 1.0f));
    for (std::size_t i = 0; i < shown.vertices.size() && tint.glows(); ++i) shown.glow.push_back(tint.glow(i));
    const auto is_there = [](float opacity) { return opacity > 0; };
    if (!shown.opacity.empty() && std::none_of(shown.opacity.begin(), shown.opacity.end(), is_there)) return; // dry
    world.add(std::move(shown), looks_[body].material);
}

} // namespace loam
