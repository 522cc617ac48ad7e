#include "surface/sequence.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "cache/durable.h"
#include "cache/run_folder.h"
#include "surface/particle_area.h"
#include "surface/ply.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Error with_place(Error error, const fs::path& frame) {
    if (error.where.empty()) error.where = frame.string();
    return error;
}

// The makers of one sequence: one per body where each has its own surface.
class Sequence {
public:
    Sequence(const SurfaceJob& job, SurfaceWatcher& watcher)
        : job_(job), output_(job.output.empty() ? surface_folder(job.run) : job.output), watcher_(watcher) {}

    const fs::path& output() const { return output_; }

    Status make(std::uint64_t number) {
        const fs::path path = frame_path(job_.run, number);
        const Result<Frame> frame = read_frame(path);
        if (!frame) return frame.error();
        if (!job_.each_body) return make_one(*frame, path, job_.choice, "");
        const auto& names = job_.choice.bodies.empty() ? frame->header.bodies : job_.choice.bodies;
        for (const std::string& body : names) {
            FrameChoice one = job_.choice;
            one.bodies = {body};
            if (Status made = make_one(*frame, path, one, body); !made) return made;
        }
        return Done{};
    }

private:
    Status make_one(const Frame& frame, const fs::path& path, const FrameChoice& choice, const std::string& body) {
        const double start = now();
        const Result<SurfaceParticles> particles = particles_of(frame, choice);
        if (!particles) return particles.error();
        if (!body.empty() && particles->positions.empty()) return Done{}; // a wall, or not born yet
        auto& maker = makers_[body];
        if (!maker) {
            auto created = SurfaceMaker::create(job_.method, job_.settings);
            if (!created) return created.error();
            maker = std::move(*created);
        }
        const Result<SurfaceMesh> mesh = maker->make(*particles, job_.options);
        if (!mesh) return with_place(mesh.error(), path);
        const fs::path folder = body.empty() ? output_ : output_ / surface_folder_name(body);
        const SurfaceHeader header{.frame = frame.header.frame,
                                   .time = frame.header.time,
                                   .cell = job_.options.cell > 0 ? job_.options.cell : particles->radius,
                                   .method = job_.method,
                                   .bodies = frame.header.bodies};
        SurfaceRecord record{.file = surface_file(folder, frame.header.frame), .body = body};
        if (Status made = make_folder(folder); !made) return made;
        if (Status written = write_surface(record.file, *mesh, header); !written) return written;
        record.frame = header.frame, record.time = header.time;
        record.particles = particles->positions.size();
        record.vertices = mesh->vertices.size(), record.triangles = mesh->triangles.size();
        record.area = area(*mesh), record.volume = enclosed_volume(*mesh), record.particle_volume = particles->volume();
        record.particle_area = particle_area(Cloud(*particles, job_.options.isa));
        record.seconds = now() - start;
        watcher_.surface_done(record);
        return Done{};
    }

    const SurfaceJob& job_;
    fs::path output_;
    SurfaceWatcher& watcher_;
    std::map<std::string, std::unique_ptr<SurfaceMaker>> makers_;
};

} // namespace

std::string surface_folder_name(std::string body) {
    std::replace(body.begin(), body.end(), '/', '_');
    return body == "." || body == ".." ? body + "_" : body;
}

fs::path surface_file(const fs::path& folder, std::uint64_t frame) { return folder / fmt::format("{:06}.ply", frame); }

Result<SequenceOutcome> make_surfaces(const SurfaceJob& job, SurfaceWatcher& watcher) {
    // What is wrong with the method is told before anything is read.
    if (auto method = SurfaceMaker::create(job.method, job.settings); !method) return method.error();
    const Result<std::vector<std::uint64_t>> frames = chosen_frames(job.run, job.frames);
    if (!frames) return frames.error();
    Sequence sequence(job, watcher);
    return each_frame({sequence.output(), *frames, job.stop}, watcher,
                      [&](std::uint64_t frame) { return sequence.make(frame); });
}

} // namespace loam
