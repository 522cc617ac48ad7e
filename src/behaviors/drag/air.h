// Drag in air that `drag` and `wind` share; air.law.h has the law.
#pragma once

#include "base/reductions.h"
#include "behaviors/behavior.h"

namespace loam {

// A body's drag.
struct AirDrag {
    float linear = 0;    // [1/s]
    float quadratic = 0; // c rho / 2 [kg/m^3]
};

class Air {
public:
    void set(const BodyValues& values);

    // Adds the drag of air that moves with velocity(i) to the accelerations.
    template <class Velocity> void apply(StepContext& step, const Velocity& velocity) {
        Pool& pool = step.particles;
        const auto acceleration = pool[pool.acceleration];
        const auto weight = weight_.of(pool);
        const Particle particle = particle_of(step);
        fastest_ = parallel_max(pool.size(), [&](std::size_t i) {
            const float open = weight[i] * exposed(pool, i, particle);
            return open > 0 ? drag(pool, i, open, velocity(i), particle, acceleration[i]) : 0;
        });
    }

    // Drag may slow a particle down, not throw it back.
    TimeStepLimit time_step(const char* reason) const {
        return fastest_ > 0 ? TimeStepLimit{0.5 / fastest_, reason} : TimeStepLimit{};
    }

    // Properties that both behaviors have.
    static std::vector<Property> properties();

private:
    struct Particle {
        float own_value;       // W(0)
        float area_per_volume; // [1/m]
    };
    static Particle particle_of(const StepContext& step);
    float exposed(const Pool& pool, std::size_t i, const Particle& particle) const;
    float drag(const Pool& pool, std::size_t i, float open, const Vec3d& air, const Particle& particle,
               Float4& acceleration) const;

    std::vector<AirDrag> drag_; // by body
    Numbers weight_;
    double fastest_ = 0; // rate of decay in the last step [1/s]
};

} // namespace loam
