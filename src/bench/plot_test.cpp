#include "bench/plot.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace loam {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST(BenchPlot, RoundNumbersCoverTheRangeAndNoMore) {
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

TEST(BenchPlot, NamesAreSpreadApartWithinTheirLimits) {
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

TEST(BenchPlot, HasEveryLineWithItsNameAndPoints) {
    Plot plot{.title = "a & b", .subtitle = "", .x_label = "size <n>", .y_label = "speed", .lines = {}};
    plot.lines.push_back({.name = "one", .points = {{1e4, 1}, {1e6, 2}}});
    plot.lines.push_back({.name = "two", .color = 1, .dashed = true, .points = {{1e4, 0.5}, {1e5, 0.4}, {1e6, 0.3}}});
    plot.lines.push_back({.name = "nothing", .points = {}});
    const std::string svg = svg_of(plot);
    EXPECT_EQ(count(svg, "<circle"), 5u);
    EXPECT_EQ(count(svg, "stroke-dasharray"), 1u);
    EXPECT_EQ(count(svg, ">one<"), 1u);
    EXPECT_EQ(count(svg, "nothing"), 0u);
    EXPECT_EQ(count(svg, "a &amp; b"), 1u);
    EXPECT_EQ(count(svg, "size &lt;n&gt;"), 1u);
    EXPECT_EQ(count(svg, "nan"), 0u);
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(BenchPlot, OnePointOrNoneStillHasAxes) {
    Plot plot;
    EXPECT_EQ(count(svg_of(plot), "nan"), 0u);
    plot.lines.push_back({.name = "one", .points = {{1000, 2}}});
    const std::string svg = svg_of(plot);
    EXPECT_EQ(count(svg, "nan"), 0u);
    EXPECT_EQ(count(svg, "inf"), 0u);
    EXPECT_EQ(count(svg, "<circle"), 1u);
}

} // namespace
} // namespace loam
