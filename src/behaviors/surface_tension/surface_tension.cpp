// Surface tension of fluids towards air and interface tension between fluids; tension.law.h has the models.
#include <cmath>
#include <numbers>

#include "behaviors/behavior.h"
#include "behaviors/surface_tension/calibrate.h"
#include "behaviors/surface_tension/passes.h"

namespace loam {
namespace {

class SurfaceTension : public Behavior {
public:
    explicit SurfaceTension(const BodyValues& values) : values_(values) {}

    void prepare(StepContext& step) override {
        // Always the cubic spline: its second derivative is finite and continuous, whatever the scene's kernel is.
        kernel_ = make_kernel(KERNEL_CUBIC, step.kernel.support, step.dimensions);
        blur_ = blur_fraction / step.kernel.support;
        sort_bodies(step);

        Pool& pool = step.particles;
        if (area_in_use_) {
            surface_slope_ = pool.declare<Float4>({.name = "surface_slope"});
            wall_slope_ = pool.declare<Float4>({.name = "wall_slope"});
        }
        if (interfaces_) interface_slope_ = pool.declare<Float4>({.name = "interface_slope"});
        if (morris_in_use_) {
            normal_ = pool.declare<Float4>({.name = "surface_normal"});
            unit_ = pool.declare<Float4>({.name = "surface_unit_normal"});
        }
        if (interfaces_ || cohesion_in_use_) label_ = pool.declare<float>({.name = "body_label"});
    }

    void apply(StepContext& step) override {
        step.profile.time("surface tension", [&] {
            if (interfaces_ || cohesion_in_use_) label_particles(step.particles);
            if (area_in_use_) shrink_area(step);
            if (morris_in_use_) pull_by_curvature(step);
            if (cohesion_in_use_) pull_together(step);
        });
    }

    // Capillary waves of the shortest length must not outrun the step (Brackbill 1992):
    // dt <= 0.5 sqrt(rho l^3 / (2 pi sigma)), l the spacing; of two fluids the lighter one counts.
    TimeStepLimit time_step(const StepContext& step) const override {
        if (strongest_ <= 0) return {};
        const Pool& pool = step.particles;
        const auto mass = pool[pool.mass], volume = pool[pool.volume];
        const float lightest = parallel_reduce(
            pool.size(), 1e30f,
            [&](Range range) {
                float least = 1e30f;
                for (std::size_t i = range.begin; i != range.end; ++i) least = std::min(least, mass[i] / volume[i]);
                return least;
            },
            [](float a, float b) { return std::min(a, b); });
        const double l = step.spacing;
        return {0.5 * std::sqrt(lightest * l * l * l / (2 * std::numbers::pi * strongest_)), "surface tension"};
    }

private:
    void sort_bodies(const StepContext& step) {
        const double area = area_scale(kernel_, step.spacing, blur_), normals = area_scale(kernel_, step.spacing, 0);
        const double cohesion = cohesion_scale(kernel_);
        area_.resize(values_.size()), morris_.resize(values_.size()), cohesion_.resize(values_.size());
        for (std::size_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            const Values& v = values_[b];
            const double sigma = v.number("tension"), gamma = v.number("interface");
            const std::string& model = v.text("model");
            strongest_ = std::max({strongest_, sigma, gamma});
            area_[b].interface = static_cast<float>(0.5 * area * gamma);
            interfaces_ |= gamma > 0;
            if (model == "area") {
                area_[b].surface = static_cast<float>(area * sigma);
                area_[b].wall =
                    -static_cast<float>(area * sigma * std::cos(v.number("contact_angle") * std::numbers::pi / 180));
            } else if (model == "morris") {
                morris_[b].surface = static_cast<float>(normals * sigma);
            } else {
                cohesion_[b] = static_cast<float>(cohesion * sigma);
            }
            area_in_use_ |= sigma > 0 && model == "area";
            morris_in_use_ |= sigma > 0 && model == "morris";
            cohesion_in_use_ |= sigma > 0 && model == "becker-teschner";
        }
        area_in_use_ |= interfaces_;
    }

