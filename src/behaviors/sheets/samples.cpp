#include "behaviors/sheets/samples.h"

#include "behaviors/behavior.h"
#include "behaviors/sheets/inertia.h"
#include "behaviors/sheets/layer_mesh.h"

#include <algorithm>

namespace loam {
namespace {

constexpr double first_stretch = 1.1, full_stretch = 1.3; // of an edge: its sample comes, and is a whole one
constexpr double least_share = 0.01;                      // of a sample that is worth a particle
constexpr std::uint32_t gone = LayerMesh::gone;

class SheetSamples : public Behavior {
public:
    explicit SheetSamples(LayerMesh mesh) : mesh_(std::move(mesh)) {}

    Status prepare(StepContext& step) override {
        inertia_.declare(step.particles);
        edge_ = declare_samples(step.particles);
        sample_.follow(edge_, mesh_.edges().size());
        return Done{};
    }
    Status before_motion(StepContext& step) override {
        if (locate(step.particles)) follow(step.particles[step.particles.velocity]);
        return Done{};
    }
    Status after_motion(StepContext& step) override {
        if (locate(step.particles)) follow_in_place(step);
        return Done{};
    }
    void births(StepContext& step, Births& births) override {
        step.profile.time("sheet samples", [&] {
            if (volume_.empty()) remember_volumes(step.particles);
            wanted_.clear();
            if (!any_ && !step.flow.anything(step.particles)) return; // they are there for fluids
            locate(step.particles);
            find_shares(step);
            if (!ask(step.particles, births)) settle(step);
        });
    }
    void born(StepContext& step, const Renewal& renewal) override {
        for (const auto& [edge, number] : wanted_) step.particles[edge_][renewal.born.begin + number] = edge + 1;
        wanted_.clear();
        if (given_.empty()) return;
        sample_.follow(edge_, mesh_.edges().size());
        located_ = 0;
        locate(step.particles);
        settle(step);
    }

    // Velocities are those of the points, whatever the samples had; forces and pushes act on points and samples.
    void constrain(StepContext& step, FieldKind kind, std::span<Float4> field) override {
        if (!locate(step.particles)) return;
        if (kind != FieldKind::velocity) hand_back(step.particles, field);
        follow(field);
    }

private:
    // At rest, before anything is handed over; also in a run that goes on, which is first set up as at its start.
    void remember_volumes(const Pool& pool) {
        volume_.assign(mesh_.points(), 0);
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (const std::uint32_t id = pool[pool.id][i]; id < volume_.size()) volume_[id] = pool[pool.volume][i];
    }

    // Where points and samples are; returns whether there are any samples. Neighbors are found, and the pool sorted, at
    // times that differ between integrators, and the first to ask may be a pressure solver: so each asks.
    bool locate(const Pool& pool) {
        mesh_.locate(pool);
        sample_.find(pool);
        if (located_ == pool.order()) return any_;
        located_ = pool.order();
        any_ = false;
        for (std::size_t e = 0; e < sample_.size(); ++e) any_ |= sample_[e] != gone;
        return any_;
    }

    // The point's particle, where it belongs to a law of layers and is still there.
    std::uint32_t layer_at(const Pool& pool, std::size_t point) const {
        const std::uint32_t i = mesh_.where(point);
        return i != gone && inertia_.is_layer(pool, i) ? i : gone;
    }

    void find_shares(const StepContext& step) {
        given_.assign(mesh_.edges().size(), 0);
        parallel_each(given_.size(), [&](std::size_t e) {
            const LayerMesh::Edge& edge = mesh_.edges()[e];
            const std::uint32_t a = layer_at(step.particles, edge.ends[0]), b = layer_at(step.particles, edge.ends[1]);
            if (a == gone || b == gone) return;
            if (!(volume_[edge.ends[0]] + volume_[edge.ends[1]] > 0)) return; // it leads a fluid, and bars none
            const double l = length(way_between(step, a, b)), usual = std::max(edge.rest, step.scene.spacing);
            const double share = (l / usual - first_stretch) / (full_stretch - first_stretch);
            if (share < least_share || l > edge.torn) return;
            const double per_area = std::min(inertia_.of(step.particles, a) / mesh_.area(edge.ends[0]),
                                             inertia_.of(step.particles, b) / mesh_.area(edge.ends[1]));
            given_[e] = static_cast<float>(std::min(share, 1.0) * per_area * edge.area / 8);
        });
    }

    // For samples that come and go; returns whether any do.
    bool ask(const Pool& pool, Births& births) {
        bool any = false;
        for (std::uint32_t e = 0; e < given_.size(); ++e) {
            const bool is_there = sample_[e] != gone, shall_be = given_[e] != 0;
            if (is_there == shall_be) continue;
            any = true;
            if (is_there) {
                births.die(sample_[e]);
                continue;
            }
            const std::uint32_t body = pool[pool.body][mesh_.where(mesh_.edges()[e].ends[0])];
            wanted_.push_back({e, births.add({.body = body})});
        }
        return any;
    }

    void settle(StepContext& step) {
        share_out(step);
        follow_in_place(step);
    }

