#include "cache/edit.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cache/run_files.h"
#include "cache/run_folder.h"
#include "cache/take.h"
#include "cache/test_support.h"

namespace loam {
namespace {

namespace fs = std::filesystem;
using test::Scratch;
using Numbers = std::vector<std::uint64_t>;

// Frames 0 to 6, a checkpoint of each, pictures of the preview, and something of the user's own.
Result<RunFolder> begin(const fs::path& folder) {
    Result<RunFolder> run = RunFolder::create(folder, "first", RunFolder::Existing::keep);
    if (!run) return run;
    if (Status kept = run->keep_checkpoints(1); !kept) return kept.error();
    fs::create_directories(run_files::preview(folder));
    test::spill(folder / "film.mp4", "mine");
    for (std::uint64_t frame = 0; frame <= 6; ++frame) {
        const Columns columns = test::some_particles(9, static_cast<double>(frame));
        Status done = run->write_frame(columns, {frame, 0.1, 3, 0.01, {"water"}});
        if (done) done = run->append_log(LogLine{{"frame", frame}});
        if (done) done = run->write_checkpoint(frame, {save_columns(columns), {}});
        if (!done) return done.error();
        test::spill(run_files::picture(folder, frame), "picture");
    }
    return run;
}

Numbers logged(const fs::path& run) {
    const Result<Log> log = read_log(run);
    Numbers frames;
    for (const LogLine& line : log->lines) frames.push_back(line["frame"]);
    return frames;
}

TEST(SceneHistory, KnowsWhichSceneHeldWhen) {
    SceneHistory scenes("a");
    scenes.change(10, "b");
    scenes.change(20, "c");
    EXPECT_EQ(scenes.of_frame(0) + scenes.of_frame(10) + scenes.of_frame(11) + scenes.of_frame(20), "aabb");
    EXPECT_EQ(scenes.after(9) + scenes.after(10) + scenes.after(20) + scenes.of_frame(21), "abcc");
    scenes.change(15, "d");
    EXPECT_EQ(scenes.of_frame(10) + scenes.of_frame(15) + scenes.of_frame(16) + scenes.now(), "abdd");
    EXPECT_EQ(scenes.past().size(), 2u);
    scenes.change(15, "e");
    EXPECT_EQ(scenes.of_frame(15) + scenes.after(15), "be") << "the scene up to there stays that of before";
    scenes.change(0, "f");
    EXPECT_EQ(scenes.of_frame(0) + scenes.now(), "ff");
    EXPECT_TRUE(scenes.past().empty());
}

TEST(SceneHistory, ItsHashIsOfThePastAlone) {
    SceneHistory scenes("a");
    const std::uint64_t before = scenes.hash(10), later = scenes.hash(11);
    scenes.change(10, "b");
    EXPECT_EQ(scenes.hash(10), before);
    EXPECT_NE(scenes.hash(11), later);
    SceneHistory other("x");
    other.change(10, "b");
    EXPECT_NE(other.hash(11), scenes.hash(11)) << "the same scene after another past";
    SceneHistory sooner("a");
    sooner.change(9, "b");
    EXPECT_NE(sooner.hash(11), scenes.hash(11)) << "or after a shorter one";
}

TEST(Edit, TakesAwayWhatCameAfterAndNothingElse) {
    const Scratch scratch;
    const fs::path folder = scratch / "run";
    {
        Result<RunFolder> run = begin(folder);
        ASSERT_TRUE(run) << run.error().text();
        ASSERT_TRUE(run->edit(4, "second"));
        EXPECT_EQ(run->scenes().now(), "second");
        ASSERT_TRUE(run->append_log(LogLine{{"frame", 5}})) << "the log goes on";
    }
    EXPECT_EQ(list_frames(folder), (Numbers{0, 1, 2, 3, 4}));
    EXPECT_EQ(run_files::checkpoint_numbers(folder), (Numbers{0, 1, 2, 3, 4}));
    EXPECT_EQ(run_files::picture_numbers(folder), (Numbers{0, 1, 2, 3, 4}));
    EXPECT_EQ(logged(folder), (Numbers{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(test::slurp(folder / "film.mp4"), "mine");
    Result<RunFolder> run = RunFolder::open(folder);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->scenes().of_frame(4) + " " + run->scenes().after(4), "first second");
    EXPECT_TRUE(run->checkpoint()) << "what came before the edit is as good as it was";
    EXPECT_EQ((*run->checkpoint())->frame, 4u);
}

TEST(Edit, AtTheStartLeavesNothingOfBefore) {
    const Scratch scratch;
    Result<RunFolder> run = begin(scratch / "run");
    ASSERT_TRUE(run && run->edit(4, "second") && run->edit(0, "third"));
    EXPECT_EQ(run->scenes(), SceneHistory("third"));
    EXPECT_EQ(*read_scenes(scratch / "run"), SceneHistory("third"));
    EXPECT_TRUE(run_files::checkpoint_numbers(scratch / "run").empty());
    EXPECT_TRUE(logged(scratch / "run").empty());
    EXPECT_EQ(list_frames(scratch / "run"), Numbers{0}) << "until it is replaced";
}

// A crash at any moment: each of the things that an edit does is done or not when the run is opened again.
TEST(Edit, IsBroughtToItsEndAfterACrash) {
    for (unsigned done = 0; done < 32; ++done) {
        const Scratch scratch;
        const fs::path folder = scratch / "run";
        {
            Result<RunFolder> run = begin(folder);
            ASSERT_TRUE(run && run->edit(5, "second"));
        }
        test::spill(run_files::edit(folder), "3\nthird");
        if (done & 1) test::spill(run_files::past_scene(folder, 3), "first");
        if (done & 2)
            fs::remove(run_files::past_scene(folder, 5)), test::spill(run_files::past_scene(folder, 3), "first");
        if (done & 4) fs::remove(run_files::checkpoint(folder, 5));
        if (done & 8) fs::remove(run_files::frame(folder, 5));
        if (done & 16 && done & 1) test::spill(run_files::scene(folder), "third");
        const Result<RunFolder> run = RunFolder::open(folder);
        ASSERT_TRUE(run) << run.error().text();
        SceneHistory expected("first");
        expected.change(3, "third");
        EXPECT_EQ(run->scenes(), expected) << done;
        EXPECT_EQ(list_frames(folder), (Numbers{0, 1, 2, 3}));
        EXPECT_EQ(run_files::checkpoint_numbers(folder), (Numbers{0, 1, 2, 3}));
        EXPECT_EQ(logged(folder), (Numbers{0, 1, 2, 3}));
        EXPECT_FALSE(fs::exists(run_files::edit(folder)));
    }
}

TEST(Edit, ThatWasNotWrittenDownDidNotHappen) {
    const Scratch scratch;
    const int code = test::in_child([&] {
        Result<RunFolder> run = begin(scratch / "run");
        if (!run) return 1;
        test::allow_files_up_to(10);
        return run->edit(4, std::string(1000, 'x')) ? 2 : 0;
    });
    ASSERT_EQ(code, 0);
    const Result<RunFolder> run = RunFolder::open(scratch / "run");
    ASSERT_TRUE(run);
    EXPECT_EQ(run->scenes(), SceneHistory("first"));
    EXPECT_EQ(list_frames(scratch / "run").size(), 7u);
}

TEST(Take, SharesFramesAndIsARunOfItsOwn) {
    const Scratch scratch;
    Result<RunFolder> run = begin(scratch / "run");
    ASSERT_TRUE(run);
    SceneHistory scenes = run->scenes();
    scenes.change(4, "second");
    const Result<fs::path> folder = make_take(scratch / "run", "calm-2", 4, scenes);
    ASSERT_TRUE(folder) << folder.error().text();
    EXPECT_EQ(*folder, scratch / "run/takes/calm-2");
    EXPECT_EQ(list_takes(scratch / "run"), std::vector<std::string>{"calm-2"});
    EXPECT_EQ(list_frames(scratch / "run").size(), 7u) << "the run stays";
    EXPECT_TRUE(fs::equivalent(frame_path(*folder, 4), frame_path(scratch / "run", 4)));

    Result<RunFolder> take = RunFolder::open(*folder);
    ASSERT_TRUE(take) << take.error().text();
    EXPECT_EQ(list_frames(*folder), (Numbers{0, 1, 2, 3, 4}));
    EXPECT_EQ(logged(*folder), (Numbers{0, 1, 2, 3, 4}));
    EXPECT_EQ(take->scenes(), scenes);
    EXPECT_TRUE(take->keeps_checkpoint(3)) << "as the run does";
    ASSERT_TRUE(take->checkpoint());
    EXPECT_EQ((*take->checkpoint())->frame, 4u);
    const std::string shared = test::slurp(frame_path(scratch / "run", 4));
    ASSERT_TRUE(take->write_frame(test::some_particles(3), {4, 0.1, 3, 0.01, {"water"}}));
    EXPECT_EQ(test::slurp(frame_path(scratch / "run", 4)), shared) << "another frame in the take is not one of the run";
}

TEST(Take, FromTheStartIsEmpty) {
    const Scratch scratch;
    ASSERT_TRUE(begin(scratch / "run"));
    const Result<fs::path> folder = make_take(scratch / "run", "a", 0, SceneHistory("other"));
    ASSERT_TRUE(folder);
    EXPECT_TRUE(list_frames(*folder).empty());
    EXPECT_TRUE(run_files::checkpoint_numbers(*folder).empty());
    EXPECT_TRUE(logged(*folder).empty());
}

TEST(Take, NamesAreChecked) {
    const Scratch scratch;
    ASSERT_TRUE(begin(scratch / "run"));
    for (const char* bad : {"", ".", "..", "a/b", "-x", ".x", "a b", "x.part"}) {
        const Status good = check_take(scratch / "run", bad);
        ASSERT_FALSE(good) << bad;
        EXPECT_EQ(good.error().fault, Fault::usage);
    }
    ASSERT_TRUE(make_take(scratch / "run", "a", 2, SceneHistory("first")));
    const Result<fs::path> again = make_take(scratch / "run", "a", 3, SceneHistory("first"));
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().hint.find("loam resume"), std::string::npos);
    EXPECT_EQ(list_frames(scratch / "run/takes/a").size(), 3u);
}

TEST(Take, ThatWasInterruptedIsNotThere) {
    const Scratch scratch;
    ASSERT_TRUE(begin(scratch / "run"));
    fs::create_directories(scratch / "run/takes/a.77.part/frames");
    EXPECT_TRUE(list_takes(scratch / "run").empty());
    ASSERT_TRUE(make_take(scratch / "run", "a", 2, SceneHistory("first")));
    EXPECT_EQ(test::count_files(scratch / "run/takes"), 1u);
}

} // namespace
} // namespace loam
