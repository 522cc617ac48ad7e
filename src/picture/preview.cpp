#include "picture/preview.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <nlohmann/json.hpp>

#include "cache/run_files.h"
#include "cache/run_folder.h"
#include "picture/png.h"
#include "picture/shot.h"
#include "picture/video.h"

namespace loam {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double first_seconds = 0.25;    // of the share that must have gathered before the first picture
constexpr std::size_t least_pictures = 4; // fewer are no film
constexpr double least_seconds = 1;       // after a short run pictures may take as long, whatever their share is
constexpr double frames_per_picture = 2;  // an even film at half the pace rather than finer pictures of fewer frames
constexpr double encoding = 0.004;        // of a frame of the video [s], about

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

fs::path state_of(const fs::path& run) { return run_files::preview(run) / "state.json"; }

bool holds(const Bounds& outer, const Bounds& inner) {
    return inner.empty() || (outer.contains(inner.lo) && outer.contains(inner.hi));
}

// The next frame to show: the ends first, then the middle of the widest gap. None when all are shown.
std::optional<std::uint64_t> widest_gap(const std::vector<std::uint64_t>& frames,
                                        const std::vector<std::uint64_t>& shown) {
    const auto is_shown = [&](std::uint64_t f) { return std::binary_search(shown.begin(), shown.end(), f); };
    for (const std::uint64_t end : {frames.front(), frames.back()})
        if (!is_shown(end)) return end;
    std::size_t last = 0, widest = 1, middle = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        if (!is_shown(frames[i])) continue;
        if (i - last > widest) widest = i - last, middle = last + widest / 2;
        last = i;
    }
    return widest > 1 ? std::optional(frames[middle]) : std::nullopt;
}

} // namespace

Bounds foreseen(const Scene& scene, const Bounds& start) {
    Bounds all = start;
    for (const BodySpec& body : scene.bodies)
        for (const EmitterSpec& emitter : body.emitters)
            if (emitter.shape->bounded()) all.add(emitter.shape->bounds());
    if (all.empty()) all = {{-0.5, 0, -0.5}, {0.5, 1, 0.5}};
    const Bounds near = all.grown(1.5 * length(all.size()));
    for (const BodySpec& body : scene.bodies) {
        if (!body.boundary || !is_container(*body.shape)) continue;
        const Bounds inside = body.shape->bounds();
        if (!inside.contains(all.center())) continue;
        all.add(Bounds{max(inside.lo, near.lo), min({inside.hi.x, all.hi.y, inside.hi.z}, near.hi)});
    }
    return all;
}

Preview::Preview(const Scene& scene, fs::path run, bool resumed, const PreviewOptions& options)
    : scene_(scene), run_(std::move(run)), options_(options) {
    std::error_code ignored;
    if (resumed)
        read_state();
    else
        fs::remove_all(run_files::preview(run_), ignored);
}

Preview::~Preview() = default;

fs::path Preview::picture_path(std::uint64_t frame) const { return run_files::picture(run_, frame); }

std::vector<std::uint64_t> Preview::pictures() const { return run_files::picture_numbers(run_); }

double Preview::left(double session_seconds) const { return options_.share * (session_seconds - spent_) - spent_; }

Status Preview::frame_done(std::uint64_t frame, double session_seconds) {
    ++frames_;
    frame_seconds_ = (session_seconds - spent_) / static_cast<double>(frames_);
    // What the first and the last picture take is set aside.
    if (left(session_seconds) < (cost_ > 0 ? 3 * cost_ : first_seconds)) return Done{};
    std::error_code ignored;
    if (fs::exists(picture_path(frame), ignored)) return Done{}; // by the session before
    return shoot(frame);
}

Status Preview::shoot(std::uint64_t number) {
    const Clock::time_point begun = Clock::now();
    const Result<Frame> frame = read_frame(frame_path(run_, number));
    if (!frame) return frame.error();
    const Result<Bitmap> made = chosen_ ? timed_picture(*frame) : first_picture(*frame);
    if (!made) return made.error();
    if (Status folder = make_folder(run_files::preview(run_)); !folder) return folder;
    if (Status written = write_png(picture_path(number), *made); !written) return written;
    spent_ += seconds_since(begun);
    return Done{};
}

Result<Bitmap> Preview::picture(const Frame& frame) {
    const PreviewQuality& quality = options_.qualities[quality_];
    const Result<Bounds> framed = framing(frame);
    if (!framed) return framed.error();
    if (!stage_) {
        StageOptions options{.size = quality.size, .detail = quality.detail, .isa = options_.isa};
        stage_ = std::make_unique<PictureStage>(scene_, *framed, options);
    }
    stage_->frame(*framed);
    const TraceOptions trace{.size = quality.size, .samples = quality.samples, .scatterings = 1};
    return picture_of(frame, *stage_, trace, trace_cost_);
}

