#include "picture/shot.h"

#include <chrono>

namespace loam {
namespace {

constexpr double farthest = 1e9; // m; much farther, single precision has no rays any more

} // namespace

Result<Bitmap> picture_of(const Frame& frame, PictureStage& stage, TraceOptions options, double& trace_seconds) {
    using Clock = std::chrono::steady_clock;
    const Result<World> world = stage.world_at(frame);
    if (!world) return world.error();
    if (const Camera& camera = stage.camera(); !(length(camera.from) < farthest && length(camera.to) < farthest))
        return Error{Fault::usage, "camera", "it stands or looks beyond a million kilometres",
                     "lengths are in metres: --camera from=[x,y,z], or leave out camera.from and camera.to"};
    if (world->inside(stage.camera().from))
        return Error{Fault::usage, "camera", "the camera is inside of a body",
                     "move it: --camera from=[x,y,z], or leave out camera.from to have everything in view"};
    const Clock::time_point begun = Clock::now();
    options.contact = static_cast<float>(3 * frame.header.particle_radius);
    options.moving = stage.shutter() > 0;
    const Image image = trace(*world, Lens(stage.camera(), options.size), stage.light(), options);
    trace_seconds = std::chrono::duration<double>(Clock::now() - begun).count();
    return develop(image, static_cast<float>(stage.exposure()), static_cast<float>(stage.contrast()));
}

} // namespace loam
