// What rays meet: triangles, spheres and curves in Embree, and an endless floor.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "picture/dye.h"
#include "picture/material.h"
#include "picture/mist.h"
#include "picture/ray.h"

namespace loam {

struct Triangles {
    std::vector<Vec3f> vertices;
    std::vector<std::array<std::uint32_t, 3>> corners;
    std::vector<Vec3f> normals;  // empty: those of the triangles
    std::vector<Vec3f> movement; // of each vertex while the shutter is open; empty: none
    std::vector<Color> colors;   // empty: the material's
    std::vector<Color> glow;     // empty: the material's
    std::vector<float> opacity;  // of a solid, 0 to 1; empty: all of it is there
    std::vector<float> film;     // of water on it, 0 to 1; empty: none

    float opacity_at(std::size_t triangle, float u, float v) const { return at(opacity, triangle, u, v); }
    float at(const std::vector<float>& values, std::size_t triangle, float u, float v) const;
};

struct Spheres {
    std::vector<Float4> places; // w: radius
    std::vector<Vec3f> movement;
    std::vector<Color> colors;
    std::vector<Color> glow; // empty: the material's
};

// One small mesh many times over.
struct Pieces {
    std::shared_ptr<const Triangles> shape; // its colors are factors
    std::vector<Float4> places;             // w: scale
    std::vector<Float4> turns;              // unit quaternions, w last
    std::vector<Vec3f> movement;            // empty: none
    std::vector<Color> colors;
};

// Threads: round, through all of their points but the outermost.
struct Curves {
    std::vector<Float4> points;        // w: radius
    std::vector<std::uint32_t> pieces; // each goes from its second point to its third; this is its first of four
    std::vector<Vec3f> movement;
    std::vector<Color> colors; // of pieces

    void add(std::span<const Float4> thread, const Color& color); // a thread of four points or more
};

struct Floor {
    float height = 0;
    Color color{0.62f, 0.63f, 0.64f};
    float checker = 0;     // size of the squares of a soft checker [m]; 0: plain
    Vec3f middle;          // around which the scene is; far from it the floor fades into the horizon
    float fade_begin = 10; // distances from the middle [m]
    float fade_end = 40;

    Color color_at(const Vec3f& place) const;
    float fade_at(const Vec3f& place) const; // 0 to 1
};

struct Hit {
    float distance = 0;
    float to_solid = 0; // the distance of the first solid or floor: what lets light through may stand before it
    Vec3f normal;       // for shading, outward
    Vec3f outward;      // of the surface itself
    Color color;
    const Material* material = nullptr;
    float opacity = 1;
    float film = 0; // of water on it
    bool floor = false;
    Color glow;
    bool tinted = false; // its color is not that of the material
};

struct Pane {
    float distance = 0;
    Vec3f outward;
    const Material* material = nullptr;
};

class World {
public:
    World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;
    ~World();

    void add(Triangles triangles, const Material& material);
    void add(Spheres spheres, const Material& material);
    void add(Curves curves, const Material& material);
    void add(Pieces pieces, const Material& material);
    void set_floor(const Floor& floor);
    void set_mist(Mist mist) { mist_ = std::move(mist); }
    void set_dye(Dye dye) { dye_ = std::move(dye); } // of the material that is dyed
    // After everything has been added. An error when there is not enough memory.
    Status commit();

    // Panes do not count: they are only looked through.
    std::optional<Hit> nearest(const Ray& ray) const;
    // The first pane on the ray, if there is one within the distance.
    std::optional<Pane> next_pane(const Ray& ray, float distance) const;
    // What of a far light comes through: 0 behind solids, colored behind clear things, which it passes straight.
    enum class Through { all, all_but_mist };
    Color light_through(const Ray& ray, Through through = Through::all) const;
    // exp(-depth) of the light is left of what goes through a clear material.
    Color depth(const Material& material, const Ray& ray, float begin, float end) const;
    const std::optional<Mist>& mist() const { return mist_; }
    const std::optional<Floor>& floor() const { return floor_; }
    Bounds bounds() const; // of all but the floor
    // Whether the place is inside of a closed body.
    bool inside(const Vec3d& place) const;

private:
    struct Embree;
    float floor_distance(const Ray& ray) const;         // infinite where there is none
    bool blocked(const Ray& ray, float distance) const; // by something solid

    std::unique_ptr<Embree> embree_;
    std::optional<Floor> floor_;
    std::optional<Mist> mist_;
    std::optional<Dye> dye_;
    Material floor_material_;
};

} // namespace loam
