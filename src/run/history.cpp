#include "run/history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cache/run_folder.h"
#include "gauges/gauge.h"
#include "run/load.h"
#include "run/series.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

constexpr double milliseconds = 1000, percent = 100;

PlotLine colored(PlotLine line, std::size_t color) {
    line.color = color;
    return line;
}

PlotLine thin(PlotLine line) {
    line.thin = true;
    return line;
}

bool has_value(const PlotLine& line) {
    return std::any_of(line.points.begin(), line.points.end(),
                       [](const auto& p) { return std::isfinite(p.second) && p.second != 0; });
}

// Explicit solvers say 1 in every step.
bool iterates(const PlotLine& line) {
    return std::any_of(line.points.begin(), line.points.end(), [](const auto& p) { return p.second > 1; });
}

Panel panel(const char* title, std::vector<PlotLine> lines, Scale y = Scale::linear) {
    std::erase_if(lines, [](const PlotLine& line) { return !has_value(line); });
    return {.title = title, .x = Scale::tight, .y = y, .from_zero = true, .lines = std::move(lines)};
}

// One line for each of some numbers in a list.
Panel of_vector(const Series& series, const std::string& title, const std::vector<std::string>& path) {
    const char* const axes[] = {"x", "y", "z"};
    Panel panel{.title = title, .x = Scale::tight};
    for (std::size_t k = 0; k < 3; ++k) panel.lines.push_back(colored(series.at(axes[k], path, k), k));
    return panel;
}

bool is_drawn(const Panel& panel) {
    return std::any_of(panel.lines.begin(), panel.lines.end(), [](const PlotLine& line) {
        return std::any_of(line.points.begin(), line.points.end(),
                           [](const auto& p) { return std::isfinite(p.second); });
    });
}

// The gauge in each step if it was read so, else at each frame; one panel for each unit that it shows.
std::vector<Panel> gauge_panels(const Series& series, const std::string& name, std::vector<GaugePart> shown) {
    const std::size_t count = std::max<std::size_t>(1, series.parts({"gauges", name}));
    shown.resize(count); // what is not known has neither name nor unit
    std::vector<Panel> panels;
    std::string unit;
    for (std::size_t k = 0; k < count; ++k) {
        const std::optional<std::size_t> part = count > 1 ? std::optional(k) : std::nullopt;
        PlotLine line = series.gauge_steps(shown[k].name, name, part);
        if (line.points.empty()) line = series.at(shown[k].name, {"gauges", name}, part);
        if (panels.empty() || shown[k].unit != unit) {
            unit = shown[k].unit;
            panels.push_back({.title = unit.empty() ? name : fmt::format("{} [{}]", name, unit), .x = Scale::tight});
        }
        line.color = panels.back().lines.size();
        panels.back().lines.push_back(std::move(line));
    }
    return panels;
}

std::vector<Panel> body_panels(const Series& series, const std::string& body) {
    std::vector<Panel> panels;
    const auto vector = [&](const char* title, const char* field) {
        panels.push_back(of_vector(series, fmt::format("{}: {}", body, title), {"bodies", body, field}));
    };
    vector("center of mass [m]", "center");
    vector("momentum [kg m/s]", "momentum");
    Panel energy{.title = body + ": energy [J]", .x = Scale::tight, .from_zero = true};
    for (const auto& [name, color] : {std::pair("kinetic", 0), std::pair("potential", 2), std::pair("elastic", 3)})
        energy.lines.push_back(colored(series.at(name, {"bodies", body, std::string(name) + "_energy"}, {}),
                                       static_cast<std::size_t>(color)));
    panels.push_back(std::move(energy));
    vector("extent [m]", "extent");
    vector("turn [degrees]", "turn");
    vector("spin [rad/s]", "spin");
    return panels;
}

std::string title_of(const fs::path& folder, const Result<Scene>& scene) {
    if (scene && !scene->values.text("title").empty()) return scene->values.text("title");
    return fs::absolute(folder).lexically_normal().filename().string();
}

// How far the run is, and what it took.
std::string subtitle_of(const Log& log, const Result<Scene>& scene) {
    const LogLine& last = log.lines.back();
    double seconds = 0;
    for (const LogLine& line : log.lines)
        if (const double took = number_in(line, "wall_seconds"); std::isfinite(took)) seconds += took;
    std::string text = fmt::format("frame {}", last["frame"].get<std::uint64_t>());
    if (scene) text += fmt::format(" of {}", scene->frame_count());
    if (const double particles = number_in(last, "particles"); std::isfinite(particles))
        text += fmt::format(", {:.0f} particles", particles);
    if (last.contains("simd") && last["simd"].is_string()) text += ", " + last["simd"].get<std::string>();
    return text + fmt::format(", {:.3g} s of computing", seconds);
}

} // namespace

