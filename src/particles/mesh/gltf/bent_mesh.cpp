#include "particles/mesh/gltf/bent_mesh.h"

#include <algorithm>
#include <cmath>

namespace loam::gltf {
namespace {

Matrix matrix_of(const Vec3d& translation, Quaternion q, const Vec3d& scale) {
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& part : q) part /= norm > 0 ? norm : 1;
    const auto [x, y, z, w] = q;
    Matrix a;
    a.m = {scale.x * (1 - 2 * (y * y + z * z)),
           scale.x * 2 * (x * y + z * w),
           scale.x * 2 * (x * z - y * w),
           0,
           scale.y * 2 * (x * y - z * w),
           scale.y * (1 - 2 * (x * x + z * z)),
           scale.y * 2 * (y * z + x * w),
           0,
           scale.z * 2 * (x * z + y * w),
           scale.z * 2 * (y * z - x * w),
           scale.z * (1 - 2 * (x * x + y * y)),
           0,
           translation.x,
           translation.y,
           translation.z,
           1};
    return a;
}

} // namespace

std::vector<double> Sampler::at(double time, bool turns) const {
    const bool cubic = interpolation == "CUBICSPLINE";
    const std::size_t stride = cubic ? 3 * width : width, own = cubic ? width : 0;
    const auto value = [&](std::size_t key, std::size_t k) { return values[key * stride + own + k]; };
    const auto after = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
    const std::size_t from = after == 0 ? 0 : after - 1, to = std::min(after, times.size() - 1);
    std::vector<double> now(width);
    if (from == to || interpolation == "STEP") {
        for (std::size_t k = 0; k < width; ++k) now[k] = value(from, k);
        return now;
    }
    const double span = times[to] - times[from], t = span > 0 ? (time - times[from]) / span : 0;
    if (cubic) {
        for (std::size_t k = 0; k < width; ++k) {
            const double leave = span * values[from * stride + 2 * width + k], arrive = span * values[to * stride + k];
            const double a = value(from, k), way = value(to, k) - a;
            now[k] = a + t * (leave + t * (3 * way - 2 * leave - arrive + t * (leave + arrive - 2 * way)));
        }
        return now;
    }
    double cosine = 0;
    for (std::size_t k = 0; turns && k < 4; ++k) cosine += value(from, k) * value(to, k);
    const double sign = cosine < 0 ? -1 : 1, angle = std::acos(std::min(1.0, std::abs(cosine)));
    const bool arc = turns && angle > 1e-6;
    const double a = arc ? std::sin((1 - t) * angle) / std::sin(angle) : 1 - t;
    const double b = sign * (arc ? std::sin(t * angle) / std::sin(angle) : t);
    for (std::size_t k = 0; k < width; ++k) now[k] = a * value(from, k) + b * value(to, k);
    return now;
}

std::vector<Node> BentMesh::nodes_at(double time) const {
    std::vector<Node> now = nodes;
    for (const Channel& channel : channels) {
        Node& node = now[channel.node];
        const std::vector<double> value = channel.sampler.at(time, channel.path == "rotation");
        if (channel.path == "translation") node.translation = {value[0], value[1], value[2]};
        if (channel.path == "scale") node.scale = {value[0], value[1], value[2]};
        if (channel.path == "rotation") node.rotation = {value[0], value[1], value[2], value[3]};
        if (channel.path == "weights") node.weights = value;
    }
    return now;
}

std::vector<Matrix> BentMesh::places_of(const std::vector<Node>& now) const {
    std::vector<Matrix> world(now.size());
    for (const std::size_t n : parents_first) {
        const Node& node = now[n];
        const Matrix own = node.matrix ? *node.matrix : matrix_of(node.translation, node.rotation, node.scale);
        world[n] = node.parent < 0 ? own : world[static_cast<std::size_t>(node.parent)] * own;
    }
    return world;
}

std::vector<Vec3d> BentMesh::vertices(double time) const {
    const std::vector<Node> now = nodes_at(time);
    const std::vector<Matrix> world = places_of(now);
    std::vector<Vec3d> all;
    for (const Piece& piece : pieces) add(piece, now, world, all);
    return all;
}

void BentMesh::turn_mirrored() {
    const std::vector<Matrix> world = places_of(nodes_at(0));
    for (const Piece& piece : pieces) {
        if (piece.skin >= 0 || !world[piece.node].mirrors()) continue;
        for (std::size_t t = piece.first_triangle; t < piece.end_triangle; ++t)
            std::swap(triangles_[t][1], triangles_[t][2]);
    }
}

void BentMesh::add(const Piece& piece, const std::vector<Node>& now, const std::vector<Matrix>& world,
                   std::vector<Vec3d>& all) const {
    std::vector<Matrix> bones;
    if (piece.skin >= 0) {
        const Skin& skin = skins[static_cast<std::size_t>(piece.skin)];
        for (std::size_t k = 0; k < skin.joints.size(); ++k) bones.push_back(world[skin.joints[k]] * skin.inverse[k]);
    }
    const std::vector<double>& morphs = now[piece.node].weights;
    for (std::size_t v = 0; v < piece.positions.size(); ++v) {
        Vec3d p = piece.positions[v];
        for (std::size_t t = 0; t < piece.targets.size() && t < morphs.size(); ++t)
            p += morphs[t] * piece.targets[t][v];
        if (bones.empty()) {
            all.push_back(world[piece.node].apply(p));
            continue;
        }
        Vec3d bent;
        for (std::size_t k = v * piece.per_vertex; k < (v + 1) * piece.per_vertex; ++k)
            if (piece.weights[k] > 0) bent += piece.weights[k] * bones[piece.joints[k]].apply(p);
        all.push_back(bent);
    }
}

} // namespace loam::gltf
