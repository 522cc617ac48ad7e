// Coat: fluid comes out of the whole surface of another body wherever that is bare, so that it stays covered however it
// moves and splashes (Lenaerts 7.4, the dress of paint).
//
// Places: of a body that takes up room one spacing off its outermost particles, of walls half a spacing off what stands
// for them, of control particles where they are. Each is looked at `rate` times a second, not all at once.
#include <cmath>

#include "base/text.h"
#include "behaviors/behavior.h"
#include "behaviors/sheets/layer_mesh.h"
#include "particles/hash.h"
#include "particles/point_grid.h"
#include "passes/lattice.h"

namespace loam {
namespace {

constexpr double bare = 0.9;     // spacings: with nobody nearer than this
constexpr double outside = 0.15; // of the support: from here on a particle's neighbors stand to one side of it

class Coat : public Behavior {
public:
    explicit Coat(const BodyValues& values) : values_(values) { set(values); }

    void set(const BodyValues& values) override { values_ = values; }

    Status prepare(StepContext& step) override {
        const double volume = lattice_volume(step.scene.kernel, step.scene.spacing);
        for (std::uint32_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            const Result<std::uint32_t> on = find(step, b);
            if (!on) return on.error();
            layers_.push_back({.fluid = b, .on = *on, .volume = volume});
            const BodySheet& sheet = step.scene.sheets[*on];
            if (sheet.sheet && !sheet.sheet->triangles.empty())
                layers_.back().sheet = std::make_unique<LayerMesh>(std::vector<BodySheet>{sheet});
        }
        return Done{};
    }

    void births(StepContext& step, Births& births) override {
        for (Layer& layer : layers_) {
            const Values& own = values_[layer.fluid];
            if (step.time < own.number("start") || step.time >= own.number("stop")) continue;
            const double before = layer.looked;
            layer.looked += own.number("rate") * own.number("weight") * step.dt;
            const auto is_due = [&](std::uint32_t id) {
                const double phase = unit_number(hash_of(layer.fluid + 1, id));
                return std::floor(layer.looked + phase) > std::floor(before + phase);
            };
            PointGrid newborns(step.scene.spacing);
            const auto let_out = [&](const Vec3d& place, const Vec3d& velocity, const Vec3d& way) {
                if (newborns.any_near(place, bare * step.scene.spacing)) return;
                newborns.add(place);
                births.add({place, velocity + own.number("speed") * way, layer.volume,
                            step.scene.bodies[layer.fluid].density * step.scene.space, layer.fluid});
            };
            if (step.scene.bodies[layer.on].is_material)
                cover_body(step, layer, is_due, let_out);
            else
                cover_wall(step, layer, is_due, let_out);
        }
    }

    void save(SavedState& state) const override {
        for (const Layer& layer : layers_) state["coat.looked"].push_back(layer.looked);
    }
    Status restore(StepContext&, const SavedState& state) override {
        const auto found = state.find("coat.looked");
        if (found == state.end() || found->second.size() != layers_.size())
            return Error{Fault::file, "", "the checkpoint does not hold the state of coats"};
        for (std::size_t k = 0; k < layers_.size(); ++k) layers_[k].looked = found->second[k];
        return Done{};
    }

private:
    struct Layer {
        std::uint32_t fluid = 0, on = 0;  // bodies
        double volume = 0;                // of a newborn
        double looked = 0;                // how often each place was looked at
        std::unique_ptr<LayerMesh> sheet; // of a body that is one
    };

    Result<std::uint32_t> find(const StepContext& step, std::uint32_t b) const {
        const std::string path = "bodies." + step.scene.bodies[b].name + ".behaviors.coat.on";
        const std::string& name = values_[b].text("on");
        std::vector<std::string> others;
        for (std::uint32_t other = 0; other < step.scene.bodies.size(); ++other) {
            const BodyFacts& body = step.scene.bodies[other];
            if (other == b) continue;
            others.push_back(body.name);
            if (body.name != name) continue;
            const bool guides = std::any_of(step.scene.guides.begin(), step.scene.guides.end(),
                                            [&](const Guide& guide) { return guide.body == other; });
            if (!guides) return other;
            return Error{Fault::scene, path, "\"" + name + "\" is a guide, whose surface has no particles",
                         "give it another boundary.method, or name a body that follows it"};
        }
        const std::string nearest = nearest_name(name, others);
        return Error{Fault::scene, path,
                     name == step.scene.bodies[b].name ? "a body cannot be its own coat"
                                                       : "there is no body \"" + name + "\"",
                     nearest.empty() ? "name another body" : "did you mean \"" + nearest + "\"?"};
    }

    template <class Due, class LetOut>
    static void cover_body(StepContext& step, Layer& layer, const Due& is_due, const LetOut& let_out) {
        const Pool& pool = step.particles;
        const auto body = pool[pool.body];
        if (layer.sheet) layer.sheet->locate(pool);
        for (std::uint32_t i = 0; i < pool.size(); ++i) {
            if (body[i] != layer.on || !is_due(pool[pool.id][i])) continue;
            const bool has_room = pool[pool.volume][i] > 0;
            const Vec3d way = layer.sheet ? off_the_sheet(step, layer, i) : outward(step, i);
            if (has_room && !(length(way) > 0)) continue; // inside of it
            const Vec3d from_here = has_room ? step.scene.spacing * way : Vec3d{};
            if (is_bare(step, layer, i, from_here))
                let_out(pool[pool.position][i] + from_here, pool[pool.velocity][i].xyz_double(), way);
        }
    }

