// Cutting a mesh anew into nearly equilateral triangles of a wanted size (Botsch and Kobbelt 2004, "A remeshing
// approach to multiresolution modeling"): long edges are split, short ones collapsed, edges flipped so that about six
// meet at each point, points moved evenly apart along the surface; again and again. Rims keep their line.
#include <algorithm>
#include <span>

#include "particles/mesh/triangle_tree.h"
#include "particles/sheet.h"

namespace loam {
namespace {

constexpr int rounds = 8;
constexpr double split_above = 4.0 / 3, collapse_below = 4.0 / 5;

using Edge = std::pair<std::uint32_t, std::uint32_t>;
Edge edge_of(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

// The triangles at each edge of a mesh, in the order of edges; more than two where sheets meet.
class EdgeUses {
public:
    struct Item {
        Edge edge;
        std::span<const std::uint32_t> triangles;
    };

    explicit EdgeUses(const std::vector<Triangle>& triangles) {
        std::vector<std::pair<Edge, std::uint32_t>> uses;
        uses.reserve(3 * triangles.size());
        for (std::uint32_t t = 0; t < triangles.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k)
                uses.emplace_back(edge_of(triangles[t][k], triangles[t][(k + 1) % 3]), t);
        std::sort(uses.begin(), uses.end());
        triangles_.reserve(uses.size());
        for (const auto& [e, t] : uses) triangles_.push_back(t);
        for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
            while (end < uses.size() && uses[end].first == uses[begin].first) ++end;
            items_.push_back({uses[begin].first, std::span(triangles_).subspan(begin, end - begin)});
        }
    }

    auto begin() const { return items_.begin(); }
    auto end() const { return items_.end(); }
    const Item* find(const Edge& e) const {
        const auto at =
            std::lower_bound(begin(), end(), e, [](const Item& item, const Edge& x) { return item.edge < x; });
        return at != end() && at->edge == e ? &*at : nullptr;
    }

private:
    std::vector<std::uint32_t> triangles_;
    std::vector<Item> items_;
};

class Remesher {
public:
    Remesher(const Mesh& mesh, double size) : tree_(mesh), mesh_(mesh), size_(size) {}

    Mesh run() {
        for (int round = 0; round < rounds; ++round) {
            while (split_long()) {
            }
            collapse_short();
            flip();
            spread();
        }
        drop_unused();
        return std::move(mesh_);
    }

private:
    double edge_length(const Edge& e) const { return length(mesh_.vertices[e.first] - mesh_.vertices[e.second]); }

    std::vector<std::uint8_t> on_rim(const EdgeUses& all) const {
        std::vector<std::uint8_t> rim(mesh_.vertices.size(), 0);
        for (const auto& [e, uses] : all)
            if (uses.size() != 2) rim[e.first] = rim[e.second] = 1;
        return rim;
    }
    static std::uint32_t across(const Triangle& t, const Edge& e) {
        for (const std::uint32_t v : t)
            if (v != e.first && v != e.second) return v;
        return t[0];
    }

    // The longest edges first; a triangle is cut once per pass.
    bool split_long() {
        const EdgeUses all(mesh_.triangles);
        std::vector<Edge> longest;
        for (const auto& [e, uses] : all)
            if (edge_length(e) > split_above * size_) longest.push_back(e);
        std::sort(longest.begin(), longest.end(), [&](const Edge& a, const Edge& b) {
            const double la = edge_length(a), lb = edge_length(b);
            return la != lb ? la > lb : a < b;
        });
        std::vector<std::uint8_t> cut(mesh_.triangles.size(), 0);
        bool found = false;
        for (const Edge& e : longest) {
            const auto uses = all.find(e)->triangles;
            if (std::any_of(uses.begin(), uses.end(), [&](std::uint32_t t) { return cut[t] != 0; })) continue;
            const auto middle = static_cast<std::uint32_t>(mesh_.vertices.size());
            mesh_.vertices.push_back(0.5 * (mesh_.vertices[e.first] + mesh_.vertices[e.second]));
            for (const std::uint32_t t : uses) {
                Triangle first = mesh_.triangles[t], second = first;
                std::replace(first.begin(), first.end(), e.first, middle);
                std::replace(second.begin(), second.end(), e.second, middle);
                mesh_.triangles[t] = first;
                mesh_.triangles.push_back(second);
                cut[t] = 1;
            }
            found = true;
        }
        return found;
    }

