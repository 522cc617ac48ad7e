// loam render: pictures and videos of a run.
#include <charconv>
#include <chrono>
#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/frame_sequence.h"
#include "cache/run_folder.h"
#include "commands.h"
#include "events.h"
#include "exit_code.h"
#include "machine.h"
#include "picture/film.h"
#include "picture/video.h"
#include "run/load.h"
#include "run/record.h"
#include "stop_signal.h"
#include "tell_people.h"
#include "terminal.h"
#include "words.h"

namespace loam {
namespace {

constexpr int most_denoised_samples = 256; // with more there is little noise to smooth

class Watcher : public FilmWatcher {
public:
    explicit Watcher(bool json) : json_(json) {}

    void begun(std::size_t pictures) override {
        pictures_ = pictures;
        if (json_) tell_event({{"event", "start"}, {"pictures", pictures}});
    }
    void picture_done(const PictureRecord& record) override {
        if (json_)
            tell_event({{"event", "picture"},
                        {"frame", record.frame},
                        {"seconds", json_number(record.seconds)},
                        {"trace_seconds", json_number(record.trace_seconds)}});
        if (json_) return;
        const auto done = static_cast<double>(record.done);
        const double left = seconds() / done * (static_cast<double>(pictures_) - done);
        if (record.done == 2 && left > 10) {
            clear();
            tell_people("{} pictures take about {}\n", pictures_, duration_text(seconds() + left));
        }
        if (!live_) return;
        const std::string line = fmt::format("frame {}, picture {} of {}, {:.1f} s each, {} left", record.frame,
                                             record.done, pictures_, seconds() / done, duration_text(left));
        tell_people("\r\033[K{}", line.substr(0, std::max<std::size_t>(terminal_width(), 6) - 4));
        std::fflush(stderr);
    }
    void ended(const FilmOutcome& outcome, const std::vector<std::string>& files) {
        if (json_)
            return tell_event(
                {{"event", "end"}, {"stopped", outcome.stopped}, {"pictures", outcome.pictures}, {"files", files}});
        clear();
        for (const std::string& file : files)
            tell_people("{}: {}{} picture{} in {}\n", file, outcome.stopped ? "stopped after " : "", outcome.pictures,
                        outcome.pictures == 1 ? "" : "s", duration_text(seconds()));
    }
    int failed(const Error& error) {
        clear();
        if (json_) tell_failure(error);
        return complain(error);
    }

private:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    void clear() const {
        if (live_ && !json_) tell_people("\r\033[K");
    }

    bool json_, live_ = on_a_terminal();
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::size_t pictures_ = 0;
};

template <class Number> bool read_number(std::string_view text, Number& value) {
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc() && end == text.data() + text.size();
}

Result<Size> read_size(const std::string& text) {
    constexpr int most = 16384;
    const std::size_t x = text.find('x');
    Size size;
    const bool good = x != std::string::npos && read_number(std::string_view(text).substr(0, x), size.width) &&
                      read_number(std::string_view(text).substr(x + 1), size.height);
    if (good && size.width >= 1 && size.height >= 1 && size.width <= most && size.height <= most) return size;
    return Error{Fault::usage, "--size", fmt::format("\"{}\" is not a size of pictures", text),
                 fmt::format("give WIDTHxHEIGHT, each from 1 to {}: 960x540", most)};
}

Result<std::pair<double, double>> read_values(const std::string& text) {
    const std::size_t comma = text.find(',');
    std::pair<double, double> range;
    if (comma != std::string::npos && read_number(std::string_view(text).substr(0, comma), range.first) &&
        read_number(std::string_view(text).substr(comma + 1), range.second) && range.first < range.second)
        return range;
    return Error{Fault::usage, "--range", fmt::format("\"{}\" is not a range of values", text),
                 "give LEAST,MOST: 0,2.5"};
}

Result<FilmJob> make_job(const RenderArguments& arguments) {
    FilmJob job{.run = arguments.folder, .output = arguments.output, .sheet = arguments.sheet};
    if (job.output.empty() && job.sheet.empty()) job.output = job.run / (ffmpeg_is_there() ? "video.mp4" : "pictures");
    job.sheet_frames = arguments.sheet_frames;
    const Result<FrameRange> frames = parse_frame_range(arguments.frames);
    if (!frames) return frames.error();
    job.first = frames->first, job.last = frames->last;
    const Result<Size> size = read_size(arguments.size);
    if (!size) return size.error();
    job.trace.size = *size;
    job.trace.samples = arguments.samples;
    job.trace.seed = arguments.seed;
    job.trace.denoise = !arguments.no_denoise && arguments.samples <= most_denoised_samples;
    if (job.trace.denoise) job.trace.settled = 0.05f;
    job.stride = arguments.every;
    job.fps = arguments.fps;
    job.color = arguments.color;
    job.stage.particles = arguments.particles;
    if (!arguments.range.empty()) {
        const auto range = read_values(arguments.range);
        if (!range) return range.error();
        job.range = *range;
    }
    const auto isa = instruction_set(arguments.machine);
    if (!isa) return isa.error();
    job.stage.isa = isa->value_or(best_instruction_set());
    job.stop = &watch_for_stop();
    return job;
}

Result<Scene> scene_of(const RenderArguments& arguments) {
    if (!is_run_folder(arguments.folder)) return no_run_in(arguments.folder);
    SceneOptions options{.overrides = arguments.set, .quality = ""};
    for (const std::string& one : arguments.camera) options.overrides.push_back("camera." + one);
    return load_scene(std::filesystem::path(arguments.folder) / "scene.json", options);
}

} // namespace

int render(const RenderArguments& arguments) {
    Watcher watcher(arguments.json);
    const Result<FilmJob> job = make_job(arguments);
    if (!job) return watcher.failed(job.error());
    const Result<Scene> scene = scene_of(arguments);
    if (!scene) return watcher.failed(scene.error());
    return with_threads(arguments.machine, [&]() -> int {
        const Result<FilmOutcome> outcome = render_run(*scene, *job, watcher);
        if (!outcome) return watcher.failed(outcome.error());
        std::vector<std::string> files;
        for (const std::filesystem::path& file : {job->output, job->sheet})
            if (!file.empty()) files.push_back(file.string());
        watcher.ended(*outcome, files);
        if (!outcome->stopped) return exit_ok;
        return stop_signal() == SIGTERM ? exit_terminated : exit_interrupted;
    });
}

} // namespace loam
