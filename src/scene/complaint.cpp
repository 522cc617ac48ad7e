#include "scene/complaint.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace loam {

Complaints::Complaints(const std::string& file, std::string_view text, std::span<const std::string> overrides) {
    sources_.push_back({file, std::string(text)});
    for (const std::string& change : overrides) sources_.push_back({"", change});
}

std::size_t Complaints::add_source(std::string file, std::string text) {
    sources_.push_back({std::move(file), std::move(text)});
    return sources_.size() - 1;
}

void Complaints::add(json::Place place, const std::string& path, std::string what, std::string hint, Fault fault) {
    if (first_) return;
    std::string at = where(place);
    if (!path.empty()) at += ": " + path;
    first_ = Error{fault, std::move(at), std::move(what), std::move(hint)};
}

std::string Complaints::where(json::Place place) const {
    const auto& [file, text] = sources_[place.source];
    if (file.empty() && place.source != 0)
        return "override " + (text.size() <= 120 ? text : text.substr(0, 117) + "...");
    const std::string_view before = std::string_view(text).substr(0, std::min(place.offset, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') + 1; // npos + 1 is 0
    const auto column =
        1 + std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xc0) != 0x80; // one per UTF-8 character
        });
    return fmt::format("{}:{}:{}", file, line, column);
}

std::string name_hint(std::string_view found, std::span<const std::string> allowed) {
    if (allowed.empty()) return "nothing is allowed here";
    const std::string near = nearest_name(found, allowed);
    constexpr std::size_t most = 40;
    std::string list = "allowed: " + join(allowed.first(std::min(most, allowed.size())));
    if (allowed.size() > most) list += fmt::format(" and {} more", allowed.size() - most);
    return near.empty() ? list : fmt::format("did you mean \"{}\"? {}", near, list);
}

} // namespace loam
