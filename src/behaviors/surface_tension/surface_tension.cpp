// Surface tension of fluids towards air and interface tension between fluids; tension.law.h has the models.
#include <cmath>
#include <functional>
#include <numbers>

#include "base/reductions.h"
#include "behaviors/behavior.h"
#include "behaviors/surface_tension/calibrate.h"
#include "behaviors/surface_tension/passes.h"
#include "passes/pass.h"

namespace loam {
namespace {

class SurfaceTension : public Behavior {
public:
    explicit SurfaceTension(const BodyValues& values) : values_(values), tension_(values.numbers("tension")) {}

    void set(const BodyValues& values) override {
        values_ = values;
        tension_ = values.numbers("tension");
        stale_ = true;
    }

    Status prepare(StepContext& step) override {
        // Always the cubic spline, which is smooth, whatever the scene's kernel is.
        kernel_ = make_kernel(KERNEL_CUBIC, step.scene.kernel.support, step.scene.dimensions);
        const double variance = kernel_variance(kernel_, step.scene.spacing), blur = blur_spacings * step.scene.spacing;
        rounds_ = static_cast<int>(std::ceil(blur * blur / variance));
        sort_bodies(step);

        Pool& pool = step.particles;
        const auto& all = values_.all();
        const bool keyed =
            std::any_of(all.begin(), all.end(), [](const auto& own) { return own && !own->tracks().empty(); });
        if (tension_.differ()) strength_ = pool.declare<float>({.name = "surface_strength", .unit = "N/m"});
        if (surfaces_ || interfaces_ || keyed || tension_.differ()) {
            normal_ = pool.declare<Float4>({.name = "surface_normal"});
            curvature_ = pool.declare<Float4>({.name = "surface_curvature"});
            scratch_ = pool.declare<Float4>({.name = "surface_scratch"});
            again_ = pool.declare<Float4>({.name = "surface_curvature_again"});
        }
        if (interfaces_ || cohesion_in_use_ || keyed) label_ = pool.declare<float>({.name = "body_label"});
        return Done{};
    }

    void apply(StepContext& step) override {
        step.profile.time("surface tension", [&] {
            if (stale_) sort_bodies(step);
            find_densities(step.particles);
            if (tension_.differ()) find_strengths(step.particles);
            if (interfaces_ || cohesion_in_use_) label_particles(step.particles);
            if (surfaces_) pull_by_curvature(step, Towards::air);
            if (interfaces_) pull_by_curvature(step, Towards::fluids);
            if (cohesion_in_use_) pull_together(step);
            damp_ripples(step);
        });
    }

    // Capillary waves of the shortest length must not outrun the step (Brackbill 1992), dt <= 0.2 sqrt(rho l^3 /
    // sigma), l the spacing; nor may the damping of ripples, an explicit viscosity: dt <= 0.02 l^2 / nu. Of two fluids
    // the lighter one counts.
    TimeStepLimit time_step(const StepContext& step) const override {
        if (strongest_ <= 0) return {};
        double lightest = 1e300;
        for (const double density : density_)
            if (density > 0) lightest = std::min(lightest, density);
        const double l = step.scene.spacing;
        double damping = 0;
        for (std::size_t body = 0; body < values_.size(); ++body)
            if (values_.uses(body)) damping = std::max(damping, values_[body].number("damping"));
        return {std::min(0.2, 0.02 / std::max(damping, 1e-9)) * std::sqrt(lightest * l * l * l / strongest_),
                "surface tension"};
    }

private:
    void sort_bodies(const StepContext& step) {
        area_scale_ = area_scale(kernel_, step.scene.spacing);
        const double cohesion = cohesion_scale(kernel_);
        stale_ = surfaces_ = interfaces_ = cohesion_in_use_ = false, strongest_ = 0;
        for (auto* strengths : {&surface_, &interface_, &cohesion_, &lone_}) strengths->assign(values_.size(), 0);
        by_centroid_.assign(values_.size(), 0);
        for (std::size_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            const double weight = values_[b].number("weight");
            const double sigma = weight * values_[b].number("tension"), gamma = weight * values_[b].number("interface");
            strongest_ = std::max({strongest_, sigma, gamma});
            // Both sides of an interface pull, so each does half of it.
            interface_[b] = static_cast<float>(0.5 * gamma);
            interfaces_ |= gamma > 0;
            by_centroid_[b] = values_[b].text("normals") == "centroid";
            const bool cohesive = values_[b].text("model") == "becker-teschner";
            (cohesive ? cohesion_ : surface_)[b] = static_cast<float>((cohesive ? cohesion : 1) * sigma);
            lone_[b] = cohesive ? 0 : static_cast<float>(lone_strength * cohesion * sigma);
            (cohesive ? cohesion_in_use_ : surfaces_) |= sigma > 0;
        }
    }

