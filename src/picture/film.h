// The pictures of a run, frame by frame: what `loam render` does.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>

#include "picture/stage.h"
#include "picture/trace.h"

namespace loam {

struct FilmJob {
    std::filesystem::path run;
    std::filesystem::path output; // a video (.mp4, .mov, .mkv), a picture (.png) of one frame, else a folder; or empty
    std::filesystem::path sheet;  // a contact sheet (.png); or empty
    int sheet_frames = 12;
    std::optional<std::uint64_t> first, last;
    std::uint64_t stride = 1; // every so many frames
    double fps = 0;           // of the video; 0: the scene's
    TraceOptions trace;
    StageOptions stage;
    std::string color;                              // a column; or empty
    std::optional<std::pair<double, double>> range; // of its colors; otherwise that of the frames
    const std::atomic<bool>* stop = nullptr;
};

// One finished picture.
struct PictureRecord {
    std::uint64_t frame = 0;
    std::size_t done = 0; // pictures so far, this one included
    double seconds = 0, trace_seconds = 0;
};

class FilmWatcher {
public:
    virtual ~FilmWatcher() = default;
    virtual void begun(std::size_t) {} // pictures
    virtual void picture_done(const PictureRecord&) {}
};

struct FilmOutcome {
    std::size_t pictures = 0;
    bool stopped = false;
};

bool is_video(const std::filesystem::path& path);

// Pictures that are finished stay, whatever happens; a video that was stopped has the frames so far.
Result<FilmOutcome> render_run(const Scene& scene, const FilmJob& job, FilmWatcher& watcher);

} // namespace loam
