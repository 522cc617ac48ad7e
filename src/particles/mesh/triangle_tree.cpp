#include "particles/mesh/triangle_tree.h"

#include <algorithm>
#include <limits>
#include <numbers>

namespace loam {
namespace {

constexpr std::uint32_t leaf_size = 4;
constexpr double far_away = 2; // in radii of a node: the winding number is then good to a few percent, 0.5 decides
constexpr std::size_t stack_size = 128;

double squared(const Vec3d& a) { return dot(a, a); }

double box_distance2(const Bounds& b, const Vec3d& p) { return squared(max(max(b.lo - p, p - b.hi), Vec3d{})); }

double segment_distance2(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d ab = b - a;
    const double l2 = dot(ab, ab);
    const double t = l2 > 0 ? std::clamp(dot(p - a, ab) / l2, 0.0, 1.0) : 0.0;
    return squared(p - a - t * ab);
}

// Over the face if the foot point is within it, else to the nearest of the edges. Good for slivers too.
double triangle_distance2(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d n = cross(b - a, c - a);
    const double n2 = dot(n, n);
    if (n2 > 0 && dot(cross(b - a, n), p - a) <= 0 && dot(cross(c - b, n), p - b) <= 0 &&
        dot(cross(a - c, n), p - c) <= 0) {
        const double off = dot(p - a, n);
        return off * off / n2;
    }
    return std::min({segment_distance2(p, a, b), segment_distance2(p, b, c), segment_distance2(p, c, a)});
}

// Weights of the corners of the point nearest to p: within the face, else on the nearest of the edges.
Vec3d nearest_weights(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d n = cross(b - a, c - a);
    const double n2 = dot(n, n);
    if (n2 > 0) {
        const Vec3d w{dot(cross(c - b, p - b), n) / n2, dot(cross(a - c, p - c), n) / n2,
                      dot(cross(b - a, p - a), n) / n2};
        if (w.x >= 0 && w.y >= 0 && w.z >= 0) return w;
    }
    const Vec3d corners[] = {a, b, c};
    Vec3d best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        const Vec3d way = corners[next] - corners[k];
        const double l2 = dot(way, way), t = l2 > 0 ? std::clamp(dot(p - corners[k], way) / l2, 0.0, 1.0) : 0;
        const double d = squared(p - corners[k] - t * way);
        if (d >= least) continue;
        least = d, best = {};
        best[k] = 1 - t, best[next] = t;
    }
    return best;
}

// Van Oosterom and Strackee 1983.
double solid_angle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d x = a - p, y = b - p, z = c - p;
    const double lx = length(x), ly = length(y), lz = length(z);
    const double above = dot(x, cross(y, z));
    const double below = lx * ly * lz + dot(x, y) * lz + dot(y, z) * lx + dot(z, x) * ly;
    return 2 * std::atan2(above, below);
}

} // namespace

TriangleTree::TriangleTree(const Mesh& mesh) {
    for (std::uint32_t k = 0; k < mesh.triangles.size(); ++k) {
        const Triangle& t = mesh.triangles[k];
        triangles_.push_back({mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]], k});
    }
    if (!triangles_.empty()) build(0, static_cast<std::uint32_t>(triangles_.size()));
}

// Halves by count along the longest side, so that the depth stays below 32.
std::uint32_t TriangleTree::build(std::uint32_t begin, std::uint32_t end) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_[index].begin = begin, nodes_[index].end = end;
    summarize(nodes_[index]);
    if (end - begin <= leaf_size) return index;
    const Vec3d size = nodes_[index].bounds.size();
    const std::size_t axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::uint32_t middle = begin + (end - begin) / 2;
    const auto key = [axis](const Corners& t) { return t.a[axis] + t.b[axis] + t.c[axis]; };
    std::nth_element(triangles_.begin() + begin, triangles_.begin() + middle, triangles_.begin() + end,
                     [&](const Corners& a, const Corners& b) { return key(a) < key(b); });
    build(begin, middle);
    const std::uint32_t right = build(middle, end);
    nodes_[index].right = right;
    return index;
}

void TriangleTree::summarize(Node& node) const {
    double area = 0;
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const Corners& t = triangles_[i];
        node.bounds.add(t.a), node.bounds.add(t.b), node.bounds.add(t.c);
        const Vec3d vector = 0.5 * cross(t.b - t.a, t.c - t.a);
        node.dipole += vector;
        node.center += length(vector) * ((t.a + t.b + t.c) / 3.0);
        area += length(vector);
    }
    node.center = area > 0 ? node.center / area : node.bounds.center();
    for (std::uint32_t i = node.begin; i < node.end; ++i)
        for (const Vec3d& corner : {triangles_[i].a, triangles_[i].b, triangles_[i].c})
            node.radius = std::max(node.radius, length(corner - node.center));
}

// Leaves that may have something nearer than the square root of `best`, near ones first; visit(triangle) lowers it.
template <class Visit> void TriangleTree::approach(const Vec3d& at, double& best, const Visit& visit) const {
    std::uint32_t stack[stack_size];
    std::size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const std::uint32_t index = stack[--top];
        const Node& node = nodes_[index];
        if (box_distance2(node.bounds, at) > best) continue;
        if (node.right == 0) {
            for (std::uint32_t i = node.begin; i < node.end; ++i) visit(triangles_[i]);
            continue;
        }
        const std::uint32_t left = index + 1, right = node.right;
        const bool left_first = box_distance2(nodes_[left].bounds, at) <= box_distance2(nodes_[right].bounds, at);
        stack[top++] = left_first ? right : left;
        stack[top++] = left_first ? left : right;
    }
}

double TriangleTree::distance(const Vec3d& at, double at_most) const {
    double best = at_most * at_most * (1 + 1e-9);
    approach(at, best, [&](const Corners& t) { best = std::min(best, triangle_distance2(at, t.a, t.b, t.c)); });
    return std::sqrt(best);
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3d& at) const {
    Nearest found;
    double best = std::numeric_limits<double>::infinity();
    approach(at, best, [&](const Corners& t) {
        const Vec3d weights = nearest_weights(at, t.a, t.b, t.c);
        const Vec3d point = weights.x * t.a + weights.y * t.b + weights.z * t.c;
        // Of several that are as near the first one of the mesh, whatever the tree looks like.
        const double d = squared(at - point);
        if (d > best || (d == best && t.triangle > found.triangle)) return;
        best = d, found = {t.triangle, weights, point};
    });
    return found;
}

double TriangleTree::winding_number(const Vec3d& at) const {
    double angle = 0;
    std::uint32_t stack[stack_size];
    std::size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        const std::uint32_t index = stack[--top];
        const Node& node = nodes_[index];
        const Vec3d r = node.center - at;
        const double distance = length(r);
        if (distance > far_away * node.radius) {
            angle += dot(node.dipole, r) / (distance * distance * distance);
        } else if (node.right == 0) {
            for (std::uint32_t i = node.begin; i < node.end; ++i)
                angle += solid_angle(at, triangles_[i].a, triangles_[i].b, triangles_[i].c);
        } else {
            stack[top++] = node.right;
            stack[top++] = index + 1;
        }
    }
    return angle / (4 * std::numbers::pi);
}

} // namespace loam
