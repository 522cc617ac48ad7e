// The preview of a run. While it simulates, whenever its share of the time allows for one more, the frame that was just
// written becomes a small picture; at the end those that are missing are drawn, and a video shows every frame at the
// scene's own pace. Only a run that was stopped has a video with gaps, in which the picture before stays.
//
// Pictures lie in DIR/preview until the run is finished and its video is whole: a run that was stopped or killed goes
// on with them. Where things will be is not known yet, so the camera begins with a guess and draws back as they leave
// it.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "picture/stage.h"
#include "picture/trace.h"

namespace loam {

struct PreviewQuality {
    Size size;
    int samples;
    double detail; // of surfaces: size of cells in particle radii
};

struct PreviewOptions {
    double share = 0.1; // of the time that the simulation takes, while it goes on
    // From rough to fine. The best one is taken that costs little beside the simulation, or the first.
    std::vector<PreviewQuality> qualities{
        {{640, 360}, 2, 2.5}, {{640, 360}, 4, 2.0}, {{640, 360}, 8, 1.5}, {{960, 540}, 8, 1.0}};
    InstructionSet isa = InstructionSet::scalar;
};

struct PreviewMade {
    std::filesystem::path video;
    std::size_t pictures = 0, frames = 0; // that are shown, that there are
    double seconds = 0;                   // that pictures took, in this session
};

// Of what is missing when a run has ended.
struct PreviewDrawing {
    const std::atomic<bool>* stop = nullptr;                     // then the video has what there is
    std::function<void(std::size_t done, std::size_t all)> done; // after each picture
};

class Preview {
public:
    // The scene must outlive it. `resumed`: pictures that are there belong to the run; otherwise they are removed.
    Preview(const Scene& scene, std::filesystem::path run, bool resumed, const PreviewOptions& options);
    ~Preview();

    // A frame has been written. session_seconds: the simulation and what went by here.
    Status frame_done(std::uint64_t frame, double session_seconds);

    enum class End {
        stopped, // on request, or by an error: be quick
        pause,   // at a frame before the last one
        whole    // then pictures are no longer needed
    };
    // Draws what is missing and makes the video; nothing when there are too few pictures for one.
    Result<std::optional<PreviewMade>> finish(End end, const PreviewDrawing& drawing = {});

private:
    double left(double session_seconds) const; // seconds that pictures may still take
    Status shoot(std::uint64_t number);
    void look_ahead(const std::vector<std::uint64_t>& frames);
    Status draw_missing(const std::vector<std::uint64_t>& frames, const PreviewDrawing& drawing);
    Result<Bitmap> picture(const Frame& frame);
    Result<Bitmap> timed_picture(const Frame& frame);
    Result<Bitmap> first_picture(const Frame& frame);
    Result<Bounds> framing(const Frame& frame);
    void choose_quality(double allowed); // seconds for a picture
    Status write_state() const;
    void read_state();
    std::filesystem::path picture_path(std::uint64_t frame) const;
    std::vector<std::uint64_t> pictures() const; // that are there
    Result<PreviewMade> make_video(const std::vector<std::uint64_t>& shown) const;

    const Scene& scene_;
    std::filesystem::path run_;
    PreviewOptions options_;
    std::unique_ptr<PictureStage> stage_;
    std::map<std::uint64_t, Bounds> framings_; // what the camera shows, from that frame on
    std::size_t quality_ = 0;
    bool chosen_ = false;      // the quality
    double spent_ = 0;         // seconds, of this session
    double cost_ = 0;          // of a picture [s], as far as is known
    double trace_cost_ = 0;    // of it, following light
    double frame_seconds_ = 0; // that the simulation takes per frame
    std::size_t frames_ = 0;   // of this session
};

// Where things may be in a run of which only the start is known: what is in a container may get everywhere below its
// own height, and from emitters things come.
Bounds foreseen(const Scene& scene, const Bounds& start);

} // namespace loam
