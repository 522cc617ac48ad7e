// loam plot: gauges, energies, volume error, time step and more of a run over time.
#include "plot/plot.h"

#include <filesystem>

#include <fmt/format.h>

#include "cache/durable.h"
#include "commands.h"
#include "exit_code.h"
#include "plot/raster.h"
#include "run/history.h"
#include "sequence_tellers.h"
#include "tell_people.h"

namespace loam {
namespace {

constexpr double png_zoom = 2; // sharp on paper

Status check_name(const std::filesystem::path& file) {
    const std::string kind = file.extension().string();
    if (kind == ".svg" || kind == ".png") return Done{};
    return Error{Fault::usage, "-o", fmt::format("\"{}\" is neither SVG nor PNG", file.string()),
                 "give a name that ends in .svg or .png"};
}

Status write(const std::filesystem::path& file, const Plot& plot) {
    std::string bytes = svg_of(plot);
    if (file.extension() == ".png") {
        Result<std::string> png = png_of(bytes, png_zoom);
        if (!png) return png.error();
        bytes = std::move(*png);
    }
    if (file.has_parent_path())
        if (Status made = make_folder(file.parent_path()); !made) return made;
    const Bytes pieces[] = {bytes_of(bytes)};
    return write_durably(file, pieces);
}

} // namespace

int plot(const PlotArguments& arguments) {
    const std::filesystem::path file = arguments.output.empty() ? std::filesystem::path(arguments.folder) / "plot.svg"
                                                                : std::filesystem::path(arguments.output);
    if (Status good = check_name(file); !good) return complain(good.error());
    HistoryOptions options{.each_body = arguments.bodies == "each"};
    if (!options.each_body) options.bodies = split_names(arguments.bodies);
    options.only_gauges = split_names(arguments.gauges);
    const Result<RunHistory> history = history_of_run(arguments.folder, options);
    if (!history) return complain(history.error());
    for (const std::string& warning : history->warnings) tell_people("{}\n", warning);
    if (Status written = write(file, history->plot); !written) return complain(written.error());
    tell_people("{}: {} frame{}\n", file.string(), history->frames, history->frames == 1 ? "" : "s");
    return exit_ok;
}

} // namespace loam
