// Control particles lead a fluid. Thürey, Keiser, Pauly & Rüde 2006, "Detail-preserving fluid control", eq. 3-6.
//
//   attraction  a_i = A sum_c alpha_c w_ic e_ic / n            eq. 3, 4;  alpha_c = 1 - min(1, sum_i V_i W_ic): a
//                                                              control particle that is covered pulls no more
//   velocity    v_i <- v_i + s (1 - exp(-B dt)) (u_i - v_i)    eq. 6, as a rate that is stable for any step
//
//   e_ic  from particle i to control particle c [1]            w_ic  (1 - r / R)^2 within the reach R; W its integral 1
//   u_i   mean velocity of the control particles, by w [m/s]   n     sum of w amid evenly spread control particles
//   A     attraction [m/s^2]      B  rate [1/s]                s     min(1, sum_c w_ic / n): fades at the guide's edge
#include <algorithm>
#include <cmath>
#include <numbers>

#include "behaviors/behavior.h"
#include "behaviors/control/crowd.h"
#include "behaviors/control/passes.h"
#include "neighbors/search.h"
#include "particles/sampling.h"
#include "particles/shapes/animated_mesh.h"
#include "particles/sheet.h"
#include "passes/pass.h"

namespace loam {
namespace {

struct Leader {                     // the control particles of one body
    std::vector<FillPoint> at_rest; // of a guide
    std::vector<Anchor> anchors;    // of those whose guide bends; as many, others stand empty
    std::vector<Vec3d> position;
    std::vector<Float4> velocity;
    std::vector<float> share;    // of the volume that one of them usually stands for
    double reach = 0, usual = 1; // R, n
    double covering = 0;         // sum of V w where it is covered
};

struct Led { // the particles of one body
    std::vector<std::uint32_t> index;
    std::vector<Vec3d> position;
    std::vector<float> volume;
    bool any_pull = false, any = false; // whether attraction, or anything, acts on one of them
};

class Control : public Behavior {
public:
    explicit Control(const BodyValues& values) : values_(values) { set(values); }

    void set(const BodyValues& values) override {
        values_ = values;
        attraction_ = values.numbers("attraction"), rate_ = values.numbers("rate"), weight_ = values.numbers("weight");
    }

    Status prepare(StepContext& step) override {
        along_ = step.particles.declare<Float4>({.name = "led_along", .unit = "m/s"});
        leaders_.resize(values_.size());
        for (std::size_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            if (Status found = find_sources(step, b); !found) return found;
            // Of a body they are one spacing apart; those of a sheet lie in a plane, and so does what covers them.
            const Sources& from = sources_[b];
            const double distance = (from.guides.empty() ? 1 : values_[b].number("distance")) * step.scene.spacing;
            Leader& leader = leaders_[b];
            leader.reach = values_[b].number("reach") * distance;
            leader.usual = usual_sum(leader.reach, distance, from.all_sheets ? 2 : step.scene.dimensions);
            leader.covering = leader.usual * std::pow(distance, step.scene.dimensions);
        }
        return Done{};
    }

    void apply(StepContext& step) override {
        step.profile.time("control", [&] {
            for (std::uint32_t b = 0; b < leaders_.size(); ++b)
                if (values_.uses(b)) lead(step, leaders_[b], sources_[b], led_of(step, b));
        });
    }

    Status apply_implicit(StepContext& step) override {
        step.profile.time("control", [&] { take_along(step); });
        return Done{};
    }

private:
    struct Sources {
        std::vector<const Guide*> guides;
        std::vector<std::size_t> points;  // of each guide, in at_rest
        std::vector<std::uint8_t> bodies; // by body: its particles lead
        bool any_body = false, all_sheets = true;
    };

    // The integral of w over the reach, per volume of a control particle.
    static double usual_sum(double reach, double distance, int dimensions) {
        return dimensions == 2 ? std::numbers::pi * reach * reach / (6 * distance * distance)
                               : 4 * std::numbers::pi * std::pow(reach / distance, 3) / 30;
    }

