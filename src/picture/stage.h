// A run made ready for pictures: walls as meshes, materials, light, floor and camera; then a world for each frame.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/instruction_set.h"
#include "picture/camera.h"
#include "picture/carried_mesh.h"
#include "picture/particles_shown.h"
#include "picture/solid_mesh.h"
#include "scene/sheets.h"
#include "surface/from_frame.h"
#include "surface/surface.h"

namespace loam {

struct StageOptions {
    Size size;
    std::optional<Coloring> coloring; // then particles are shown as spheres
    bool particles = false;           // all bodies as particles
    std::filesystem::path run;        // where frames are that lead to the one that is shown; or empty
    std::filesystem::path drops_of;   // the run whose white water is shown; or empty
    double detail = 1;                // size of the surface's cells, in particle radii
    InstructionSet isa = InstructionSet::scalar;
};

class PictureStage {
public:
    // `moving`: where particles are, over all frames that are to be shown.
    PictureStage(const Scene& scene, const Bounds& moving, const StageOptions& options);

    Result<World> world_at(const Frame& frame);

    // From now on a camera that is told nothing shows this.
    void frame(const Bounds& moving);

    const Camera& camera() const { return camera_; }
    const Light& light() const { return light_; }
    double shutter() const { return shutter_; }
    double exposure() const { return exposure_; }
    double contrast() const { return contrast_; }

private:
    struct Wall {
        std::size_t body = 0;
        Triangles mesh; // at rest
        Curves edges;   // of glass
    };

    void make_walls(const Bounds& moving);
    void make_tank(std::size_t body, const Bounds& moving);
    void set_floor(const Bounds& moving);
    void set_looks(double time);
    void set_time(double time); // looks, camera and light, which may be keyed
    void add_walls(World& world, double time) const;
    void add_heaters(World& world, double time) const; // those that shine
    Status add_body(World& world, const Frame& frame, std::size_t body);
    // fading: how much of the body's own mesh is there beside each row's particle; empty: none.
    Status add_surface(World& world, const Frame& frame, std::size_t body, const std::vector<float>& fading) const;
    Status add_solid_and_melt(World& world, const Frame& frame, std::size_t body) const;
    FrameChoice in_surface(const Frame& frame, std::size_t body) const;
    Dye dye_in(const SurfaceParticles& particles, std::size_t body) const;
    void add_yarn(World& world, const Frame& frame, std::size_t body) const;
    void add_sheet(World& world, const Frame& frame, std::size_t body) const;
    Status add_spheres(World& world, const Frame& frame, std::size_t body);
    Status add_white_water(World& world, std::uint64_t frame) const;
    Status add_pieces(World& world, const Frame& frame, std::size_t body);
    Status carry_grains(const Frame& frame, std::size_t body);
    void moisten(Triangles& mesh, const Frame& frame, std::size_t body) const;
    void add_mesh(World& world, const SurfaceMesh& mesh, std::size_t body) const;
    std::vector<std::uint32_t> with_groups(std::size_t body) const;

    const Scene& scene_;
    StageOptions options_;
    double depth_ = 1; // how far light typically goes through a body of fluid [m]
    std::vector<Look> looks_;
    std::vector<BodySheet> sheets_; // by body
    Light light_;
    std::shared_ptr<const EnvironmentMap> map_; // that the scene names; read before the first picture
    Camera camera_;
    std::optional<Floor> floor_;
    std::optional<double> ground_; // level of a plane that is the floor
    std::vector<Wall> walls_;
    std::vector<std::unique_ptr<SolidMesh>> solids_;                 // by body; null where there is none
    std::vector<std::unique_ptr<CarriedMesh>> carried_;              // the same, of what is solid for a time
    std::map<std::size_t, AdvectedGrains> grains_;                   // by body
    std::map<std::size_t, std::shared_ptr<const Triangles>> pieces_; // by body: what its grains are drawn as
    Bounds walls_shown_, tanks_shown_;
    Bounds framed_;      // what a camera that is told nothing shows
    double shutter_ = 0; // [s]
    double exposure_ = 1, contrast_ = 1;
};

// Where the particles of a frame are; the outermost two in a thousand along each axis are left out, so that a few
// drops that fly away do not make everything else small.
Bounds crowd_bounds(const Frame& frame);

} // namespace loam
