#include "pressure/weight_pressure.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "passes/acceleration_limit.h"

namespace loam {
namespace {

// How much of the spline around a point lies in a half space that ends `depth` edges beyond it.
float share_of_half_space(double depth) {
    const double t = std::clamp(depth, -1.5, 1.5);
    const auto cube = [](double x) { return x * x * x; };
    if (t < -0.5) return static_cast<float>(cube(t + 1.5) / 6);
    if (t > 0.5) return static_cast<float>(1 - cube(1.5 - t) / 6);
    return static_cast<float>(0.5 + 0.75 * t - t * t * t / 3);
}

// Of the fluid particles of each body.
std::vector<Vec3f> mean_accelerations(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto mass = pool[pool.mass];
    const auto acceleration = pool[pool.acceleration];
    const auto body = pool[pool.body];
    struct Sum {
        Vec3d pull;
        double mass = 0;
    };
    using Sums = std::vector<Sum>;
    const Sums sums = parallel_reduce(
        pool.size(), Sums(step.scene.bodies.size()),
        [&](Range range) {
            Sums some(step.scene.bodies.size());
            for (std::size_t i = range.begin; i != range.end; ++i) {
                if (step.is_solid(i)) continue;
                some[body[i]].pull += static_cast<double>(mass[i]) * acceleration[i].xyz_double();
                some[body[i]].mass += mass[i];
            }
            return some;
        },
        [](Sums a, const Sums& b) {
            for (std::size_t k = 0; k < a.size(); ++k) a[k].pull += b[k].pull, a[k].mass += b[k].mass;
            return a;
        });
    std::vector<Vec3f> means(sums.size());
    for (std::size_t k = 0; k < sums.size(); ++k) {
        const Vec3d mean = sums[k].mass > 0 ? (1 / sums[k].mass) * sums[k].pull : Vec3d{};
        means[k] = {static_cast<float>(mean.x), static_cast<float>(mean.y), static_cast<float>(mean.z)};
    }
    return means;
}

// -1 and 1 along each axis, in this order.
constexpr int axis_of(std::size_t face) { return static_cast<int>(face / 2); }
constexpr int side_of(std::size_t face) { return face % 2 == 0 ? -1 : 1; }

} // namespace

void WeightPressure::declare(StepContext& step) {
    pressure_ = step.particles.declare<float>({.name = "weight_pressure", .unit = "Pa", .saved = true});
    push_ = step.particles.declare<Float4>({.name = "weight_push", .unit = "m/s^2", .saved = true});
}

void WeightPressure::push(StepContext& step) {
    Pool& pool = step.particles;
    const auto c = pool[pressure_];
    take_out(step);
    largest_pull_ =
        step.flow.anything(pool) ? largest_acceleration(step, [&](std::size_t i) { return !step.is_solid(i); }) : 0;
    pulls_ = mean_accelerations(step);
    double pull = 0;
    for (const Vec3f& of_body : pulls_) pull = std::max(pull, length(Vec3d{of_body.x, of_body.y, of_body.z}));
    const auto nothing = [&] { parallel_each(pool.size(), [&](std::size_t i) { c[i] = 0, pool[push_][i] = {}; }); };
    constexpr double rounding = 1e-4; // is left of what acts between particles
    if (!(pull > rounding * largest_pull_)) return nothing();
    cells_.fit(step, cell_edge * step.scene.spacing);
    fill_cells(step);
    find_pull(step);
    steepest_weight_ = static_cast<float>(pull) * densest();
    if (!(steepest_weight_ > 0)) return nothing(); // drops, films, ...
    solve_fluid();
    go_on_beyond();
    if (step.scene.has_solids) fill_solids();

    const auto position = pool[pool.position];
    const auto acceleration = pool[pool.acceleration];
    const auto lack = pool.falls() ? pool[pool.lack] : std::span<Float4>{};
    const auto push = pool[push_];
    const auto volume = pool[pool.volume], mass = pool[pool.mass];
    const double time = step.dt; // of the step before
    const float steepest = steepest_slope(), most = pressure_between_particles(step);
    parallel_each(pool.size(), [&](std::size_t i) {
        const Float4 at = cells_.sample(field_, i, position[i]);
        const float part = std::clamp(at.w / (2 * most), 0.0f, 1.0f);
        const float s = -part * volume[i] / mass[i];
        const float slope = std::sqrt(at.x * at.x + at.y * at.y + at.z * at.z);
        const float f = slope > steepest ? s * steepest / slope : s;
        const Float4 before = push[i];
        push[i] = {f * at.x, f * at.y, f * at.z, 1};
        Float4& a = acceleration[i];
        a = {a.x + push[i].x, a.y + push[i].y, a.z + push[i].z, a.w};
        // Velocities are those of half a step ago: the push of now brings them here, not that of the step before, else
        // waves would grow by pi / 2 omega dt per period.
        if (!lack.empty() && before.w > 0) {
            const Vec3d more = (0.5 * time) * (push[i].xyz_double() - before.xyz_double());
            lack[i] = float4(lack[i].xyz_double() + more);
        }
        c[i] = step.is_solid(i) ? 0 : at.w > 2 * most ? at.w - most : 0.5f * part * std::max(at.w, 0.0f);
    });
    put_in(step);
}

void WeightPressure::fill_cells(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto volume = pool[pool.volume];
    const auto per_cell = static_cast<float>(1 / cells_.volume());
    const auto share_of_cell = [&](std::size_t i) { return per_cell * volume[i]; };
    fluid_ = cells_.spread(
        step, [&](std::size_t i) { return !step.is_solid(i); }, share_of_cell);
    solid_ = step.scene.has_solids ? cells_.spread(
                                         step, [&](std::size_t i) { return step.is_solid(i); }, share_of_cell)
                                   : std::vector<float>(cells_.size());
    find_walls(step);
    fill_.resize(cells_.size()), open_.resize(cells_.size());
    parallel_each(cells_.size(), [&](std::size_t k) {
        fill_[k] = fluid_[k] + solid_[k] + walls_[k];
        open_[k] = std::clamp(1 - solid_[k] - walls_[k], least_room, 1.0f);
    });
}

void WeightPressure::find_walls(const StepContext& step) {
    walls_.assign(cells_.size(), 0);
    near_wall_.assign(step.walls.bodies.empty() ? 0 : cells_.size(), {});
    const double edge = cells_.edge(0), reach = 1.5 * edge;
    const std::uint32_t per_block = cells_.per_block();
    parallel_each(step.walls.bodies.empty() ? 0 : cells_.size() / per_block, [&](std::size_t b) {
        const auto begin = static_cast<std::uint32_t>(b * per_block);
        const Vec3d first = cells_.center(begin), last = cells_.center(begin + per_block - 1);
        const Vec3d middle = 0.5 * (first + last);
        const double radius = 0.5 * length(last - first);
        for (const WallBody& wall : step.walls.bodies) {
            if (wall.shape->distance(wall.pose.point_at_rest(middle)) > radius + reach) continue;
            for (std::uint32_t k = begin; k < begin + per_block; ++k) {
                const Vec3d at = wall.pose.point_at_rest(cells_.center(k));
                const double distance = wall.shape->distance(at);
                if (distance > reach) continue;
                walls_[k] = std::max(walls_[k], share_of_half_space(-distance / edge));
                if (distance > 0 && distance < near_wall_[k].distance)
                    near_wall_[k] = {wall.pose.rotate(wall.shape->normal(at)), distance};
            }
        }
    });
}

// What pulls at the fluid in and around each cell. Where fluids meet, the density of the lighter one: it would be
// thrown about by the weight of the heavier, which has to act between particles there.
void WeightPressure::find_pull(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto mass = pool[pool.mass], volume = pool[pool.volume];
    const auto body = pool[pool.body];
    struct Own {
        Vec3f pull; // times mass
        float mass = 0, lightest = 1e30f;
    };
    std::vector<Own> own(cells_.size());
    parallel_each(cells_.size(), [&](std::size_t k) {
        for (const std::uint32_t i : cells_.particles_in(static_cast<std::uint32_t>(k))) {
            if (step.is_solid(i)) continue;
            own[k].pull += mass[i] * pulls_[body[i]];
            own[k].mass += mass[i];
            own[k].lightest = std::min(own[k].lightest, mass[i] / volume[i]);
        }
    });
    pull_.resize(cells_.size());
    parallel_each(cells_.size(), [&](std::size_t k) {
        const auto cell = static_cast<std::uint32_t>(k);
        pull_[k] = {};
        if (!(fluid_[k] > 0)) return;
        Own all;
        cells_.each_around(cell, [&](std::uint32_t other, int, int, int) {
            all.pull += own[other].pull, all.mass += own[other].mass;
            all.lightest = std::min(all.lightest, own[other].lightest);
        });
        const float f = all.mass > 0 ? (1 - room_to_pack(cell)) / all.mass : 0;
        pull_[k] = {f * all.pull, all.lightest};
    });
    std::vector<float> lightest(cells_.size());
    parallel_each(cells_.size(), [&](std::size_t k) {
        float least = 1e30f;
        if (is_wet(static_cast<std::uint32_t>(k)))
            cells_.each_around(static_cast<std::uint32_t>(k), [&](std::uint32_t other, int, int, int) {
                least = std::min(least, pull_[other].density);
            });
        lightest[k] = least;
    });
    parallel_each(cells_.size(), [&](std::size_t k) { pull_[k].density = lightest[k]; });
}

bool WeightPressure::is_inside(std::uint32_t cell) const {
    bool inside = true;
    cells_.each_around(cell, [&](std::uint32_t other, int, int, int) { inside &= !is_air(other); });
    return inside;
}

// How much is missing inside of a fluid whose particles are not packed: it bears less, and its weight packs them.
float WeightPressure::room_to_pack(std::uint32_t cell) const {
    constexpr float most = 0.2f;
    return is_inside(cell) ? std::clamp(1 - fill_[cell], 0.0f, most) : 0;
}

bool WeightPressure::is_thin(std::uint32_t cell) const {
    if (is_wet(cell) || solid_[cell] < least_room) return false;
    bool wet = false, air = false;
    cells_.each_around(cell, [&](std::uint32_t other, int, int, int) { wet |= is_wet(other), air |= is_air(other); });
    return wet && air;
}

bool WeightPressure::parted(std::uint32_t cell, std::uint32_t other) const {
    if (near_wall_.empty()) return false;
    const NearWall &a = near_wall_[cell], &b = near_wall_[other];
    return a.distance + b.distance < cells_.edge(0) && dot(a.normal, b.normal) < 0;
}

// In edges.
double WeightPressure::to_surface(std::uint32_t cell, std::uint32_t air) const {
    const double part = (fill_[cell] - surface) / (fill_[cell] - fill_[air]);
    return std::max(least_part, part);
}

void WeightPressure::solve_fluid() {
    equations_.clear();
    std::vector<std::uint32_t> unknown(cells_.size(), Cells::none);
    for (std::uint32_t k = 0; k < cells_.size(); ++k)
        if (is_wet(k)) unknown[k] = static_cast<std::uint32_t>(equations_.cells.size()), equations_.add(k);
    const double unit = cells_.edge(0);
    parallel_each(equations_.cells.size(), [&](std::size_t u) {
        const std::uint32_t cell = equations_.cells[u];
        const Pull& own = pull_[cell];
        for (std::size_t f = 0; f < static_cast<std::size_t>(2 * cells_.dimensions()); ++f) {
            const int axis = axis_of(f);
            const std::uint32_t other = cells_.beside(cell, axis, side_of(f));
            if (other == Cells::none || parted(cell, other)) continue;
            const bool wet = unknown[other] != Cells::none, air = !wet && is_air(other);
            if (!wet && !air && !is_thin(other)) continue;
            const double edge = cells_.edge(axis), room = std::min(open_[cell], open_[other]);
            const Pull& its = wet ? pull_[other] : own;
            const double density = 0.5 * (own.density + its.density);
            const double flux = room * unit * unit / (edge * edge) / density;
            const auto k = static_cast<std::size_t>(axis);
            const double pull = 0.5 * (own.acceleration[k] + its.acceleration[k]);
            equations_.right[u] -= static_cast<float>(flux * edge * density * side_of(f) * pull);
            if (wet) {
                equations_.neighbors[u][f] = unknown[other];
                equations_.along[u][f] = static_cast<float>(flux);
                equations_.diagonal[u] += static_cast<float>(flux);
            } else {
                equations_.diagonal[u] += static_cast<float>(flux / (air ? to_surface(cell, other) : least_part));
            }
        }
    });
    equations_.solve(most_iterations, tolerance);
    field_.assign(cells_.size(), 0);
    for (std::size_t u = 0; u < equations_.x.size(); ++u) field_[equations_.cells[u]] = equations_.x[u];
}

float WeightPressure::densest() const {
    float densest = 0;
    for (const Pull& pull : pull_)
        if (pull.density < Pull{}.density) densest = std::max(densest, pull.density);
    return densest;
}

// Water at rest has the slope of its weight. Where a heavy solid squeezes a film, cells that hold a little of all can
// show any: what is beyond acts between particles.
float WeightPressure::steepest_slope() const { return 2 * steepest_weight_; }

float WeightPressure::pressure_between_particles(const StepContext& step) const {
    return layers * static_cast<float>(step.scene.spacing) * steepest_weight_;
}

// Of the field in a wet cell, by what is wet or at the surface to either side.
Vec3d WeightPressure::slope(std::uint32_t cell) const {
    Vec3d slope;
    for (int axis = 0; axis < cells_.dimensions(); ++axis) {
        double rise = 0, way = 0;
        for (const int side : {-1, 1}) {
            const std::uint32_t other = cells_.beside(cell, axis, side);
            if (other == Cells::none || parted(cell, other)) continue;
            if (is_wet(other)) {
                rise += side * (field_[other] - field_[cell]), way += 1;
            } else if (is_air(other)) {
                rise -= side * field_[cell], way += to_surface(cell, other);
            }
        }
        const auto k = static_cast<std::size_t>(axis);
        slope[k] = way > 0 ? rise / (way * cells_.edge(axis)) : pull_[cell].density * pull_[cell].acceleration[k];
    }
    return slope;
}

// Particles at walls and surfaces take their share of the cells beyond.
void WeightPressure::go_on_beyond() {
    std::vector<float> beyond(cells_.size());
    parallel_each(cells_.size(), [&](std::size_t k) {
        const auto cell = static_cast<std::uint32_t>(k);
        beyond[k] = field_[k];
        if (is_wet(cell) || !(fluid_[k] + solid_[k] > 0)) return; // the latter is near no particle
        double sum = 0, weight = 0;
        cells_.each_around(cell, [&](std::uint32_t other, int x, int y, int z) {
            if (other == cell || !is_wet(other)) return;
            const Vec3d s = slope(other);
            const double w = 1.0 / (x * x + y * y + z * z);
            sum += w * (field_[other] - x * s.x * cells_.edge(0) - y * s.y * cells_.edge(1) - z * s.z * cells_.edge(2));
            weight += w;
        });
        if (weight > 0) beyond[k] = static_cast<float>(sum / weight);
    });
    field_ = std::move(beyond);
}

void WeightPressure::fill_solids() {
    constexpr float mostly = 0.5f;
    equations_.clear();
    std::vector<std::uint32_t> unknown(cells_.size(), Cells::none);
    for (std::uint32_t k = 0; k < cells_.size(); ++k)
        if (!is_wet(k) && solid_[k] > mostly)
            unknown[k] = static_cast<std::uint32_t>(equations_.cells.size()), equations_.add(k);
    parallel_each(equations_.cells.size(), [&](std::size_t u) {
        for (std::size_t f = 0; f < static_cast<std::size_t>(2 * cells_.dimensions()); ++f) {
            const std::uint32_t other = cells_.beside(equations_.cells[u], axis_of(f), side_of(f));
            if (other == Cells::none) continue;
            equations_.diagonal[u] += 1;
            if (unknown[other] != Cells::none)
                equations_.neighbors[u][f] = unknown[other], equations_.along[u][f] = 1;
            else
                equations_.right[u] += std::max(field_[other], 0.0f);
        }
    });
    equations_.solve(most_iterations, tolerance);
    for (std::size_t u = 0; u < equations_.x.size(); ++u) field_[equations_.cells[u]] = equations_.x[u];
}

void WeightPressure::add(StepContext& step, float sign, Column<float> to) const {
    Pool& pool = step.particles;
    const auto c = pool[pressure_], p = pool[to];
    parallel_each(pool.size(), [&](std::size_t i) { p[i] += sign * c[i]; });
}

} // namespace loam