    Status find_sources(StepContext& step, std::size_t b) {
        sources_.resize(values_.size());
        Sources& from = sources_[b];
        Leader& leader = leaders_[b];
        const std::string& name = values_[b].text("by");
        from.bodies.resize(step.scene.bodies.size());
        for (const Guide& guide : step.scene.guides)
            if (step.scene.bodies[guide.body].name.starts_with(name)) {
                const auto points =
                    fill(*guide.shape, values_[b].number("distance") * step.scene.spacing, step.scene.dimensions);
                if (!points)
                    return Error{points.error().fault, "bodies." + step.scene.bodies[guide.body].name + ".shape",
                                 points.error().what, points.error().hint};
                leader.at_rest.insert(leader.at_rest.end(), points->begin(), points->end());
                if (const AnimatedMesh* bends = animation_of(*guide.shape))
                    for (const FillPoint& point : *points)
                        leader.anchors.push_back(bends->anchored({&point.position, 1}).front());
                leader.anchors.resize(leader.at_rest.size());
                from.guides.push_back(&guide);
                from.all_sheets = false;
                from.points.push_back(points->size());
            }
        for (std::size_t other = 0; other < step.scene.bodies.size(); ++other)
            if (other != b && step.scene.bodies[other].name.starts_with(name) && step.scene.bodies[other].is_material)
                from.bodies[other] = 1, from.any_body = true,
                from.all_sheets &=
                    step.scene.bodies[other].shape && sheet_of(*step.scene.bodies[other].shape, step.scene.spacing);
        if (from.guides.empty() && !from.any_body)
            return Error{Fault::scene, "bodies." + step.scene.bodies[b].name + ".behaviors.control.by",
                         "no body leads: none has a name that begins with \"" + name + "\"",
                         "name a material, or a shape with \"boundary\": {\"method\": \"none\"}"};
        Pool& pool = step.particles;
        for (std::size_t i = 0; i < pool.size(); ++i) // leaders take no volume
            if (from.bodies[pool[pool.body][i]]) pool[pool.volume][i] = 0;
        return Done{};
    }

    Led led_of(const StepContext& step, std::uint32_t b) const {
        const Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto attraction = attraction_.of(pool), rate = rate_.of(pool), weight = weight_.of(pool);
        Led led;
        for (std::uint32_t i = 0; i < pool.size(); ++i) {
            if (body[i] != b) continue;
            led.index.push_back(i);
            led.position.push_back(pool[pool.position][i]);
            led.volume.push_back(pool[pool.volume][i]);
            led.any_pull |= weight[i] * attraction[i] > 0;
            led.any |= weight[i] * (attraction[i] + rate[i]) > 0;
        }
        return led;
    }

    static void place(const StepContext& step, Leader& leader, const Sources& from) {
        leader.position.resize(leader.at_rest.size());
        leader.velocity.resize(leader.at_rest.size());
        leader.share.resize(leader.at_rest.size());
        std::size_t first = 0;
        for (std::size_t g = 0; g < from.guides.size(); first += from.points[g++]) {
            const Pose pose = pose_at(from.guides[g]->motion, step.time);
            const AnimatedMesh* const bends = animation_of(*from.guides[g]->shape);
            const MeshMomentPtr moment = bends ? bends->at(step.time) : nullptr;
            parallel_each(from.points[g], [&](std::size_t k) {
                const std::size_t c = first + k;
                const CarriedPoint own = moment ? AnimatedMesh::carried(leader.anchors[c], *moment)
                                                : CarriedPoint{leader.at_rest[c].position, {}, {}};
                leader.position[c] = pose.point(own.position);
                leader.velocity[c] = float4(pose.velocity_at(leader.position[c]) + pose.rotate(own.velocity));
                leader.share[c] = static_cast<float>(leader.at_rest[c].share);
            });
        }
        const Pool& pool = step.particles;
        if (from.any_body)
            for (std::size_t i = 0; i < pool.size(); ++i)
                if (from.bodies[pool[pool.body][i]]) {
                    leader.position.push_back(pool[pool.position][i]);
                    leader.velocity.push_back(pool[pool.velocity][i]);
                    leader.share.push_back(1);
                }
    }

