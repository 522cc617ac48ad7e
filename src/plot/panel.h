// One plot of lines, drawn into a place on a page.
#pragma once

#include <string>

#include "plot/plot.h"

namespace loam {

struct PanelPlace {
    double left = 0, right = 0, top = 0, bottom = 0; // of the axes; names of lines stand to the right
    double names_bottom = 0;                         // how far down those may go
    bool small = false;
};

std::string svg_of(const Panel& panel, const PanelPlace& place);

} // namespace loam
