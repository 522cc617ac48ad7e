#include "picture/particles_shown.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "cache/particle_sizes.h"
#include "particles/point_grid.h"
#include "picture/pieces.h"
#include "picture/tint.h"

namespace loam {
namespace {

double element(const Columns& columns, std::size_t column, std::size_t row, std::size_t component) {
    const ColumnInfo& info = columns.info(column);
    const std::byte* const at = columns.bytes(column) + row * info.stride;
    if (info.type == ElementType::f64) return reinterpret_cast<const double*>(at)[component];
    if (info.type == ElementType::u32) return reinterpret_cast<const std::uint32_t*>(at)[component];
    return reinterpret_cast<const float*>(at)[component];
}

double value_at(const Columns& columns, std::size_t column, std::size_t row) {
    if (columns.info(column).components == 1) return element(columns, column, row, 0);
    return std::hypot(element(columns, column, row, 0), element(columns, column, row, 1),
                      element(columns, column, row, 2));
}

std::size_t find_column(const Columns& columns, const std::string& name) {
    return columns.find(name == "speed" && columns.find("speed") == SIZE_MAX ? "velocity" : name);
}

Vec3f velocity_at(const Columns& columns, std::size_t velocity, std::size_t row) {
    if (velocity == SIZE_MAX) return {};
    return {static_cast<float>(element(columns, velocity, row, 0)),
            static_cast<float>(element(columns, velocity, row, 1)),
            static_cast<float>(element(columns, velocity, row, 2))};
}

// The grains of one particle. As sand gets wet they draw together, below its skin.
struct Particle {
    Float4 place; // w: radius
    Vec3f movement;
    Color color;
    std::uint32_t id = 0;
    float skin = 0;
    bool buried = false; // then only those of its grains are seen that are elsewhere
};
void add_grains(Spheres& to, const Particle& particle, const SphereOptions& options, const Look& look) {
    const Vec3f middle = particle.place.xyz();
    const auto carried = options.carried ? options.carried->of(particle.id) : std::span<const Vec3f>();
    const auto flights = options.carried ? options.carried->flights_of(particle.id) : std::span<const Float4>();
    for (std::size_t g = 0; g < static_cast<std::size_t>(look.grains); ++g) {
        const bool alone = !flights.empty() && flights[g].w > 0;
        if (particle.buried && !alone) continue;
        const Grain grain = grain_of(particle.id, static_cast<int>(g), look.grains, 2 * particle.place.w, look.seed);
        const Vec3f offset = carried.empty() ? grain.offset : carried[g] - middle;
        const Vec3f at = middle + (alone ? 1 : 1 - 0.5f * particle.skin) * offset;
        to.places.push_back({at.x, at.y, at.z, grain.radius});
        to.movement.push_back(alone ? static_cast<float>(options.shutter) * flights[g].xyz() : particle.movement);
        to.colors.push_back(varied(particle.color * grain.shade, look.variety,
                                   particle.id * 1009u + static_cast<std::uint32_t>(g) + look.seed * 0x9e3779b9u));
    }
}

} // namespace

Result<Coloring> coloring_of(const Frame& frame, const std::string& name) {
    const Columns& columns = frame.columns;
    const std::size_t column = find_column(columns, name);
    if (column == SIZE_MAX) {
        std::vector<std::string> names{"speed"};
        for (std::size_t c = 0; c < columns.column_count(); ++c) names.push_back(columns.info(c).name);
        const std::string nearest = nearest_name(name, names);
        return Error{Fault::usage, "--color", fmt::format("the frame has no column \"{}\"", name),
                     (nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest)) +
                         "There are: " + join(names)};
    }
    Coloring coloring{name, columns.info(column).unit, 0, 1};
    if (columns.size() == 0) return coloring;
    std::vector<double> values(columns.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_at(columns, column, i);
    const auto nth = [&](std::size_t n) {
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n), values.end());
        return values[n];
    };
    const std::size_t out = values.size() / 100; // a few extremes would leave one color for all others
    coloring.least = nth(out), coloring.most = nth(values.size() - 1 - out);
    return coloring;
}

