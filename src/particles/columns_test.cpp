#include "particles/columns.h"

#include <array>

#include <stdexcept>

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

// One column of each type that there is; each entry tells its number in every component.
struct FiveTypes {
    Columns columns;
    Column<std::uint32_t> id = columns.declare<std::uint32_t>({.name = "id", .saved = true});
    Column<float> volume = columns.declare<float>({.name = "volume", .saved = true});
    Column<double> age = columns.declare<double>({.name = "age", .saved = true});
    Column<Float4> velocity = columns.declare<Float4>({.name = "velocity", .saved = true});
    Column<Vec3d> position = columns.declare<Vec3d>({.name = "position", .saved = true});

    explicit FiveTypes(std::size_t count) {
        columns.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto number = static_cast<float>(i);
            columns[id][i] = i, columns[volume][i] = number + 0.5f, columns[age][i] = number + 0.1;
            columns[velocity][i] = {number, number + 1, number + 2, number + 3};
            columns[position][i] = {number + 0.1, number + 0.2, number + 0.3};
        }
    }
    void expect(const std::vector<std::uint32_t>& order) {
        ASSERT_EQ(columns.size(), order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto number = static_cast<float>(order[i]);
            EXPECT_EQ(columns[id][i], order[i]);
            EXPECT_EQ(columns[volume][i], number + 0.5f);
            EXPECT_EQ(columns[age][i], number + 0.1);
            const Float4& v = columns[velocity][i];
            EXPECT_EQ((std::array{v.x, v.y, v.z, v.w}), (std::array{number, number + 1, number + 2, number + 3}));
            EXPECT_EQ(columns[position][i], (Vec3d{number + 0.1, number + 0.2, number + 0.3}));
        }
        EXPECT_EQ(columns.padding(id), 0u);
        EXPECT_EQ(columns.padding(volume), 0);
        EXPECT_EQ(columns.padding(age), 0);
        EXPECT_EQ(columns.padding(velocity).w, 0);
        EXPECT_EQ(columns.padding(position).z, 0);
    }
};

TEST(Columns, KnowTheirTypes) {
    FiveTypes five(1);
    const auto expect = [&](std::size_t index, ElementType type, int components, int stride) {
        const ColumnInfo& info = five.columns.info(index);
        EXPECT_EQ(info.type, type) << info.name;
        EXPECT_EQ(info.components, components) << info.name;
        EXPECT_EQ(info.stride, stride) << info.name;
    };
    expect(five.id.index, ElementType::u32, 1, 4);
    expect(five.volume.index, ElementType::f32, 1, 4);
    expect(five.age.index, ElementType::f64, 1, 8);
    expect(five.velocity.index, ElementType::f32, 3, 16);
    expect(five.position.index, ElementType::f64, 3, 24);
}

TEST(Columns, ReorderMovesEveryTypeAndDropsTheUnnamed) {
    FiveTypes five(4);
    five.columns.reorder(std::vector<std::uint32_t>{3, 0, 2});
    five.expect({3, 0, 2});
}

TEST(Columns, ReorderMovesWhatIsNotSavedToo) {
    FiveTypes five(3);
    const auto heat = five.columns.declare<float>({.name = "heat"});
    for (std::size_t i = 0; i < 3; ++i) five.columns[heat][i] = static_cast<float>(i);
    five.columns.reorder(std::vector<std::uint32_t>{2, 1, 0});
    EXPECT_EQ(five.columns[heat][0], 2);
    EXPECT_EQ(five.columns[heat][2], 0);
}

// Some strides have an unsaved column whose room is taken, others have none; again and again, as a step does.
TEST(Columns, ReorderSavedMovesSavedOnesWhateverElseThereIs) {
    FiveTypes five(4);
    const auto heat = five.columns.declare<float>({.name = "heat"});
    const auto push = five.columns.declare<Float4>({.name = "push"});
    five.columns.reorder_saved(std::vector<std::uint32_t>{1, 3, 0, 2});
    five.expect({1, 3, 0, 2});
    five.columns.reorder_saved(std::vector<std::uint32_t>{3, 2, 0});
    five.expect({2, 0, 1});
    // What is not saved is not moved, but is still a column of its own.
    for (std::size_t i = 0; i < 3; ++i) five.columns[heat][i] = -1, five.columns[push][i] = {-1, -1, -1, -1};
    five.expect({2, 0, 1});
    five.columns.append(1000); // more room for all
    EXPECT_EQ(five.columns[five.position][1].y, 0.2);
    EXPECT_EQ(five.columns[heat][2], -1);
    EXPECT_EQ(five.columns[heat][3], 0);
}

