// Force on a wall or a body, by all that touches it: see step/balance.h.
#include "gauges/gauge.h"

namespace loam {
namespace {

class Force : public Gauge {
public:
    Force(const Values& values, const Scene& scene) : members_(scene, values.text("on")) {}

    Simulation::Watch needs() const override { return {.forces = true}; }

    std::vector<double> read(const Simulation& simulation) override {
        Vec3d sum;
        const std::span<const Vec3d> forces = simulation.forces();
        for (std::size_t b = 0; b < forces.size(); ++b)
            if (members_[b]) sum += forces[b];
        return {sum.x, sum.y, sum.z};
    }

private:
    Members members_;
};

const RegisterGauge force{{
    .declaration =
        {.name = "force",
         .help = "The force on a wall or a body, by all that touches it.\nThe mean since the frame, or the step, "
                 "before, from the balance of momentum: what free bodies are pushed by beyond gravity, wind and "
                 "emitters. What walls, held and pinned bodies bear is the exact sum of that; where there are "
                 "several, each gets what the fluids' pressure and the contacts of solids say, and so a little "
                 "less exactly. Of a pinned body it is what others do to it, not its pins.",
         .properties = {body_name("on", "The wall or body.").needed()}},
    .parts = {{"x", "N"}, {"y", "N"}, {"z", "N"}},
    .is_mean = true,
    .make = make_gauge<Force>,
}};

} // namespace
} // namespace loam