    // Both ends become one, unless the mesh would change its form by that or a long edge would arise.
    void collapse_short() {
        const EdgeUses all(mesh_.triangles);
        const std::vector<std::uint8_t> rim = on_rim(all);
        std::vector<std::vector<std::uint32_t>> around(mesh_.vertices.size()); // triangles
        for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
            for (const std::uint32_t v : mesh_.triangles[t]) around[v].push_back(t);
        std::vector<std::uint8_t> touched(mesh_.vertices.size(), 0), dead(mesh_.triangles.size(), 0);
        const auto neighbors = [&](std::uint32_t v) {
            std::vector<std::uint32_t> found;
            for (const std::uint32_t t : around[v])
                for (const std::uint32_t w : mesh_.triangles[t])
                    if (w != v) found.push_back(w);
            std::sort(found.begin(), found.end());
            found.erase(std::unique(found.begin(), found.end()), found.end());
            return found;
        };
        for (const auto& [e, uses] : all) {
            auto [keep, go] = e;
            if (edge_length(e) >= collapse_below * size_ || touched[keep] || touched[go]) continue;
            if (rim[go]) std::swap(keep, go);
            if (rim[go] && uses.size() != 1) continue; // two rims would be joined
            const std::vector<std::uint32_t> a = neighbors(keep), b = neighbors(go);
            std::vector<std::uint32_t> both;
            std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
            if (both.size() != uses.size()) continue;
            const Vec3d to = rim[keep] ? mesh_.vertices[keep] : 0.5 * (mesh_.vertices[keep] + mesh_.vertices[go]);
            const bool stretches = std::any_of(b.begin(), b.end(), [&](std::uint32_t w) {
                return length(mesh_.vertices[w] - to) > split_above * size_;
            });
            if (stretches) continue;
            for (const std::uint32_t w : b) touched[w] = 1;
            for (const std::uint32_t w : a) touched[w] = 1;
            mesh_.vertices[keep] = to;
            for (const std::uint32_t t : around[go]) {
                Triangle& triangle = mesh_.triangles[t];
                std::replace(triangle.begin(), triangle.end(), go, keep);
                if (triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0]) dead[t] = 1;
            }
        }
        std::vector<Triangle> left;
        for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
            if (!dead[t]) left.push_back(mesh_.triangles[t]);
        mesh_.triangles = std::move(left);
    }

    // An edge goes over to the other two corners of its triangles where numbers of edges at points get closer to six,
    // four on a rim, and the surface does not fold.
    void flip() {
        const EdgeUses all(mesh_.triangles);
        const std::vector<std::uint8_t> rim = on_rim(all);
        std::vector<int> excess(mesh_.vertices.size());
        for (std::size_t v = 0; v < excess.size(); ++v) excess[v] = rim[v] ? -4 : -6;
        for (const auto& [e, uses] : all) ++excess[e.first], ++excess[e.second];
        std::vector<std::uint8_t> changed(mesh_.triangles.size(), 0);
        const auto square = [](int x) { return x * x; };
        const auto normal = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            return cross(mesh_.vertices[b] - mesh_.vertices[a], mesh_.vertices[c] - mesh_.vertices[a]);
        };
        for (const auto& [e, uses] : all) {
            if (uses.size() != 2 || changed[uses[0]] || changed[uses[1]]) continue;
            const Triangle first = mesh_.triangles[uses[0]], second = mesh_.triangles[uses[1]];
            const std::uint32_t c = across(first, e), d = across(second, e);
            if (c == d || all.find(edge_of(c, d))) continue;
            const int before =
                square(excess[e.first]) + square(excess[e.second]) + square(excess[c]) + square(excess[d]);
            const int after = square(excess[e.first] - 1) + square(excess[e.second] - 1) + square(excess[c] + 1) +
                              square(excess[d] + 1);
            if (after >= before) continue;
            // The first triangle runs a, b, c.
            std::size_t k = 0;
            while (first[(k + 2) % 3] != c) ++k;
            const std::uint32_t a = first[k], b = first[(k + 1) % 3];
            const Vec3d n =
                normalized(normal(first[0], first[1], first[2])) + normalized(normal(second[0], second[1], second[2]));
            if (dot(normal(c, a, d), n) <= 0 || dot(normal(c, d, b), n) <= 0) continue;
            mesh_.triangles[uses[0]] = {c, a, d}, mesh_.triangles[uses[1]] = {c, d, b};
            changed[uses[0]] = changed[uses[1]] = 1;
            --excess[a], --excess[b], ++excess[c], ++excess[d];
        }
    }

