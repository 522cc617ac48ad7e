// Text helpers for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loam {

// The candidate with the smallest edit distance to `word`, or "" when none is near enough to have been meant.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

std::string join(std::span<const std::string> words, std::string_view separator = ", ");

// As it must be typed to a shell: in quotes where it has spaces or signs that mean something there.
std::string shell_word(std::string_view text);

// For terminals: what would move the cursor, or turn the direction of the text around, is written as bytes: \x1b.
std::string printable(std::string_view text);

// A number as a person writes it: 0.01, 1e-06, 1000.
std::string number_text(double value);

} // namespace loam