    // Now to the one side, then to the other.
    static Vec3d off_the_sheet(const StepContext& step, const Layer& layer, std::uint32_t i) {
        const Pool& pool = step.particles;
        Vec3d sum;
        for (const std::uint32_t f : layer.sheet->faces_of(pool[pool.id][i])) {
            const Triangle& t = layer.sheet->faces()[f].points;
            const std::uint32_t a = layer.sheet->where(t[0]), b = layer.sheet->where(t[1]),
                                c = layer.sheet->where(t[2]);
            if (a == LayerMesh::gone || b == LayerMesh::gone || c == LayerMesh::gone) continue;
            sum += cross(way_between(step, a, b), way_between(step, a, c));
        }
        const auto time = static_cast<std::int64_t>(layer.looked);
        return hash_of(layer.fluid, pool[pool.id][i], time) & 1 ? normalized(sum) : -1.0 * normalized(sum);
    }

    // From the middle of the neighbors of the same body; 0 where they stand all around.
    static Vec3d outward(const StepContext& step, std::uint32_t i) {
        const auto body = step.particles[step.particles.body];
        Vec3d sum;
        double count = 0;
        for (const std::uint32_t j : step.neighbors->particles.of(i))
            if (body[j] == body[i]) sum += way_between(step, j, i), ++count;
        const bool is_outside = count == 0 || length(sum) > outside * count * step.scene.kernel.support;
        return is_outside ? normalized(sum) : Vec3d{};
    }

    // The place at `way` from particle i.
    static bool is_bare(const StepContext& step, const Layer& layer, std::uint32_t i, const Vec3d& way) {
        constexpr double own_room = 0.7; // spacings: where its own surface bends back
        const Pool& pool = step.particles;
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            if (!(pool[pool.volume][j] > 0)) continue;
            const bool own = pool[pool.body][j] == layer.on;
            if (length(way_between(step, i, j) - way) < (own ? own_room : bare) * step.scene.spacing) return false;
        }
        return !is_in_a_wall(step, pool[pool.position][i] + way, layer.on);
    }

    // Also far inside of one, where none of its particles is near.
    static bool is_in_a_wall(const StepContext& step, const Vec3d& place, std::uint32_t but) {
        return std::any_of(step.walls.bodies.begin(), step.walls.bodies.end(), [&](const WallBody& wall) {
            return wall.body != but && wall.shape->distance(wall.pose.point_at_rest(place)) < 0.25 * step.scene.spacing;
        });
    }

    template <class Due, class LetOut>
    static void cover_wall(StepContext& step, const Layer& layer, const Due& is_due, const LetOut& let_out) {
        const Pool& pool = step.particles;
        const Walls& walls = step.walls;
        const auto at = [&](std::size_t w) { // where fluid stands that touches it
            const Float4& n = walls[walls.normal][w];
            return walls[walls.position][w] + (0.5 * step.scene.spacing + n.w) * n.xyz_double();
        };
        std::vector<std::uint8_t> covered(walls.size(), 0);
        for (std::size_t i = 0; i < pool.size(); ++i)
            for (const std::uint32_t w : step.neighbors->walls.of(i))
                if (!covered[w] && walls[walls.body][w] == layer.on && pool[pool.volume][i] > 0)
                    covered[w] = length(shortest_way(pool[pool.position][i] - at(w), step.scene.periodic_length)) <
                                 bare * step.scene.spacing;
        for (std::size_t w = 0; w < walls.size(); ++w)
            if (walls[walls.body][w] == layer.on && !covered[w] && is_due(walls[walls.id][w]) &&
                !is_in_a_wall(step, at(w), layer.on))
                let_out(at(w), walls[walls.velocity][w].xyz_double(), walls[walls.normal][w].xyz_double());
    }

    BodyValues values_;
    std::vector<Layer> layers_;
};

const RegisterBehavior coat{{
    .declaration =
        {.name = "coat",
         .help =
             "Comes out of the whole surface of another body, wherever that is bare: a dress of paint, sweat, slime.\n"
             "The body may be of any material, such as a cloth that leads the fluid by `control`, or a wall, moving "
             "or animated.",
         .properties = {body_name("on", "The body that it covers.").needed(),
                        number("rate", "1/s", 25, {0, 1e6}, "How often each place is looked at, and covered if bare."),
                        number("speed", "m/s", 0, {0, 1e6}, "How fast it leaves the surface."),
                        number("start", "s", 0, {0, 1e9}, "From when on.").fixed(),
                        number("stop", "s", 1e9, {0, 1e9}, "Until when.").fixed()}},
    .form = Form::single,
    .acts = {{Stage::prepare, {}}, {Stage::births, {reads("position"), reads("velocity")}}},
    .make = make_behavior<Coat>,
    .weight_by_body = true,
    .from_outside = true,
}};

} // namespace
} // namespace loam
