// loam export: the frames or surfaces of a run as files for other programs.
#include "export/export.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "events.h"
#include "run/record.h"
#include "sequence_tellers.h"
#include "stop_signal.h"
#include "words.h"

namespace loam {
namespace {

class Watcher : public SequenceTeller<ExportWatcher> {
public:
    Watcher(SequenceProgress& progress, bool json) : SequenceTeller(progress, json) {
        progress.produced = [this] { return byte_text(static_cast<double>(bytes_)); };
    }
    void file_done(const ExportRecord& r) override {
        bytes_ += r.bytes;
        progress_.particles += r.points;
        if (json_)
            tell_event({{"event", "file"},
                        {"file", r.file.string()},
                        {"frame", r.frame},
                        {"time", json_number(r.time)},
                        {"points", r.points},
                        {"triangles", r.triangles},
                        {"bytes", r.bytes}});
    }

private:
    std::size_t bytes_ = 0;
};

Result<ExportJob> make_job(const ExportArguments& arguments) {
    const Result<FrameRange> range = parse_frame_range(arguments.frames);
    if (!range) return range.error();
    if (arguments.surface && (arguments.points || !arguments.columns.empty()))
        return Error{Fault::usage, "--surface", "it does not go with --points or --columns, which are for particles",
                     "`loam surface` has --columns"};
    if (arguments.foam && (arguments.surface || arguments.points))
        return Error{Fault::usage, "--foam", "it does not go with --surface or --points", "export one after the other"};
    const bool each = arguments.surface && arguments.bodies == "each";
    return ExportJob{.run = arguments.folder,
                     .output = arguments.output,
                     .format = arguments.format,
                     .surface = arguments.surface,
                     .foam = arguments.foam,
                     .frames = *range,
                     .choice = {split_names(each ? "" : arguments.bodies), arguments.columns, true},
                     .each_body = arguments.surface && !arguments.bodies.empty(),
                     .stop = &watch_for_stop()};
}

} // namespace

std::string export_format_names() {
    std::string names;
    for (const ExportFormat& format : export_formats()) names += (names.empty() ? "" : ", ") + std::string(format.name);
    return names;
}

std::string export_format_table() {
    std::string table = "\nFormats:\n";
    for (const ExportFormat& format : export_formats()) table += fmt::format("  {:<5} {}\n", format.name, format.help);
    return table;
}

int export_run(const ExportArguments& arguments) {
    SequenceProgress progress;
    Watcher watcher(progress, arguments.json);
    return finish_sequence({}, arguments.json, progress, [&]() -> Result<SequenceOutcome> {
        const Result<ExportJob> job = make_job(arguments);
        if (!job) return job.error();
        return export_frames(*job, watcher);
    });
}

} // namespace loam