    // Pulls particles, and finds what they are taken along by.
    void lead(StepContext& step, Leader& leader, const Sources& from, const Led& of) const {
        Pool& pool = step.particles;
        const auto along = pool[along_];
        if (of.any) place(step, leader, from);
        if (!of.any || leader.position.empty()) {
            for (const std::uint32_t i : of.index) along[i] = {};
            return;
        }
        const CellFrame frame = make_frame(leader.reach, leader.position.front(), {});
        Crowd leaders, led;
        leaders.take(leader.position, leader.share, frame);
        led.take(of.position, of.volume, frame);
        const std::vector<float> need =
            of.any_pull ? find_need(step, leader, leaders, led, frame) : std::vector<float>(leaders.size() + 1);
        const std::vector<Float4> velocity = leaders.sorted<Float4>(leader.velocity);
        NeighborList near;
        search(led.grid(), leaders.grid(), leader.reach, frame, is_flat(step), step.scene.isa, near);
        std::vector<Float4> pull(led.size()), taken(led.size());
        run_on_slots(step.scene.isa, find_lead,
                     {.leaders = view_of(led, leaders, near),
                      .reach = static_cast<float>(leader.reach),
                      .need = need.data(),
                      .velocity = velocity.data(),
                      .pull = pull.data(),
                      .along = taken.data()},
                     led.size());
        const auto acceleration = pool[pool.acceleration];
        const auto attraction = attraction_.of(pool), weight = weight_.of(pool);
        const auto usual = static_cast<float>(leader.usual);
        parallel_each(led.size(), [&](std::size_t k) {
            const std::uint32_t i = of.index[led.order()[k]];
            const Float4 &p = pull[k], &t = taken[k];
            const float a = weight[i] * attraction[i] / usual, mean = t.w > 0 ? 1 / t.w : 0;
            Float4& sum = acceleration[i];
            sum = {sum.x + a * p.x, sum.y + a * p.y, sum.z + a * p.z, sum.w};
            along[i] = {mean * t.x, mean * t.y, mean * t.z, std::min(1.0f, t.w / usual)};
        });
    }

    static bool is_flat(const StepContext& step) { return step.scene.dimensions == 2; }

    // alpha, in the order of the crowd.
    static std::vector<float> find_need(const StepContext& step, const Leader& leader, const Crowd& leaders,
                                        const Crowd& led, const CellFrame& frame) {
        NeighborList near;
        search(leaders.grid(), led.grid(), leader.reach, frame, is_flat(step), step.scene.isa, near);
        std::vector<float> need(leaders.size() + 1);
        run_on_slots(
            step.scene.isa, find_cover,
            {.led = view_of(leaders, led, near), .reach = static_cast<float>(leader.reach), .covered = need.data()},
            leaders.size());
        for (float& covered : need) covered = 1 - std::min(1.0f, covered / static_cast<float>(leader.covering));
        return need;
    }

    void take_along(StepContext& step) const {
        Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto velocity = pool[pool.velocity], along = pool[along_];
        const auto rate = rate_.of(pool), weight = weight_.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) {
            if (!values_.uses(body[i]) || !(along[i].w > 0) || !(weight[i] * rate[i] > 0)) return;
            const double share = along[i].w * -std::expm1(-static_cast<double>(weight[i] * rate[i]) * step.dt);
            const Vec3d v = velocity[i].xyz_double();
            velocity[i] = float4(v + share * (along[i].xyz_double() - v), velocity[i].w);
        });
    }

    BodyValues values_;
    Numbers attraction_, rate_, weight_;
    Column<Float4> along_; // mean velocity u of the control particles; w: s
    std::vector<Leader> leaders_;
    std::vector<Sources> sources_;
};

const RegisterBehavior control{{
    .declaration =
        {.name = "control",
         .help = "Control particles lead the body: it gathers around them and moves along.\n"
                 "They fill a guide, a shape with \"boundary\": {\"method\": \"none\"} that may move, or they are the "
                 "particles of "
                 "another body, such as a cloth. They take up no volume.",
         .properties =
             {text("by", "", "Name of the guide or body that leads, or the beginning of the names of several.")
                  .needed(),
              number("attraction", "m/s^2", 30, {0, 1e6}, "Pull towards control particles that lack fluid.")
                  .keyed(Keying::particle),
              number("rate", "1/s", 10, {0, 1e6}, "How fast velocities become those of the control particles.")
                  .keyed(Keying::particle),
              number("distance", "", 2, {1, 20},
                     "Between control particles in a guide, in particle distances; those of a body are 1 apart.")
                  .fixed(),
              number("reach", "", 2.5, {1, 10}, "How far they act, as a multiple of their distance.").fixed()}},
    .form = Form::single,
    .acts = {{Stage::prepare, {changes("volume")}},
             {Stage::force, {reads("position"), changes("acceleration")}},
             {Stage::implicit, {reads("position"), changes("velocity")}}},
    .make = make_behavior<Control>,
    .from_outside = true,
}};

} // namespace
} // namespace loam
