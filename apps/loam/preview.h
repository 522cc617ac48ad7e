// The video that a run leaves behind, made while it goes on.
#pragma once

#include <optional>

#include "commands.h"
#include "picture/preview.h"
#include "watchers.h"

namespace loam {

// Stands between a run and who tells of it, and makes pictures of finished frames. A run does not fail because of it:
// what is in the way is told as a warning.
class PreviewMaker : public RunWatcher {
public:
    PreviewMaker(const RunArguments& arguments, Teller& teller, const std::atomic<bool>* stop);

    void begun(const RunStart& start) override;
    void stepped(const RunStep& step) override { teller_.stepped(step); }
    void frame_done(const FrameRecord& record, const RunStep& session, const Simulation& simulation) override;
    void warned(const std::string& text) override { teller_.warned(text); }

    // After the run, however it ended.
    void finish(const Result<RunOutcome>& outcome);

private:
    void give_up(const std::string& why);

    Teller& teller_;
    bool wanted_;
    std::optional<Scene> scene_;
    std::optional<Preview> preview_;
    const std::atomic<bool>* stop_; // drawing, after the run
};

} // namespace loam