// A picture that fills a gap is framed as that before it.
Result<Bounds> Preview::framing(const Frame& frame) {
    const Bounds crowd = crowd_bounds(frame);
    const std::uint64_t number = frame.header.frame;
    if (framings_.empty()) {
        framings_[number] = foreseen(scene_, crowd);
    } else if (const auto& [since, last] = *framings_.rbegin(); number > since && !holds(last, crowd)) {
        Bounds wider = last;
        wider.add(crowd);
        framings_[number] = wider;
    } else {
        const auto next = framings_.upper_bound(number);
        return next == framings_.begin() ? next->second : std::prev(next)->second;
    }
    if (const Status written = write_state(); !written) return written.error();
    return framings_[number];
}

Result<Bitmap> Preview::timed_picture(const Frame& frame) {
    const Clock::time_point begun = Clock::now();
    Result<Bitmap> made = picture(frame);
    cost_ = seconds_since(begun);
    return made;
}

// With the least quality, which tells what better ones would take. If there is no time for a better one it is shown.
Result<Bitmap> Preview::first_picture(const Frame& frame) {
    const double allowed = options_.share * frames_per_picture * frame_seconds_;
    Result<Bitmap> tried = timed_picture(frame); // also gets ready, so a quick one is timed once more
    if (tried && cost_ < allowed) tried = timed_picture(frame);
    if (!tried) return tried;
    choose_quality(allowed);
    if (const Status written = write_state(); !written) return written.error();
    if (quality_ == 0) return tried;
    stage_.reset();
    return timed_picture(frame);
}

void Preview::choose_quality(double allowed) {
    const double rest = cost_ - trace_cost_;
    const PreviewQuality& least = options_.qualities[0];
    for (std::size_t q = 1; q < options_.qualities.size(); ++q) {
        const double paths = static_cast<double>(options_.qualities[q].size.pixels()) * options_.qualities[q].samples /
                             (static_cast<double>(least.size.pixels()) * least.samples);
        const double finer = least.detail / options_.qualities[q].detail;
        if (paths * trace_cost_ + finer * finer * rest < allowed) quality_ = q;
    }
    chosen_ = true;
}

Status Preview::write_state() const {
    nlohmann::json framings = nlohmann::json::array();
    for (const auto& [since, box] : framings_)
        framings.push_back({since, box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z});
    const std::string text = nlohmann::json{{"quality", quality_}, {"framings", framings}}.dump() + "\n";
    if (Status folder = make_folder(run_files::preview(run_)); !folder) return folder;
    const std::array<Bytes, 1> pieces{bytes_of(text)};
    return write_durably(state_of(run_), pieces);
}

// What cannot be understood is as if it were not there.
void Preview::read_state() {
    const Result<std::string> text = read_text(state_of(run_), std::size_t{1} << 24);
    if (!text) return;
    try {
        const nlohmann::json state = nlohmann::json::parse(*text);
        const auto quality = state.at("quality").get<std::size_t>();
        std::map<std::uint64_t, Bounds> framings;
        for (const nlohmann::json& one : state.at("framings")) {
            const auto n = one.get<std::array<double, 7>>();
            framings[static_cast<std::uint64_t>(n[0])] = {{n[1], n[2], n[3]}, {n[4], n[5], n[6]}};
        }
        if (quality >= options_.qualities.size()) return;
        quality_ = quality, framings_ = std::move(framings), chosen_ = true;
    } catch (const nlohmann::json::exception&) {
    }
}

Result<std::optional<PreviewMade>> Preview::finish(End end, double session_seconds) {
    const std::vector<std::uint64_t> frames = list_frames(run_);
    if (frames.size() < least_pictures) return std::optional<PreviewMade>();
    const double video = encoding * static_cast<double>(frames.size());
    double seconds = session_seconds;
    const auto affordable = [&] {
        return left(seconds) > cost_ + video || spent_ < least_seconds || pictures().size() < least_pictures;
    };
    while (end != End::stopped && affordable()) {
        const std::optional<std::uint64_t> next = widest_gap(frames, pictures());
        if (!next) break;
        const double before = spent_;
        if (const Status shot = shoot(*next); !shot) return shot.error();
        seconds += spent_ - before;
    }
    const std::vector<std::uint64_t> shown = pictures();
    if (shown.size() < least_pictures) return std::optional<PreviewMade>();
    const Result<PreviewMade> made = make_video(shown);
    if (!made) return made.error();
    std::error_code ignored;
    if (end == End::whole) fs::remove_all(run_files::preview(run_), ignored);
    return std::optional(*made);
}

Result<PreviewMade> Preview::make_video(const std::vector<std::uint64_t>& shown) const {
    PreviewMade made{run_ / "preview.mp4", shown.size(), 0};
    const Size size = options_.qualities[quality_].size;
    Result<VideoWriter> video = VideoWriter::start(made.video, size, scene_.values.number("fps"));
    if (!video) return video.error();
    const std::vector<std::uint64_t> frames = list_frames(run_);
    made.frames = frames.size();
    std::size_t next = 0;
    Bitmap picture(size);
    for (const std::uint64_t frame : frames) {
        // Before the first picture there is nothing but the first picture to show.
        while (next < shown.size() && (shown[next] <= frame || next == 0)) {
            const Result<Bitmap> read = read_png(picture_path(shown[next++]));
            if (read && read->size == size) picture = *read;
        }
        if (const Status added = video->add(picture); !added) return added.error();
    }
    if (const Status done = video->finish(); !done) return done.error();
    return made;
}

} // namespace loam
