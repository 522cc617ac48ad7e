#include "neighbors/neighborhood.h"

#include "base/parallel.h"
#include "neighbors/search.h"

namespace loam {
namespace {

// Padding entries of lists point behind the last particle: far away, where every kernel is 0.
constexpr Float4 far_away{1e15f, 1e15f, 1e15f, 0};

template <class Points> void update_places(Points& points, const Vec3d& origin) {
    const auto position = points[points.position];
    const auto volume = points[points.volume];
    const auto place = points[points.place];
    parallel_each(points.size(), [&](std::size_t i) { place[i] = float4(position[i] - origin, volume[i]); });
    points.padding(points.place) = far_away;
}

} // namespace

Neighborhood::Neighborhood(const Settings& settings)
    : settings_(settings), frame_(make_frame(reach(), settings.origin, settings.periodic_length)) {}

void Neighborhood::update(Pool& pool, Walls& wall_particles) {
    if (!walls_sorted_)
        sort_walls(wall_particles);
    else if (valid_ && still_hold(pool))
        return update_places(pool, frame_.origin);
    particle_grid_.sort(pool[pool.position], frame_);
    pool.reorder_saved(particle_grid_.order());
    particle_grid_.take_positions(pool[pool.position], frame_);
    update_places(pool, frame_.origin);
    search(particle_grid_, particle_grid_, reach(), frame_, settings_.flat, settings_.isa, particles);
    search(particle_grid_, wall_grid_, reach(), frame_, settings_.flat, settings_.isa, walls);
    valid_ = true;
    ++builds_;
}

// The grid keeps the coordinates of the last build; nobody may have moved by half a skin since.
bool Neighborhood::still_hold(const Pool& pool) const {
    if (settings_.skin <= 0 || pool.size() != particles.size()) return false;
    const GridView then = particle_grid_.view();
    const auto position = pool[pool.position];
    const double allowed = 0.5 * settings_.skin * settings_.support;
    return parallel_reduce(
        pool.size(), true,
        [&](Range range) {
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const Vec3d moved = position[i] - frame_.origin - Vec3d{then.x[i], then.y[i], then.z[i]};
                if (!(dot(moved, moved) < allowed * allowed)) return false;
            }
            return true;
        },
        [](bool a, bool b) { return a && b; });
}

void Neighborhood::sort_walls(Walls& wall_particles) {
    wall_grid_.sort(wall_particles[wall_particles.position], frame_);
    wall_particles.reorder_saved(wall_grid_.order());
    wall_grid_.take_positions(wall_particles[wall_particles.position], frame_);
    update_places(wall_particles, frame_.origin);
    walls_sorted_ = true;
    valid_ = false;
}

NeighborList Neighborhood::wall_pairs(Walls& wall_particles) {
    sort_walls(wall_particles);
    NeighborList list;
    search(wall_grid_, wall_grid_, reach(), frame_, settings_.flat, settings_.isa, list);
    walls_sorted_ = false; // volumes are about to change
    return list;
}

std::size_t Neighborhood::memory() const {
    return particle_grid_.memory() + wall_grid_.memory() + particles.memory() + walls.memory();
}

} // namespace loam
