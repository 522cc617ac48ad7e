#include "plot/raster.h"

#include <fmt/format.h>

#include "base/run_program.h"

namespace loam {

Result<std::string> png_of(const std::string& svg, double zoom) {
    Result<ProgramOutput> done = run_program({"rsvg-convert", "--format=png", fmt::format("--zoom={}", zoom)}, svg);
    if (!done) return done.error();
    if (done->code == 127)
        return Error{Fault::file, "rsvg-convert", "the program is not there, which makes PNG files of plots",
                     "install it (apt-get install librsvg2-bin), or write SVG: -o FILE.svg"};
    if (done->code == 0 && done->output.starts_with("\x89PNG")) return std::move(done->output);
    const std::string said = done->messages.substr(0, done->messages.find('\n'));
    return Error{Fault::file, "rsvg-convert",
                 fmt::format("it ended with code {}{}{}", done->code, said.empty() ? "" : ": ", said),
                 "SVG needs no other program: -o FILE.svg"};
}

} // namespace loam
