#include "cache/run_folder.h"

#include <chrono>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cache/run_files.h"
#include "cache/test_support.h"

namespace loam {
namespace {

namespace fs = std::filesystem;
using test::Scratch;
using Existing = RunFolder::Existing;

const std::string scene_text = "{\"duration\": 1}\n";

// A run in small: the particles move by one each frame; every other frame has a checkpoint.
Columns at_frame(std::uint64_t frame) { return test::some_particles(40, static_cast<double>(frame)); }

bool compute_frame(RunFolder& run, std::uint64_t frame, const std::vector<std::string>& bodies = {"water"}) {
    const Columns columns = at_frame(frame);
    const Snapshot snapshot{save_columns(columns), {{"frame", {static_cast<double>(frame)}}}};
    return run.write_frame(columns, {frame, 0.04 * static_cast<double>(frame), 3, 0.01, bodies}) &&
           run.append_log(LogLine{{"frame", frame}}) && (frame % 2 == 1 || run.write_checkpoint(frame, snapshot));
}

bool compute_frames(RunFolder& run, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t frame = first; frame <= last; ++frame)
        if (!compute_frame(run, frame)) return false;
    return true;
}

Result<RunFolder> begin(const fs::path& folder, Existing existing = Existing::keep) {
    return RunFolder::create(folder, scene_text, existing);
}

// Opens the run and reads its newest checkpoint.
struct Resumed {
    Result<RunFolder> run;
    std::optional<RunFolder::Checkpoint> newest;
    std::vector<std::string> warnings;
};

Resumed resume(const fs::path& folder) {
    Resumed resumed{RunFolder::open(folder), {}, {}};
    if (!resumed.run) return resumed;
    Result<std::optional<RunFolder::Checkpoint>> newest = resumed.run->checkpoint();
    resumed.warnings = resumed.run->take_warnings();
    if (newest)
        resumed.newest = std::move(*newest);
    else
        resumed.run = newest.error();
    return resumed;
}

TEST(RunFolder, HasTheDescribedLayout) {
    const Scratch scratch;
    {
        Result<RunFolder> run = begin(scratch / "a/run");
        ASSERT_TRUE(run) << run.error().text();
        ASSERT_TRUE(compute_frames(*run, 0, 6));
    }
    EXPECT_EQ(test::slurp(scratch / "a/run/scene.json"), scene_text);
    EXPECT_TRUE(read_frame(scratch / "a/run/frames/000006.vtkhdf"));
    EXPECT_EQ(list_frames(scratch / "a/run").size(), 7u);
    EXPECT_EQ(run_files::checkpoint_numbers(scratch / "a/run"), (std::vector<std::uint64_t>{4, 6}));
    EXPECT_EQ(read_log(scratch / "a/run")->lines.size(), 7u);
}

TEST(RunFolder, NeverTouchesWhatIsNotARun) {
    const Scratch scratch;
    test::spill(scratch / "thesis.tex", "precious");
    test::spill(scratch / "scene.json", "precious");
    for (const Existing existing : {Existing::keep, Existing::replace}) {
        const Result<RunFolder> run = begin(scratch.path(), existing);
        ASSERT_FALSE(run);
        EXPECT_NE(run.error().what.find("not a run"), std::string::npos);
        EXPECT_FALSE(begin(scratch / "thesis.tex", existing)) << "a file is no folder";
    }
    EXPECT_FALSE(RunFolder::open(scratch.path()));
    EXPECT_FALSE(RunFolder::open(scratch / "missing"));
    EXPECT_EQ(test::slurp(scratch / "thesis.tex"), "precious");
    EXPECT_EQ(test::slurp(scratch / "scene.json"), "precious");
    EXPECT_EQ(test::count_files(scratch.path()), 2u);
}

TEST(RunFolder, ReplacesARunOnlyOnRequestAndOnlyItsOwnFiles) {
    const Scratch scratch;
    {
        Result<RunFolder> run = begin(scratch / "run");
        ASSERT_TRUE(run && compute_frames(*run, 0, 5));
    }
    test::spill(scratch / "run/frames/000003-edited.vtkhdf", "mine");
    test::spill(scratch / "run/film.mp4", "mine");
    const Result<RunFolder> kept = begin(scratch / "run");
    ASSERT_FALSE(kept);
    EXPECT_NE(kept.error().what.find("6 frames"), std::string::npos);
    EXPECT_NE(kept.error().hint.find("loam resume"), std::string::npos);
    EXPECT_NE(kept.error().hint.find("--force"), std::string::npos);
    EXPECT_EQ(list_frames(scratch / "run").size(), 6u);

    const Result<RunFolder> replaced = RunFolder::create(scratch / "run", "{}", Existing::replace);
    ASSERT_TRUE(replaced) << replaced.error().text();
    EXPECT_TRUE(list_frames(scratch / "run").empty());
    EXPECT_TRUE(run_files::checkpoint_numbers(scratch / "run").empty());
    EXPECT_TRUE(read_log(scratch / "run")->lines.empty());
    EXPECT_EQ(test::slurp(scratch / "run/scene.json"), "{}");
    EXPECT_EQ(test::slurp(scratch / "run/frames/000003-edited.vtkhdf"), "mine");
    EXPECT_EQ(test::slurp(scratch / "run/film.mp4"), "mine");
}

TEST(RunFolder, FramesWithoutASceneAreNotTakenAwayEither) {
    const Scratch scratch;
    {
        Result<RunFolder> run = begin(scratch / "run");
        ASSERT_TRUE(run && compute_frames(*run, 0, 2));
    }
    fs::remove(scratch / "run/scene.json");
    EXPECT_FALSE(begin(scratch / "run"));
    EXPECT_FALSE(RunFolder::open(scratch / "run"));
    EXPECT_EQ(list_frames(scratch / "run").size(), 3u);
}

TEST(RunFolder, TwoRunsInOneFolderAreRefused) {
    const Scratch scratch;
    {
        const Result<RunFolder> run = begin(scratch / "run");
        ASSERT_TRUE(run);
        const Result<RunFolder> second = RunFolder::open(scratch / "run");
        ASSERT_FALSE(second);
        EXPECT_NE(second.error().what.find("process " + std::to_string(::getpid()) + ")"), std::string::npos)
            << second.error().what;
        EXPECT_FALSE(begin(scratch / "run", Existing::replace));
    }
    EXPECT_TRUE(RunFolder::open(scratch / "run"));
}

TEST(RunFolder, GoesOnFromTheNewestCheckpointAndTakesNothingAway) {
    const Scratch scratch;
    {
        Result<RunFolder> run = begin(scratch / "run");
        ASSERT_TRUE(run && compute_frames(*run, 0, 5));
    }
    test::spill(scratch / "run/frames/000006.vtkhdf.77.part", "half");
    test::spill(scratch / "run/log.jsonl", test::slurp(scratch / "run/log.jsonl") + "{\"fra");
    const std::string frame_5 = test::slurp(scratch / "run/frames/000005.vtkhdf");
    Resumed resumed = resume(scratch / "run");
    ASSERT_TRUE(resumed.run) << resumed.run.error().text();
    EXPECT_TRUE(resumed.warnings.empty());
    EXPECT_EQ(resumed.run->scenes().now(), scene_text);
    ASSERT_TRUE(resumed.newest);
    EXPECT_EQ(resumed.newest->frame, 4u);
    EXPECT_EQ(resumed.newest->snapshot.state["frame"], std::vector<double>{4});
    EXPECT_EQ(resumed.newest->snapshot.columns.find("position")->bytes,
              save_columns(at_frame(4)).find("position")->bytes);
    EXPECT_EQ(test::count_files(scratch / "run/frames"), 6u) << "frame 5 stays, the half one goes";
    ASSERT_TRUE(compute_frames(*resumed.run, 5, 7));
    EXPECT_EQ(test::slurp(scratch / "run/frames/000005.vtkhdf"), frame_5) << "the same again";
    ASSERT_TRUE(resumed.run->finish());
    EXPECT_TRUE(read_log(scratch / "run")->tidy);
    ASSERT_TRUE(resumed.run->append_log(LogLine{{"frame", 8}})) << "finish() must not close the log";
    EXPECT_EQ(read_log(scratch / "run")->lines.size(), 9u);
}

TEST(RunFolder, StartsAtTheBeginningWithoutACheckpoint) {
    const Scratch scratch;
    ASSERT_TRUE(begin(scratch / "run"));
    const Resumed resumed = resume(scratch / "run");
    ASSERT_TRUE(resumed.run);
    EXPECT_FALSE(resumed.newest);
}

TEST(RunFolder, GoesAroundADamagedCheckpoint) {
    const Scratch scratch;
    {
        Result<RunFolder> run = begin(scratch / "run");
        ASSERT_TRUE(run && compute_frames(*run, 0, 6));
    }
    std::string checkpoint = test::slurp(scratch / "run/checkpoints/000006.h5");
    checkpoint[checkpoint.size() / 2] ^= 4;
    test::spill(scratch / "run/checkpoints/000006.h5", checkpoint);
    {
        Resumed resumed = resume(scratch / "run");
        ASSERT_TRUE(resumed.run) << resumed.run.error().text();
        ASSERT_TRUE(resumed.newest);
        EXPECT_EQ(resumed.newest->frame, 4u);
        ASSERT_EQ(resumed.warnings.size(), 1u);
        EXPECT_NE(resumed.warnings[0].find("000006.h5"), std::string::npos);
        EXPECT_TRUE(fs::exists(scratch / "run/checkpoints/000006.h5.damaged"));
        ASSERT_TRUE(compute_frames(*resumed.run, 5, 6));
    }
    for (const std::uint64_t frame : {4, 6}) test::spill(run_files::checkpoint(scratch / "run", frame), "");
    const Resumed resumed = resume(scratch / "run");
    ASSERT_TRUE(resumed.run);
    EXPECT_FALSE(resumed.newest) << "all damaged: from the beginning";
    EXPECT_EQ(resumed.warnings.size(), 2u);
    EXPECT_EQ(list_frames(scratch / "run").size(), 7u);
}

TEST(RunFolder, RefusesToGoOnWithAChangedScene) {
    const Scratch scratch;
    {
        Result<RunFolder> run = begin(scratch / "run");
        ASSERT_TRUE(run && compute_frames(*run, 0, 2));
    }
    test::spill(scratch / "run/scene.json", "{\"duration\": 2}");
    const Resumed resumed = resume(scratch / "run");
    ASSERT_FALSE(resumed.run);
    EXPECT_NE(resumed.run.error().what.find("another scene"), std::string::npos);
    EXPECT_EQ(run_files::checkpoint_numbers(scratch / "run").size(), 2u);
}

TEST(RunFolder, KnowsWhichFramesAreWhole) {
    const Scratch scratch;
    Result<RunFolder> run = begin(scratch / "run");
    ASSERT_TRUE(run && compute_frames(*run, 0, 5));
    fs::remove(scratch / "run/frames/000001.vtkhdf");
    fs::resize_file(scratch / "run/frames/000003.vtkhdf", 5000);
    std::string flipped = test::slurp(scratch / "run/frames/000004.vtkhdf");
    flipped[flipped.size() / 2] ^= 4;
    test::spill(scratch / "run/frames/000004.vtkhdf", flipped);
    std::vector<std::uint64_t> whole;
    for (std::uint64_t frame = 0; frame <= 6; ++frame)
        if (run->has_frame(frame)) whole.push_back(frame);
    EXPECT_EQ(whole, (std::vector<std::uint64_t>{0, 2, 5}));
}

TEST(RunFolder, KeepsTheCheckpointsThatItIsToldTo) {
    using Numbers = std::vector<std::uint64_t>;
    const Scratch scratch;
    {
        Result<RunFolder> run = begin(scratch / "run");
        ASSERT_TRUE(run && run->keep_checkpoints(4) && compute_frames(*run, 0, 10));
        EXPECT_EQ(run_files::checkpoint_numbers(scratch / "run"), (Numbers{0, 4, 8, 10}));
        EXPECT_EQ(run->checkpoint_frame(7), 4u);
        EXPECT_EQ((*run->checkpoint(7))->frame, 4u);
    }
    Result<RunFolder> run = RunFolder::open(scratch / "run");
    ASSERT_TRUE(run && compute_frames(*run, 11, 16));
    EXPECT_EQ(run_files::checkpoint_numbers(scratch / "run"), (Numbers{0, 4, 8, 12, 14, 16})) << "it is remembered";
    ASSERT_TRUE(run->keep_checkpoints(0) && compute_frames(*run, 17, 18));
    EXPECT_EQ(run_files::checkpoint_numbers(scratch / "run"), (Numbers{16, 18}));
}

TEST(RunFolder, AFullDiskStopsTheRunAndResumeGoesOn) {
    const Scratch scratch;
    const int code = test::in_child([&] {
        Result<RunFolder> run = begin(scratch / "run");
        if (!run || !compute_frames(*run, 0, 3)) return 1;
        test::allow_files_up_to(1000);
        return compute_frame(*run, 4) ? 2 : 0;
    });
    ASSERT_EQ(code, 0);
    EXPECT_EQ(list_frames(scratch / "run").size(), 4u);
    Resumed resumed = resume(scratch / "run");
    ASSERT_TRUE(resumed.run);
    ASSERT_TRUE(resumed.newest);
    EXPECT_EQ(resumed.newest->frame, 2u);
    EXPECT_TRUE(compute_frames(*resumed.run, 3, 6));
}

void wait_busily(std::chrono::microseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
}

// What a child does until it is killed: begin or go on, and tell the parent of each finished frame through a pipe.
void run_until_killed(const fs::path& folder, int tell) {
    Resumed resumed = resume(folder);
    if (!resumed.run) resumed.run = begin(folder);
    if (!resumed.run) return;
    const std::vector<std::string> long_name{std::string(2 << 20, 'x')}; // so that writing takes a while
    for (std::uint64_t frame = resumed.newest ? resumed.newest->frame + 1 : 0;; ++frame) {
        if (!compute_frame(*resumed.run, frame, long_name)) return;
        if (::write(tell, &frame, sizeof frame) != sizeof frame) return;
    }
}

TEST(RunFolder, AKillAtAnyMomentLosesNoFinishedFrame) {
    const Scratch scratch;
    std::uint64_t reported = 0; // frames 0 ... reported - 1
    for (unsigned round = 0; round < 15; ++round) {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            run_until_killed(scratch / "run", ends[1]);
            ::_exit(1);
        }
        ::close(ends[1]);
        std::uint64_t frame = 0;
        for (unsigned seen = 0; seen < 1 + round % 4; ++seen) {
            ASSERT_EQ(::read(ends[0], &frame, sizeof frame), ssize_t{sizeof frame}) << "the child gave up";
            reported = std::max(reported, frame + 1);
        }
        wait_busily(std::chrono::microseconds(800 * round)); // a moment anywhere within the next frame
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        while (::read(ends[0], &frame, sizeof frame) == ssize_t{sizeof frame}) reported = std::max(reported, frame + 1);
        ::close(ends[0]);

        for (std::uint64_t i = 0; i < reported; ++i) {
            const Result<Frame> found = read_frame(frame_path(scratch / "run", i));
            ASSERT_TRUE(found) << found.error().text();
            ASSERT_EQ(found->header.frame, i);
        }
        for (const std::uint64_t i : list_frames(scratch / "run"))
            ASSERT_TRUE(read_frame(frame_path(scratch / "run", i))) << "every frame under its name is whole";
        ASSERT_GE(read_log(scratch / "run")->lines.size(), reported);
    }
    const Resumed resumed = resume(scratch / "run");
    ASSERT_TRUE(resumed.run && resumed.newest);
    EXPECT_TRUE(resumed.warnings.empty());
    EXPECT_GE(resumed.newest->frame + 2, reported) << "every other frame has a checkpoint";
    EXPECT_EQ(test::count_files(scratch / "run/frames"), list_frames(scratch / "run").size()) << "nothing half is left";
}

} // namespace
} // namespace loam
