#include "particles/pool.h"

#include "base/reductions.h"

namespace loam {

Pool::Pool() {
    id = declare<std::uint32_t>({.name = "id", .help = "stable number of the particle", .saved = true, .output = true});
    body = declare<std::uint32_t>({.name = "body", .help = "index of its body", .saved = true, .output = true});
    position = declare<Vec3d>({.name = "position", .unit = "m", .saved = true});
    velocity = declare<Float4>({.name = "velocity", .unit = "m/s", .saved = true, .output = true});
    volume = declare<float>(
        {.name = "volume", .unit = "m^3", .help = "at rest", .saved = true, .output = true, .nature = Nature::amount});
    mass = declare<float>({.name = "mass", .unit = "kg", .saved = true, .output = true, .nature = Nature::amount});
    density =
        declare<float>({.name = "density", .help = "as a multiple of the rest density", .output = true, .at_birth = 1});
    pressure = declare<float>({.name = "acting_pressure", .unit = "Pa", .saved = true});
    felt_pressure = declare<float>({.name = "pressure", .unit = "Pa", .output = true});
    acceleration = declare<Float4>({.name = "acceleration", .unit = "m/s^2"});
    place = declare<Float4>({.name = "place", .unit = "m"});
}

void Pool::declare_gravity() {
    gravity = declare<Float4>({.name = "gravity", .unit = "m/s^2"});
    lack = declare<Float4>({.name = "lack", .unit = "m/s", .help = "of its velocity, by gravity", .saved = true});
}

void Pool::declare_pin() {
    pin = declare<std::uint32_t>({.name = "pin", .help = "which pin holds it, from 1", .saved = true});
}

void Pool::declare_resting() {
    resting = declare<float>({.name = "resting",
                              .help = "1 where it is at rest, held by friction",
                              .saved = true,
                              .output = true,
                              .nature = Nature::mark});
}

Range Pool::give_birth(std::span<const Birth> births) {
    const std::size_t first = append(births.size());
    for (std::size_t k = 0; k < births.size(); ++k) {
        const Birth& b = births[k];
        const std::size_t i = first + k;
        (*this)[id][i] = next_id++;
        (*this)[body][i] = b.body;
        (*this)[position][i] = b.position;
        (*this)[velocity][i] = float4(b.velocity);
        (*this)[volume][i] = static_cast<float>(b.volume);
        (*this)[mass][i] = static_cast<float>(b.mass);
    }
    return {first, size()};
}

void Pool::split(std::size_t parent, double share, const Vec3d& at) {
    const std::size_t child = append(1);
    Columns::split(parent, child, share);
    (*this)[id][child] = next_id++;
    (*this)[position][child] = at;
}

void Pool::merge(std::size_t from, std::size_t into, const Vec3d& way) {
    const double a = (*this)[mass][from], b = (*this)[mass][into];
    const Vec3d at = (*this)[position][into] + (a + b > 0 ? a / (a + b) : 0) * way;
    const std::uint32_t own = (*this)[id][into];
    Columns::merge(from, into, a, b);
    (*this)[position][into] = at; // by the short way, also across a periodic side
    (*this)[id][into] = own;
}

double Pool::fastest() const {
    const auto v = (*this)[velocity];
    return parallel_max(v.size(), [&](std::size_t i) { return length(v[i].xyz_double()); });
}

void Pool::bury(std::span<const std::uint8_t> alive) {
    std::vector<std::uint32_t> kept;
    kept.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
        if (alive[i]) kept.push_back(static_cast<std::uint32_t>(i));
    if (kept.size() != size()) reorder(kept);
}

} // namespace loam