std::vector<Panel> history_panels(const Log& log, const HistoryOptions& options) {
    using enum Series::Since;
    const Series series(log);
    std::vector<Panel> panels{
        panel("Energy [J]",
              {colored(series.of("kinetic", "kinetic_energy", 1), 0),
               colored(series.of("potential", "potential_energy", 1), 2),
               colored(series.of("elastic", "elastic_energy", 1), 3),
               colored(series.sum("total", {"kinetic_energy", "potential_energy", "elastic_energy"}), 1)}),
        panel("Volume error [%]",
              {series.of("mean", "volume_error", percent, first_step),
               thin(colored(series.of("largest", "largest_volume_error", percent, first_step), 1))},
              Scale::logarithmic),
        panel("Time step [ms]", {series.of("mean", "mean_dt", milliseconds, first_step),
                                 thin(colored(series.of("least", "least_dt", milliseconds, first_step), 1))}),
        panel("Iterations per step",
              {series.of("density", "iterations", 1, first_step),
               thin(colored(series.of("divergence", "divergence_iterations", 1, first_step), 1))}),
        panel("Particles", {series.of("", "particles", 1)}),
        panel("Water [kg]", {colored(series.at("free", {"water", "free"}, {}), 0),
                             colored(series.at("in pores", {"water", "absorbed"}, {}), 1),
                             colored(series.at("dried", {"water", "dried"}, {}), 2),
                             colored(series.at("drained", {"water", "drained"}, {}), 3)}),
        panel("At rest [% of mass]", {series.of("", "resting", percent)}),
        panel("Top speed [m/s]", {series.of("", "top_speed", 1)}),
    };
    panels[2].spans = series.words("dt_limited_by");
    panels[2].spans_title = "limited by";
    if (!iterates(series.of("", "iterations", 1))) panels[3].lines.clear();
    std::erase_if(panels, [](const Panel& one) { return one.lines.empty(); });
    const std::vector<std::string>& only = options.only_gauges;
    if (!only.empty()) panels.clear();
    const auto add = [&](std::vector<Panel> more) {
        for (Panel& one : more)
            if (is_drawn(one)) panels.push_back(std::move(one));
    };
    for (const std::string& name : series.names("gauges")) {
        if (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()) continue;
        const auto known = options.gauges.find(name);
        add(gauge_panels(series, name, known == options.gauges.end() ? std::vector<GaugePart>{} : known->second));
    }
    for (const std::string& name : series.names("bodies"))
        if (options.each_body || std::find(options.bodies.begin(), options.bodies.end(), name) != options.bodies.end())
            add(body_panels(series, name));
    for (Panel& one : panels) one.x_range = series.times();
    for (std::size_t k = 0; k < panels.size(); ++k)
        if (k + 2 >= panels.size()) panels[k].x_label = "time [s]";
    return panels;
}

namespace {

// Names that are none of those in the log.
Status check_names(const Log& log, const std::vector<std::string>& names, const char* field, const char* one,
                   const char* option) {
    const std::vector<std::string> known = Series(log).names(field);
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            const std::string nearest = nearest_name(name, known);
            return Error{Fault::usage, option, fmt::format("the log tells of no {} \"{}\"", one, name),
                         known.empty()     ? "there are none"
                         : nearest.empty() ? "there are: " + join(known)
                                           : fmt::format("did you mean \"{}\"?", nearest)};
        }
    return Done{};
}

} // namespace

Result<RunHistory> history_of_run(const fs::path& folder, HistoryOptions options) {
    if (!is_run_folder(folder)) return no_run_in(folder);
    Result<Log> log = read_log(folder);
    if (!log) return log.error();
    std::size_t left_out = log->unreadable;
    left_out += std::erase_if(log->lines, [](const LogLine& line) { return !has_time(line); });
    const std::string file = (folder / "log.jsonl").string();
    if (log->lines.empty() && left_out == 0)
        return Error{Fault::file, file, "the log has no frame yet", "wait for the first one, or `loam resume` the run"};
    if (log->lines.empty())
        return Error{Fault::file, file,
                     fmt::format("none of its {} line{} can be understood", left_out, left_out == 1 ? "" : "s"),
                     "each should be JSON with frame and time, as `loam run` writes it"};
    const Result<Scene> scene = load_scene(folder / "scene.json"); // the plot can do without
    if (Status known = check_names(*log, options.bodies, "bodies", "body", "--bodies"); !known) return known.error();
    if (Status known = check_names(*log, options.only_gauges, "gauges", "gauge", "--gauges"); !known)
        return known.error();
    if (scene)
        for (const GaugeSpec& gauge : scene->gauges) options.gauges[gauge.name] = GaugeTypes::find(gauge.kind)->parts;
    RunHistory history{.plot = {title_of(folder, scene), subtitle_of(*log, scene), history_panels(*log, options)},
                       .frames = log->lines.size()};
    if (left_out > 0)
        history.warnings.push_back(fmt::format("{}: {} line{} cannot be understood and {} left out", file, left_out,
                                               left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are"));
    return history;
}

} // namespace loam
