#include "bench/machine.h"

#include <cstdlib>
#include <fstream>

#include <tbb/info.h>

namespace loam {
namespace {

// The value of the first "name : value" line of a file of /proc.
std::string value_in(const char* file, const std::string& name) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(':');
        if (!line.starts_with(name) || colon == line.npos) continue;
        const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
        return begin == line.npos ? "" : line.substr(begin);
    }
    return "";
}

} // namespace

std::string processor_name() {
    const std::string name = value_in("/proc/cpuinfo", "model name");
    return name.empty() ? "unknown processor" : name;
}

int core_count() { return tbb::info::default_concurrency(); }

std::optional<double> available_memory() {
    const std::string kilobytes = value_in("/proc/meminfo", "MemAvailable");
    if (kilobytes.empty()) return {};
    return 1024 * std::strtod(kilobytes.c_str(), nullptr);
}

double busy_processors() {
    double load = 0;
    return getloadavg(&load, 1) == 1 ? load : 0;
}

} // namespace loam
