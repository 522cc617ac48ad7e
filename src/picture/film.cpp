#include "picture/film.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "cache/run_folder.h"
#include "picture/png.h"
#include "picture/sheet.h"
#include "picture/shot.h"
#include "picture/video.h"

namespace loam {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t frames_looked_at = 9; // to find out where particles are
constexpr int sheet_width = 1440;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The frames that are wanted and there.
Result<std::vector<std::uint64_t>> chosen_frames(const FilmJob& job) {
    if (!is_run_folder(job.run)) return no_run_in(job.run);
    const std::vector<std::uint64_t> all = list_frames(job.run);
    if (all.empty()) return Error{Fault::file, job.run.string(), "has no frames yet", "`loam resume` computes them"};
    std::vector<std::uint64_t> chosen;
    for (const std::uint64_t frame : all)
        if (frame >= job.first.value_or(0) && frame <= job.last.value_or(UINT64_MAX)) chosen.push_back(frame);
    if (chosen.empty())
        return Error{Fault::usage, "--frames", "none of these frames is there",
                     fmt::format("there are frames {} to {}", all.front(), all.back())};
    std::vector<std::uint64_t> strided;
    for (std::size_t i = 0; i < chosen.size(); i += job.stride) strided.push_back(chosen[i]);
    if (job.output.empty() && !job.sheet.empty())
        return evenly_spaced(strided, static_cast<std::size_t>(job.sheet_frames));
    if (job.output.extension() == ".png" && strided.size() > 1) return std::vector<std::uint64_t>{strided.back()};
    return strided;
}

// What must be known before the first picture: where particles are over time, and the range of the colors.
struct Survey {
    Bounds moving;
    std::optional<Coloring> coloring;
};

Result<Survey> survey(const FilmJob& job) {
    Survey found;
    // The camera does not depend on which frames are asked for: parts of a film fit together.
    for (const std::uint64_t number : evenly_spaced(list_frames(job.run), frames_looked_at)) {
        const Result<Frame> frame = read_frame(frame_path(job.run, number));
        if (!frame) continue; // a damaged frame is complained about when it is to be shown
        found.moving.add(crowd_bounds(*frame));
        if (job.color.empty() || frame->columns.size() == 0) continue;
        const Result<Coloring> one = coloring_of(*frame, job.color);
        if (!one) return one.error();
        if (!found.coloring) found.coloring = *one;
        found.coloring->least = std::min(found.coloring->least, one->least);
        found.coloring->most = std::max(found.coloring->most, one->most);
    }
    if (found.coloring && job.range) std::tie(found.coloring->least, found.coloring->most) = *job.range;
    if (found.moving.empty()) found.moving.add(Bounds{{-0.5, 0, -0.5}, {0.5, 1, 0.5}});
    return found;
}

// Where pictures go as they are made.
class Film {
public:
    Film(const Scene& scene, const FilmJob& job) : scene_(scene), job_(job) {}

    Status open() {
        const fs::path parent = job_.output.parent_path();
        if (!parent.empty() && job_.output.has_extension())
            if (Status made = make_folder(parent); !made) return made;
        if (is_video(job_.output)) {
            const double fps = job_.fps > 0 ? job_.fps : scene_.values.number("fps");
            Result<VideoWriter> video = VideoWriter::start(job_.output, job_.trace.size, fps);
            if (!video) return video.error();
            video_.emplace(std::move(*video));
        } else if (!job_.output.empty() && job_.output.extension() != ".png") {
            return make_folder(job_.output);
        }
        return Done{};
    }

    Status add(std::uint64_t frame, double time, const Bitmap& picture, bool on_sheet) {
        if (on_sheet) {
            const int columns = std::min(4, job_.sheet_frames);
            const int width = std::min(picture.size.width, sheet_width / columns);
            const Size small{width, std::max(1, width * picture.size.height / picture.size.width)};
            sheet_.push_back({resized(picture, small), fmt::format("{:.2f} s", time)});
        }
        if (video_) return video_->add(picture);
        if (job_.output.empty()) return Done{};
        if (job_.output.extension() == ".png") return write_png(job_.output, picture);
        return write_png(job_.output / fmt::format("{:06}.png", frame), picture);
    }

    Status finish() {
        if (video_)
            if (Status done = video_->finish(); !done) return done;
        if (job_.sheet.empty() || sheet_.empty()) return Done{};
        const fs::path parent = job_.sheet.parent_path();
        if (!parent.empty())
            if (Status made = make_folder(parent); !made) return made;
        return write_png(job_.sheet, contact_sheet(sheet_, std::min(4, job_.sheet_frames)));
    }

private:
    const Scene& scene_;
    const FilmJob& job_;
    std::optional<VideoWriter> video_;
    std::vector<SheetPicture> sheet_;
};

} // namespace

bool is_video(const fs::path& path) {
    const std::string ending = path.extension().string();
    return ending == ".mp4" || ending == ".mov" || ending == ".mkv";
}

Result<FilmOutcome> render_run(const Scene& scene, const FilmJob& job, FilmWatcher& watcher) {
    const Result<std::vector<std::uint64_t>> frames = chosen_frames(job);
    if (!frames) return frames.error();
    const Result<Survey> found = survey(job);
    if (!found) return found.error();
    StageOptions stage_options = job.stage;
    stage_options.size = job.trace.size;
    stage_options.coloring = found->coloring;
    stage_options.run = stage_options.drops_of = job.run;
    PictureStage stage(scene, found->moving, stage_options);
    Film film(scene, job);
    if (const Status open = film.open(); !open) return open.error();

    const std::vector<std::uint64_t> on_sheet = evenly_spaced(*frames, static_cast<std::size_t>(job.sheet_frames));
    FilmOutcome outcome;
    watcher.begun(frames->size());
    for (const std::uint64_t number : *frames) {
        if (job.stop && *job.stop) {
            outcome.stopped = true;
            break;
        }
        const Clock::time_point begun = Clock::now();
        const Result<Frame> frame = read_frame(frame_path(job.run, number));
        if (!frame) return frame.error();
        PictureRecord record{number, outcome.pictures + 1};
        Result<Bitmap> picture = picture_of(*frame, stage, job.trace, record.trace_seconds);
        if (!picture) return picture.error();
        if (found->coloring) draw_legend(*picture, *found->coloring);
        const bool shown = !job.sheet.empty() && std::binary_search(on_sheet.begin(), on_sheet.end(), number);
        if (const Status added = film.add(number, frame->header.time, *picture, shown); !added) return added.error();
        record.seconds = seconds_since(begun);
        ++outcome.pictures;
        watcher.picture_done(record);
    }
    if (const Status done = film.finish(); !done) return done.error();
    return outcome;
}

} // namespace loam
