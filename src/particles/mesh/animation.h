// Meshes that move: files of one mesh per frame (OBJ, PLY, STL), and glTF 2.0 with nodes, skins and morphs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "particles/mesh/mesh.h"

namespace loam {

// The same triangles at all times; only the places of their corners change.
class MeshAnimation {
public:
    virtual ~MeshAnimation() = default;

    const std::vector<Triangle>& triangles() const { return triangles_; }
    double duration() const { return duration_; } // [s], of one round where it is repeated
    // Of all vertices, at a time from 0 to duration().
    virtual std::vector<Vec3d> vertices(double time) const = 0;

protected:
    std::vector<Triangle> triangles_;
    double duration_ = 0;
};

using MeshAnimationPtr = std::shared_ptr<const MeshAnimation>;

// By the name's ending: .gltf, .glb, or a sequence, whose name has # for each digit of the number of the frame
// (walk_###.obj). `fps`: frames per second of a sequence. `repeats`: a sequence goes over from its last frame to its
// first one.
Result<MeshAnimationPtr> read_animation(const std::string& path, double fps, bool repeats);

// The animation in the bytes of a glTF file; `folder` is where the files lie that it names.
Result<MeshAnimationPtr> parse_gltf(const std::string& bytes, const std::string& name, const std::string& folder);

} // namespace loam