    void label_particles(Pool& pool) const {
        const auto body = pool[pool.body];
        const auto label = pool[label_];
        parallel_each(pool.size(), [&](std::size_t i) { label[i] = static_cast<float>(body[i]); });
    }

    template <class Pass, class Args> static void run(const StepContext& step, const Pass& pass, const Args& args) {
        auto* const function = pass.on(step.isa);
        parallel_ranges(step.particles.size(), [&](Range range) { function(args, range); });
    }

    void shrink_area(StepContext& step) const {
        Pool& pool = step.particles;
        const float* label = interfaces_ ? pool[label_].data() : nullptr;
        Float4* interface_slope = interfaces_ ? pool[interface_slope_].data() : nullptr;
        run(step, area_slopes,
            AreaSlopeArgs{step.particle_pairs(), step.wall_pairs(), kernel_, static_cast<float>(blur_),
                          pool[pool.body].data(), area_.data(), interfaces_, label, pool[surface_slope_].data(),
                          interface_slope, pool[wall_slope_].data()});
        run(step, area_forces,
            AreaForceArgs{step.particle_pairs(), step.wall_pairs(), kernel_, interfaces_, label, pool[pool.mass].data(),
                          pool[surface_slope_].data(), interface_slope, pool[wall_slope_].data(),
                          pool[pool.acceleration].data()});
    }

    void pull_by_curvature(StepContext& step) const {
        Pool& pool = step.particles;
        const PairView pairs = step.particle_pairs();
        const float own_value = static_cast<float>(kernel_value(kernel_, 0));
        const float sharpest = static_cast<float>((step.dimensions - 1) / step.spacing);
        Float4 *const normal = pool[normal_].data(), *const unit = pool[unit_].data();
        Float4* const curvature = normal; // the raw normals are done with by then
        run(step, color_normals,
            NormalArgs{pairs, step.wall_pairs(), kernel_, static_cast<float>(least_normal / kernel_.support),
                       pool[pool.body].data(), morris_.data(), normal});
        run(step, smooth_normals, SmoothNormalArgs{pairs, kernel_, own_value, normal, unit});
        run(step, curvatures, CurvatureArgs{pairs, kernel_, sharpest, unit, curvature});
        run(step, curvature_forces,
            CurvatureForceArgs{pairs, kernel_, own_value, pool[pool.body].data(), morris_.data(),
                               pool[pool.mass].data(), unit, curvature, pool[pool.acceleration].data()});
    }

    void pull_together(StepContext& step) const {
        Pool& pool = step.particles;
        run(step, cohesion_forces,
            CohesionArgs{step.particle_pairs(), kernel_, pool[pool.body].data(), cohesion_.data(), pool[label_].data(),
                         pool[pool.mass].data(), pool[pool.acceleration].data()});
    }

    static constexpr double blur_fraction = 0.2; // eps in units of 1 / support; a flat surface has |G| of about 2
    static constexpr double least_normal = 0.2;

    BodyValues values_;
    Kernel kernel_{};
    double blur_ = 0, strongest_ = 0;
    std::vector<TensionOfBody> area_, morris_;
    std::vector<float> cohesion_;
    bool area_in_use_ = false, morris_in_use_ = false, cohesion_in_use_ = false, interfaces_ = false;
    Column<Float4> surface_slope_, interface_slope_, wall_slope_, normal_, unit_;
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
             {number("tension", "N/m", 0.072, {0, 1e6}, "Surface tension towards air; water at 25 C has 0.072."),
              number("interface", "N/m", 0, {0, 1e6},
                     "Tension towards fluids of other bodies, which then do not mix; the mean of both bodies' values."),
              number("contact_angle", "degrees", 90, {0, 180},
                     "Angle in the fluid at which its surface meets walls; used by the model area."),
              choice("model", {"area", "morris", "becker-teschner"},
                     "The gradient of the surface's energy, normals and curvature, or cohesion of particles.")}},
    .stage = Stage::force,
    .form = Form::pair,
    .make = make_behavior<SurfaceTension>,
    .expected_speed = capillary_speed,
}};

} // namespace
} // namespace loam
