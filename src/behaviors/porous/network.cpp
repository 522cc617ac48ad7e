#include "behaviors/porous/network.h"

#include <atomic>
#include <cmath>

#include "passes/lattice.h"

namespace loam {
namespace {

constexpr std::size_t table_size = 1024;
constexpr double nearest = 0.25;  // supports: nearer than this counts as this far
constexpr double exposed = 0.12;  // of the sum on a lattice: what is missing by less is unevenness
constexpr double rounding = 1e-6; // of the largest steepness: lists end where kernels do, to rounding

} // namespace

void PorousNetwork::prepare(const SceneFacts& facts) {
    kernel_ = make_kernel(KERNEL_CUBIC, facts.kernel.support, facts.dimensions);
    const double support = kernel_.support;
    steepness_.resize(table_size + 2);
    per_r2_ = table_size / (support * support);
    for (std::size_t k = 0; k < steepness_.size(); ++k) {
        const double r = std::sqrt(static_cast<double>(k) / per_r2_);
        steepness_[k] = r < support ? -kernel_slope(kernel_, std::max(r, nearest * support)) : 0;
    }
    const double least = rounding * steepness_[0];
    for (double& s : steepness_) s = std::max(s - least, 0.0);

    const double volume = lattice_volume(facts.kernel, facts.spacing), l2 = facts.spacing * facts.spacing;
    double moment = 0, in_layer = 0;
    full_ = flat_ = 0;
    each_lattice_point(kernel_, facts.spacing, [&](int a, int b, int c) {
        const double r2 = l2 * (a * a + b * b + c * c);
        if (r2 == 0) return;
        full_ += volume * steepness(r2);
        if (a > 0) flat_ += volume * steepness(r2);
        moment += volume * steepness(r2) * r2;
    });
    each_layer_point(kernel_, facts.spacing, [&](int a, int b) {
        const double r2 = l2 * (a * a + b * b);
        if (r2 > 0) in_layer += volume * steepness(r2) * r2;
    });
    in_bulk_ = facts.dimensions / moment;
    in_sheet_ = (facts.dimensions - 1) / in_layer;
}

double PorousNetwork::steepness(double r2) const {
    const double at = r2 * per_r2_;
    if (!(at < table_size)) return 0;
    const auto k = static_cast<std::size_t>(at);
    const double part = at - static_cast<double>(k);
    return steepness_[k] + part * (steepness_[k + 1] - steepness_[k]);
}

// The same from both sides but for its sign: so is what follows from it.
Vec3d PorousNetwork::way(const StepContext& step, std::size_t from, std::size_t to) {
    const auto place = step.particles[step.particles.place];
    return shortest_way(place[to].xyz_double() - place[from].xyz_double(), step.scene.periodic_length);
}

void PorousNetwork::build(const StepContext& step, const PorousMaterials& materials, std::span<const float> matter,
                          std::span<const float> room) {
    find_nodes(step, materials, matter);
    for (std::size_t n = 0; n < porous_; ++n) nodes_[n].room = room[nodes_[n].particle];
    find_edges(step, materials, matter);
    find_air(step, materials);
}

void PorousNetwork::find_nodes(const StepContext& step, const PorousMaterials& materials,
                               std::span<const float> matter) {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    nodes_.clear();
    node_of_.assign(pool.size(), no_node);
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (materials.is_porous[body[i]] && matter[i] > 0) {
            node_of_[i] = static_cast<std::uint32_t>(nodes_.size());
            nodes_.push_back({.particle = i, .pores = body[i]});
        }
    porous_ = nodes_.size();
    constexpr std::uint32_t touched = no_node - 1;
    parallel_each(porous_, [&](std::size_t n) {
        const std::uint32_t i = nodes_[n].particle, fluid = materials.fluid[body[i]];
        for (const std::uint32_t j : step.neighbors->particles.of(i))
            if (body[j] == fluid) std::atomic_ref(node_of_[j]).store(touched, std::memory_order_relaxed);
    });
    for (std::uint32_t i = 0; i < pool.size(); ++i)
        if (node_of_[i] == touched) {
            node_of_[i] = static_cast<std::uint32_t>(nodes_.size());
            nodes_.push_back({.particle = i, .pores = free_fluid});
        }
}

void PorousNetwork::find_edges(const StepContext& step, const PorousMaterials& materials,
                               std::span<const float> matter) {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body];
    const auto volume = pool[pool.volume];
    const auto weight = materials.weight.of(pool);
    const auto yields = pool[materials.yields];
    const auto mass = pool[pool.mass];
    const bool falls = pool.falls();
    const double real = step.scene.space / lattice_volume(step.scene.kernel, step.scene.spacing);
    sides_.resize(nodes_.size()), begins_.resize(nodes_.size()), ends_.resize(nodes_.size());
    std::size_t at_most = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        begins_[n] = at_most;
        at_most += step.neighbors->particles.of(nodes_[n].particle).size();
    }
    edges_.resize(at_most);
    parallel_each(nodes_.size(), [&](std::size_t n) {
        PorousNode& node = nodes_[n];
        const std::uint32_t i = node.particle;
        const double own = real * volume[i]; // as thick as particles are apart
        Side& side = sides_[n];
        side = {.weight = std::sqrt(own * volume[i]), .fluid = materials.fluid_of(body[i])};
        if (node.pores == free_fluid) return;
        const Pores& pores = materials.pores[node.pores];
        const double easier = materials.easier(pool, i), conductivity = weight[i] * easier * pores.conductivity();
        node.fineness = pores.fineness(easier);
        side.weight = std::sqrt(matter[i] * volume[i]);
        side.resistance = conductivity > 0 ? 1 / conductivity : 1e300;
        side.through = own / matter[i];
        side.scale = side.through > 1.5 ? in_sheet_ : in_bulk_;
        side.axes = pores.axes;
        side.has_axes = materials.start_place && pores.axes != Vec3d{1, 1, 1};
        side.inverse_density = yields[i] > 0 ? matter[i] / std::max(mass[i], 1e-30f) : 0;
    });
    const auto place = pool[pool.place];
    const bool wraps = step.scene.periodic_length != Vec3d{};
    const auto way_between = [&](std::size_t i, std::size_t j) { // as way(), without a call
        const Vec3d d = place[j].xyz_double() - place[i].xyz_double();
        return wraps ? shortest_way(d, step.scene.periodic_length) : d;
    };
    find_layers(step, matter);
    if (materials.start_place) find_turns(step, materials);
    parallel_each(nodes_.size(), [&](std::size_t n) {
        const bool free = nodes_[n].pores == free_fluid;
        const std::uint32_t i = nodes_[n].particle;
        const Side& own = sides_[n];
        std::size_t next = begins_[n];
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            const std::uint32_t m = node_of_[j];
            if (m == no_node || (free && nodes_[m].pores == free_fluid) || sides_[m].fluid != own.fluid) continue;
            const Side& other = sides_[m];
            const Vec3d d = way_between(i, j);
            const double r2 = dot(d, d), s = steepness(r2);
            if (!(s > 0)) continue;
            const Link kind = link(nodes_[n], own, nodes_[m], other, d);
            if (kind == Link::none) continue;
            const auto along = [&](const Side& side) { // of its axes, in this direction
                if (!side.has_axes) return 1.0;
                const Vec3d& a = side.axes;
                const Vec3d e = side.to_start * d;
                return (a.x * e.x * e.x + a.y * e.y * e.y + a.z * e.z * e.z) / r2;
            };
            const bool across = free || nodes_[m].pores == free_fluid;
            const double resistance =
                own.resistance / std::max(along(own), 1e-12) + other.resistance / std::max(along(other), 1e-12);
            // Into and out of cloth the way is as long as it is thin.
            const double scale = across
                                     ? in_bulk_ * (own.through * other.through) * std::sqrt(own.through * other.through)
                                     : 0.5 * (own.scale + other.scale);
            double conductance = (own.weight * other.weight) * (scale * s * 4 / resistance);
            if (kind == Link::gap) conductance = (own.layer.across + other.layer.across) / resistance;
            if (kind == Link::surface)
                conductance =
                    2 * (own.layer.across + other.layer.across) / resistance * (s / flat_) * volume[free ? i : j];
            double head = 0;
            if (falls) {
                const Vec3d g = pool[pool.gravity][i].xyz_double() + pool[pool.gravity][j].xyz_double();
                head = 0.5 * materials.fluid_density[nodes_[free ? m : n].pores] * dot(g, d);
            }
            const double a = own.inverse_density, b = other.inverse_density;
            const double lightness = a > 0 && b > 0 ? 0.5 * (a + b) : 0;
            edges_[next++] = {m, static_cast<float>(conductance), static_cast<float>(head),
                              static_cast<float>((own.weight * other.weight) * (2 * in_bulk_ * s) * lightness)};
        }
        ends_[n] = next;
    });
}

