#include "behaviors/drag/air.h"

#include <cmath>
#include <numbers>

namespace loam {
namespace {

using real = float;
#define LAW inline
#include "behaviors/drag/air.law.h"
#undef LAW

} // namespace

void Air::set(const BodyValues& values) {
    drag_.assign(values.size(), {});
    weight_ = values.numbers("weight");
    for (std::size_t b = 0; b < values.size(); ++b) {
        if (!values.uses(b)) continue;
        drag_[b].linear = static_cast<float>(values[b].number("linear"));
        drag_[b].quadratic =
            static_cast<float>(0.5 * values[b].number("coefficient") * values[b].number("air_density"));
    }
}

// A particle is a ball, or a disk in 2D, of the spacing's width: q m = 1/2 c rho A with A / V of the cell it fills.
Air::Particle Air::particle_of(const StepContext& step) {
    const double width = step.scene.spacing;
    return {static_cast<float>(kernel_value(step.scene.kernel, 0)),
            static_cast<float>(step.scene.dimensions == 3 ? std::numbers::pi / (4 * width) : 1 / width)};
}

std::vector<Property> Air::properties() {
    return {
        number("coefficient", "", 0.47, {0, 1e6}, "Drag coefficient of a particle; 0.47 is a ball's."),
        number("air_density", "kg/m^3", 1.2, {0, 1e5}, "Density of the air."),
        number("linear", "1/s", 0, {0, 1e6}, "Drag in proportion to the speed, on top: the rate at which it slows.")};
}

float Air::exposed(const Pool& pool, std::size_t i, const Particle& particle) const {
    const AirDrag& body = drag_[pool[pool.body][i]];
    if (body.linear == 0 && body.quadratic == 0) return 0;
    return exposure(pool[pool.density][i], pool[pool.volume][i] * particle.own_value);
}

float Air::drag(const Pool& pool, std::size_t i, float open, const Vec3d& air, const Particle& particle,
                Float4& acceleration) const {
    const AirDrag& body = drag_[pool[pool.body][i]];
    const Vec3d u = pool[pool.velocity][i].xyz_double() - air;
    const float quadratic = body.quadratic * particle.area_per_volume * pool[pool.volume][i] / pool[pool.mass][i];
    const float rate = drag_rate(open, static_cast<float>(length(u)), body.linear, quadratic);
    acceleration = float4(acceleration.xyz_double() - rate * u, acceleration.w);
    return rate;
}

} // namespace loam