TEST(Columns, NewbornsHaveWhatIsDeclaredForTheirBirth) {
    Columns columns;
    const auto warmth = columns.declare<float>({.name = "warmth", .at_birth = 293});
    columns.resize(2);
    const auto late = columns.declare<Float4>({.name = "late", .at_birth = -1}); // also of those that are there
    const auto number = columns.declare<std::uint32_t>({.name = "number", .at_birth = 7});
    columns[warmth][1] = 300;
    columns.append(1000); // more room is needed
    columns.resize(1);
    columns.resize(2); // and here it is not
    EXPECT_EQ(columns[warmth][0], 293);
    EXPECT_EQ(columns[warmth][1], 293) << "who was there before is forgotten";
    EXPECT_EQ(columns[late][0].x, -1);
    EXPECT_EQ(columns[late][1].w, -1);
    EXPECT_EQ(columns[number][1], 7u);
    EXPECT_EQ(columns.padding(warmth), 0);
}

TEST(Columns, DeclaredInTwoWaysAreAnError) {
    Columns columns;
    columns.declare<float>({.name = "warmth"});
    EXPECT_THROW(columns.declare<double>({.name = "warmth"}), std::logic_error);
    EXPECT_THROW(columns.declare<std::uint32_t>({.name = "warmth"}), std::logic_error);
    EXPECT_THROW(columns.declare<float>({.name = "warmth", .nature = Nature::amount}), std::logic_error);
    EXPECT_THROW(columns.declare<float>({.name = "warmth", .at_birth = 1}), std::logic_error);
    EXPECT_NO_THROW(columns.declare<float>({.name = "warmth"}));
}

TEST(Columns, SplitSharesAmountsAndCopiesTheRest) {
    Columns columns;
    const auto water = columns.declare<double>({.name = "water", .saved = true, .nature = Nature::amount});
    const auto velocity = columns.declare<Float4>({.name = "velocity", .saved = true});
    const auto label = columns.declare<std::uint32_t>({.name = "label", .saved = true});
    columns.resize(2);
    columns[water][0] = 0.7, columns[velocity][0] = {1, 2, 3, 4}, columns[label][0] = 9;
    columns.split(0, 1, 0.3);
    EXPECT_NEAR(columns[water][1], 0.21, 1e-12);
    EXPECT_EQ(columns[water][0] + columns[water][1], 0.7) << "to the last bit";
    EXPECT_EQ(columns[velocity][1].z, 3);
    EXPECT_EQ(columns[velocity][0].z, 3);
    EXPECT_EQ(columns[label][1], 9u);
}

TEST(Columns, MergeSumsAmountsAndTakesMeansByMass) {
    Columns columns;
    const auto water = columns.declare<double>({.name = "water", .saved = true, .nature = Nature::amount});
    const auto velocity = columns.declare<Float4>({.name = "velocity", .saved = true});
    const auto label = columns.declare<std::uint32_t>({.name = "label", .saved = true});
    columns.resize(2);
    columns[water][0] = 0.25, columns[water][1] = 0.5;
    columns[velocity][0] = {4, 0, 0, 0}, columns[velocity][1] = {1, 0, 0, 0};
    columns[label][0] = 1, columns[label][1] = 2;
    columns.merge(0, 1, 1, 2);
    EXPECT_EQ(columns[water][1], 0.75);
    EXPECT_EQ(columns[water][0], 0);
    EXPECT_EQ(columns[velocity][1].x, 2) << "momentum is kept";
    EXPECT_EQ(columns[label][1], 2u) << "that of the heavier one";
}

TEST(Columns, OrderTellsWhenParticlesMayStandElsewhere) {
    Columns columns;
    columns.resize(2);
    const auto before = columns.order();
    EXPECT_EQ(columns.order(), before);
    columns.reorder(std::vector<std::uint32_t>{1, 0});
    const auto sorted = columns.order();
    EXPECT_NE(sorted, before);
    columns.append(1);
    EXPECT_NE(columns.order(), sorted);
}

} // namespace
} // namespace loam
