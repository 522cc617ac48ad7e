// A rigid body as pictures show it: the mesh of its own shape, moved as its particles have moved. Edges stay crisp.
#pragma once

#include <memory>
#include <vector>

#include "cache/frame.h"
#include "picture/world.h"
#include "scene/scene.h"

namespace loam {

class SolidMesh {
public:
    // Null for bodies that are not rigid, or that no shape describes.
    static std::unique_ptr<SolidMesh> create(const Scene& scene, std::size_t body);

    // The mesh in this frame; none when some of its particles are gone. shutter [s]: for motion blur.
    std::optional<Triangles> in(const Frame& frame, double shutter) const;

private:
    struct Piece {
        std::vector<std::uint32_t> particles; // of the body, by order of id
        std::vector<std::uint32_t> vertices;
    };

    std::uint32_t body_ = 0;
    std::vector<Vec3d> particles_; // at rest
    Triangles mesh_;               // at rest
    std::vector<Piece> pieces_;
};

} // namespace loam
