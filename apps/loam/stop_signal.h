// Ctrl-C and SIGTERM ask a run to stop between two steps; a second one ends the program at once.
#pragma once

#include <atomic>

namespace loam {

// From now on signals set the flag that is returned.
const std::atomic<bool>& watch_for_stop();

int stop_signal(); // the one that came, or 0

} // namespace loam
