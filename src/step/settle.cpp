// Particles that are put down squeezed, where a lattice does not fit its shape, are moved apart before the first step.
// Pressure would do so within a few steps, and leave them with the speed of that: whole rows flew off a drop.
#include <algorithm>
#include <span>

#include "particles/snapshot.h"
#include "pressure/correction.h"
#include "step/motion.h"
#include "step/start.h"
#include "step/walls.h"

namespace loam {
namespace {

constexpr int most_rounds = 40;
constexpr float squeezed = 1.005f; // of the rest density; a lattice that fits has 1
constexpr double moment = 1e-6;    // [s]: what moves by itself stays where it is
constexpr double farthest = 0.1;   // spacings, in one round: what is thrown among others is squeezed there

bool is_uneven(const Scene& scene) {
    return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                       [](const BodySpec& body) { return !body.boundary && body.values.number("jitter") > 0; });
}

float densest(const Pool& pool) {
    const auto density = pool[pool.density];
    return density.empty() ? 0 : *std::max_element(density.begin(), density.end());
}

// By how much more was put into a vessel than it holds: the mean density where no particle lacks neighbors, else 1. A
// lattice may have a few per cent more points in a ball than the ball has room for.
double overfull(const Pool& pool) {
    constexpr double slight = 1.003; // what unevenness alone makes of the mean
    const auto density = pool[pool.density];
    double sum = 0;
    for (const float own : density) {
        if (own < free_density) return 1; // there is a surface, and room beyond it
        sum += own;
    }
    const double mean = density.empty() ? 1 : sum / static_cast<double>(density.size());
    return mean > slight ? mean : 1;
}

// Only places are wanted: heavy fluids give way as light ones do.
void weigh_alike(Pool& pool) {
    const auto mass = pool[pool.mass], volume = pool[pool.volume];
    for (std::size_t i = 0; i < pool.size(); ++i) mass[i] = 1000 * volume[i];
}

void slow_down(std::span<Float4> velocity, double most) {
    for (Float4& v : velocity)
        if (const double speed = length(v.xyz_double()); speed > most) v = float4((most / speed) * v.xyz_double(), v.w);
}

// Solvers whose pressure is a force let go of what is squeezed by themselves, slowly. Who asks for jitter has it:
// without its unrest fluids that fill a tank are stiffer against shear for a while.
bool can_settle(const Scene& scene, const PressureSolver& pressure, const Flow& flow) {
    return pressure.throws_apart() && flow.all && !is_uneven(scene);
}

} // namespace

// Only places change.
Status settle_start(const Scene& scene, PressureSolver& pressure, Neighborhood& neighborhood, StepContext& step) {
    if (!can_settle(scene, pressure, step.flow)) return Done{};
    Pool& pool = step.particles;
    const SavedColumns before = save_columns(pool);
    const auto rest = [&] {
        for (Float4& v : pool[pool.velocity]) v = {0, 0, 0, v.w};
    };
    step.dt = moment;
    step.settling = true;
    move_walls(step.walls, step.time, step.scene, neighborhood);
    rest();
    weigh_alike(pool);
    for (int round = 0; round < most_rounds; ++round) {
        neighborhood.invalidate();
        neighborhood.update(pool, step.walls);
        pressure.begin(step);
        if (densest(pool) <= squeezed) break;
        pressure.solve(step);
        slow_down(pool[pool.velocity], farthest * step.scene.spacing / moment);
        move_particles(step, moment);
        keep_out_of_walls(step, step.scene.spacing);
        rest();
    }

    std::vector<Vec3d> place(pool.next_id);
    for (std::size_t i = 0; i < pool.size(); ++i) place[pool[pool.id][i]] = pool[pool.position][i];
    if (Status back = restore_columns(pool, before); !back) return back;
    for (std::size_t i = 0; i < pool.size(); ++i) pool[pool.position][i] = place[pool[pool.id][i]];
    step.dt = 0;
    step.settling = false;
    neighborhood.invalidate();
    return Done{};
}

void fit_into_vessel(const Scene& scene, const PressureSolver& pressure, Pool& pool, const Flow& flow) {
    if (!can_settle(scene, pressure, flow)) return;
    const auto share = static_cast<float>(1 / overfull(pool));
    if (share == 1) return;
    for (const Column<float> column : {pool.volume, pool.mass, pool.density})
        for (float& value : pool[column]) value *= share;
}

} // namespace loam
