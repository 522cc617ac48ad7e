// Sand: see README.md. Weight: the share of its rigidity; at 0 it is no sand.
#include <cmath>
#include <numbers>

#include "behaviors/behavior.h"
#include "behaviors/sand/friction.h"
#include "behaviors/sand/rest.h"
#include "passes/lattice.h"

namespace loam {
namespace {

#define LAW inline
#include "behaviors/sand/sand.law.h"
#undef LAW

class Sand : public Behavior {
public:
    explicit Sand(const BodyValues& values) : values_(values) { set(values); }

    void set(const BodyValues& values) override {
        friction_ = values.numbers("friction");
        cohesion_ = values.numbers("cohesion");
        weight_ = values.numbers("weight");
        angle_.assign(values.size(), 0.0f);
        for (std::size_t b = 0; b < values.size(); ++b)
            if (values.uses(b)) angle_[b] = static_cast<float>(std::tan(values[b].number("angle") * degree));
        std::vector<float> share;
        for (const float weight : weight_.by_body()) share.push_back(weight > 0 ? 1.0f : 0.0f);
        share_ = Numbers(std::move(share), weight_.differ() ? own_share_ : Column<float>{});
    }

    // However little of it is left, it keeps its volume.
    Numbers pressure_share() const override { return share_; }
    void tell(std::size_t body, BodyTraits& traits) const override {
        traits.rubs |= weight_.differ() || weight_.by_body()[body] > 0;
    }

    Status prepare(StepContext& step) override {
        for (std::size_t b = 0; b < values_.size(); ++b)
            if (values_.uses(b))
                if (Status good = check(step, b); !good) return good;
        own_share_ = step.particles.declare<float>({.name = "sand_share"});
        set(values_);
        fill_share(step);
        shear_stress_ = step.particles.declare<float>(
            {.name = "shear_stress", .unit = "Pa", .help = "that friction bears", .output = true});
        friction_law_.declare(step);
        rest_.declare(step);
        std::vector<float> reach(values_.size(), 0.0f);
        for (std::size_t b = 0; b < values_.size(); ++b)
            if (values_.uses(b))
                reach[b] = static_cast<float>(values_[b].number("clusters")) * step.scene.kernel.support;
        rest_.set_reach(std::move(reach));
        full_contact_ = contact_of_floor(step.scene);
        return Done{};
    }

    Status begin(StepContext& step) override {
        fill_share(step);
        return Done{};
    }

    Status apply_implicit(StepContext& step) override {
        step.profile.time("sand", [&] {
            mark(step);
            const bool walls_move = step.walls.move(); // what rests has to know
            if (walls_move) friction_law_.find_shape(step);
            rest_.hold(step, friction_law_);
            if (rest_.all_rest()) return;
            if (!walls_move) friction_law_.find_shape(step);
            friction_law_.smooth(step);
            find_yield(step);
            friction_law_.push_again(step);
        });
        return Done{};
    }

    Status before_motion(StepContext& step) override {
        step.profile.time("sand", [&] {
            if (!rest_.all_rest()) {
                friction_law_.find_means(step);
                find_yield(step);
                friction_law_.stop_shear(step);
                brake_lone(step);
            }
            rest_.update(step, friction_law_);
        });
        return Done{};
    }

    void show(StepContext& step) override {
        Pool& pool = step.particles;
        const auto shear = pool[shear_stress_];
        parallel_each(pool.size(), [&](std::size_t i) { shear[i] = size(friction_law_.stress(pool, i)); });
        rest_.find_clusters(step);
    }

private:
    void fill_share(StepContext& step) const {
        if (!weight_.differ()) return;
        Pool& pool = step.particles;
        const auto share = pool[own_share_];
        const auto weight = weight_.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) { share[i] = weight[i] > 0 ? 1 : 0; });
    }

    Status check(const StepContext& step, std::size_t b) const {
        const std::string where = "bodies." + step.scene.bodies[b].name + ".behaviors.sand";
        const Values& own = values_[b];
        if (own.number("angle") > 0 && (own.track("friction") || own.number("friction") != usual_friction))
            return Error{Fault::scene, where + ".angle", "friction is given too, and both say the same thing",
                         "leave one of the two out: friction is the tangent of the angle"};
        if (step.scene.sheets[b].sheet)
            return Error{Fault::scene, where, "a sheet cannot be of sand", "give the body a shape that has a volume"};
        return Done{};
    }

    static float contact_of_floor(const SceneFacts& scene) {
        double sum = 0;
        each_layer_point(scene.kernel, scene.spacing, [&](int a, int b) {
            sum += kernel_value(scene.kernel, scene.spacing * std::sqrt(1.0 + a * a + b * b));
        });
        return static_cast<float>(0.75 * sum * lattice_volume(scene.kernel, scene.spacing));
    }

