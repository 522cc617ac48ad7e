#include "plot/plot.h"

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

TEST(Plot, HasEveryLineWithItsNameAndPoints) {
    Panel panel{.x_label = "size <n>", .y_label = "speed", .x = Scale::logarithmic, .y = Scale::logarithmic};
    panel.lines.push_back({.name = "one", .points = {{1e4, 1}, {1e6, 2}}});
    panel.lines.push_back({.name = "two", .color = 1, .dashed = true, .points = {{1e4, 0.5}, {1e5, 0.4}, {1e6, 0.3}}});
    panel.lines.push_back({.name = "nothing", .points = {}});
    const std::string svg = svg_of({.title = "a & b", .subtitle = "", .panels = {panel}});
    EXPECT_EQ(count(svg, "<circle"), 5u);
    EXPECT_EQ(count(svg, "stroke-dasharray"), 1u);
    EXPECT_EQ(count(svg, ">one<"), 1u);
    EXPECT_EQ(count(svg, "nothing"), 0u);
    EXPECT_EQ(count(svg, "a &amp; b"), 1u);
    EXPECT_EQ(count(svg, "size &lt;n&gt;"), 1u);
    EXPECT_EQ(count(svg, "nan"), 0u);
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST(Plot, PointsNeedNoLine) {
    Panel panel;
    panel.lines.push_back({.color = plot_black, .thin = true, .joined = false, .points = {{0, 1}, {1, 2}, {2, 4}}});
    const std::string svg = svg_of({.panels = {panel}});
    EXPECT_EQ(count(svg, "<circle"), 3u);
    EXPECT_EQ(count(svg, "fill=\"white\" stroke=\"#222\""), 3u) << "hollow";
    EXPECT_EQ(count(svg, "<polyline"), 0u);
}

TEST(Plot, OnePointOrNoneStillHasAxes) {
    for (const Scale scale : {Scale::linear, Scale::tight, Scale::logarithmic}) {
        Panel panel{.x = scale, .y = scale};
        EXPECT_EQ(count(svg_of({.panels = {panel}}), "nan"), 0u);
        panel.lines.push_back({.name = "one", .dots = false, .points = {{1000, 2}}});
        const std::string svg = svg_of({.panels = {panel}});
        EXPECT_EQ(count(svg, "nan"), 0u);
        EXPECT_EQ(count(svg, "inf"), 0u);
        EXPECT_EQ(count(svg, "<circle"), 1u);
    }
}

TEST(Plot, LeavesOutWhatCannotBeShown) {
    Panel panel{.y = Scale::logarithmic};
    panel.lines.push_back({.name = "error", .points = {{0, 0}, {1, std::nan("")}, {2, 0.1}, {3, -1}, {4, 0.2}}});
    const std::string svg = svg_of({.panels = {panel}});
    EXPECT_EQ(count(svg, "<circle"), 2u);
    EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0u);
}

TEST(Plot, SeveralPanelsStandBesideAndBelowEachOther) {
    Panel panel{.title = "first", .x = Scale::tight};
    panel.lines.push_back({.name = "line", .dots = false, .points = {{0, 1}, {1, 2}}});
    const auto with = [&](std::size_t panels) { return svg_of({.panels = std::vector<Panel>(panels, panel)}); };
    EXPECT_EQ(count(with(5), ">line<"), 5u);
    EXPECT_EQ(count(with(5), "<circle"), 0u);
    const auto page = [](const std::string& svg) { return svg.substr(svg.find("viewBox"), 24); };
    EXPECT_EQ(page(with(5)), page(with(6))) << "two in a row";
    EXPECT_NE(page(with(4)), page(with(5)));
}

TEST(Plot, SpansAreColoredAndNamedOnce) {
    Panel panel{.x = Scale::tight, .spans = {{"velocity", 0, 1}, {"sound", 1, 2}, {"velocity", 2, 9}}};
    panel.lines.push_back({.name = "line", .points = {{0, 1}, {3, 2}}});
    const std::string svg = svg_of({.panels = {panel, panel}});
    EXPECT_EQ(count(svg, ">velocity<"), 2u) << "once in each panel";
    EXPECT_EQ(count(svg, ">sound<"), 2u);
    EXPECT_EQ(count(svg, "<rect x"), 2u * (3 + 2));
}

} // namespace
} // namespace loam