    // Of particles, where they differ; the larger of a body's value and theirs limits the step.
    void find_strengths(Pool& pool) {
        const auto body = pool[pool.body];
        const auto strength = pool[strength_];
        const auto tension = tension_.of(pool);
        std::vector<float> share(values_.size(), 0.0f);
        for (std::size_t b = 0; b < values_.size(); ++b)
            if (values_.uses(b) && values_[b].text("model") == "morris")
                share[b] = static_cast<float>(values_[b].number("weight"));
        const double most = parallel_max(
            pool.size(), [&](std::size_t i) { return static_cast<double>(strength[i] = share[body[i]] * tension[i]); });
        strongest_ = std::max(strongest_, most);
        surfaces_ |= most > 0;
    }

    // By body, from its first particle. In every step: densities may be keyed, and emitters open late.
    void find_densities(const Pool& pool) {
        const auto body = pool[pool.body];
        density_.assign(values_.size(), 0);
        std::size_t missing = 0;
        for (std::size_t b = 0; b < density_.size(); ++b) missing += values_.uses(b);
        for (std::size_t i = 0; i < pool.size() && missing > 0; ++i)
            if (float& density = density_[body[i]]; density == 0)
                density = pool.rest_density(i), missing -= density > 0 && values_.uses(body[i]);
    }

    void label_particles(Pool& pool) const {
        const auto body = pool[pool.body];
        const auto label = pool[label_];
        parallel_each(pool.size(), [&](std::size_t i) { label[i] = static_cast<float>(body[i]); });
    }

    enum class Towards { air, fluids };

    SurfaceArgs surface_arguments(Pass& pass, Towards towards) const {
        const StepContext& step = pass.step();
        const Pool& pool = step.particles;
        // Wide, or few and uneven neighbors overrate the crowd. The layers below the first, of which some are out of
        // reach there, weigh little.
        const double across = kernel_.support;
        const bool flat = step.scene.dimensions == 2, air = towards == Towards::air;
        return {.particles = pass.pairs(),
                .walls = pass.wall_pairs(),
                .kernel = kernel_,
                .own_value = static_cast<float>(kernel_value(kernel_, 0)),
                .least = static_cast<float>(least_normal / kernel_.support),
                .sharpest = static_cast<float>((step.scene.dimensions - 1) / step.scene.spacing),
                .across = static_cast<float>(across),
                .across_scale =
                    static_cast<float>(flat ? 4 / (3 * across) : 40 / (7 * std::numbers::pi * across * across)),
                // Between fluids there are particles on both sides, so there is no such depth.
                .depth = static_cast<float>(air ? 0.5 * step.scene.spacing : 0),
                .least_crowd = static_cast<float>(0.5 / area_scale_),
                .body = pass.reads(pool.body),
                .strength = (air ? surface_ : interface_).data(),
                .own = air && tension_.differ() ? pass.reads(strength_) : nullptr,
                .density = pass.reads(pool.density),
                .label = air ? nullptr : pass.reads(label_),
                .mass = pass.reads(pool.mass)};
    }

    void pull_by_curvature(StepContext& step, Towards towards) const {
        const auto average = [&](std::string_view name, const Dispatch<void(const AverageArgs&, Range)>& function,
                                 Column<Float4> from, Column<Float4> to) {
            Pass pass(step, name);
            pass.run(function,
                     {.surface = surface_arguments(pass, towards), .from = pass.reads(from), .to = pass.writes(to)});
        };
        Column<Float4> normal = normal_, curvature = curvature_, again = again_, other = scratch_;
        Pass normals(step, "surface normals");
        normals.run(color_normals, {.surface = surface_arguments(normals, towards),
                                    .by_centroid = by_centroid_.data(),
                                    .normal = normals.writes(normal)});
        for (int round = 0; round < rounds_; ++round, std::swap(normal, other))
            average("surface normals averaged", average_normals, normal, other);
        average("surface curvatures", find_curvatures, normal, curvature);
        for (int round = 0; round < rounds_; ++round, std::swap(curvature, other))
            average("surface curvatures averaged", average_curvatures, curvature, other);
        average("surface curvatures averaged", average_curvatures, curvature, again);
        for (int round = 1; round < rounds_; ++round, std::swap(again, other))
            average("surface curvatures averaged", average_curvatures, again, other);
        Pass pull(step, "surface forces");
        const Vec3d net = pull.reduce(surface_forces,
                                      {.surface = surface_arguments(pull, towards),
                                       .normal = pull.reads(normal),
                                       .curvature = pull.reads(curvature),
                                       .curvature_again = pull.reads(again),
                                       .acceleration = pull.writes(step.particles.acceleration)},
                                      std::plus<Vec3d>{});
        if (step.walls.size() == 0 && !step.scene.has_solids)
            take_back(step, net, towards == Towards::air ? surface_ : interface_);
    }

