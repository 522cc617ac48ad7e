#include "run/series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

namespace loam {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN(); // what plots leave out

bool has_steps(const LogLine& at) { return !(number_in(at, "steps") == 0); }

const LogLine* find(const LogLine& line, const std::vector<std::string>& path) {
    const LogLine* at = &line;
    for (const std::string& name : path) {
        if (!at->is_object() || !at->contains(name)) return nullptr;
        at = &(*at)[name];
    }
    return at;
}

double number_of(const LogLine* value, std::optional<std::size_t> part) {
    if (value && part) value = value->is_array() && *part < value->size() ? &(*value)[*part] : nullptr;
    return value && value->is_number() ? value->get<double>() : nothing;
}

} // namespace

double number_in(const LogLine& line, const char* name) {
    return line.contains(name) && line[name].is_number() ? line[name].get<double>() : nothing;
}

bool has_time(const LogLine& line) { return std::isfinite(number_in(line, "time")); }

Series::Series(const Log& log) {
    for (const LogLine& line : log.lines)
        if (has_time(line)) lines_.push_back(&line);
}

template <class Value> PlotLine Series::line(const std::string& name, Since since, const Value& value) const {
    PlotLine drawn{.name = name, .dots = false};
    for (const LogLine* at : lines_)
        if (since == Since::start || has_steps(*at)) drawn.points.push_back({number_in(*at, "time"), value(*at)});
    return drawn;
}

PlotLine Series::of(const std::string& name, const char* field, double factor, Since since) const {
    return line(name, since, [&](const LogLine& at) { return factor * number_in(at, field); });
}

PlotLine Series::sum(const std::string& name, const std::vector<const char*>& fields) const {
    return line(name, Since::start, [&](const LogLine& at) {
        double total = number_in(at, fields.front());
        for (std::size_t k = 1; k < fields.size(); ++k)
            if (at.contains(fields[k])) total += number_in(at, fields[k]);
        return total;
    });
}

PlotLine Series::at(const std::string& name, const std::vector<std::string>& path,
                    std::optional<std::size_t> part) const {
    return line(name, Since::start, [&](const LogLine& at) { return number_of(find(at, path), part); });
}

PlotLine Series::gauge_steps(const std::string& name, const std::string& gauge, std::optional<std::size_t> part) const {
    PlotLine drawn{.name = name, .dots = false};
    for (const LogLine* at : lines_) {
        const LogLine *times = find(*at, {"step_times"}), *values = find(*at, {"gauge_steps", gauge});
        if (!times || !values || !times->is_array() || !values->is_array()) continue;
        for (std::size_t k = 0; k < std::min(times->size(), values->size()); ++k)
            drawn.points.push_back({number_of(&(*times)[k], {}), number_of(&(*values)[k], part)});
    }
    return drawn;
}

std::vector<PlotSpan> Series::words(const char* field) const {
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

std::optional<std::pair<double, double>> Series::times() const {
    if (lines_.empty()) return {};
    return std::pair{number_in(*lines_.front(), "time"), number_in(*lines_.back(), "time")};
}

std::vector<std::string> Series::names(const char* field) const {
    std::vector<std::string> all;
    for (const LogLine* at : lines_) {
        const LogLine* block = find(*at, {field});
        if (!block || !block->is_object()) continue;
        for (const auto& [name, value] : block->items())
            if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
    return all;
}

std::size_t Series::parts(const std::vector<std::string>& path) const {
    std::size_t most = 0;
    for (const LogLine* at : lines_)
        if (const LogLine* value = find(*at, path); value && value->is_array()) most = std::max(most, value->size());
    return most;
}

} // namespace loam
