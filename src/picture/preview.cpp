#include "picture/preview.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <nlohmann/json.hpp>

#include "cache/run_files.h"
#include "cache/run_folder.h"
#include "picture/png.h"
#include "picture/sheet.h"
#include "picture/shot.h"
#include "picture/video.h"

namespace loam {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double first_seconds = 0.25;      // of the share that must have gathered before the first picture
constexpr std::size_t least_frames = 4;     // fewer are no film
constexpr double fine_share = 0.25;         // finer pictures than the roughest may take so much of the time
constexpr std::size_t frames_looked_at = 9; // to find out where particles are

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

fs::path state_of(const fs::path& run) { return run_files::preview(run) / "state.json"; }

bool holds(const Bounds& outer, const Bounds& inner) {
    return inner.empty() || (outer.contains(inner.lo) && outer.contains(inner.hi));
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
        StageOptions options{.size = quality.size, .drops_of = run_, .detail = quality.detail, .isa = options_.isa};
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
    const double allowed = fine_share * frame_seconds_;
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

// What the camera of a run shows of which no picture was made while it went on.
void Preview::look_ahead(const std::vector<std::uint64_t>& frames) {
    if (!framings_.empty()) return;
    Bounds all;
    for (const std::uint64_t number : evenly_spaced(frames, frames_looked_at)) {
        const Result<Frame> frame = read_frame(frame_path(run_, number));
        if (!frame) continue; // a damaged frame is complained about when it is to be shown
        const Bounds crowd = crowd_bounds(*frame);
        all.add(all.empty() ? foreseen(scene_, crowd) : crowd);
    }
    if (!all.empty()) framings_[frames.front()] = all;
}

Status Preview::draw_missing(const std::vector<std::uint64_t>& frames, const PreviewDrawing& drawing) {
    const std::vector<std::uint64_t> shown = pictures();
    std::vector<std::uint64_t> missing;
    std::set_difference(frames.begin(), frames.end(), shown.begin(), shown.end(), std::back_inserter(missing));
    if (!missing.empty()) look_ahead(frames);
    for (std::size_t k = 0; k < missing.size() && !(drawing.stop && *drawing.stop); ++k) {
        if (Status shot = shoot(missing[k]); !shot) return shot;
        if (drawing.done) drawing.done(k + 1, missing.size());
    }
    return Done{};
}

Result<std::optional<PreviewMade>> Preview::finish(End end, const PreviewDrawing& drawing) {
    const std::vector<std::uint64_t> frames = list_frames(run_);
    if (frames.size() < least_frames) return std::optional<PreviewMade>();
    if (end != End::stopped)
        if (const Status drawn = draw_missing(frames, drawing); !drawn) return drawn.error();
    const std::vector<std::uint64_t> shown = pictures();
    if (shown.size() < least_frames) return std::optional<PreviewMade>();
    Result<PreviewMade> made = make_video(shown);
    if (!made) return made.error();
    made->seconds = spent_;
    std::error_code ignored;
    if (end == End::whole && made->pictures == made->frames) fs::remove_all(run_files::preview(run_), ignored);
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
