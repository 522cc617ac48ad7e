#include "preview.h"

#include <cstdlib>
#include <string_view>

#include "picture/video.h"
#include "run/load.h"
#include "run/record.h"

namespace loam {
namespace {

bool is_wanted(const RunArguments& arguments) {
    const char* const said = std::getenv("LOAM_VIDEO");
    return !arguments.no_video && !(said && std::string_view(said) == "off");
}

Preview::End how_it_ended(const Result<RunOutcome>& outcome) {
    if (!outcome || outcome->stopped) return Preview::End::stopped;
    return outcome->finished ? Preview::End::whole : Preview::End::pause;
}

} // namespace

PreviewMaker::PreviewMaker(const RunArguments& arguments, Teller& teller, const std::atomic<bool>* stop)
    : teller_(teller), wanted_(is_wanted(arguments)), stop_(stop) {}

void PreviewMaker::give_up(const std::string& why) {
    preview_.reset();
    teller_.warned("no preview video: " + why);
}

void PreviewMaker::begun(const RunStart& start) {
    teller_.begun(start);
    if (!wanted_) return;
    if (!ffmpeg_is_there()) return give_up("the program ffmpeg is not there");
    Result<Scene> scene = load_scene(start.folder / "scene.json");
    if (!scene) return give_up(scene.error().text());
    scene_ = std::move(*scene);
    preview_.emplace(*scene_, start.folder, start.resumed, PreviewOptions{.isa = start.isa});
}

void PreviewMaker::frame_done(const FrameRecord& record, const RunStep& session, const Simulation& simulation) {
    teller_.frame_done(record, session, simulation);
    if (!preview_) return;
    if (const Status made = preview_->frame_done(record.frame, session.seconds); !made) give_up(made.error().text());
}

void PreviewMaker::finish(const Result<RunOutcome>& outcome) {
    if (!preview_) return;
    const auto drawn = [this](std::size_t done, std::size_t all) { teller_.drawing(done, all); };
    const auto made = preview_->finish(how_it_ended(outcome), {.stop = stop_, .done = drawn});
    if (!made) return give_up(made.error().text());
    if (*made) teller_.preview_made(**made);
}

} // namespace loam