    void spread() {
        const EdgeUses all(mesh_.triangles);
        const std::vector<std::uint8_t> rim = on_rim(all);
        std::vector<Vec3d> sum(mesh_.vertices.size()), normal(mesh_.vertices.size());
        std::vector<int> count(mesh_.vertices.size(), 0);
        for (const auto& [e, uses] : all) {
            sum[e.first] += mesh_.vertices[e.second], sum[e.second] += mesh_.vertices[e.first];
            ++count[e.first], ++count[e.second];
        }
        for (const Triangle& t : mesh_.triangles) {
            const Vec3d n =
                cross(mesh_.vertices[t[1]] - mesh_.vertices[t[0]], mesh_.vertices[t[2]] - mesh_.vertices[t[0]]);
            for (const std::uint32_t v : t) normal[v] += n;
        }
        for (std::size_t v = 0; v < sum.size(); ++v) {
            if (rim[v] || count[v] == 0) continue;
            const Vec3d n = normalized(normal[v]), move = sum[v] / static_cast<double>(count[v]) - mesh_.vertices[v];
            mesh_.vertices[v] = on_surface(mesh_.vertices[v] + 0.7 * (move - dot(move, n) * n));
        }
    }

    // Back to the surface of the original mesh: down the distance.
    Vec3d on_surface(Vec3d p) const {
        for (int k = 0; k < 3; ++k) {
            const double d = tree_.distance(p, 4 * size_), step = 0.01 * size_;
            if (d < 0.01 * size_ || d >= 4 * size_) break;
            Vec3d slope;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                Vec3d ahead = p, behind = p;
                ahead[axis] += step, behind[axis] -= step;
                slope[axis] = tree_.distance(ahead, 5 * size_) - tree_.distance(behind, 5 * size_);
            }
            p -= d * normalized(slope);
        }
        return p;
    }

    void drop_unused() {
        std::vector<std::uint32_t> renumbered(mesh_.vertices.size(), UINT32_MAX);
        std::vector<Vec3d> used;
        for (Triangle& t : mesh_.triangles)
            for (std::uint32_t& v : t) {
                if (renumbered[v] == UINT32_MAX) {
                    renumbered[v] = static_cast<std::uint32_t>(used.size());
                    used.push_back(mesh_.vertices[v]);
                }
                v = renumbered[v];
            }
        mesh_.vertices = std::move(used);
    }

    TriangleTree tree_;
    Mesh mesh_;
    double size_;
};

} // namespace

Sheet mesh_sheet(const Mesh& mesh, double spacing) {
    Mesh cut = Remesher(mesh, spacing).run();
    Sheet sheet;
    sheet.points = std::move(cut.vertices);
    sheet.triangles = std::move(cut.triangles);
    sheet.shares = shares_of(sheet.points, sheet.triangles);
    return sheet;
}

} // namespace loam
