#include "run/history.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/run_folder.h"
#include "run/load.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN(); // what plots leave out
constexpr double milliseconds = 1000, percent = 100;

double number_in(const LogLine& line, const char* name) {
    return line.contains(name) && line[name].is_number() ? line[name].get<double>() : nothing;
}

bool has_time(const LogLine& line) { return std::isfinite(number_in(line, "time")); }

// Values over time, frame by frame.
class Series {
public:
    explicit Series(const Log& log) {
        for (const LogLine& line : log.lines)
            if (has_time(line)) lines_.push_back(&line);
    }

    // Frame 0 shows the start: what is measured over steps has no value there.
    enum class Since { start, first_step };

    PlotLine of(const std::string& name, const char* field, double factor, Since since = Since::start) const {
        return line(name, since, [&](const LogLine& at) { return factor * number_in(at, field); });
    }
    PlotLine sum(const std::string& name, const char* first, const char* second) const {
        return line(name, Since::start,
                    [&](const LogLine& at) { return number_in(at, first) + number_in(at, second); });
    }
    // From the frame before to the one that says so; equal neighbors are joined.
    std::vector<PlotSpan> words(const char* field) const {
        std::vector<PlotSpan> spans;
        double before = lines_.empty() ? 0 : number_in(*lines_.front(), "time");
        for (const LogLine* at : lines_) {
            const double time = number_in(*at, "time"), from = std::exchange(before, time);
            if (!has_steps(*at) || !at->contains(field) || !(*at)[field].is_string()) continue;
            const std::string word = (*at)[field];
            if (!spans.empty() && spans.back().name == word && spans.back().to == from)
                spans.back().to = time;
            else if (!word.empty())
                spans.push_back({word, from, time});
        }
        return spans;
    }

    std::optional<std::pair<double, double>> times() const {
        if (lines_.empty()) return {};
        return std::pair{number_in(*lines_.front(), "time"), number_in(*lines_.back(), "time")};
    }

private:
    static bool has_steps(const LogLine& at) { return !(number_in(at, "steps") == 0); }

    template <class Value> PlotLine line(const std::string& name, Since since, const Value& value) const {
        PlotLine drawn{.name = name, .dots = false};
        for (const LogLine* at : lines_)
            if (since == Since::start || has_steps(*at)) drawn.points.push_back({number_in(*at, "time"), value(*at)});
        return drawn;
    }

    std::vector<const LogLine*> lines_;
};

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

std::vector<Panel> history_panels(const Log& log) {
    using enum Series::Since;
    const Series series(log);
    std::vector<Panel> panels{
        panel("Energy [J]", {colored(series.of("kinetic", "kinetic_energy", 1), 0),
                             colored(series.of("potential", "potential_energy", 1), 2),
                             colored(series.sum("total", "kinetic_energy", "potential_energy"), 1)}),
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
        panel("Top speed [m/s]", {series.of("", "top_speed", 1)}),
    };
    panels[2].spans = series.words("dt_limited_by");
    panels[2].spans_title = "limited by";
    if (!iterates(series.of("", "iterations", 1))) panels[3].lines.clear();
    std::erase_if(panels, [](const Panel& one) { return one.lines.empty(); });
    for (Panel& one : panels) one.x_range = series.times();
    for (std::size_t k = 0; k < panels.size(); ++k)
        if (k + 2 >= panels.size()) panels[k].x_label = "time [s]";
    return panels;
}

Result<RunHistory> history_of_run(const fs::path& folder) {
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
    RunHistory history{.plot = {title_of(folder, scene), subtitle_of(*log, scene), history_panels(*log)},
                       .frames = log->lines.size()};
    if (left_out > 0)
        history.warnings.push_back(fmt::format("{}: {} line{} cannot be understood and {} left out", file, left_out,
                                               left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are"));
    return history;
}

} // namespace loam
