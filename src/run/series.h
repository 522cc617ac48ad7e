// Values of a log over time, frame by frame, as lines to be drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cache/log.h"
#include "plot/plot.h"

namespace loam {

// Of a line; not finite where it has none. `field` may be a path of names: {"bodies", "ball", "spin"}.
double number_in(const LogLine& line, const char* name);
bool has_time(const LogLine& line);

class Series {
public:
    explicit Series(const Log& log);

    // Frame 0 shows the start: what is measured over steps has no value there.
    enum class Since { start, first_step };

    PlotLine of(const std::string& name, const char* field, double factor, Since since = Since::start) const;
    PlotLine sum(const std::string& name, const std::vector<const char*>& fields) const; // absent ones count as 0
    // A number, or one of a list, deep in each line.
    PlotLine at(const std::string& name, const std::vector<std::string>& path, std::optional<std::size_t> part) const;
    // A gauge in each step; empty where it was not read so.
    PlotLine gauge_steps(const std::string& name, const std::string& gauge, std::optional<std::size_t> part) const;
    // From the frame before to the one that says so; equal neighbors are joined.
    std::vector<PlotSpan> words(const char* field) const;

    std::optional<std::pair<double, double>> times() const;
    // Names below a key, in the order in which lines bring them up.
    std::vector<std::string> names(const char* field) const;
    std::size_t parts(const std::vector<std::string>& path) const; // how many numbers stand there; 0: one, not a list

private:
    template <class Value> PlotLine line(const std::string& name, Since since, const Value& value) const;

    std::vector<const LogLine*> lines_;
};

} // namespace loam