    // Mass and volume of points and samples.
    void share_out(StepContext& step) {
        Pool& pool = step.particles;
        const auto mass = pool[pool.mass], volume = pool[pool.volume];
        per_mass_.resize(mesh_.points()), area_.resize(mesh_.faces().size());
        parallel_each(area_.size(), [&](std::size_t t) { area_[t] = area_now(step, mesh_.faces()[t].points); });
        parallel_each(mesh_.points(), [&](std::size_t p) {
            const std::uint32_t i = layer_at(pool, p);
            if (i == gone) return;
            double area = 0, given = 0;
            for (const std::uint32_t t : mesh_.faces_of(p)) area += area_[t] / 3;
            for (const std::uint32_t e : mesh_.edges_of(p)) given += given_[e];
            const double inertia = inertia_.of(pool, i);
            const double grown = mesh_.area(p) > 0 ? std::max(1.0, area / mesh_.area(p)) : 1; // 0: of an outer layer
            per_mass_[p] = volume_[p] * grown / inertia;
            mass[i] = static_cast<float>(inertia - given);
            volume[i] = static_cast<float>(per_mass_[p] * (inertia - given));
        });
        parallel_each(sample_.size(), [&](std::size_t e) {
            if (sample_[e] == gone) return;
            const auto [a, b] = mesh_.edges()[e].ends;
            mass[sample_[e]] = 2 * given_[e];
            volume[sample_[e]] = static_cast<float>(given_[e] * (per_mass_[a] + per_mass_[b]));
        });
    }

    double area_now(const StepContext& step, const Triangle& t) const {
        const std::uint32_t a = mesh_.where(t[0]), b = mesh_.where(t[1]), c = mesh_.where(t[2]);
        if (a == gone || b == gone || c == gone) return 0;
        return 0.5 * length(cross(way_between(step, a, b), way_between(step, a, c)));
    }

    void hand_back(const Pool& pool, std::span<Float4> field) const {
        const auto mass = pool[pool.mass];
        parallel_each(mesh_.points(), [&](std::size_t p) {
            const std::uint32_t i = mesh_.where(p);
            Vec3d force;
            bool any = false;
            for (const std::uint32_t e : mesh_.edges_of(p))
                if (const std::uint32_t s = sample_[e]; s != gone)
                    force += (0.5 * mass[s]) * field[s].xyz_double(), any = true;
            if (!any) return;
            force += static_cast<double>(mass[i]) * field[i].xyz_double();
            field[i] = float4(force / inertia_.of(pool, i), field[i].w);
        });
    }

    void follow(std::span<Float4> field) const {
        parallel_each(sample_.size(), [&](std::size_t e) {
            if (sample_[e] == gone) return;
            const auto [a, b] = mesh_.edges()[e].ends;
            const Float4 &u = field[mesh_.where(a)], &v = field[mesh_.where(b)];
            Float4& own = field[sample_[e]];
            own = {0.5f * (u.x + v.x), 0.5f * (u.y + v.y), 0.5f * (u.z + v.z), own.w};
        });
    }

    void follow_in_place(StepContext& step) const {
        Pool& pool = step.particles;
        const auto position = pool[pool.position];
        parallel_each(sample_.size(), [&](std::size_t e) {
            if (sample_[e] == gone) return;
            const std::uint32_t a = mesh_.where(mesh_.edges()[e].ends[0]), b = mesh_.where(mesh_.edges()[e].ends[1]);
            position[sample_[e]] = step.scene.in_period(position[a] + 0.5 * way_between(step, a, b));
        });
        follow(pool[pool.velocity]);
    }

    LayerMesh mesh_;
    Inertia inertia_;
    Column<std::uint32_t> edge_;
    std::vector<float> volume_;    // by point: at rest
    std::vector<double> area_;     // by face: now
    std::vector<double> per_mass_; // by point: volume of the layer per mass
    std::vector<float> given_;     // by edge: mass from each end
    struct Wanted {
        std::uint32_t edge;
        std::size_t number; // among the newborns
    };
    std::vector<Wanted> wanted_;
    SlotMap sample_;            // by edge
    std::uint64_t located_ = 0; // order of the pool in which `any_` was found
    bool any_ = false;          // samples
};

} // namespace

Column<std::uint32_t> declare_samples(Pool& pool) {
    return pool.declare<std::uint32_t>({.name = "sheet_sample", .help = "edge of a sheet + 1; 0: none", .saved = true});
}

namespace {

const RegisterImplied sheet_samples{{
    .declaration = {.name = "sheet_samples", .help = "More particles where sheets are stretched."},
    .acts = {{Stage::prepare, {}},
             {Stage::before_motion, {follows("velocity")}},
             {Stage::after_motion, {follows("position"), follows("velocity")}},
             {Stage::births, {changes("mass"), changes("volume"), changes("position"), changes("velocity")}},
             {Stage::constrain, {bounds("field")}}},
    .make = [](const StepContext& step) -> std::unique_ptr<Behavior> {
        LayerMesh mesh(step.scene.sheets);
        if (mesh.faces().empty()) return nullptr;
        return std::make_unique<SheetSamples>(std::move(mesh));
    },
}};

} // namespace
} // namespace loam