    // What is sand, and what it rubs at: solids and itself, not fluids.
    void mark(StepContext& step) {
        Pool& pool = step.particles;
        const auto weight = weight_.of(pool);
        const auto is = pool[friction_law_.sand], grips = pool[friction_law_.grips];
        parallel_each(pool.size(), [&](std::size_t i) {
            is[i] = weight[i] > 0 ? 1 : 0;
            grips[i] = weight[i] > 0 || step.is_solid(i) ? 1 : 0;
        });
        if (!step.scene.has_solids) return;
        const auto rub = pool[friction_law_.rub];
        const auto body = pool[pool.body];
        parallel_each(pool.size(), [&](std::size_t i) {
            const BodyTraits& traits = step.traits[body[i]];
            rub[i] = traits.touches ? traits.friction : -1;
        });
        pool.padding(friction_law_.rub) = 0;
    }

    float friction_at(float own, const Float4& touch) const {
        return touch.x > 0 ? touched_friction(own, (touch.y * own + touch.z) / touch.x, touch.x, full_contact_) : own;
    }

    // Grains that lie on a wall by themselves, without any pressure: their weight presses them on.
    void brake_lone(StepContext& step) {
        constexpr float near = 0.3f;
        Pool& pool = step.particles;
        if (!pool.falls()) return;
        const auto weight = weight_.of(pool), friction = friction_.of(pool);
        const auto body = pool[pool.body];
        const auto pressure = pool[pool.pressure];
        const auto touch = pool[friction_law_.touch], into = pool[friction_law_.into_wall],
                   wall = pool[friction_law_.wall_motion], gravity = pool[pool.gravity], velocity = pool[pool.velocity];
        parallel_each(pool.size(), [&](std::size_t i) {
            if (!(weight[i] > 0) || pressure[i] > 0 || !(touch[i].w > near * full_contact_)) return;
            const Vec3d n = normalized(into[i].xyz_double()),
                        relative = (velocity[i].xyz_double() - wall[i].xyz_double());
            const Vec3d along = relative - dot(relative, n) * n;
            const double pressed = dot(gravity[i].xyz_double(), n), speed = length(along);
            if (!(pressed > 0) || !(speed > 0)) return;
            const float own = friction_at(friction_of(friction, body, i), touch[i]);
            const double lost = std::min(1.0, weight[i] * own * pressed * step.dt / speed);
            velocity[i] = float4(velocity[i].xyz_double() - lost * along, velocity[i].w);
        });
    }

    template <class Of, class Bodies> float friction_of(const Of& friction, const Bodies& body, std::size_t i) const {
        return angle_[body[i]] > 0 ? angle_[body[i]] : friction[i];
    }

    void find_yield(StepContext& step) {
        Pool& pool = step.particles;
        const auto weight = weight_.of(pool), friction = friction_.of(pool), cohesion = cohesion_.of(pool);
        const auto body = pool[pool.body];
        const auto pressure = pool[friction_law_.mean_pressure], yield = pool[friction_law_.yield];
        const auto touch = pool[friction_law_.touch];
        parallel_each(pool.size(), [&](std::size_t i) {
            yield[i] = 0;
            if (!(weight[i] > 0)) return;
            const float own = friction_of(friction, body, i), there = friction_at(own, touch[i]);
            const float sticks = own > there ? there / own : 1; // moist sand slips along what is smooth, too
            yield[i] = sand_yield(weight[i], there, pressure[i], sticks * cohesion[i]);
        });
    }

    static constexpr double degree = std::numbers::pi / 180, usual_friction = 0.6;

    BodyValues values_;
    Numbers friction_, cohesion_, weight_, share_;
    Column<float> own_share_;
    std::vector<float> angle_; // tangent of it, by body; 0: friction
    SandFriction friction_law_;
    SandRest rest_;
    Column<float> shear_stress_;
    float full_contact_ = 1;
};

const RegisterBehavior sand{{
    .declaration =
        {.name = "sand",
         .help = "Grains as a continuum: flows where it must, stands where friction holds it.",
         .properties =
             {number("density", "kg/m^3", 1600, {1e-3, 1e5}, "Mass per volume, voids included.").fixed(),
              number("friction", "", 0.6, {0, 10}, "Coefficient of friction between grains.").keyed(Keying::particle),
              number("angle", "degrees", 0, {0, 89},
                     "Angle of friction, about that of a heap: another word for `friction`, used "
                     "if it is above 0.")
                  .fixed(),
              number("cohesion", "Pa", 0, {0, 1e9},
                     "Shear that sand bears without pressure: 0 is dry, 100 to 1000 is moist.")
                  .keyed(Keying::particle),
              number("clusters", "", 1, {0.3, 1},
                     "How near grains hold each other at rest, as a part of the kernel's reach: "
                     "less makes more clusters, which break apart more easily.")
                  .fixed()}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {}},
             {Stage::begin, {sets("sand_share")}},
             {Stage::implicit, {changes("velocity")}},
             {Stage::before_motion, {changes("velocity"), changes("acting_pressure")}},
             {Stage::show, {sets("shear_stress"), sets("cluster")}}},
    .make = make_behavior<Sand>,
    .material = true,
    .pressure = TakesPressure::by_weight,
    .pressure_solvers = {"dfsph", "iisph", "wcsph"},
}};

} // namespace
} // namespace loam
