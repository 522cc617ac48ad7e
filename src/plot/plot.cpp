#include "plot/plot.h"

#include "plot/panel.h"
#include "plot/svg.h"

namespace loam {
namespace {

// One panel has the page for itself.
constexpr double single_width = 960, single_height = 560;
constexpr PanelPlace single{.left = 76, .right = 690, .top = 78, .bottom = 492, .names_bottom = single_height - 10};

// Several stand in two columns.
constexpr double page_width = 1120, head = 74, row_height = 262;
constexpr double column_width = page_width / 2, name_width = 120;
constexpr double axes_left = 70, axes_top = 40, axes_bottom = 214;

PanelPlace place_of(std::size_t number) {
    const double x = column_width * static_cast<double>(number % 2);
    const double y = head + row_height * static_cast<double>(number / 2);
    return {.left = x + axes_left,
            .right = x + column_width - name_width,
            .top = y + axes_top,
            .bottom = y + axes_bottom,
            .names_bottom = y + axes_bottom + 8,
            .small = true};
}

} // namespace

std::string svg_of(const Plot& plot) {
    const bool alone = plot.panels.size() == 1;
    const double left = alone ? single.left : axes_left;
    const double rows = static_cast<double>((plot.panels.size() + 1) / 2);
    std::string svg =
        alone ? svg::begin(single_width, single_height) : svg::begin(page_width, head + row_height * rows + 8);
    svg += svg::text(left, 32, "class=\"title\"", plot.title);
    svg += svg::text(left, 55, "class=\"quiet\"", plot.subtitle);
    for (std::size_t k = 0; k < plot.panels.size(); ++k) svg += svg_of(plot.panels[k], alone ? single : place_of(k));
    return svg + svg::end();
}

} // namespace loam
