// One line of progress that fits the width of the terminal.
#pragma once

#include <cstddef>
#include <string>

namespace loam {

struct Progress {
    std::string name;    // of the scene
    double fraction = 0; // done
    std::size_t frame = 0, last_frame = 0;
    double time = 0; // simulated [s]
    std::size_t particles = 0;
    double speed = 0;         // particle-steps per second
    double seconds_left = -1; // negative: not known yet
    bool pictures = false;    // of frames that are there: nothing is simulated
};

// What matters least is left out first, where the line would not fit. Never longer than `width` columns.
std::string progress_line(const Progress& progress, std::size_t width, bool unicode);

} // namespace loam
