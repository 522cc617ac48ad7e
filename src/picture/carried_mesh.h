// The mesh of a solid's own shape, carried by its particles, for bodies that may become something else: in a transition
// it fades into the surface of the particles (Lenaerts 7.5: a blend of both while rendering). Each vertex goes along
// with the particles around it, and is there as much as they are solid and still stand to each other as they did.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cache/frame.h"
#include "picture/world.h"
#include "scene/scene.h"

namespace loam {

class CarriedMesh {
public:
    // Null for bodies that are no solid or stay one, and for those that no shape describes.
    static std::unique_ptr<CarriedMesh> create(const Scene& scene, std::size_t body);

    struct Shown {
        Triangles mesh;
        std::vector<float> near; // by the rows of the frame: how much of it is there beside a particle
    };
    // solid: by the rows of the frame, 0 to 1. None when none of it is there, or some of its particles are gone.
    std::optional<Shown> in(const Frame& frame, std::span<const float> solid, double shutter) const;

private:
    struct Carriers { // of a vertex
        std::vector<std::uint32_t> particles;
        std::vector<double> shares; // sum 1
    };
    std::vector<std::uint32_t> rows_in(const Frame& frame) const;
    void leave_out_stretched(Triangles& mesh) const;

    std::uint32_t body_ = 0;
    std::vector<Vec3d> particles_; // at rest
    Triangles mesh_;               // at rest
    std::vector<Carriers> carriers_;
};

} // namespace loam