// Axes turn with the body: by the rotation that leads the ways to what is around back to what they were at the start.
void PorousNetwork::find_turns(const StepContext& step, const PorousMaterials& materials) {
    const auto start = step.particles[*materials.start_place];
    const auto body = step.particles[step.particles.body];
    parallel_each(porous_, [&](std::size_t n) {
        Side& side = sides_[n];
        if (!side.has_axes) return;
        const std::uint32_t i = nodes_[n].particle;
        Mat3 sum{};
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            if (body[j] != body[i]) continue;
            const Vec3d now = way(step, i, j), then = start[j].xyz_double() - start[i].xyz_double();
            sum = sum + Mat3::outer(steepness(dot(now, now)) * shortest_way(then, step.scene.periodic_length), now);
        }
        side.to_start = nearest_rotation(sum);
    });
}

void PorousNetwork::find_layers(const StepContext& step, std::span<const float> matter) {
    const Pool& pool = step.particles;
    const auto body = pool[pool.body], id = pool[pool.id];
    middles_.clear();
    for (std::size_t n = 0; n < porous_; ++n) {
        const std::uint32_t i = nodes_[n].particle;
        const BodySheet& own = step.scene.sheets[body[i]];
        if (!own.sheet || own.sheet->layers < 3 || id[i] >= own.first_id + own.sheet->in_layer()) continue;
        middles_.resize(std::max<std::size_t>(middles_.size(), id[i] + 1), no_node);
        middles_[id[i]] = i;
    }
    if (middles_.empty()) return;
    parallel_each(porous_, [&](std::size_t n) {
        const std::uint32_t i = nodes_[n].particle;
        const BodySheet& own = step.scene.sheets[body[i]];
        if (!own.sheet || own.sheet->layers < 3) return;
        const std::size_t count = own.sheet->in_layer(), number = (id[i] - own.first_id) / count;
        Side& side = sides_[n];
        // In the layer it is a sheet, as thick for kernels as particles are apart.
        const double cell = pool[pool.volume][i] * 3 / (1 - own.holes);
        side.weight = std::sqrt(matter[i] * cell), side.scale = in_sheet_;
        if (number >= own.sheet->layers) return; // one more particle where it is stretched
        const auto point = static_cast<std::uint32_t>(own.first_id + (id[i] - own.first_id) % count);
        const std::size_t k = point - own.first_id;
        const double gap = length(own.sheet->points[count + k] - own.sheet->points[k]);
        side.layer = {Layer::middle, static_cast<std::uint32_t>(number), point, matter[i] / (gap * gap), {}};
        if (number == 0 || middles_.size() <= point || middles_[point] == no_node) return;
        side.layer.which = Layer::outer;
        side.layer.out = way(step, middles_[point], i);
    });
}

