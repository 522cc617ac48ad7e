// The surfaces of a run, frame by frame: what `loam surface` does.
#pragma once

#include <atomic>
#include <filesystem>

#include "cache/frame_sequence.h"
#include "surface/from_frame.h"
#include "surface/surface.h"

namespace loam {

struct SurfaceJob {
    std::filesystem::path run;
    std::filesystem::path output; // empty: run/surfaces
    std::string method = default_surface_method;
    std::vector<std::string> settings; // NAME=VALUE for the method
    FrameRange frames;
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
    double area = 0, volume = 0;                   // [m^2], [m^3]
    double particle_area = 0, particle_volume = 0; // what the particles themselves tell
    double seconds = 0;
};

class SurfaceWatcher : public SequenceWatcher {
public:
    virtual void surface_done(const SurfaceRecord& record) = 0;
};

// Files are whole or not there; after an error those that were reported stay.
Result<SequenceOutcome> make_surfaces(const SurfaceJob& job, SurfaceWatcher& watcher);

// The file of a frame's surface, of all bodies together.
std::filesystem::path surface_file(const std::filesystem::path& folder, std::uint64_t frame);
inline std::filesystem::path surface_folder(const std::filesystem::path& run) { return run / "surfaces"; }
// The name of the folder in there where the surfaces of one body are, if each has its own.
std::string surface_folder_name(std::string body);

} // namespace loam
