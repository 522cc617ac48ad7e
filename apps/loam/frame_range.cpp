#include "frame_range.h"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

namespace loam {

Status read_frame_range(const std::string& text, std::optional<std::uint64_t>& first,
                        std::optional<std::uint64_t>& last) {
    const auto number = [](std::string_view part, std::optional<std::uint64_t>& to) {
        if (part.empty()) return true;
        std::uint64_t value = 0;
        const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), value);
        to = value;
        return failed == std::errc() && end == part.data() + part.size();
    };
    const std::size_t dash = text.find('-');
    const std::string_view all(text);
    const bool good = dash == std::string::npos
                          ? number(all, first) && number(all, last)
                          : number(all.substr(0, dash), first) && number(all.substr(dash + 1), last);
    if (good && text != "-") return Done{};
    return Error{Fault::usage, "--frames", fmt::format("\"{}\" is not a range of frames", text),
                 "give A-B, A- or -B with numbers of frames, or one number"};
}

} // namespace loam
