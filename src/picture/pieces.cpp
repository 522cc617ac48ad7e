#include "picture/pieces.h"

#include <cmath>
#include <map>

#include "cache/particle_sizes.h"
#include "particles/mesh/mesh.h"
#include "picture/sampler.h"
#include "surface/from_frame.h"

namespace loam {
namespace {

constexpr int subdivisions = 3; // of an icosahedron

float random(std::uint32_t seed) { return static_cast<float>(Sampler::hash(seed) >> 8) * 0x1p-24f; }

Triangles icosahedron() {
    const float t = 0.5f * (1 + std::sqrt(5.0f));
    Triangles ball;
    for (const Vec3f& v : {Vec3f{-1, t, 0},
                           {1, t, 0},
                           {-1, -t, 0},
                           {1, -t, 0},
                           {0, -1, t},
                           {0, 1, t},
                           {0, -1, -t},
                           {0, 1, -t},
                           {t, 0, -1},
                           {t, 0, 1},
                           {-t, 0, -1},
                           {-t, 0, 1}})
        ball.vertices.push_back(normalized(v));
    ball.corners = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    return ball;
}

Triangles ball() {
    Triangles mesh = icosahedron();
    for (int k = 0; k < subdivisions; ++k) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [at, is_new] =
                middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.vertices.size()));
            if (is_new) mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
            return at->second;
        };
        std::vector<std::array<std::uint32_t, 3>> finer;
        for (const auto& [a, b, c] : mesh.corners) {
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.corners = std::move(finer);
    }
    return mesh;
}

void smooth(Triangles& mesh) {
    mesh.normals.assign(mesh.vertices.size(), {});
    for (const auto& [a, b, c] : mesh.corners) {
        const Vec3f n = cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
        for (const std::uint32_t v : {a, b, c}) mesh.normals[v] += n;
    }
    for (Vec3f& n : mesh.normals) n = normalized(n);
}

Triangles bead() {
    Triangles mesh = ball();
    for (const Vec3f& v : mesh.vertices) {
        const float light = std::abs(v.y) < 0.22f ? 1.6f : 0.9f;
        mesh.colors.push_back({light, light, light});
    }
    smooth(mesh);
    return mesh;
}

// A little larger than the ball here and there: so pebbles that touch are seen to.
Triangles pebble() {
    Triangles mesh = ball();
    for (Vec3f& v : mesh.vertices) {
        const float bumps = 0.06f * std::sin(2.3f * v.x + 1.1f) * std::sin(2.9f * v.y + 0.4f) +
                            0.05f * std::sin(3.7f * v.z + 2.0f) + 0.03f * std::sin(6.1f * v.x - 4.3f * v.y + 1.7f);
        const Vec3f squeezed{1.1f * v.x, 0.86f * v.y, 0.98f * v.z};
        v = (1 + bumps) * squeezed;
    }
    smooth(mesh);
    return mesh;
}

Result<Triangles> from_file(const std::string& file) {
    Result<Mesh> mesh = read_mesh(file);
    if (!mesh) return mesh.error();
    weld(*mesh);
    const Vec3d middle = mesh->bounds().center();
    double reach = 0;
    for (const Vec3d& v : mesh->vertices) reach = std::max(reach, length(v - middle));
    if (!(reach > 0) || mesh->triangles.empty())
        return Error{Fault::scene, file, "the mesh has no extent", "use another one"};
    Triangles piece;
    for (const Vec3d& v : mesh->vertices) {
        const Vec3d p = (v - middle) / reach;
        piece.vertices.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    piece.corners = mesh->triangles;
    return piece;
}

struct Turn { // a unit quaternion
    float w = 1;
    Vec3f v;
    friend Turn operator*(const Turn& a, const Turn& b) {
        return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
    }
};

Turn any_turn(std::uint32_t id) { // Shoemake 1992
    const float u = random(3 * id + 17), a = 6.2831853f * random(3 * id + 18), b = 6.2831853f * random(3 * id + 19);
    const float p = std::sqrt(1 - u), q = std::sqrt(u);
    return {q * std::cos(b), {p * std::sin(a), p * std::cos(a), q * std::sin(b)}};
}

const Float4* vectors(const Frame& frame, std::string_view name) {
    const std::size_t column = frame.columns.find(name);
    if (column == SIZE_MAX || frame.columns.info(column).components != 3 ||
        frame.columns.info(column).type != ElementType::f32)
        return nullptr;
    return reinterpret_cast<const Float4*>(frame.columns.bytes(column));
}

} // namespace

Result<std::shared_ptr<const Triangles>> piece_shape(const std::string& name) {
    if (name == "bead") return std::make_shared<const Triangles>(bead());
    if (name == "pebble") return std::make_shared<const Triangles>(pebble());
    Result<Triangles> mesh = from_file(name);
    if (!mesh) return mesh.error();
    return std::make_shared<const Triangles>(std::move(*mesh));
}

Color varied(const Color& color, float variety, std::uint32_t id) {
    const float light = 1 + variety * (2 * random(5 * id + 3) - 1),
                warm = 0.4f * variety * (2 * random(5 * id + 4) - 1);
    return {color.x * light * (1 + warm), color.y * light, color.z * light * (1 - warm)};
}

Pieces pieces_of(const Frame& frame, std::uint32_t body, const Look& look, double shutter) {
    Pieces pieces;
    const Float4 *position = vectors(frame, "position"), *orientation = vectors(frame, "orientation"),
                 *velocity = shutter > 0 ? vectors(frame, "velocity") : nullptr;
    const auto bodies = whole_numbers(frame, "body"), ids = whole_numbers(frame, "id");
    const ParticleSizes sizes(frame);
    if (!position) return pieces;
    for (std::size_t i = 0; i < frame.columns.size(); ++i) {
        if (!bodies.empty() && bodies[i] != body) continue;
        const auto radius = static_cast<float>(sizes.radius(i));
        if (!(radius > 0)) continue;
        const std::uint32_t id = ids.empty() ? static_cast<std::uint32_t>(i) : ids[i];
        Turn turn;
        if (orientation) {
            turn.v = orientation[i].xyz();
            turn.w = std::sqrt(std::max(0.0f, 1 - dot(turn.v, turn.v)));
        }
        turn = turn * any_turn(id); // all alike would be seen
        pieces.places.push_back({position[i].x, position[i].y, position[i].z, radius});
        pieces.turns.push_back({turn.v.x, turn.v.y, turn.v.z, turn.w});
        pieces.colors.push_back(varied(look.material.color, look.variety, id));
        if (velocity) pieces.movement.push_back(static_cast<float>(shutter) * velocity[i].xyz());
    }
    return pieces;
}

} // namespace loam
