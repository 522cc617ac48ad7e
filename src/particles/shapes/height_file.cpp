#include "particles/shapes/height_file.h"

#include <cmath>

#include <fmt/format.h>

#include "base/input_file.h"
#include "particles/mesh/text_scan.h"

namespace loam {
namespace {

constexpr int most_per_side = 16384;

// PGM's header: three numbers after the magic word, with comments from # to the end of a line.
class PgmReader {
public:
    PgmReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

    Result<Heights> read() {
        const bool binary = bytes_[1] == '5';
        const auto columns = next(), rows = next(), white = next();
        if (!columns || !rows || !white) return fail("the header is not \"P5 width height white\"");
        if (*columns < 2 || *rows < 2 || *columns > most_per_side || *rows > most_per_side)
            return fail("a size of " + std::to_string(*columns) + " x " + std::to_string(*rows) +
                        ", from 2 to 16384 are allowed");
        if (*white < 1 || *white > 65535)
            return fail("white is " + std::to_string(*white) + ", from 1 to 65535 are allowed");
        Heights heights{static_cast<int>(*columns), static_cast<int>(*rows), {}};
        const std::size_t count = static_cast<std::size_t>(*columns) * static_cast<std::size_t>(*rows);
        const std::size_t wide = *white > 255 ? 2 : 1;
        ++at_; // one blank ends the header
        if (binary && (bytes_.size() < at_ || bytes_.size() - at_ < count * wide))
            return fail("the picture is cut off");
        for (std::size_t i = 0; i < count; ++i) {
            const auto value = binary ? std::optional(sample(at_ + i * wide, wide)) : next();
            if (!value) return fail("value " + std::to_string(i) + " is missing or not a number");
            heights.values.push_back(static_cast<float>(*value) / static_cast<float>(*white));
        }
        return heights;
    }

private:
    Error fail(std::string what) const { return {Fault::file, name_, "PGM picture: " + std::move(what), ""}; }
    long sample(std::size_t at, std::size_t wide) const {
        const auto byte = [&](std::size_t i) { return static_cast<long>(static_cast<unsigned char>(bytes_[i])); };
        return wide == 1 ? byte(at) : byte(at) * 256 + byte(at + 1);
    }
    std::optional<long> next() {
        constexpr std::string_view blanks = " \t\v\f\r\n";
        while ((at_ = std::min(bytes_.find_first_not_of(blanks, at_), bytes_.size())) < bytes_.size() &&
               bytes_[at_] == '#')
            at_ = std::min(bytes_.find('\n', at_), bytes_.size());
        const std::size_t end = std::min(bytes_.find_first_of(blanks, at_), bytes_.size());
        const std::string_view word = bytes_.substr(at_, end - at_);
        at_ = end;
        return to_number<long>(word);
    }

    std::string_view bytes_;
    std::string name_;
    std::size_t at_ = 2;
};

Result<Heights> parse_grid(std::string_view bytes, const std::string& name) {
    TextScan scan(bytes);
    Heights heights;
    std::string_view line;
    while (scan.next_line(line)) {
        int columns = 0;
        for (std::string_view word = take_word(line); !word.empty() && word[0] != '#'; word = take_word(line)) {
            const auto value = to_number<float>(word);
            // Without what stands there: any file may be named, and messages go to logs that others read.
            if (!value || !std::isfinite(*value))
                return at_line(name, scan.line_number(), fmt::format("value {} is not a finite number", columns + 1),
                               "heights are lines of numbers, or a PGM picture");
            heights.values.push_back(*value);
            ++columns;
        }
        if (columns == 0) continue;
        if (heights.rows > 0 && columns != heights.columns)
            return at_line(name, scan.line_number(),
                           std::to_string(columns) + " numbers, but " + std::to_string(heights.columns) +
                               " on the lines before");
        heights.columns = columns;
        ++heights.rows;
    }
    if (heights.columns < 2 || heights.rows < 2 || heights.columns > most_per_side || heights.rows > most_per_side)
        return Error{Fault::file, name,
                     "has " + std::to_string(heights.rows) + " lines of " + std::to_string(heights.columns) +
                         " heights",
                     "from 2 to 16384 of each are allowed"};
    return heights;
}

} // namespace

Result<Heights> parse_heights(std::string_view bytes, const std::string& name) {
    const bool pgm = bytes.size() > 2 && bytes[0] == 'P' && (bytes[1] == '2' || bytes[1] == '5');
    return pgm ? PgmReader(bytes, name).read() : parse_grid(bytes, name);
}

Result<Heights> read_heights(const std::string& path) {
    const Result<std::string> bytes = read_input_file(path);
    return bytes ? parse_heights(*bytes, path) : bytes.error();
}

} // namespace loam
