// loam info: what is in a frame, or in the folder of a run.
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "commands.h"
#include "exit_code.h"
#include "run/record.h"
#include "run/summary.h"
#include "run/verify.h"
#include "words.h"

namespace loam {
namespace {

void line(std::string_view name, const std::string& text) { fmt::print("  {:<18}{}\n", name, text); }

void print(const Measure& m, int dimensions, bool gravity_known, const std::optional<Vec3d>& turn = {}) {
    line("particles", grouped(m.particles));
    if (m.particles == 0) return;
    line("volume", fmt::format("{} {}", rounded(m.volume), dimensions == 2 ? "m^2" : "m^3"));
    line("mass", rounded(m.mass) + " kg");
    line("momentum", vector_text(m.momentum) + " kg m/s");
    line("kinetic energy", rounded(m.kinetic_energy) + " J");
    line("potential energy", gravity_known ? rounded(m.potential_energy) + " J" : "not known without its scene");
    if (m.elastic_known) line("elastic energy", rounded(m.elastic_energy) + " J");
    if (m.may_rest) line("at rest", percent_text(m.resting_share()) + " of its mass");
    line("top speed", rounded(m.top_speed) + " m/s");
    line("center of mass", vector_text(m.center()) + " m");
    if (turn) line("turned by", vector_text(*turn) + " degrees");
    line("spin", vector_text(m.spin()) + " rad/s");
    line("bounds", vector_text(m.bounds.lo));
    line("", vector_text(m.bounds.hi) + " m");
    line("densest particle", percent_text(m.largest_compression) + " above rest");
}

std::optional<Vec3d> turn_of(const FrameSummary& frame, std::size_t body) {
    return body < frame.turns.size() ? frame.turns[body] : std::nullopt;
}

// Numbers of one unit on a line.
void print(const ShownGauge& gauge) {
    std::string name = gauge.name, numbers;
    for (std::size_t k = 0; k < gauge.parts.size(); ++k) {
        const bool ends = k + 1 == gauge.parts.size() || gauge.parts[k + 1].unit != gauge.parts[k].unit;
        numbers += std::isfinite(gauge.values[k]) ? rounded(gauge.values[k]) : "nothing";
        numbers += ends ? " " + gauge.parts[k].unit : ", ";
        if (!ends) continue;
        line(name, numbers);
        name.clear(), numbers.clear();
    }
}

void print(const FrameSummary& frame) {
    fmt::print("frame {} at {} s\n", frame.header.frame, rounded(frame.header.time));
    std::size_t materials = 0;
    for (std::size_t b = 0; b < frame.measures.bodies.size(); ++b) {
        if (frame.measures.bodies[b].particles == 0) continue; // a wall, or a body that is not there yet
        fmt::print("{}\n", frame.header.bodies[b]);
        print(frame.measures.bodies[b], frame.header.dimensions, frame.gravity_known, turn_of(frame, b));
        ++materials;
    }
    if (materials != 1) {
        fmt::print("in all\n");
        print(frame.measures.total, frame.header.dimensions, frame.gravity_known);
    }
    if (!frame.water.empty()) fmt::print("water\n");
    for (const auto& [name, mass] : frame.water) line(name == "taken_up" ? "taken up" : name, rounded(mass) + " kg");
    if (!frame.gauges.empty()) fmt::print("gauges\n");
    for (const ShownGauge& gauge : frame.gauges) print(gauge);
}

void print(const std::string& folder, const RunSummary& run) {
    fmt::print("{}{}\n", printable(folder), run.title.empty() ? "" : ": " + printable(run.title));
    const auto percent = run.frames_full ? 100 * run.frames / run.frames_full : 100;
    line("frames", fmt::format("{} of {} ({} %)", run.frames, run.frames_full, percent));
    line("", run.finished ? "finished" : "go on with: loam resume " + shell_word(folder));
    if (!run.changed_after.empty())
        line("other values", fmt::format("after frame{} {}", run.changed_after.size() > 1 ? "s" : "",
                                         fmt::join(run.changed_after, ", ")));
    if (!run.takes.empty()) line("takes", join(run.takes));
    if (run.foam > 0) line("white water", fmt::format("of {} frame{}", run.foam, run.foam == 1 ? "" : "s"));
    line("computing time", duration_text(run.wall_seconds));
    for (std::size_t k = 0; k < run.happened.size(); ++k) line(k == 0 ? "what happened" : "", run.happened[k]);
    if (run.last) print(*run.last);
}

LogLine json_of(const Measure& m, bool gravity_known) {
    LogLine all;
    add_measure(all, m);
    if (!gravity_known) all["potential_energy"] = nullptr;
    all["largest_volume_error"] = json_number(m.largest_compression);
    add_place(all, m);
    return all;
}

LogLine json_of(const FrameSummary& frame) {
    LogLine all{{"frame", frame.header.frame}, {"time", json_number(frame.header.time)}};
    all["dimensions"] = frame.header.dimensions;
    all["particle_radius"] = json_number(frame.header.particle_radius);
    all["bodies"] = LogLine::object();
    for (std::size_t b = 0; b < frame.measures.bodies.size(); ++b) {
        LogLine& body = all["bodies"][frame.header.bodies[b]];
        body = json_of(frame.measures.bodies[b], frame.gravity_known);
        if (const auto turn = turn_of(frame, b)) body["turn"] = json_vector(*turn);
    }
    all["total"] = json_of(frame.measures.total, frame.gravity_known);
    for (const auto& [name, mass] : frame.water) all["water"][name] = json_number(mass);
    if (!frame.gauges.empty()) all["gauges"] = LogLine::object();
    for (const ShownGauge& gauge : frame.gauges) {
        LogLine& shown = all["gauges"][gauge.name];
        for (const double value : gauge.values) shown.push_back(json_number(value));
        if (gauge.values.size() == 1) shown = json_number(gauge.values.front());
    }
    return all;
}

LogLine json_of(const std::string& folder, const RunSummary& run) {
    LogLine all{{"folder", folder}, {"title", run.title}, {"frames", run.frames}, {"frames_full", run.frames_full}};
    all["finished"] = run.finished;
    all["changed_after"] = run.changed_after;
    all["takes"] = run.takes;
    all["foam"] = run.foam;
    all["wall_seconds"] = json_number(run.wall_seconds);
    all["largest_volume_error"] = json_number(run.largest_volume_error);
    all["happened"] = run.happened;
    all["simd"] = run.simd;
    all["last_frame"] = run.last ? json_of(*run.last) : LogLine(nullptr);
    return all;
}

int show(const LogLine& all) {
    fmt::print("{}\n", all.dump(2, ' ', false, LogLine::error_handler_t::replace));
    return exit_ok;
}

int verify(const InfoArguments& arguments) {
    const Result<RunVerification> found = verify_run(arguments.path);
    if (!found) return complain(found.error());
    if (arguments.json) {
        LogLine all{{"folder", arguments.path}, {"frames", found->frames}, {"checkpoints", found->checkpoints}};
        all["foam"] = found->foam;
        all["flaws"] = LogLine::array();
        for (const RunVerification::Flaw& flaw : found->flaws)
            all["flaws"].push_back({{"file", flaw.file}, {"what", flaw.what}});
        show(all);
        return found->flaws.empty() ? exit_ok : exit_file;
    }
    fmt::print("{}: {} frame{} and {} checkpoint{} are whole\n", printable(arguments.path), found->frames,
               found->frames == 1 ? "" : "s", found->checkpoints, found->checkpoints == 1 ? "" : "s");
    if (found->foam > 0) fmt::print("white water of {} frame{} is whole\n", found->foam, found->foam == 1 ? "" : "s");
    for (const RunVerification::Flaw& flaw : found->flaws) line(flaw.file + " ", printable(flaw.what));
    if (found->flaws.empty()) return exit_ok;
    return complain(
        {Fault::file, arguments.path,
         fmt::format("{} thing{} missing or damaged", found->flaws.size(), found->flaws.size() == 1 ? " is" : "s are"),
         "compute again what can be: loam resume " + shell_word(arguments.path)});
}

} // namespace

int info(const InfoArguments& arguments) {
    if (arguments.verify) return verify(arguments);
    std::error_code ignored;
    if (std::filesystem::is_directory(arguments.path, ignored)) {
        const auto run = summarize_run(arguments.path);
        if (!run) return complain(run.error());
        if (arguments.json) return show(json_of(arguments.path, *run));
        print(arguments.path, *run);
        return exit_ok;
    }
    const auto frame = summarize_frame(arguments.path);
    if (!frame) return complain(frame.error());
    if (arguments.json) return show(json_of(*frame));
    print(*frame);
    return exit_ok;
}

} // namespace loam
