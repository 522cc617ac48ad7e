#include "surface/march.h"

#include <bit>

#include "base/parallel.h"
#include "surface/march_table.h"

namespace loam {
namespace {

constexpr int rim = block_edge + 1; // nodes of a block and the first of the next ones
constexpr std::size_t blocks_at_once = 16;

// A vertex this near to a node (as a fraction of the edge) is moved away from it: its triangles would be needles.
constexpr float least_fraction = 0.01f;

// The vertices on edges that start in a block, numbered by node, then axis.
struct BlockEdges {
    std::array<std::uint8_t, block_nodes> crossed; // bit a: the edge along axis a
    std::array<std::uint16_t, block_nodes> first;  // number of the node's first vertex within the block
};

struct BlockWork {
    std::uint32_t vertices = 0, middles = 0, triangles = 0;
    std::size_t first_vertex = 0, first_triangle = 0;
};

// The nodes of a block and of the rim behind it, as one array.
struct Nodes {
    std::array<float, std::size_t{rim} * rim * rim> value{};
    std::array<std::uint16_t, std::size_t{rim} * rim> row{}; // bit x: node x of the row (y, z) is inside

    static std::size_t at(int x, int y, int z) { return static_cast<std::size_t>((z * rim + y) * rim + x); }
};

class Marcher {
public:
    explicit Marcher(const SparseField& field)
        : field_(field), table_(MarchTable::instance()), index_(field.keys), interior_(field.interior),
          work_(field.keys.size()) {}

    SurfaceMesh run() {
        count();
        SurfaceMesh mesh;
        number(mesh);
        each_block([&](std::size_t b, const Nodes& nodes) { write(b, nodes, mesh); });
        return mesh;
    }

private:
    template <class Visit> void each_block(const Visit& visit) {
        parallel_blocks(field_.keys.size(), blocks_at_once, [&](Range range, std::size_t) {
            Nodes nodes;
            for (std::size_t b = range.begin; b != range.end; ++b) {
                if (!fetch(b, nodes)) continue;
                visit(b, nodes);
            }
        });
    }

    // False when all nodes are on the same side.
    bool fetch(std::size_t b, Nodes& nodes) const {
        const BlockPlace place = place_of(field_.keys[b]);
        const float* source[8];
        float constant[8];
        for (int n = 0; n < 8; ++n) {
            const BlockKey key = key_of({place.x + (n & 1), place.y + (n >> 1 & 1), place.z + (n >> 2)});
            const std::uint32_t found = n == 0 ? static_cast<std::uint32_t>(b) : index_.find(key);
            source[n] = found == BlockIndex::none ? nullptr : field_.block(found).data();
            constant[n] = source[n] == nullptr && interior_.has(key) ? field_.inside : field_.outside;
        }
        unsigned any = 0, all = (1u << rim) - 1;
        for (int z = 0; z < rim; ++z)
            for (int y = 0; y < rim; ++y) {
                const int n = (y == block_edge ? 2 : 0) + (z == block_edge ? 4 : 0);
                const int from = ((z % block_edge) * block_edge + y % block_edge) * block_edge;
                float* to = &nodes.value[Nodes::at(0, y, z)];
                for (int x = 0; x < block_edge; ++x) to[x] = source[n] ? source[n][from + x] : constant[n];
                to[block_edge] = source[n + 1] ? source[n + 1][from] : constant[n + 1];
                unsigned bits = 0;
                for (int x = 0; x < rim; ++x) bits |= static_cast<unsigned>(to[x] > 0) << x;
                nodes.row[static_cast<std::size_t>(z * rim + y)] = static_cast<std::uint16_t>(bits);
                any |= bits, all &= bits;
            }
        return any != 0 && all != (1u << rim) - 1;
    }