    // Forces by curvature are not equal and opposite in pairs, and what their errors add up to would set a drop flying
    // by itself. All that is pulled takes its share back; but where walls or solids hold a surface, their pull is in
    // the sum.
    void take_back(StepContext& step, const Vec3d& net, const std::vector<float>& strength) const {
        Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto mass = pool[pool.mass];
        const double all =
            parallel_sum(pool.size(), [&](std::size_t i) { return strength[body[i]] > 0 ? double(mass[i]) : 0; });
        if (all == 0) return;
        const Float4 back = float4(net * (-1 / all));
        const auto acceleration = pool[pool.acceleration];
        parallel_each(pool.size(), [&](std::size_t i) {
            if (strength[body[i]] == 0) return;
            Float4& a = acceleration[i];
            a = {a.x + back.x, a.y + back.y, a.z + back.z, a.w};
        });
    }

    void damp_ripples(StepContext& step) const {
        const Pool& pool = step.particles;
        std::vector<float> viscosity(values_.size(), 0.0f);
        bool any = false;
        for (std::size_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            const double sigma =
                values_[b].number("weight") * std::max(values_[b].number("tension"), values_[b].number("interface"));
            const double alpha = values_[b].number("damping"), factor = 2 * step.scene.dimensions + 4;
            viscosity[b] = static_cast<float>(factor * alpha * std::sqrt(sigma * step.scene.spacing * density_[b]));
            any |= viscosity[b] > 0 || lone_[b] > 0;
        }
        if (!any) return;
        Pass pass(step, "ripple damping");
        pass.run(ripple_damping, {.particles = pass.pairs(),
                                  .kernel = kernel_,
                                  .body = pass.reads(pool.body),
                                  .viscosity = viscosity.data(),
                                  .cohesion = lone_.data(),
                                  .density = pass.reads(pool.density),
                                  .inverse_spacing = static_cast<float>(1 / step.scene.spacing),
                                  .label = interfaces_ || cohesion_in_use_ ? pass.reads(label_) : nullptr,
                                  .mass = pass.reads(pool.mass),
                                  .velocity = pass.reads(pool.velocity),
                                  .acceleration = pass.writes(pool.acceleration)});
    }

    void pull_together(StepContext& step) const {
        const Pool& pool = step.particles;
        Pass pass(step, "cohesion");
        pass.run(cohesion_forces, {.particles = pass.pairs(),
                                   .kernel = kernel_,
                                   .body = pass.reads(pool.body),
                                   .stiffness = cohesion_.data(),
                                   .label = pass.reads(label_),
                                   .mass = pass.reads(pool.mass),
                                   .inverse_spacing = static_cast<float>(1 / step.scene.spacing),
                                   .acceleration = pass.writes(pool.acceleration)});
    }

    static constexpr double blur_spacings = 1.5; // normals are averaged over this distance, curvatures again
    static constexpr double lone_strength = 4;   // of the cohesion that holds single particles
    static constexpr double least_normal = 0.2;  // of normals, in units of 1 / support; a flat surface has about 1

    BodyValues values_;
    Numbers tension_;
    Column<float> strength_; // of particles
    bool stale_ = true;      // strengths are not those of the values
    Kernel kernel_{};
    int rounds_ = 0;
    double strongest_ = 0;
    double area_scale_ = 1;                             // C of a flat surface at rest
    std::vector<float> surface_, interface_, cohesion_; // strength by body
    std::vector<float> lone_;                           // cohesion of particles that stand out alone, by body
    std::vector<std::uint8_t> by_centroid_;             // normals, by body
    std::vector<float> density_;                        // by body, 0 where it has no particle
    bool surfaces_ = false, interfaces_ = false, cohesion_in_use_ = false;
    Column<Float4> normal_, curvature_, again_, scratch_;
    Column<float> label_;
};

// What the pressure in a drop of a few particles drives: p = sigma / R = rho v^2.
double capillary_speed(const Values& values, const SceneScale& scene) {
    const double tension = std::max(values.number("tension"), values.number("interface"));
    return std::sqrt(tension / (4 * scene.spacing * scene.density));
}

const RegisterBehavior surface_tension{{
    .declaration =
        {.name = "surface_tension",
         .help = "Pulls the surface of a fluid together: drops become round, jets break up, small waves ripple.",
         .properties =
             {number("tension", "N/m", 0.072, {0, 1e6},
                     "Surface tension towards air; water at 25 C has 0.072. "
                     "Keyed over what particles are, or following a solute, with morris only.")
                  .keyed(Keying::particle),
              number("interface", "N/m", 0, {0, 1e6},
                     "Tension towards fluids of other bodies, which then do not mix; the mean of both bodies' values."),
              number("damping", "", 0.2, {0, 1},
                     "Damps ripples of the size of particles; morris needs some where the fluid has little viscosity."),
              choice("model", {"morris", "becker-teschner"},
                     "By normals and curvature of the surface, or by cohesion of the particles."),
              choice("normals", {"gradient", "centroid"},
                     "Of morris: by the gradient of the color of the fluid, or away from the middle of the particles "
                     "within reach.")}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {}}, {Stage::force, {reads("density"), changes("acceleration")}}},
    .make = make_behavior<SurfaceTension>,
    .weight_by_body = true,
    .expected_speed = capillary_speed,
}};

} // namespace
} // namespace loam