namespace {

std::vector<Wet> wet_particles(const Frame& frame) {
    const Columns& columns = frame.columns;
    const std::size_t saturation = columns.find("saturation"), porosity = columns.find("porosity");
    std::vector<Wet> wet;
    for (std::size_t i = 0; saturation != SIZE_MAX && i < columns.size(); ++i)
        wet.push_back({static_cast<float>(value_at(columns, saturation, i)),
                       porosity == SIZE_MAX ? 1 : static_cast<float>(value_at(columns, porosity, i))});
    return wet;
}

} // namespace

std::vector<Wet> wet_at(const Frame& frame, const std::vector<std::uint32_t>& bodies,
                        const std::vector<Vec3f>& places) {
    constexpr double reach_in_radii = 4;
    const Columns& columns = frame.columns;
    const std::vector<Wet> particles = wet_particles(frame);
    const std::size_t position = columns.find("position"), body = columns.find("body");
    if (particles.empty() || position == SIZE_MAX || body == SIZE_MAX) return {};
    const double reach = reach_in_radii * frame.header.particle_radius;
    PointGrid grid(reach);
    std::vector<Wet> of;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto own = static_cast<std::uint32_t>(element(columns, body, i, 0));
        if (std::find(bodies.begin(), bodies.end(), own) == bodies.end()) continue;
        grid.add(
            {element(columns, position, i, 0), element(columns, position, i, 1), element(columns, position, i, 2)});
        of.push_back(particles[i]);
    }
    if (std::none_of(of.begin(), of.end(), [](const Wet& w) { return w.saturation > 0; })) return {};
    std::vector<Wet> found(places.size());
    parallel_each(places.size(), [&](std::size_t k) {
        double saturation = 0, porosity = 0, weights = 0;
        grid.near({places[k].x, places[k].y, places[k].z}, reach, [&](std::uint32_t n, double r2) {
            const double near = 1 - r2 / (reach * reach), weight = near * near * near;
            saturation += weight * of[n].saturation, porosity += weight * of[n].porosity, weights += weight;
            return false;
        });
        if (weights > 0) found[k] = {static_cast<float>(saturation / weights), static_cast<float>(porosity / weights)};
    });
    return found;
}

Spheres drops_as_spheres(const Frame& drops, double shutter) {
    const Columns& columns = drops.columns;
    const std::size_t position = columns.find("position"), velocity = columns.find("velocity");
    Spheres spheres;
    if (position == SIZE_MAX || velocity == SIZE_MAX) return spheres;
    const auto radius = static_cast<float>(drops.header.particle_radius);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Vec3f at{static_cast<float>(element(columns, position, i, 0)),
                       static_cast<float>(element(columns, position, i, 1)),
                       static_cast<float>(element(columns, position, i, 2))};
        spheres.places.push_back({at.x, at.y, at.z + 10 * radius, radius}); // before the particles of the fluid
        spheres.movement.push_back(static_cast<float>(shutter) * velocity_at(columns, velocity, i));
        spheres.colors.push_back({1, 1, 1});
    }
    return spheres;
}

// What lies under two layers of others, whichever way one looks.
std::vector<std::uint8_t> buried(const Frame& frame, std::uint32_t body) {
    constexpr double far = 2, beside = 1.3;     // spacings
    constexpr double covers = 0.75;             // cosine
    static const std::vector<Vec3d> ways = [] { // to the faces and corners of a cube
        std::vector<Vec3d> all;
        for (int k = 0; k < 27; ++k)
            if (const Vec3d way{k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
                std::abs(dot(way, way) - 2) > 0.5 && k != 13)
                all.push_back(normalized(way));
        return all;
    }();
    const Columns& columns = frame.columns;
    const std::size_t position = columns.find("position"), bodies = columns.find("body");
    if (position == SIZE_MAX) return {};
    const double spacing = 2 * frame.header.particle_radius;
    PointGrid grid(far * spacing);
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (bodies != SIZE_MAX && element(columns, bodies, i, 0) != body) continue;
        rows.push_back(i);
        grid.add(
            {element(columns, position, i, 0), element(columns, position, i, 1), element(columns, position, i, 2)});
    }
    std::vector<std::uint8_t> enclosed(rows.size(), 0), hidden(columns.size(), 0);
    parallel_each(rows.size(), [&](std::size_t k) {
        std::uint32_t open = (1u << ways.size()) - 1;
        grid.near(grid[k], far * spacing, [&](std::uint32_t n, double r2) {
            for (std::size_t w = 0; w < ways.size(); ++w)
                if (dot(grid[n] - grid[k], ways[w]) > covers * std::sqrt(r2) && r2 > 0) open &= ~(1u << w);
            return open == 0;
        });
        enclosed[k] = open == 0;
    });
    parallel_each(rows.size(), [&](std::size_t k) {
        bool under = enclosed[k] != 0;
        grid.near(grid[k], beside * spacing, [&](std::uint32_t n, double) { return !(under = under && enclosed[n]); });
        hidden[rows[k]] = under;
    });
    return hidden;
}

