#include "bench/table.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

TEST(BenchTable, WordsStandLeftAndNumbersRight) {
    Table table({"solver", "particles", "M/s"});
    table.add({"wcsph", "1,000", "12.5"});
    table.add({"pbf", "1,000,000", "8"});
    EXPECT_EQ(table.text(), "solver  particles   M/s\n"
                            "wcsph       1,000  12.5\n"
                            "pbf     1,000,000     8\n");
}

TEST(BenchTable, CellsMayBeMissingOrEmpty) {
    Table table({"a", "wide head", "c"});
    EXPECT_TRUE(table.empty());
    table.add({"1"});
    table.add({"22", "", "3"});
    EXPECT_EQ(table.text(), " a  wide head  c\n"
                            " 1\n"
                            "22             3\n");
}

} // namespace
} // namespace loam
