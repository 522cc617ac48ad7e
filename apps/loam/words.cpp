#include "words.h"

#include <cmath>

#include <fmt/format.h>

namespace loam {

std::string grouped(std::size_t count) {
    const std::string digits = std::to_string(count);
    std::string text;
    for (std::size_t k = 0; k < digits.size(); ++k) {
        if (k > 0 && (digits.size() - k) % 3 == 0) text += ',';
        text += digits[k];
    }
    return text;
}

std::string rounded(double value) { return fmt::format("{:.4g}", value); }

std::string short_count(double count) {
    for (const char* unit : {"", "k", "M", "G"}) {
        if (count < 999.5 || *unit == 'G') {
            const int digits = *unit == 0 || count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2;
            return fmt::format("{:.{}f}{}", count, digits, unit);
        }
        count /= 1000;
    }
    return "";
}

std::string byte_text(double bytes) {
    const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    while (bytes >= 1000 && unit < 4) bytes /= 1000, ++unit;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string duration_text(double seconds) {
    if (!(seconds < 1e8)) return "years";
    if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
    const long all = std::lround(seconds);
    if (all < 60) return fmt::format("{} s", all);
    if (all < 3600) return fmt::format("{}:{:02}", all / 60, all % 60);
    return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
}

std::string percent_text(double fraction) { return fmt::format("{:.3g} %", 100 * fraction); }

std::string vector_text(const Vec3d& v) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", v.x, v.y, v.z); }

} // namespace loam
