// Writing a frame, brought to the disk.
#include <filesystem>

#include "cache/frame.h"
#include "parts.h"

namespace loam {
namespace {

void write(benchmark::State& state, Fluid& fluid) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "loam_bench.vtkhdf";
    const FrameHeader header{.particle_radius = 0.5 * fluid.spacing, .bodies = {"water", "tank"}};
    bool written = true;
    measure(state, static_cast<double>(fluid.size()), 0,
            [&] { written = written && static_cast<bool>(write_frame(file, fluid.pool, header)); });
    std::error_code ignored;
    const auto bytes = static_cast<double>(std::filesystem::file_size(file, ignored));
    if (!written) return state.SkipWithError("the frame could not be written");
    state.counters["bytes/particle"] = bytes / static_cast<double>(fluid.size());
    std::filesystem::remove(file, ignored);
}

} // namespace

void add_frame_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids) {
    add_part(part_name("frame", particles), [=](benchmark::State& state) { write(state, fluids->of(particles)); });
}

} // namespace loam