    // corners, joined faces and the case for each cube that the surface crosses.
    template <class Visit> void each_cube(const Nodes& nodes, const Visit& visit) const {
        for (int z = 0; z < block_edge; ++z)
            for (int y = 0; y < block_edge; ++y) {
                const unsigned rows[4] = {nodes.row[static_cast<std::size_t>(z * rim + y)],
                                          nodes.row[static_cast<std::size_t>(z * rim + y + 1)],
                                          nodes.row[static_cast<std::size_t>((z + 1) * rim + y)],
                                          nodes.row[static_cast<std::size_t>((z + 1) * rim + y + 1)]};
                if ((rows[0] | rows[1] | rows[2] | rows[3]) == 0) continue;
                if ((rows[0] & rows[1] & rows[2] & rows[3]) == (1u << rim) - 1) continue;
                for (int x = 0; x < block_edge; ++x) {
                    unsigned corners = 0;
                    for (unsigned r = 0; r < 4; ++r) corners |= (rows[r] >> x & 3) << (2 * r);
                    if (corners == 0 || corners == 255) continue;
                    visit(x, y, z, table_.at(corners, joined_faces(nodes, corners, x, y, z)));
                }
            }
    }

    // The asymptotic decider: inside corners are joined where the saddle between them is inside.
    unsigned joined_faces(const Nodes& nodes, unsigned corners, int x, int y, int z) const {
        unsigned joined = 0;
        for (unsigned doubtful = table_.doubtful_faces(corners); doubtful != 0; doubtful &= doubtful - 1) {
            const auto face = static_cast<unsigned>(std::countr_zero(doubtful));
            float product[2] = {1, 1}; // of the outside and of the inside corners
            for (const std::uint8_t c : cube_faces[face])
                product[corners >> c & 1] *= nodes.value[Nodes::at(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2))];
            if (product[1] > product[0]) joined |= 1u << face;
        }
        return joined;
    }

    void count() {
        std::vector<BlockEdges> edges(field_.keys.size()); // only touched where something is crossed
        each_block([&](std::size_t b, const Nodes& nodes) {
            work_[b].vertices = cross_edges(nodes, edges[b]);
            each_cube(nodes, [&](int, int, int, const MarchTable::Case& found) {
                work_[b].triangles += static_cast<std::uint32_t>(found.triangles.size() / 3);
                work_[b].middles += static_cast<std::uint32_t>(found.middles.size());
            });
        });
        edges_ = std::move(edges);
    }

    static std::uint32_t cross_edges(const Nodes& nodes, BlockEdges& edges) {
        std::uint32_t vertices = 0;
        for (int z = 0, n = 0; z < block_edge; ++z)
            for (int y = 0; y < block_edge; ++y) {
                const auto row = static_cast<std::size_t>(z * rim + y);
                const unsigned bits = nodes.row[row];
                const unsigned crossed[3] = {bits ^ bits >> 1, bits ^ nodes.row[row + 1], bits ^ nodes.row[row + rim]};
                for (int x = 0; x < block_edge; ++x, ++n) {
                    const unsigned mask =
                        (crossed[0] >> x & 1) | (crossed[1] >> x & 1) << 1 | (crossed[2] >> x & 1) << 2;
                    edges.crossed[static_cast<std::size_t>(n)] = static_cast<std::uint8_t>(mask);
                    edges.first[static_cast<std::size_t>(n)] = static_cast<std::uint16_t>(vertices);
                    vertices += static_cast<std::uint32_t>(std::popcount(mask));
                }
            }
        return vertices;
    }

    void number(SurfaceMesh& mesh) {
        std::size_t vertices = 0, triangles = 0;
        for (BlockWork& work : work_) {
            work.first_vertex = vertices;
            work.first_triangle = triangles;
            vertices += work.vertices + work.middles;
            triangles += work.triangles;
        }
        mesh.vertices.resize(vertices);
        mesh.triangles.resize(triangles);
    }

