#include "bench/table.h"

#include <algorithm>

namespace loam {
namespace {

constexpr std::size_t gap = 2;

bool is_word(const std::string& cell) {
    const char first = cell.empty() ? '0' : cell[0];
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

} // namespace

std::string Table::text() const {
    std::size_t columns = 0;
    for (const auto& row : rows_) columns = std::max(columns, row.size());
    std::vector<std::size_t> widths(columns, 0);
    std::vector<bool> words(columns, false); // the column holds words
    for (std::size_t r = 0; r < rows_.size(); ++r)
        for (std::size_t c = 0; c < rows_[r].size(); ++c) {
            widths[c] = std::max(widths[c], rows_[r][c].size());
            if (r > 0 && is_word(rows_[r][c])) words[c] = true;
        }
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string space(widths[c] - row[c].size(), ' ');
            line += std::string(c > 0 ? gap : 0, ' ') + (words[c] ? row[c] + space : space + row[c]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace loam
