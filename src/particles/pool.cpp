#include "particles/pool.h"

#include "base/reductions.h"

namespace loam {

Pool::Pool() {
    id = declare<std::uint32_t>({.name = "id", .help = "stable number of the particle", .saved = true, .output = true});
    body = declare<std::uint32_t>({.name = "body", .help = "index of its body", .saved = true, .output = true});
    position = declare<Vec3d>({.name = "position", .unit = "m", .saved = true});
    velocity = declare<Float4>({.name = "velocity", .unit = "m/s", .saved = true, .output = true});
    volume = declare<float>({.name = "volume", .unit = "m^3", .help = "at rest", .saved = true, .output = true});
    mass = declare<float>({.name = "mass", .unit = "kg", .saved = true, .output = true});
    density = declare<float>({.name = "density", .help = "as a multiple of the rest density", .output = true});
    pressure = declare<float>({.name = "acting_pressure", .unit = "Pa", .saved = true});
    felt_pressure = declare<float>({.name = "pressure", .unit = "Pa", .output = true});
    acceleration = declare<Float4>({.name = "acceleration", .unit = "m/s^2"});
    place = declare<Float4>({.name = "place", .unit = "m"});
}

void Pool::give_birth(std::span<const Birth> births) {
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
        (*this)[density][i] = 1;
    }
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

Walls::Walls() {
    id = declare<std::uint32_t>({.name = "id", .saved = true});
    body = declare<std::uint32_t>({.name = "body", .saved = true});
    position = declare<Vec3d>({.name = "position", .unit = "m", .saved = true});
    rest_position = declare<Vec3d>({.name = "rest_position", .unit = "m", .saved = true});
    rest_normal = declare<Float4>({.name = "rest_normal", .saved = true});
    velocity = declare<Float4>({.name = "velocity", .unit = "m/s", .saved = true});
    normal = declare<Float4>({.name = "normal", .saved = true});
    volume = declare<float>({.name = "volume", .unit = "m^3", .saved = true});
    place = declare<Float4>({.name = "place", .unit = "m"});
}

} // namespace loam