    void write(std::size_t b, const Nodes& nodes, SurfaceMesh& mesh) const {
        write_vertices(b, nodes, mesh);
        std::size_t to = work_[b].first_triangle, middle = work_[b].first_vertex + work_[b].vertices;
        std::uint32_t near[8]; // blocks behind this one, as far as needed
        const BlockPlace place = place_of(field_.keys[b]);
        for (int n = 0; n < 8; ++n)
            near[n] = index_.find(key_of({place.x + (n & 1), place.y + (n >> 1 & 1), place.z + (n >> 2)}));
        each_cube(nodes, [&](int x, int y, int z, const MarchTable::Case& found) {
            std::uint32_t vertex[12 + 4];
            unsigned known = 0;
            const auto on_edge = [&](std::uint8_t e) {
                if (!(known >> e & 1)) vertex[e] = edge_vertex(near, x, y, z, e);
                known |= 1u << e;
                return vertex[e];
            };
            for (std::size_t m = 0; m < found.middles.size(); ++m) {
                vertex[12 + m] = static_cast<std::uint32_t>(middle);
                mesh.vertices[middle++] = middle_of(nodes, b, x, y, z, found.middles[m]);
                known |= 1u << (12 + m);
            }
            for (std::size_t k = 0; k < found.triangles.size(); k += 3, ++to)
                mesh.triangles[to] = {on_edge(found.triangles[k]), on_edge(found.triangles[k + 1]),
                                      on_edge(found.triangles[k + 2])};
        });
    }

    // The number of the vertex on edge e of a cube; its first corner may lie in a block behind.
    std::uint32_t edge_vertex(const std::uint32_t (&near)[8], int x, int y, int z, std::uint8_t e) const {
        const std::uint8_t corner = cube_edges[e][0];
        const int at[3] = {x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2)};
        const int n = (at[0] == block_edge) + 2 * (at[1] == block_edge) + 4 * (at[2] == block_edge);
        const BlockEdges& edges = edges_[near[n]];
        const auto node = static_cast<std::size_t>(
            ((at[2] % block_edge) * block_edge + at[1] % block_edge) * block_edge + at[0] % block_edge);
        const unsigned before = edges.crossed[node] & ((1u << (e / 4)) - 1);
        return static_cast<std::uint32_t>(work_[near[n]].first_vertex + edges.first[node] +
                                          static_cast<unsigned>(std::popcount(before)));
    }

    void write_vertices(std::size_t b, const Nodes& nodes, SurfaceMesh& mesh) const {
        std::size_t to = work_[b].first_vertex;
        for (int n = 0; n < static_cast<int>(block_nodes); ++n) {
            const unsigned crossed = edges_[b].crossed[static_cast<std::size_t>(n)];
            for (int axis = 0; axis < 3; ++axis)
                if (crossed >> axis & 1) mesh.vertices[to++] = crossing(nodes, b, n % 8, n / 8 % 8, n / 64, axis);
        }
    }

    Vec3f crossing(const Nodes& nodes, std::size_t b, int x, int y, int z, int axis) const {
        const float here = nodes.value[Nodes::at(x, y, z)];
        const float there = nodes.value[Nodes::at(x + (axis == 0), y + (axis == 1), z + (axis == 2))];
        const float fraction = std::clamp(here / (here - there), least_fraction, 1 - least_fraction);
        Vec3d p{double(x), double(y), double(z)};
        p[static_cast<std::size_t>(axis)] += fraction;
        p = field_.origin(b) + field_.cell * p;
        return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    }

    Vec3f middle_of(const Nodes& nodes, std::size_t b, int x, int y, int z, std::span<const std::uint8_t> loop) const {
        Vec3f sum;
        for (const std::uint8_t e : loop) {
            const std::uint8_t c = cube_edges[e][0];
            sum += crossing(nodes, b, x + (c & 1), y + (c >> 1 & 1), z + (c >> 2), e / 4);
        }
        return sum / static_cast<float>(loop.size());
    }

    const SparseField& field_;
    const MarchTable& table_;
    BlockIndex index_, interior_;
    std::vector<BlockWork> work_;
    std::vector<BlockEdges> edges_;
};

} // namespace

SurfaceMesh march(const SparseField& field) { return Marcher(field).run(); }

} // namespace loam
