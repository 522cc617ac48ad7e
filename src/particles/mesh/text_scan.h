// Reading words and numbers from text, line by line.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace loam {

class TextScan {
public:
    explicit TextScan(std::string_view text) : rest_(text) {}

    // The next line without its end, or nothing at the end of the text.
    bool next_line(std::string_view& line) {
        if (rest_.empty()) return false;
        const std::size_t end = rest_.find('\n');
        line = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        ++line_number_;
        return true;
    }
    std::size_t line_number() const { return line_number_; }
    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
    std::size_t line_number_ = 0;
};

// Takes the next word off the front of the line; empty at its end.
inline std::string_view take_word(std::string_view& line) {
    constexpr std::string_view blanks = " \t\v\f";
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return line = {};
    line.remove_prefix(begin);
    const std::string_view word = line.substr(0, line.find_first_of(blanks));
    line.remove_prefix(word.size());
    return word;
}

template <class Number> std::optional<Number> to_number(std::string_view word) {
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    Number value{};
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

// A word of a file for a message: short, and printable whatever the file holds.
inline std::string shown(std::string_view word) {
    std::string text = "\"";
    for (const char c : word.substr(0, 24)) text += c >= 32 && c < 127 ? c : '?';
    return text + (word.size() > 24 ? "...\"" : "\"");
}

inline Error at_line(const std::string& name, std::size_t line, std::string what, std::string hint = "") {
    return {Fault::file, name + ":" + std::to_string(line), std::move(what), std::move(hint)};
}

} // namespace loam
