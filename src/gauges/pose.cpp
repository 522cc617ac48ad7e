// Pose of a body: where its center of mass is, and of a rigid one, how it has turned since the start.
#include <numbers>

#include "gauges/gauge.h"

namespace loam {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double degrees = 180 / std::numbers::pi;

class PoseGauge : public Gauge {
public:
    PoseGauge(const Values& values, const Scene& scene)
        : body_(body_index(scene, values.text("body"))), members_(scene, values.text("body")) {}

    std::vector<double> read(const Simulation& simulation) override {
        if (const auto pose = simulation.pose(body_)) {
            const Vec3d c = pose->center, t = degrees * pose->turn;
            return {c.x, c.y, c.z, t.x, t.y, t.z};
        }
        const Vec3d c = center_of(simulation, members_);
        return {c.x, c.y, c.z, nothing, nothing, nothing};
    }

private:
    std::size_t body_;
    Members members_;
};

const RegisterGauge pose{{
    .declaration = {.name = "pose",
                    .help =
                        "Where a body is: its center of mass, and of a rigid body how it has turned since the start.\n"
                        "The turn is about its direction by its length, in degrees, at most half a turn.",
                    .properties = {body_name("body", "Any but a wall.").needed()}},
    .parts = {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"turn x", "degrees"}, {"turn y", "degrees"}, {"turn z", "degrees"}},
    .make = make_gauge<PoseGauge>,
}};

} // namespace
} // namespace loam
