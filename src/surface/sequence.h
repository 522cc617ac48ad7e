// The surfaces of a run, frame by frame: what `loam surface` does.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>

#include "surface/from_frame.h"
#include "surface/surface.h"

namespace loam {

struct SurfaceJob {
    std::filesystem::path run;
    std::filesystem::path output; // empty: run/surfaces
    std::string method = default_surface_method;
    std::vector<std::string> settings; // NAME=VALUE for the method
    std::optional<std::uint64_t> first, last;
    FrameChoice choice;
    bool each_body = false; // one mesh per body, in output/BODY/, instead of one of all
    SurfaceOptions options;
    const std::atomic<bool>* stop = nullptr;
};

// One finished surface.
struct SurfaceRecord {
    std::filesystem::path file;
    std::string body; // empty: all
    std::uint64_t frame = 0;
    double time = 0;
    std::size_t particles = 0, vertices = 0, triangles = 0;
    double area = 0, volume = 0, particle_volume = 0; // [m^2], [m^3]
    double seconds = 0;
};

class SurfaceWatcher {
public:
    virtual ~SurfaceWatcher() = default;
    virtual void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) = 0;
    virtual void surface_done(const SurfaceRecord& record) = 0;
    virtual void frame_done(std::uint64_t frame, std::size_t done) = 0;
    virtual void warned(const std::string& text) = 0;
};

struct SurfaceOutcome {
    std::size_t frames = 0;
    bool stopped = false;
};

// Files are whole or not there; after an error those that were reported stay.
Result<SurfaceOutcome> make_surfaces(const SurfaceJob& job, SurfaceWatcher& watcher);

} // namespace loam