PorousNetwork::Link PorousNetwork::link(const PorousNode& a, const Side& own, const PorousNode& b, const Side& other,
                                        const Vec3d& way) const {
    const Layer &from = own.layer, &to = other.layer;
    if (from.which == Layer::none && to.which == Layer::none) return Link::usual;
    if (a.pores == free_fluid || b.pores == free_fluid) {
        const bool outward = a.pores == free_fluid ? to.which == Layer::outer && to.faces(-1.0 * way)
                                                   : from.which == Layer::outer && from.faces(way);
        return outward ? Link::surface : Link::none;
    }
    if (a.pores != b.pores || from.number == to.number) return Link::usual;
    const bool next = from.point == to.point && (from.which == Layer::middle || to.which == Layer::middle);
    return next ? Link::gap : Link::none;
}

// What is missing of a full neighborhood is air, which resists no flow.
void PorousNetwork::find_air(const StepContext& step, const PorousMaterials& materials) {
    const Pool& pool = step.particles;
    const auto volume = pool[pool.volume];
    const auto body = pool[pool.body];
    const auto place = pool[pool.place];
    const auto yields = pool[materials.yields];
    const auto walls = step.walls[step.walls.place];
    const bool wraps = step.scene.periodic_length != Vec3d{};
    parallel_each(porous_, [&](std::size_t n) {
        PorousNode& node = nodes_[n];
        const std::uint32_t i = node.particle;
        double sum = 0, facing = 0, own_body = 0;
        Vec3d outward;
        const Side& side = sides_[n];
        const bool is_outer = side.layer.which == Layer::outer;
        const auto add = [&](const Vec3d& d, double v) {
            const double s = v * steepness(dot(d, d));
            if (is_outer && side.layer.faces(d)) facing += s;
            sum += s;
            outward -= s * d;
        };
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            Vec3d d = place[j].xyz_double() - place[i].xyz_double();
            if (wraps) d = shortest_way(d, step.scene.periodic_length);
            if (!is_outer || body[j] != body[i]) add(d, volume[j]);
            if (yields[j] > 0) own_body += volume[j] * steepness(dot(d, d));
        }
        for (const std::uint32_t j : step.neighbors->walls.of(i))
            add(shortest_way(walls[j].xyz_double() - place[i].xyz_double(), step.scene.periodic_length), walls[j].w);
        node.air = node.air_head = node.exposure = node.yields_alone = 0;
        node.outward = {};
        // Whatever covers it: where a body ends its gradients are those of one side, and it gives way the more.
        node.yields_alone = side.weight * in_bulk_ * std::max(0.0, full_ - own_body) * 4 * side.inverse_density;
        if (side.layer.which != Layer::none) {
            node.exposure = is_outer ? std::max(0.0, 1 - facing / flat_) : 0;
            if (!(node.exposure > exposed)) node.exposure = 0;
            node.air = 2 * side.layer.across * node.exposure / side.resistance;
            outward = 0.2 * full_ * step.scene.spacing * normalized(side.layer.out);
        } else {
            const double missing = full_ - sum;
            if (!(missing > exposed * full_)) return;
            node.exposure = missing / flat_;
            node.air = side.weight * std::pow(side.through, 1.5) * in_bulk_ * missing * 4 / side.resistance;
        }
        if (!(node.exposure > 0)) return;
        const double l = length(outward);
        node.outward =
            l > 1e-6 * full_ * step.scene.spacing ? outward / std::max(l, 0.2 * full_ * step.scene.spacing) : Vec3d{};
        if (pool.falls())
            node.air_head = 0.5 * step.scene.spacing * materials.fluid_density[node.pores] *
                            dot(node.outward, pool[pool.gravity][i].xyz_double());
    });
}

} // namespace loam
