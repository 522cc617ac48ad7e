#include "timeline_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "words.h"

namespace loam {
namespace {

constexpr int columns = 48;
constexpr const char* levels[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

struct Line {
    std::string name;
    Track track;
};

void add(std::vector<Line>& lines, const std::string& name, const Values& values) {
    for (const auto& [property, track] : values.tracks()) lines.push_back({name + "." + property, track});
}

void add(std::vector<Line>& lines, const std::string& name, const Track& track) {
    if (track.keys.size() > 1) lines.push_back({name, track});
}

std::vector<Line> lines_of(const Scene& scene) {
    std::vector<Line> lines;
    for (const BehaviorUse& use : scene.behaviors) add(lines, use.name, use.values);
    for (const BodySpec& body : scene.bodies) {
        for (const BehaviorUse& use : body.behaviors) add(lines, body.name + " " + use.name, use.values);
        for (const EmitterSpec& emitter : body.emitters) add(lines, body.name + " " + emitter.name, emitter.values);
        if (!body.boundary) continue;
        add(lines, body.name + " motion.translation", body.boundary->motion.translation);
        add(lines, body.name + " motion.angle", body.boundary->motion.angle);
    }
    add(lines, "camera", scene.camera);
    add(lines, "light", scene.light);
    return lines;
}

// One component of a track from 0 to the end, as high as its value between its least and its largest.
std::string curve(const Track& track, std::size_t component, double end) {
    double lo = 1e300, hi = -1e300;
    std::vector<double> values;
    for (int k = 0; k < columns; ++k) {
        // Of what happens within a column, that which differs most from the column before: short pulses show.
        const double from = end * k / columns, to = end * (k + 1) / columns;
        std::vector<double> moments{0.5 * (from + to)};
        for (const Key& key : track.keys)
            if (key.at >= from && key.at < to) moments.push_back(key.at);
        double shown = track.at(moments[0])[component];
        const double before = values.empty() ? shown : values.back();
        for (const double moment : moments) {
            const double value = track.at(moment)[component];
            if (std::abs(value - before) > std::abs(shown - before)) shown = value;
            lo = std::min(lo, value), hi = std::max(hi, value);
        }
        values.push_back(shown);
    }
    std::string text;
    for (double value : values) {
        const double height = hi > lo ? (value - lo) / (hi - lo) : hi > 0 ? 1 : 0;
        text += levels[static_cast<int>(std::lround(7 * height))];
    }
    return fmt::format("{}  {} to {}", text, rounded(lo), rounded(hi));
}

bool changes(const Track& track, std::size_t component) {
    return std::any_of(track.keys.begin(), track.keys.end(),
                       [&](const Key& key) { return key.value[component] != track.keys.front().value[component]; });
}

std::string over_particles(const Track& track) {
    std::string text = fmt::format("over {}:", driver_names()[static_cast<std::size_t>(track.driver)]);
    const std::string unit = driver_unit(track.driver);
    for (const Key& key : track.keys)
        text += fmt::format(" {} at {}{}{}", rounded(key.value.x), rounded(key.at), unit.empty() ? "" : " ", unit);
    return text;
}

} // namespace

std::string timeline_text(const Scene& scene) {
    const std::vector<Line> lines = lines_of(scene);
    if (lines.empty()) return "";
    std::size_t width = 0;
    for (const Line& line : lines) width = std::max(width, line.name.size() + 4);
    const double end = scene.values.number("duration");
    const std::string last = rounded(end) + " s";
    std::string out = fmt::format("  timeline\n    {:<{}}0 s{:>{}}\n", "", width, last, columns - 3);
    for (const Line& line : lines) {
        if (line.track.driver != Driver::time) {
            out += fmt::format("    {:<{}}{}\n", line.name, width, over_particles(line.track));
            continue;
        }
        const bool vector = changes(line.track, 1) || changes(line.track, 2);
        for (std::size_t k = 0; k < 3; ++k)
            if (vector ? changes(line.track, k) : k == 0)
                out += fmt::format("    {:<{}}{}\n", vector ? fmt::format("{}.{}", line.name, "xyz"[k]) : line.name,
                                   width, curve(line.track, k, end));
    }
    return out;
}

} // namespace loam
