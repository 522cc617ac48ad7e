// Flow through a disk: the volume of the particles that have passed it in a step, those along its normal minus those
// against it, per time. Each particle is counted when its way crosses the disk, so none is missed or counted twice.
#include "gauges/gauge.h"

namespace loam {
namespace {

class FlowGauge : public Gauge {
public:
    FlowGauge(const Values& values, const Scene& scene)
        : center_(values.vector("center")), normal_(values.vector("normal")), radius_(values.number("radius")),
          members_(scene, values.text("body")) {}

    void begin(const Simulation& simulation) override {
        time_ = simulation.time();
        remember(simulation.particles());
    }

    std::vector<double> read(const Simulation& simulation) override {
        const StepContext& step = simulation.context();
        const Pool& pool = step.particles;
        const double full = lattice_volume(step.scene.kernel, step.scene.spacing);
        double passed = 0;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const std::uint32_t id = pool[pool.id][i];
            if (id >= before_.size() || !members_[pool[pool.body][i]]) continue; // newborn
            const Vec3d from = shortest_way(before_[id] - center_, step.scene.periodic_length);
            const Vec3d way = shortest_way(pool[pool.position][i] - before_[id], step.scene.periodic_length);
            passed += crossing(from, way) * pool[pool.volume][i] / full * step.scene.space;
        }
        const double seconds = simulation.time() - time_;
        begin(simulation);
        return {seconds > 0 ? passed / seconds : 0};
    }

private:
    void remember(const Pool& pool) {
        before_.assign(pool.next_id, {});
        for (std::size_t i = 0; i < pool.size(); ++i) before_[pool[pool.id][i]] = pool[pool.position][i];
    }
    // 1 along the normal, -1 against it, 0: it does not cross. What ends on the disk has not crossed it yet.
    double crossing(const Vec3d& from, const Vec3d& way) const {
        const double begin = dot(from, normal_), end = begin + dot(way, normal_);
        if ((begin > 0) == (end > 0)) return 0;
        const Vec3d at = from + (begin / (begin - end)) * way;
        return dot(at, at) > radius_ * radius_ ? 0 : end > 0 ? 1 : -1;
    }

    Vec3d center_, normal_;
    double radius_;
    Members members_;
    std::vector<Vec3d> before_; // by id
    double time_ = 0;
};

const RegisterGauge flow{{
    .declaration =
        {.name = "flow",
         .help = "The volume per time that flows through a disk, along its normal.\nThe mean since the frame, or "
                 "the step, before. In 2D an area per time, through a line.",
         .properties = {vector("center", "m", {}, "Of the disk.").needed(),
                        vector("normal", "", {1, 0, 0}, "Where flow counts as positive."),
                        number("radius", "m", 0, positive, "Of the disk.").needed(),
                        body_name("body", "Of this body alone; of all when left out.")}},
    .parts = {{"", "m^3/s"}},
    .is_mean = true,
    .make = make_gauge<FlowGauge>,
}};

} // namespace
} // namespace loam
