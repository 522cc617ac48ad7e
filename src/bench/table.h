// Columns of text in line: words to the left, numbers to the right.
#pragma once

#include <string>
#include <vector>

namespace loam {

class Table {
public:
    explicit Table(std::vector<std::string> heads) : rows_{std::move(heads)} {}
    void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
    bool empty() const { return rows_.size() == 1; }

    // A line per row, the heads first; no line ends with spaces. Cells that are missing are empty.
    std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_;
};

} // namespace loam
