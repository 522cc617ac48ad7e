// Writes a frame with known content, which frames_readable.py then opens with VTK's reader and h5py.
//     frame_sample FILE [PARTICLES]
#include <cstdio>
#include <cstdlib>
#include <numbers>

#include "cache/frame.h"

using namespace loam;

namespace {

// Particles on a helix, stored from the last to the first; two bodies that take turns.
Columns helix(std::uint32_t count) {
    Columns columns;
    const auto position = columns.declare<Vec3d>({.name = "position", .unit = "m", .saved = true, .output = true});
    const auto id = columns.declare<std::uint32_t>({.name = "id", .saved = true, .output = true});
    const auto body = columns.declare<std::uint32_t>({.name = "body", .saved = true, .output = true});
    const auto velocity = columns.declare<Float4>({.name = "velocity", .unit = "m/s", .saved = true, .output = true});
    const auto density = columns.declare<float>({.name = "density", .unit = "kg/m^3", .output = true});
    const auto pressure = columns.declare<float>({.name = "pressure", .unit = "Pa", .output = true});
    columns.declare<float>({.name = "hidden"});
    columns.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t number = count - 1 - i;
        const double angle = number * std::numbers::pi / 50;
        columns[position][i] = {std::cos(angle), number * 0.001, std::sin(angle)};
        columns[id][i] = number;
        columns[body][i] = number % 2;
        columns[velocity][i] = float4({1, 2, static_cast<double>(number)}, 99);
        columns[density][i] = 1000;
        columns[pressure][i] = static_cast<float>(number);
    }
    return columns;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    const auto count = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 1000);
    const Status written = write_frame(argv[1], helix(count), {12, 0.48, 3, 0.01, {"water", "öl"}});
    if (!written) std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return written ? 0 : 1;
}
