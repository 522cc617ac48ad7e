// Meshes in a tree of nodes that move by keys, bent by skins and morph targets.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "particles/mesh/animation.h"

namespace loam::gltf {

using Quaternion = std::array<double, 4>; // x, y, z, w

struct Matrix {
    std::array<double, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}; // by columns, as the format has it

    // What was right-handed is left-handed.
    bool mirrors() const {
        return dot(cross(Vec3d{m[0], m[1], m[2]}, Vec3d{m[4], m[5], m[6]}), Vec3d{m[8], m[9], m[10]}) < 0;
    }
    Vec3d apply(const Vec3d& p) const {
        return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
    }
    friend Matrix operator*(const Matrix& a, const Matrix& b) {
        Matrix c;
        for (std::size_t column = 0; column < 4; ++column)
            for (std::size_t row = 0; row < 4; ++row) {
                double sum = 0;
                for (std::size_t k = 0; k < 4; ++k) sum += a.m[4 * k + row] * b.m[4 * column + k];
                c.m[4 * column + row] = sum;
            }
        return c;
    }
};

// Values of a channel at its keys, `width` numbers each.
struct Sampler {
    std::vector<double> times, values;
    std::string interpolation;
    std::size_t width = 1;

    // At a time; a turn goes along the shortest arc.
    std::vector<double> at(double time, bool turns) const;
};

struct Channel {
    std::size_t node = 0;
    std::string path; // translation, rotation, scale, weights
    Sampler sampler;
};

struct Node {
    Vec3d translation, scale{1, 1, 1};
    Quaternion rotation{0, 0, 0, 1};
    std::optional<Matrix> matrix;
    std::vector<double> weights; // of morph targets
    std::ptrdiff_t parent = -1;
};

struct Skin {
    std::vector<std::size_t> joints;
    std::vector<Matrix> inverse; // from the mesh to the joint, at rest
};

// A primitive of a mesh, at a node.
struct Piece {
    std::size_t node = 0;
    std::ptrdiff_t skin = -1;
    std::size_t first_triangle = 0, end_triangle = 0;
    std::vector<Vec3d> positions;
    std::vector<std::vector<Vec3d>> targets;
    // By vertex, `per_vertex` of each.
    std::vector<std::uint32_t> joints;
    std::vector<double> weights;
    std::size_t per_vertex = 0;
};

class BentMesh final : public MeshAnimation {
public:
    std::vector<Vec3d> vertices(double time) const override;

    void add_triangle(const Triangle& triangle) { triangles_.push_back(triangle); }
    // Mirrored pieces would be inside out: their triangles are turned around, as the format has it.
    void turn_mirrored();
    bool is_empty() const { return pieces.empty() || triangles_.empty(); }
    void last_until(double time) { duration_ = std::max(duration_, time); }

    std::vector<Node> nodes;
    std::vector<std::size_t> parents_first;
    std::vector<Skin> skins;
    std::vector<Piece> pieces;
    std::vector<Channel> channels;

private:
    std::vector<Node> nodes_at(double time) const;
    std::vector<Matrix> places_of(const std::vector<Node>& now) const;
    void add(const Piece& piece, const std::vector<Node>& now, const std::vector<Matrix>& world,
             std::vector<Vec3d>& all) const;
};

} // namespace loam::gltf
