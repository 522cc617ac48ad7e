#include "base/text.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>

namespace loam {
namespace {

std::string folded(std::string_view word) {
    std::string out;
    for (char c : word)
        if (c != '_' && c != '-' && c != ' ') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

} // namespace

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
    const std::string wanted = folded(word.substr(0, 64));
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, wanted.size() / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(wanted, folded(candidate));
        if (distance < best_distance) best_distance = distance, best = candidate;
    }
    return best;
}

std::string join(std::span<const std::string> words, std::string_view separator) {
    std::string all;
    for (const std::string& word : words) {
        if (!all.empty()) all += separator;
        all += word;
    }
    return all;
}

std::string shell_word(std::string_view text) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("/._-+:@%=,").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string printable(std::string_view text) {
    // Marks and isolates that change the direction of writing, as UTF-8.
    const auto turns = [](std::string_view c) {
        return c == "\xd8\x9c" || (c.starts_with("\xe2\x80") && (c[2] == '\x8e' || c[2] == '\x8f')) ||
               (c.starts_with("\xe2\x80") && c[2] >= '\xaa' && c[2] <= '\xae') ||
               (c.starts_with("\xe2\x81") && c[2] >= '\xa6' && c[2] <= '\xa9');
    };
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
        const std::string_view c = text.substr(at, length);
        const bool control = (byte < 32 && byte != '\n' && byte != '\t') || byte == 127 ||
                             (byte == 0xc2 && c.size() == 2 && static_cast<unsigned char>(c[1]) < 0xa0);
        if (control || (c.size() == length && length > 1 && turns(c)))
            for (const char part : c) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(part));
        else
            out += c;
        at += c.size();
    }
    return out;
}

std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

} // namespace loam
