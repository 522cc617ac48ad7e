// Who may pass water to whom in this step: particles with pores, and the free fluid near them.
//
//   F_ij = 2 n w_i w_j k_ij m s (u_i - u_j + rho g . (x_j - x_i))       from i to j [m^3/s]: Darcy 1856, Cleary 1999
//
//   k_ij  2 / (1/k_i + 1/k_j), k = K / mu permeability by viscosity [m^2/(Pa s)]; 1/k is 0 in free fluid
//   w     sqrt(V V*): V* is the volume that the material really has, V that of the particle: cloth is thinner than it
//   s     -(dW/dr) / r of the cubic kernel
//   n     so that on a lattice the sum is what it is in a continuum
//   m     mobility of the side that gives
//
// Knitwear has layers, nearer to each other than kernels tell apart. Water passes on within a layer as above; to the
// point across the gap, by k_ij A / L; and between outer layers and what is free on their side, through half a layer:
// so that through all three it meets L_i / K_i one after the other.
//
// A body that deforms gives way to the pressure in its pores, by its inertia: by b_ij dt^2 (p_i - p_j) of volume within
// a step, with `yields` for b. So water that cannot get out within a step makes the body as stiff as water is.
//
// Where neighbors are missing there is air: `air` is the conductance to it, and water under pressure seeps out.
//
// Lists of the neighborhood are gone through once; solving and moving then see few and compact numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/mat3.h"
#include "behaviors/porous/pores.h"
#include "passes/context.h"

namespace loam {

struct PorousNode {
    std::uint32_t particle = 0;
    std::uint32_t pores = 0; // whose; `free_fluid` for what flows freely
    double fineness = 1;     // of its pores, beside that of its body's
    double room = 0;         // phi V: how much it can hold [m^3]
    double air = 0;          // conductance to the air [m^3/(Pa s)]
    double air_head = 0;     // what gravity adds on the way out [Pa]
    double yields_alone = 0; // as `yields` of edges, where the body ends
    double exposure = 0;     // 1: as the surface of a flat body
    Vec3d outward;           // away from neighbors, at most 1 long; 0 within
};
inline constexpr std::uint32_t free_fluid = UINT32_MAX;

struct PorousEdge {
    std::uint32_t other = 0; // node
    float conductance = 0;   // F / (m drop)
    float head = 0;          // rho g . (x_j - x_i) [Pa]
    float yields = 0;        // 2 n w_i w_j s / rho of the body: what it gives way to pressure [m^3/(Pa s^2)]
};

// What the network is made from, by body and by particle.
struct PorousMaterials {
    std::vector<Pores> pores;              // by body
    std::vector<std::uint32_t> fluid;      // by body with pores: the body that it takes up, or `none`
    std::vector<std::uint8_t> is_porous;   // by body
    std::vector<std::uint8_t> is_absorbed; // by body: some other one takes it up
    std::vector<double> fluid_density;     // by body: of what it takes up, or of itself
    Numbers weight;
    std::optional<Column<Float4>> start_place; // where permeability differs with the direction; saved
    Column<float> yields;                      // 1: deforms, and feels the pressure in its pores
    std::optional<Column<float>> variation;    // of permeability: a multiple of that of the body; where some differ
    double easier(const Pool& pool, std::size_t particle) const { return variation ? pool[*variation][particle] : 1; }
    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t fluid_of(std::uint32_t body) const { return is_porous[body] ? fluid[body] : body; }
};

class PorousNetwork {
public:
    void prepare(const SceneFacts& facts);
    // `matter`: V* of each particle with pores, `room` how much of it is pores now.
    void build(const StepContext& step, const PorousMaterials& materials, std::span<const float> matter,
               std::span<const float> room);

    std::size_t porous() const { return porous_; } // these come first
    std::size_t size() const { return nodes_.size(); }
    const PorousNode& operator[](std::size_t node) const { return nodes_[node]; }
    std::span<const PorousEdge> edges(std::size_t node) const {
        return {edges_.data() + begins_[node], ends_[node] - begins_[node]};
    }
    std::size_t first_edge(std::size_t node) const { return begins_[node]; }
    std::size_t edge_room() const { return edges_.size(); } // beyond the last index of an edge
    static constexpr std::uint32_t no_node = UINT32_MAX;
    std::uint32_t node_of(std::size_t particle) const { return node_of_[particle]; }
    double steepness(double r2) const; // s
    // From a particle to another one.
    static Vec3d way(const StepContext& step, std::size_t from, std::size_t to);

private:
    void find_nodes(const StepContext& step, const PorousMaterials& materials, std::span<const float> matter);
    void find_edges(const StepContext& step, const PorousMaterials& materials, std::span<const float> matter);
    void find_air(const StepContext& step, const PorousMaterials& materials);

    Kernel kernel_{};
    std::vector<double> steepness_; // by r^2
    double per_r2_ = 0;
    double in_bulk_ = 1, in_sheet_ = 1; // n
    double full_ = 0, flat_ = 0;        // sum of V s on a lattice; what of it is missing at a flat surface
    std::size_t porous_ = 0;
    std::vector<PorousNode> nodes_;
    std::vector<std::uint32_t> node_of_;
    std::vector<std::size_t> begins_, ends_;
    std::vector<PorousEdge> edges_;
    struct Layer { // of knitwear, where a node is of one
        enum Which : std::uint8_t { none, middle, outer } which = none;
        std::uint32_t number = 0, point = 0; // of the layer; of the point in it, by the id of the one in the middle
        double across = 0;                   // A / L: by the area that it stands for and the gap to the next layer [m]
        Vec3d out;                           // to here from the middle
        bool faces(const Vec3d& way) const { return dot(out + way, out) > 0; } // what is there is on its side
    };
    struct Side { // of a node
        double weight = 0, resistance = 0, through = 1, scale = 1;
        double inverse_density = 0; // of a body that yields
        Vec3d axes{1, 1, 1};
        bool has_axes = false;
        Mat3 to_start{}; // turns a direction to where it was at the start
        std::uint32_t fluid = 0;
        Layer layer;
    };
    void find_turns(const StepContext& step, const PorousMaterials& materials);
    void find_layers(const StepContext& step, std::span<const float> matter);
    enum class Link { none, usual, gap, surface }; // how water gets from one to the other
    Link link(const PorousNode& a, const Side& own, const PorousNode& b, const Side& other, const Vec3d& way) const;
    std::vector<Side> sides_;
    std::vector<std::uint32_t> middles_; // by id: the particles of middle layers
};

} // namespace loam
