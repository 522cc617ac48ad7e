// Numbers as bytes for the page.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "base/vec.h"

namespace loam::studio {

inline std::uint16_t within(double value, double lo, double hi) {
    if (!(hi > lo) || !std::isfinite(value)) return 0;
    return static_cast<std::uint16_t>(65535 * std::clamp((value - lo) / (hi - lo), 0.0, 1.0) + 0.5);
}

inline void pad(std::string& bytes) { bytes.resize((bytes.size() + 3) / 4 * 4); }

template <class T> void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The description in front of the bytes; `more` is how many are to come.
inline std::string described(const nlohmann::ordered_json& head, std::size_t more) {
    std::string text = head.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string bytes;
    bytes.reserve(text.size() + more);
    append(bytes, static_cast<std::uint32_t>(text.size()));
    return bytes += text;
}

inline nlohmann::ordered_json bounds_text(const Bounds& b) {
    return {{b.lo.x, b.lo.y, b.lo.z}, {b.hi.x, b.hi.y, b.hi.z}};
}

} // namespace loam::studio
