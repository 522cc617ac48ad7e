// Those who tell of a run: in lines and a progress bar for people, or as JSON lines for programs.
#pragma once

#include <memory>

#include "base/result.h"
#include "picture/preview.h"
#include "run/run.h"

namespace loam {

class Teller : public RunWatcher {
public:
    virtual void ended(const RunOutcome& outcome) = 0;
    virtual void drawing(std::size_t /*done*/, std::size_t /*all*/) {} // pictures of the preview, after the run
    virtual void preview_made(const PreviewMade&) {}
    virtual void failed(const Error&) {}
};

// On stderr: a progress bar on a terminal, else one line at the start and one at the end.
std::unique_ptr<Teller> tell_people(int threads);

// On stdout: one object per line, with "event": start, frame, warning, end or error.
std::unique_ptr<Teller> tell_programs(int threads);

} // namespace loam
