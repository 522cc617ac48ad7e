// One plot of lines, drawn into a place on a page.
#pragma once

#include <string>

#include "plot/plot.h"

namespace loam {

struct PanelPlace {
    double left, right, top, bottom; // of the axes; names of lines stand to the right
    double names_bottom;             // how far down those may go
    bool small = false;
};

std::string svg_of(const Panel& panel, const PanelPlace& place);

} // namespace loam
