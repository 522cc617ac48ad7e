#include "plot/axis.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

TEST(Axis, RoundNumbersCoverTheRangeAndNoMore) {
    const auto expect = [](double least, double most, const std::vector<double>& wanted) {
        const auto found = round_numbers(least, most);
        ASSERT_EQ(found.size(), wanted.size()) << least << " to " << most;
        for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-9 * wanted[k]);
    };
    expect(10'000, 100'000, {1e4, 2e4, 5e4, 1e5});
    expect(0.13, 0.9, {0.1, 0.2, 0.5, 1});
    expect(3, 3, {2, 5});
    expect(2, 2, {2});
    expect(9.99, 10.01, {5, 10, 20});
}

TEST(Axis, NamesAreSpreadApartWithinTheirLimits) {
    EXPECT_EQ(spread_apart({10, 50, 90}, 10, 0, 100), (std::vector<double>{10, 50, 90})) << "nothing to do";
    EXPECT_EQ(spread_apart({50, 50}, 10, 0, 100), (std::vector<double>{45, 55})) << "each gives way alike";
    for (const auto& wanted : {std::vector<double>{1, 2, 3, 4}, {96, 97, 98, 99}, {40, 41, 55, 56}, {}}) {
        const auto places = spread_apart(wanted, 10, 0, 100);
        ASSERT_EQ(places.size(), wanted.size());
        for (std::size_t k = 0; k < places.size(); ++k) {
            EXPECT_GE(places[k], -1e-9);
            EXPECT_LE(places[k], 100 + 1e-9);
            const double before = k > 0 ? places[k - 1] : -10;
            EXPECT_GE(places[k] - before, 10 - 1e-9);
        }
    }
}

TEST(Axis, EvenNumbersCoverTheRange) {
    const auto expect = [](double least, double most, const std::vector<double>& wanted) {
        const auto found = even_numbers(least, most);
        ASSERT_EQ(found.size(), wanted.size()) << least << " to " << most;
        for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-12);
    };
    expect(0, 4, {0, 1, 2, 3, 4});
    expect(0, 24800, {0, 5000, 10000, 15000, 20000, 25000});
    expect(-0.3, 0.9, {-0.5, 0, 0.5, 1});
    expect(2e-4, 9e-4, {2e-4, 4e-4, 6e-4, 8e-4, 1e-3});
}

TEST(Axis, PutsValuesInTheirPlaces) {
    const Axis linear = make_axis(Scale::linear, 0, 4, 100, 200);
    EXPECT_DOUBLE_EQ(linear.place(1), 125);
    const Axis logarithmic = make_axis(Scale::logarithmic, 1, 100, 300, 100);
    EXPECT_NEAR(logarithmic.place(10), 200, 1e-9);
    const Axis tight = make_axis(Scale::tight, 0, 3.7, 0, 37);
    EXPECT_DOUBLE_EQ(tight.place(3.7), 37);
    EXPECT_EQ(tight.marks, (std::vector<double>{0, 1, 2, 3}));
}

TEST(Axis, IsThereForOneValueAndForNone) {
    for (const Scale scale : {Scale::linear, Scale::tight, Scale::logarithmic})
        for (const auto& [least, most] : {std::pair{3.0, 3.0}, {0.0, 0.0}, {-2.0, -2.0}, {1.0, -1.0}, {1e-9, 1e9}}) {
            const Axis axis = make_axis(scale, least, most, 0, 100);
            EXPECT_LT(axis.least, axis.most);
            EXPECT_GE(axis.marks.size(), 1u);
            EXPECT_LE(axis.marks.size(), 8u);
        }
}

} // namespace
} // namespace loam
