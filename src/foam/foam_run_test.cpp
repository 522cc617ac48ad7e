#include "foam/foam_run.h"

#include <gtest/gtest.h>

#include "base/threads.h"
#include "cache/run_files.h"
#include "cache/run_folder.h"
#include "cache/test_support.h"
#include "run/load.h"

namespace loam {
namespace {

constexpr std::uint64_t last = 6;

std::string text_of(const std::string& foam) {
    return R"({"particle_radius": 0.02, "behaviors": {"gravity": {}}, "foam": {)" + foam +
           R"(}, "bodies": {"water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}}, "behaviors": {"fluid": {}}}}})";
}

Scene scene_with(const std::string& foam = "") { return *read_scene(text_of(foam), "scene.json", known_registries()); }

// Two sheets of water that fly into each other.
Columns water_at(double time) {
    Columns columns;
    const auto position = columns.declare<Vec3d>({.name = "position", .output = true});
    const auto velocity = columns.declare<Float4>({.name = "velocity", .output = true});
    const auto id = columns.declare<std::uint32_t>({.name = "id", .output = true});
    const auto body = columns.declare<std::uint32_t>({.name = "body", .output = true});
    columns.resize(10 * 10 * 4);
    for (std::uint32_t i = 0; i < columns.size(); ++i) {
        const std::uint32_t x = i % 10, z = i / 10 % 10, y = i / 100;
        const double speed = x < 5 ? 2 : -2;
        columns[position][i] = {0.02 + 0.04 * x + 0.02 * speed * time, 0.02 + 0.04 * y, 0.02 + 0.04 * z};
        columns[velocity][i] = float4({speed, 0, 0});
        columns[id][i] = i;
        columns[body][i] = 0;
    }
    return columns;
}

class NoWatcher : public FoamWatcher {
public:
    void begun(const std::filesystem::path&, std::span<const std::uint64_t>) override {}
    void frame_done(std::uint64_t, std::size_t) override {}
    void warned(const std::string&) override {}
    void foam_done(const FoamRecord& record) override { records.push_back(record); }
    std::vector<FoamRecord> records;
};

class FoamRunTest : public testing::Test {
protected:
    FoamRunTest() {
        Result<RunFolder> folder = RunFolder::create(run, text_of(""), RunFolder::Existing::keep);
        for (std::uint64_t frame = 0; frame <= last; ++frame) {
            const FrameHeader header{.frame = frame,
                                     .time = 0.04 * static_cast<double>(frame),
                                     .particle_radius = 0.02,
                                     .bodies = {"water"}};
            EXPECT_TRUE(folder->write_frame(water_at(header.time), header));
        }
    }
    std::vector<FoamRecord> make(const Scene& wanted, int threads = 2) {
        NoWatcher watcher;
        const Result<SequenceOutcome> made = with_threads(
            threads, [&] { return make_foam(wanted, {.run = run, .isa = best_instruction_set()}, watcher); });
        EXPECT_TRUE(made) << made.error().text();
        return watcher.records;
    }
    std::vector<std::string> files() const {
        std::vector<std::string> all;
        for (const std::uint64_t frame : run_files::foam_numbers(run))
            all.push_back(test::slurp(run_files::foam_frame(run, frame)));
        return all;
    }
    test::Scratch scratch;
    const std::filesystem::path run = scratch / "run";
    const Scene scene = scene_with();
};

TEST_F(FoamRunTest, EveryFrameGetsItsFile) {
    const std::vector<FoamRecord> records = make(scene);
    ASSERT_EQ(records.size(), last + 1);
    EXPECT_EQ(records[0].spray + records[0].foam + records[0].bubbles, 0u);
    const Result<std::optional<Frame>> read = read_foam(run, last);
    ASSERT_TRUE(read && *read);
    const Frame& frame = **read;
    EXPECT_EQ(frame.header.bodies, drop_names);
    EXPECT_NEAR(frame.header.particle_radius, 0.2 * 0.02, 1e-12);
    EXPECT_EQ(frame.columns.size(), records[last].spray + records[last].foam + records[last].bubbles);
    EXPECT_GT(frame.columns.size(), 50u);
    EXPECT_GE(frame.header.ids_given, frame.columns.size());
    EXPECT_FALSE(read_foam(run, last + 1)->has_value());
}

TEST_F(FoamRunTest, GoesOnWithTheSameBitsAndForAnyNumberOfThreads) {
    make(scene, 1);
    const std::vector<std::string> whole = files();
    for (std::uint64_t frame = 3; frame <= last; ++frame) std::filesystem::remove(run_files::foam_frame(run, frame));
    EXPECT_EQ(make(scene, 3).size(), last - 2);
    EXPECT_EQ(files(), whole);
    EXPECT_EQ(make(scene).size(), 0u); // nothing is left to do
}

TEST_F(FoamRunTest, WhatIsDamagedIsMadeAgain) {
    make(scene);
    const std::vector<std::string> whole = files();
    std::string damaged = whole[4];
    damaged[damaged.size() / 2] ^= 1;
    test::spill(run_files::foam_frame(run, 4), damaged);
    EXPECT_EQ(make(scene).size(), last - 3);
    EXPECT_EQ(files(), whole);
}

TEST_F(FoamRunTest, OtherSettingsBeginAgain) {
    make(scene);
    const std::vector<std::string> before = files();
    EXPECT_EQ(make(scene_with(R"("amount": 2)")).size(), last + 1);
    EXPECT_NE(files(), before);
    EXPECT_EQ(make(scene).size(), last + 1);
    EXPECT_EQ(files(), before);
}

TEST_F(FoamRunTest, AnEditTakesAwayWhatCameAfter) {
    make(scene);
    {
        Result<RunFolder> folder = RunFolder::open(run);
        ASSERT_TRUE(folder);
        ASSERT_TRUE(folder->edit(2, text_of(R"("amount": 1)")));
    }
    EXPECT_EQ(run_files::foam_numbers(run), (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST_F(FoamRunTest, AFullDiskLeavesWhatIsWhole) {
    make(scene, 1);
    const std::vector<std::string> whole = files();
    std::filesystem::remove_all(run_files::foam(run));
    NoWatcher watcher;
    const int code = test::in_child([&] {
        test::allow_files_up_to(whole[4].size() - 1);
        const auto made = make_foam(scene, {.run = run, .isa = best_instruction_set()}, watcher);
        return made ? 1 : 0;
    });
    EXPECT_EQ(code, 0);
    const std::size_t kept = run_files::foam_numbers(run).size();
    EXPECT_LT(kept, whole.size());
    EXPECT_EQ(make(scene).size(), whole.size() - kept);
    EXPECT_EQ(files(), whole);
}

} // namespace
} // namespace loam
