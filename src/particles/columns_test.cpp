#include "particles/columns.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

TEST(Columns, DeclaringTwiceGivesTheSameColumn) {
    Columns columns;
    const auto first = columns.declare<float>({.name = "volume"});
    const auto second = columns.declare<float>({.name = "volume", .saved = true});
    EXPECT_EQ(first.index, second.index);
    EXPECT_TRUE(columns.info(first.index).saved);
}

TEST(Columns, GrowsWithZeroesAndKeepsWhatWasThere) {
    Columns columns;
    const auto volume = columns.declare<float>({.name = "volume"});
    columns.resize(2);
    columns[volume][1] = 3;
    EXPECT_EQ(columns.append(100), 2u);
    EXPECT_EQ(columns[volume][1], 3);
    EXPECT_EQ(columns[volume][101], 0);
    EXPECT_EQ(columns.padding(volume), 0);
}

TEST(Columns, ReorderMovesEveryTypeAndDropsTheUnnamed) {
    Columns columns;
    const auto id = columns.declare<std::uint32_t>({.name = "id", .saved = true});
    const auto position = columns.declare<Vec3d>({.name = "position", .saved = true});
    const auto velocity = columns.declare<Float4>({.name = "velocity", .saved = true});
    columns.resize(3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        columns[id][i] = i;
        columns[position][i] = {double(i), 0, 0};
        columns[velocity][i] = {0, float(i), 0, 0};
    }
    const std::uint32_t source[] = {2, 0};
    columns.reorder(source);
    ASSERT_EQ(columns.size(), 2u);
    EXPECT_EQ(columns[id][0], 2u);
    EXPECT_EQ(columns[position][0].x, 2);
    EXPECT_EQ(columns[velocity][1].y, 0);
    EXPECT_EQ(columns.padding(velocity).y, 0);
}

} // namespace
} // namespace loam
