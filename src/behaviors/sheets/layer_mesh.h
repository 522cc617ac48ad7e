// The triangles and edges of all sheets of a scene, by the ids of their points, and where these are in the pool.
#pragma once

#include <span>
#include <vector>

#include "particles/sheet.h"
#include "particles/slot_map.h"
#include "passes/context.h"

namespace loam {

class LayerMesh {
public:
    struct Face {
        Triangle points;
        double torn;  // where an edge is longer than this the sheet is open
        double holes; // share of it that fluids pass through
    };
    struct Edge {
        std::array<std::uint32_t, 2> ends{};
        double rest = 0; // length
        double area = 0; // of its triangles at rest
        double torn = 0;
    };
    static constexpr std::uint32_t gone = SlotMap::gone;

    explicit LayerMesh(const std::vector<BodySheet>& sheets);

    std::size_t points() const { return area_.size(); } // their ids are below
    const std::vector<Face>& faces() const { return faces_; }
    const std::vector<Edge>& edges() const { return edges_; }
    double area(std::size_t point) const { return area_[point]; } // at rest: a third of its triangles
    std::span<const std::uint32_t> faces_of(std::size_t point) const { return face_uses_.of(point); }
    std::span<const std::uint32_t> edges_of(std::size_t point) const { return edge_uses_.of(point); }

    void locate(const Pool& pool);
    std::uint32_t where(std::size_t point) const { return where_[point]; } // index in the pool, or `gone`

private:
    struct Uses { // by point: which faces or edges it belongs to, in their order
        std::vector<std::uint32_t> first, list;
        std::span<const std::uint32_t> of(std::size_t point) const {
            return {list.data() + first[point], list.data() + first[point + 1]};
        }
    };
    void add(const BodySheet& body);
    template <class Items, class Corners> Uses find_uses(const Items& items, const Corners& corners) const;

    std::vector<Face> faces_;
    std::vector<Edge> edges_;
    std::vector<double> area_;
    Uses face_uses_, edge_uses_;
    SlotMap where_;
};

// From one particle to another, the short way around a periodic axis.
Vec3d way_between(const StepContext& step, std::uint32_t from, std::uint32_t to);

} // namespace loam
