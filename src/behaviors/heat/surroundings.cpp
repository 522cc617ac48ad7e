#include "behaviors/heat/surroundings.h"

#include <cmath>

#include "base/reductions.h"

namespace loam {
namespace {

constexpr int table_size = 256;
constexpr double nearest = 0.25; // spacings: nearer to a wall than this, particles count as this far

// The kernel summed over a plane at a distance.
double over_plane(const Kernel& kernel, double distance) {
    const double support = kernel.support;
    if (distance >= support) return 0;
    constexpr int parts = 200;
    const double radius = std::sqrt(support * support - distance * distance), width = radius / parts;
    double sum = 0;
    for (int k = 0; k < parts; ++k) {
        const double r = (k + 0.5) * width, w = kernel_value(kernel, std::hypot(r, distance));
        sum += width * w * (kernel.dimensions == 3 ? 2 * 3.14159265358979 * r : 2);
    }
    return sum;
}

bool is_on(const Values& values, double time) { return time >= values.number("start") && time < values.number("stop"); }

} // namespace

void HeatedWalls::prepare(const StepContext& step) {
    support_ = step.scene.kernel.support, spacing_ = step.scene.spacing;
    is_heated_.assign(step.scene.bodies.size(), 0);
    for (std::size_t w = 0; w < step.walls.bodies.size(); ++w) {
        const WallBody& wall = step.walls.bodies[w];
        if (!(wall.values.number("temperature") > 0) && !wall.values.track("temperature")) continue;
        heated_.push_back({w});
        is_heated_[wall.body] = 1;
    }
    if (heated_.empty()) return;
    double flux = 0; // of a temperature that grows evenly from the wall on
    for (double d = 0.5 * spacing_; d < support_; d += spacing_)
        flux += 2 * spacing_ * over_plane(step.scene.kernel, d);
    for (int k = 0; k <= table_size; ++k)
        table_.push_back(over_plane(step.scene.kernel, k * support_ / table_size) / flux);
}

double HeatedWalls::gamma(double distance) const {
    const double at = distance / support_ * table_size;
    const auto k = static_cast<std::size_t>(at);
    return k >= table_size ? 0 : table_[k] + (at - static_cast<double>(k)) * (table_[k + 1] - table_[k]);
}

void HeatedWalls::begin(const StepContext& step) {
    for (Heated& heated : heated_)
        heated.temperature = step.walls.bodies[heated.wall].values.at(step.time).number("temperature");
}

void HeatedWalls::add(const StepContext& step, std::size_t i, double conductance, Supply& supply) const {
    const auto near = step.neighbors->walls.of(i);
    const auto body = step.walls[step.walls.body];
    if (std::none_of(near.begin(), near.end(), [&](std::uint32_t w) { return is_heated_[body[w]] != 0; })) return;
    const Vec3d& place = step.particles[step.particles.position][i];
    for (const Heated& heated : heated_) {
        if (!(heated.temperature > 0)) continue;
        const WallBody& wall = step.walls.bodies[heated.wall];
        const double distance = wall.shape->distance(wall.pose.point_at_rest(wall.pose.image(place)));
        if (distance >= support_) continue;
        const double d = std::max(distance, nearest * spacing_);
        supply.lead_to(heated.temperature, 2 * conductance * gamma(d) / d);
    }
}

void Heaters::begin(const StepContext& step, const std::vector<std::uint8_t>& takes_heat) {
    const Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto body = pool[pool.body];
    const auto volume = pool[pool.volume];
    on_.clear();
    for (const HeaterFacts& heater : step.scene.heaters) {
        const Values now = heater.values.at(step.time);
        if (!is_on(now, step.time)) continue;
        On on{&heater, pose_at(heater.motion, step.time), 0, now.number("temperature")};
        if (!(on.temperature > 0)) {
            const double inside = parallel_sum(pool.size(), [&](std::size_t i) {
                return takes_heat[body[i]] && on.has(position[i]) ? static_cast<double>(volume[i]) : 0;
            });
            if (!(inside > 0)) continue; // nobody is there
            on.power_per_volume = now.number("power") / inside;
        }
        on_.push_back(on);
    }
}

void Heaters::add(const StepContext& step, std::size_t i, Supply& supply) const {
    const Pool& pool = step.particles;
    for (const On& on : on_) {
        if (!on.has(pool[pool.position][i])) continue;
        if (on.temperature > 0)
            supply.held_at = on.temperature;
        else
            supply.power += on.power_per_volume * pool[pool.volume][i];
    }
}

} // namespace loam
