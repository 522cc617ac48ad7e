// loam_bench: the parts one by one; see README.md. --threads=N, in front of other arguments, limits the threads.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <tbb/info.h>

#include "base/threads.h"
#include "parts.h"

namespace {

int run(int argc, char** argv) {
    using namespace loam;
    const auto fluids = std::make_shared<Fluids>();
    for (const std::size_t particles : {10'000, 100'000, 1'000'000}) {
        add_neighbor_parts(particles, fluids);
        add_pressure_parts(particles, fluids);
        add_viscosity_parts(particles, fluids);
        add_transfer_parts(particles, fluids);
        add_spring_parts(particles);
        add_elastic_parts(particles);
        add_grain_parts(particles);
        add_frame_parts(particles, fluids);
        add_surface_parts(particles, fluids);
        add_picture_parts(particles);
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    constexpr std::string_view option = "--threads=";
    int threads = tbb::info::default_concurrency();
    if (argc > 1 && std::string_view(argv[1]).starts_with(option)) {
        threads = std::atoi(argv[1] + option.size());
        if (threads < 1) {
            std::fprintf(stderr, "loam_bench: %s: a number of threads is 1 or more\n", argv[1]);
            return 2;
        }
        argv[1] = argv[0];
        --argc, ++argv;
    }
    return loam::with_threads(threads, [&] { return run(argc, argv); });
}
