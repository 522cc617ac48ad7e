// Weakly compressible SPH with a density that each particle carries along: "density": "carried".
//
//   d delta_i / dt = -div' v + diffusion + (sum_i - delta_i) drift c / spacing
//   p              by the equation of state, from delta, over delta^2 as in wcsph.cpp
//   v              pushed by c' with exact gradients, and between neighbors by p - c' only
//   x              moved along with v, then only they, not v, apart where sum > delta
//
//   sum   the summed density of passes.h
//   div'  with corrected gradients, as in correction.h, and p - c' pushes with their adjoint
//   c'    a smooth share of the pressure, 0 at free surfaces
//
// The summed density changes in a mere shear of uneven particles. A pressure that follows it resists shear like a solid
// (docs/validation.md, M1). A carried one does not see it. To keep neighbors even is left to places, as in delta-plus
// SPH (Sun et al. 2017), and what errors of the divergence add up to over time to the slow drift.
#include <algorithm>

#include "passes/pass.h"
#include "pressure/correction.h"
#include "pressure/fields.h"
#include "pressure/wcsph/diffusion.h"
#include "pressure/wcsph/state.h"

namespace loam {
namespace {

// Places are even again after some times spacing / c, the time of a step. The drift, that brings the rest of unevenness
// into the pressure, has to be slow against that; but fast against the flow, whose speed is c / 10 or less.
constexpr double drift = 0.01;
constexpr float evening = 0.4f;  // of Jacobi's method, one iteration in each step: stable with any kernel
constexpr double farthest = 0.1; // spacings in one step, as particle shifting

class CarriedWcsph : public PressureSolver {
public:
    explicit CarriedWcsph(const PressureSetup& setup) : state_(setup) {}

    void prepare(StepContext& step) override {
        Pool& pool = step.particles;
        fields_.declare(step, PressureFields::Use::iterated_with_kept_gradients);
        fields_.declare_correction(step);
        compression_ = pool.declare<float>({.name = "carried_compression", .saved = true});
        reference_ = pool.declare<float>({.name = "reference_pressure", .unit = "Pa"});
        free_ = pool.declare<float>({.name = "free_surface"});
        if (state_.negative) inside_ = pool.declare<float>({.name = "inside"});
    }

    void find_densities(StepContext& step) override { fields_.find_densities_alone(step); }

    void begin(StepContext& step) override {
        flows_ = fields_.begin_flow(step);
        stats_.iterations = 1;
        stats_.volume_error = fields_.mean_compression(step, stats_.largest_volume_error);
    }

    void solve(StepContext& step) override {
        if (!flows_) return;
        step.profile.time("correction", [&] { fields_.find_correction(step, &free_); });
        fields_.correct(true);
        drift_to_sum(step);
        step.profile.time("pressure", [&] {
            find_pressure(step);
            push(step);
        });
        step.profile.time("diffusion", [&] { diffuse(step); });
        step.profile.time("divergence", [&] { carry(step); });
        fields_.correct(false);
        step.profile.time("places", [&] { even_out(step); });
    }

    std::size_t memory() const override { return fields_.memory(); }

    TimeStepLimit time_step(const StepContext& step) const override { return state_.time_step(step); }

    bool takes_short_steps() const override { return true; }
    bool slides_freely() const override { return true; }

private:
    // In drops, jets and films div' is the rate of the sum and nothing else. There delta is the sum: what steps miss of
    // the rate while drops strike and bounce would add up. But not in a hole among uneven particles, which places
    // close.
    void drift_to_sum(StepContext& step) {
        Pool& pool = step.particles;
        const auto compression = pool[compression_], density = pool[pool.density], free = pool[free_];
        const auto part = static_cast<float>(step.dt * drift * state_.sound / step.scene.spacing);
        parallel_each(pool.size(), [&](std::size_t i) {
            const float beyond = density[i] - 1 - compression[i];
            const bool drop = free[i] > 1 || density[i] < PressureFields::lone_density;
            if (!step.is_solid(i)) compression[i] += drop ? beyond : part * beyond;
        });
    }

    void find_pressure(StepContext& step) {
        Pool& pool = step.particles;
        const auto compression = pool[compression_];
        const auto p = pool[pool.pressure];
        const auto share = step.flow.share.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) {
            const float delta = 1 + compression[i], crowded = std::max(delta, 1.0f);
            p[i] = (step.flow.all ? 1 : share[i]) * state_.pressure(pool.rest_density(i), delta) / (crowded * crowded);
        });
        if (!state_.negative) return;
        find_inside(step);
        pull_only_inside(pool, pool.pressure);
        const auto free = pool[free_];
        parallel_each(pool.size(), [&](std::size_t i) { p[i] = free[i] > 0 ? std::max(p[i], 0.0f) : p[i]; });
    }

