// Options of the commands that make something of a run, and of `bench`.
#pragma once

#include "options.h"

namespace loam {

void add_surface(CLI::App& app, SurfaceArguments& surface_arguments, Action& chosen);
void add_foam(CLI::App& app, FoamArguments& foam_arguments, Action& chosen);
void add_render(CLI::App& app, RenderArguments& a, Action& chosen);
void add_export(CLI::App& app, ExportArguments& a, Action& chosen);
void add_plot(CLI::App& app, PlotArguments& a, Action& chosen);
void add_bench(CLI::App& app, BenchArguments& bench_arguments, Action& chosen);

} // namespace loam
