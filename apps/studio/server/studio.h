// The studio: a server on this machine for the page in web/, and the simulations that it starts.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace loam::studio {

struct Options {
    std::filesystem::path path;    // a scene, the folder of a run, or a folder with both
    std::filesystem::path page;    // the built page
    std::filesystem::path program; // this program, which simulates
    std::filesystem::path gallery; // scenes to begin with, and pictures/ of them; may be empty
    int port = -1;                 // 0: any that is free; -1: the usual one if it is free
    bool open_browser = true;
};

// In the browser or file manager of this machine's desktop, if it has one.
bool open_on_desktop(const std::string& what);

// Until Ctrl-C. `tell` gets the lines for the user.
Status serve(const Options& options, void (*tell)(const std::string& line));

} // namespace loam::studio
