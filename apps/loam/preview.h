// The video that a run leaves behind.
#pragma once

#include <filesystem>

#include "commands.h"
#include "run/run.h"
#include "watchers.h"

namespace loam {

// A small video DIR/preview.mp4 of as many frames as can be shown in an eighth of the time that the run took. A run
// does not fail because of it: what is in the way is told as a warning.
void make_preview(const std::filesystem::path& folder, const RunOutcome& outcome, Teller& teller);

bool preview_wanted(const RunArguments& arguments);

} // namespace loam
