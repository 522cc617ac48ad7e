#include "picture/preview.h"

#include <gtest/gtest.h>

#include "cache/run_folder.h"
#include "cache/test_support.h"
#include "picture/video.h"
#include "run/load.h"

namespace loam {
namespace {

constexpr const char* text = R"({
  "duration": 0.5, "fps": 10, "particle_radius": 0.05,
  "bodies": {
    "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.4, 0.4, 0.4]}}, "behaviors": {"fluid": {}}},
    "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 2, 0.4]}, "invert": true}, "boundary": {}}
  }})";

const PreviewOptions small{.qualities = {{{32, 18}, 1, 2.0}}};

// A run whose frames are written by hand: a block of particles that moves to the right.
class PreviewTest : public testing::Test {
protected:
    PreviewTest() : scene(*read_scene(text, "scene.json", known_registries())) {
        EXPECT_TRUE(make_folder(run() / "frames"));
    }
    std::filesystem::path run() const { return folder.path(); }

    void write(std::uint64_t frame, double shift = 0) {
        Columns columns;
        const auto id = columns.declare<std::uint32_t>({.name = "id", .saved = true, .output = true});
        const auto position = columns.declare<Vec3d>({.name = "position", .unit = "m", .saved = true, .output = true});
        const auto body = columns.declare<std::uint32_t>({.name = "body", .saved = true, .output = true});
        columns.resize(64);
        for (std::uint32_t i = 0; i < 64; ++i) {
            columns[id][i] = i;
            columns[position][i] =
                Vec3d{0.05 + shift, 0.05, 0.05} + 0.1 * Vec3d{double(i % 4), double(i / 4 % 4), double(i / 16)};
            columns[body][i] = 0;
        }
        const FrameHeader header{.frame = frame,
                                 .time = static_cast<double>(frame) / 10,
                                 .dimensions = 3,
                                 .particle_radius = 0.05,
                                 .bodies = {"water", "tank"}};
        const Status written = write_frame(frame_path(run(), frame), columns, header);
        ASSERT_TRUE(written) << written.error().text();
    }

    std::size_t pictures() const {
        std::size_t count = 0;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator(run() / "preview", none))
            count += entry.path().extension() == ".png";
        return count;
    }

    test::Scratch folder;
    Scene scene;
};

TEST_F(PreviewTest, DrawsEveryFrameOfAShortRunAtItsEnd) {
    if (!ffmpeg_is_there()) GTEST_SKIP();
    Preview preview(scene, run(), false, small);
    for (std::uint64_t k = 0; k < 6; ++k) {
        write(k);
        ASSERT_TRUE(preview.frame_done(k, 1e-3 * static_cast<double>(k + 1)));
    }
    EXPECT_EQ(pictures(), 0u); // beyond its share
    std::vector<std::size_t> told;
    const auto made =
        preview.finish(Preview::End::whole, {.done = [&](std::size_t done, std::size_t) { told.push_back(done); }});
    ASSERT_TRUE(made) << made.error().text();
    ASSERT_TRUE(*made);
    EXPECT_EQ((*made)->pictures, 6u);
    EXPECT_EQ(told, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6}));
    for (const PreviewQuality& quality : PreviewOptions{}.qualities) EXPECT_GE(quality.size.width, 640);
}

TEST_F(PreviewTest, DrawingCanBeStopped) {
    if (!ffmpeg_is_there()) GTEST_SKIP();
    Preview preview(scene, run(), false, small);
    for (std::uint64_t k = 0; k < 6; ++k) write(k);
    std::atomic<bool> stop = false;
    const auto made = preview.finish(Preview::End::whole,
                                     {.stop = &stop, .done = [&](std::size_t done, std::size_t) { stop = done == 5; }});
    ASSERT_TRUE(made && *made);
    EXPECT_EQ((*made)->pictures, 5u);
    EXPECT_EQ(pictures(), 5u); // they stay for the next session
}

TEST_F(PreviewTest, ShowsEveryFrameWhenThereIsTime) {
    if (!ffmpeg_is_there()) GTEST_SKIP();
    Preview preview(scene, run(), false, small);
    for (std::uint64_t k = 0; k < 6; ++k) {
        write(k);
        const Status done = preview.frame_done(k, 1e4 * static_cast<double>(k));
        ASSERT_TRUE(done) << done.error().text();
    }
    EXPECT_EQ(pictures(), 5u); // of the first frame nothing was known yet
    const auto made = preview.finish(Preview::End::whole);
    ASSERT_TRUE(made) << made.error().text();
    ASSERT_TRUE(*made);
    EXPECT_EQ((*made)->pictures, 6u);
    EXPECT_TRUE(std::filesystem::exists(run() / "preview.mp4"));
    EXPECT_FALSE(std::filesystem::exists(run() / "preview")); // the video has them all
}

TEST_F(PreviewTest, GoesOnWithThePicturesOfTheSessionBefore) {
    if (!ffmpeg_is_there()) GTEST_SKIP();
    for (std::uint64_t k = 0; k < 6; ++k) write(k, 0.1 * static_cast<double>(k));
    {
        Preview killed(scene, run(), false, small);
        for (std::uint64_t k = 0; k < 4; ++k) ASSERT_TRUE(killed.frame_done(k, 1e4 * static_cast<double>(k)));
    }
    ASSERT_EQ(pictures(), 3u);
    Preview preview(scene, run(), true, small);
    ASSERT_TRUE(preview.frame_done(4, 1e4));
    const auto stopped = preview.finish(Preview::End::stopped);
    ASSERT_TRUE(stopped && *stopped);
    EXPECT_EQ((*stopped)->pictures, 4u);
    EXPECT_EQ(pictures(), 4u); // they stay for the next session
    Preview anew(scene, run(), false, small);
    EXPECT_EQ(pictures(), 0u); // another run
}

TEST_F(PreviewTest, ForeseesThatWaterSpreadsInItsTank) {
    const Bounds start{{0, 0, 0}, {0.4, 0.4, 0.4}}, seen = foreseen(scene, start);
    EXPECT_NEAR(seen.hi.x, 1, 1e-6);   // as wide as the tank
    EXPECT_NEAR(seen.hi.y, 0.4, 1e-6); // no higher than the water
}

} // namespace
} // namespace loam