    // A hole in uneven particles is no free surface, so it is looked for in the mean of densities.
    void find_inside(StepContext& step) {
        Pool& pool = step.particles;
        fields_.find_mean(step, pool.density, fields_.source);
        const auto inside = pool[fields_.source];
        parallel_each(pool.size(), [&](std::size_t i) { inside[i] = inside[i] < free_density ? 0 : 1; });
        fields_.find_least_twice(step, inside_);
    }

    // Nothing pulls near a free surface: a smooth pressure below 0 that reaches it tears it apart.
    void pull_only_inside(Pool& pool, Column<float> pressure) const {
        const auto p = pool[pressure], inside = pool[inside_];
        parallel_each(pool.size(), [&](std::size_t i) { p[i] = p[i] < 0 ? inside[i] * p[i] : p[i]; });
    }

    void push(StepContext& step) {
        Pool& pool = step.particles;
        const auto p = pool[pool.pressure], c = pool[reference_], rest = pool[fields_.kappa], free = pool[free_];
        parallel_each(pool.size(), [&](std::size_t i) { rest[i] = free[i] > 0 ? 0 : p[i]; });
        fields_.find_reference(step, fields_.kappa, reference_);
        if (state_.negative) pull_only_inside(pool, reference_);
        parallel_each(pool.size(), [&](std::size_t i) { rest[i] = p[i] - c[i]; });
        fields_.push_by_reference(step, reference_, fields_.kappa);
    }

    void diffuse(StepContext& step) {
        Pool& pool = step.particles;
        fields_.find_reference_push(step, pool.pressure);
        Pass pass(step, "density diffusion");
        pass.run(density_diffusion, {.particles = pass.pairs(),
                                     .kernel = step.scene.kernel,
                                     .record = pass.reads(fields_.record()),
                                     .acceleration = pass.reads(fields_.push),
                                     .rate = pass.writes(fields_.residual)});
        const auto compression = pool[compression_], sum = pool[fields_.residual];
        const auto scale =
            static_cast<float>(step.dt * diffusion_strength * 0.5 * step.scene.kernel.support / state_.sound);
        parallel_each(pool.size(), [&](std::size_t i) { compression[i] += scale * sum[i]; });
    }

    void carry(StepContext& step) {
        Pool& pool = step.particles;
        fields_.find_divergence(step, fields_.source);
        const auto compression = pool[compression_], rate = pool[fields_.source];
        const auto dt = static_cast<float>(step.dt);
        parallel_each(pool.size(), [&](std::size_t i) {
            if (!step.is_solid(i)) compression[i] += dt * rate[i];
        });
    }

    void even_out(StepContext& step) {
        Pool& pool = step.particles;
        const auto kappa = pool[fields_.kappa];
        parallel_each(pool.size(), [&](std::size_t i) { kappa[i] = step.is_solid(i) ? 0 : crowding(pool, i); });
        fields_.find_kept_push(step);
        const auto by = pool[fields_.push];
        const auto position = pool[pool.position];
        const double most = farthest * step.scene.spacing;
        parallel_each(pool.size(), [&](std::size_t i) {
            if (step.is_solid(i)) return;
            const Vec3d way = by[i].xyz_double();
            const double far = length(way);
            position[i] += far > most ? most / far * way : way;
        });
    }

    // The pressure that moves places: what takes back 3 % of compression between neighbors, at most. Were the limit on
    // the compression, walls, which are steeper, would reach it with less pressure, and neighbors push particles into
    // them.
    float crowding(const Pool& pool, std::size_t i) const {
        const float density = pool[pool.density][i], more = density - 1 - pool[compression_][i];
        const Float4& g = pool[fields_.gradient][i];
        // Lone particles and pairs have nearly no gradient to be moved by.
        if (!(more > 0 && density > PressureFields::lone_density && g.w > 0)) return 0;
        const float one_sided = pool[pool.volume][i] / pool[pool.mass][i] * (g.x * g.x + g.y * g.y + g.z * g.z);
        const float between = std::max(g.w - one_sided, 1e-6f * g.w);
        return evening * std::min(more / g.w, PressureFields::in_fluids.at_once / between);
    }

    EquationOfState state_;
    bool flows_ = true; // anything, in this step
    PressureFields fields_;
    Column<float> compression_; // delta - 1
    Column<float> reference_;   // c'
    Column<float> free_;        // 1 at free surfaces, 2 in drops, jets and films, else 0
    Column<float> inside_;      // where the fluid may pull: 1, but 0 near free surfaces
};

} // namespace

std::unique_ptr<PressureSolver> make_carried(const PressureSetup& setup) {
    return std::make_unique<CarriedWcsph>(setup);
}

} // namespace loam
