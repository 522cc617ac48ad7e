// The frames or surfaces of a run for other programs, file by file: what `loam export` does.
#pragma once

#include "cache/frame_sequence.h"
#include "export/format.h"

namespace loam {

struct ExportJob {
    std::filesystem::path run;
    std::filesystem::path output; // empty: run/export
    std::string format;
    bool surface = false; // the meshes that `loam surface` wrote to run/surfaces, instead of the particles
    bool foam = false;    // white water, which run/foam has, instead of the particles
    FrameRange frames;
    FrameChoice choice;     // of the particles
    bool each_body = false; // of surfaces: one file for each of the chosen bodies, or of all
    const std::atomic<bool>* stop = nullptr;
};

struct ExportRecord {
    std::filesystem::path file;
    std::uint64_t frame = 0;
    double time = 0; // [s]
    std::size_t points = 0, triangles = 0, bytes = 0;
};

class ExportWatcher : public SequenceWatcher {
public:
    virtual void file_done(const ExportRecord& record) = 0;
};

// Files are points_000123.FORMAT, foam_000123.FORMAT, surface_000123.FORMAT or surface_BODY_000123.FORMAT, whole or not
// there; after an error those reported stay.
Result<SequenceOutcome> export_frames(const ExportJob& job, ExportWatcher& watcher);

} // namespace loam
