#include "preview.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "cache/run_folder.h"
#include "picture/film.h"
#include "picture/video.h"
#include "run/load.h"
#include "stop_signal.h"

namespace loam {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double share_of_run = 0.13;     // of the time of the run
constexpr std::size_t least_pictures = 4; // fewer are no film

struct Stopwatch : FilmWatcher {
    void picture_done(const PictureRecord& record) override { seconds = record.seconds; }
    double seconds = 0;
};

FilmJob small_film(const std::filesystem::path& folder) {
    FilmJob job{.run = folder};
    job.trace.size = {320, 180};
    job.trace.samples = 3;
    job.trace.scatterings = 1;
    job.stage.detail = 2;
    job.stage.isa = best_instruction_set();
    job.stop = &watch_for_stop();
    return job;
}

// How many pictures fit into the time, by making one; 0 after an error.
Result<std::size_t> affordable(const Scene& scene, const FilmJob& film, std::uint64_t frame, double seconds) {
    FilmJob trial = film;
    trial.first = trial.last = frame;
    Stopwatch watch;
    const Clock::time_point begun = Clock::now();
    const Result<FilmOutcome> tried = render_run(scene, trial, watch);
    if (!tried) return tried.error();
    const double all = std::chrono::duration<double>(Clock::now() - begun).count();
    const double left = seconds - all - (all - watch.seconds); // the trial, and getting ready once more
    return static_cast<std::size_t>(std::max(0.0, left / std::max(watch.seconds, 1e-3)));
}

} // namespace

bool preview_wanted(const RunArguments& arguments) {
    const char* const said = std::getenv("LOAM_VIDEO");
    return !arguments.no_video && !(said && std::string_view(said) == "off");
}

void make_preview(const std::filesystem::path& folder, const RunOutcome& outcome, Teller& teller) {
    const std::vector<std::uint64_t> frames = list_frames(folder);
    const double seconds = share_of_run * outcome.session.seconds;
    if (outcome.stopped || frames.size() < least_pictures || seconds < 1) return; // not worth the while
    if (!ffmpeg_is_there()) return teller.warned("no preview video: the program ffmpeg is not there");
    const Result<Scene> scene = load_scene(folder / "scene.json");
    if (!scene) return teller.warned("no preview video: " + scene.error().text());
    FilmJob film = small_film(folder);
    const Result<std::size_t> count = affordable(*scene, film, frames[frames.size() / 2], seconds);
    if (!count) return teller.warned("no preview video: " + count.error().text());
    if (*count < least_pictures) return;
    film.output = folder / "preview.mp4";
    film.stride = (frames.size() + *count - 1) / *count;
    film.fps = std::max(1.0, scene->values.number("fps") / static_cast<double>(film.stride));
    Stopwatch watch;
    const Result<FilmOutcome> made = render_run(*scene, film, watch);
    if (!made) return teller.warned("no preview video: " + made.error().text());
    teller.preview_made(film.output);
}

} // namespace loam