Spheres spheres_of(const Frame& frame, const Scene& scene, std::uint32_t body, const Look& look,
                   const SphereOptions& options) {
    const Columns& columns = frame.columns;
    const std::size_t position = columns.find("position"), bodies = columns.find("body"), ids = columns.find("id");
    const std::size_t velocity = options.shutter > 0 ? columns.find("velocity") : SIZE_MAX;
    const std::size_t colored = options.coloring ? find_column(columns, options.coloring->column) : SIZE_MAX;
    const std::size_t grain_radius = columns.find("radius");
    const std::vector<Wet> wetness = wet_particles(frame);
    const ParticleSizes sizes(frame);
    const Tint tint(scene, body, [&](const std::string& name) -> Tint::Value {
        const std::size_t column = columns.find(name);
        if (column == SIZE_MAX) return {};
        return [&columns, column](std::size_t i) { return static_cast<float>(element(columns, column, i, 0)); };
    });
    const bool glows = tint.glows() && !options.coloring && !look.is_grainy();
    Spheres spheres;
    if (position == SIZE_MAX) return spheres;
    const bool grainy = look.is_grainy() && !options.coloring;
    const std::vector<std::uint8_t> hidden = grainy ? buried(frame, body) : std::vector<std::uint8_t>();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (bodies != SIZE_MAX && element(columns, bodies, i, 0) != body) continue;
        const Float4 place{static_cast<float>(element(columns, position, i, 0)),
                           static_cast<float>(element(columns, position, i, 1)),
                           static_cast<float>(element(columns, position, i, 2)), static_cast<float>(sizes.radius(i))};
        if (place.w == 0) continue; // nothing is left of it
        const Vec3f movement = static_cast<float>(options.shutter) * velocity_at(columns, velocity, i);
        Color color = look.material.color;
        if (tint.colors()) color = tint.color(color, i);
        if (!wetness.empty()) color = wetted(color, wetness_of(wetness[i].saturation, wetness[i].porosity));
        if (colored != SIZE_MAX) {
            const double range = options.coloring->most - options.coloring->least;
            const double share = (value_at(columns, colored, i) - options.coloring->least) / (range > 0 ? range : 1);
            color = map_color(static_cast<float>(share));
        }
        if (grainy) {
            const auto id = static_cast<std::uint32_t>(ids == SIZE_MAX ? i : element(columns, ids, i, 0));
            const float skin = wetness.empty() ? 0 : skin_of(wetness[i].saturation);
            add_grains(spheres, {place, movement, color, id, skin, !hidden.empty() && hidden[i] != 0}, options, look);
            continue;
        }
        if (grain_radius != SIZE_MAX && colored == SIZE_MAX && value_at(columns, grain_radius, i) > 0)
            color = varied(color, look.variety,
                           static_cast<std::uint32_t>(ids == SIZE_MAX ? i : element(columns, ids, i, 0)));
        spheres.places.push_back(place);
        spheres.movement.push_back(movement);
        spheres.colors.push_back(color);
        if (glows) spheres.glow.push_back(tint.glow(i));
    }
    if (velocity == SIZE_MAX) spheres.movement.clear();
    return spheres;
}

} // namespace loam
