#include "export/export.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "cache/durable.h"
#include "cache/run_files.h"
#include "cache/run_folder.h"
#include "surface/sequence.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t looks = 9; // frames that are read to find what a camera should see

Bounds bounds_of(const Geometry& g) {
    Bounds bounds;
    for (const auto& p : g.positions) bounds.add(Vec3d{p.x, p.y, p.z});
    return bounds.empty() ? bounds : bounds.grown(g.size);
}

class Export {
public:
    Export(const ExportJob& job, const ExportFormat& format, ExportWatcher& watcher)
        : job_(job), format_(format), watcher_(watcher), output_(job.output.empty() ? job.run / "export" : job.output) {
    }

    const fs::path& output() const { return output_; }

    // Also looks at frames that were not asked for: a camera does not depend on which were.
    Status look_around() {
        const std::vector<std::uint64_t> all = list_frames(job_.run);
        const std::size_t count = std::min(looks, all.size());
        for (std::size_t k = 0; k < count; ++k) {
            const Result<Frame> frame =
                read_frame(frame_path(job_.run, all[k * (all.size() - 1) / std::max<std::size_t>(count - 1, 1)]));
            if (!frame) continue; // a damaged one matters only if it is asked for
            const Result<Geometry> points = points_of(*frame, job_.foam ? FrameChoice{} : job_.choice);
            if (!points) return points.error();
            view_.add(bounds_of(*points));
            flat_ = points->flat;
        }
        return Done{};
    }

    Status write(std::uint64_t frame) {
        if (!job_.surface) return write(frame, kind(), points(frame));
        if (!job_.each_body) return write(frame, "surface", mesh(surface_folder(job_.run), frame));
        std::size_t written = 0;
        for (const std::string& body : bodies_with_surfaces()) {
            const fs::path folder = surface_folder(job_.run) / body;
            if (!fs::exists(surface_file(folder, frame))) continue; // not born yet, or gone
            if (Status done = write(frame, "surface_" + body, mesh(folder, frame)); !done) return done;
            ++written;
        }
        if (written > 0) return Done{};
        return Error{Fault::file, surface_folder(job_.run).string(),
                     fmt::format("frame {} has no surface of {}", frame,
                                 job_.choice.bodies.empty() ? "a body" : join(job_.choice.bodies)),
                     fmt::format("make them first: loam surface {} --bodies each", shell_word(job_.run.string()))};
    }

    // ParaView's list of files with their times, which a sequence of .vtp alone does not have.
    Status write_collection() const {
        std::string list = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
        for (const ExportRecord& record : done_)
            list +=
                fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", record.time, record.file.filename().string());
        list += "</Collection>\n</VTKFile>\n";
        const Bytes pieces[] = {bytes_of(list)};
        return write_durably(output_ / fmt::format("{}.pvd", kind()), pieces);
    }

private:
    Status write(std::uint64_t frame, const std::string& name, Result<Geometry> geometry) {
        if (!geometry) return geometry.error();
        geometry->view = view_;
        geometry->flat = geometry->flat || flat_;
        const Result<std::string> bytes = format_.encode(*geometry);
        if (!bytes) return bytes.error();
        const fs::path file = output_ / fmt::format("{}_{:06}.{}", name, frame, format_.name);
        const Bytes pieces[] = {bytes_of(*bytes)};
        if (Status written = write_durably(file, pieces); !written) return written;
        done_.push_back(
            {file, frame, geometry->time, geometry->positions.size(), geometry->triangles.size(), bytes->size()});
        watcher_.file_done(done_.back());
        return Done{};
    }

    // Names of folders in the folder of surfaces.
    std::vector<std::string> bodies_with_surfaces() const {
        std::vector<std::string> names;
        for (const std::string& body : job_.choice.bodies) names.push_back(surface_folder_name(body));
        if (!names.empty()) return names;
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(surface_folder(job_.run), ignored))
            if (entry.is_directory()) names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }

    const char* kind() const { return job_.surface ? "surface" : job_.foam ? "foam" : "points"; }

    Result<Geometry> points(std::uint64_t number) const {
        const fs::path file = job_.foam ? run_files::foam_frame(job_.run, number) : frame_path(job_.run, number);
        if (job_.foam && !fs::exists(file))
            return Error{Fault::file, file.string(), fmt::format("frame {} has no white water", number),
                         fmt::format("make it first: loam foam {}", shell_word(job_.run.string()))};
        const Result<Frame> frame = read_frame(file);
        if (!frame) return frame.error();
        return points_of(*frame, job_.choice);
    }

    Result<Geometry> mesh(const fs::path& folder, std::uint64_t frame) const {
        const fs::path file = surface_file(folder, frame);
        if (!fs::exists(file))
            return Error{Fault::file, file.string(), fmt::format("frame {} has no surface", frame),
                         fmt::format("make surfaces first: loam surface {}", shell_word(job_.run.string()))};
        return read_mesh_geometry(file);
    }

    const ExportJob& job_;
    const ExportFormat& format_;
    ExportWatcher& watcher_;
    fs::path output_;
    std::vector<ExportRecord> done_;
    Bounds view_;
    bool flat_ = false;
};

} // namespace

Result<SequenceOutcome> export_frames(const ExportJob& job, ExportWatcher& watcher) {
    const Result<const ExportFormat*> format = find_export_format(job.format);
    if (!format) return format.error();
    if (job.surface && !(*format)->meshes)
        return Error{Fault::usage, "--surface", fmt::format("{} files hold points only", job.format),
                     "choose ply or obj for surfaces"};
    const Result<std::vector<std::uint64_t>> frames = chosen_frames(job.run, job.frames);
    if (!frames) return frames.error();
    Export work(job, **format, watcher);
    if (Status looked = Done{}; (*format)->camera && !(looked = work.look_around())) return looked.error();
    Result<SequenceOutcome> outcome =
        each_frame({work.output(), *frames, job.stop}, watcher, [&](std::uint64_t frame) { return work.write(frame); });
    if (Status listed = Done{}; outcome && (*format)->collection && !(listed = work.write_collection()))
        return listed.error();
    return outcome;
}

} // namespace loam
