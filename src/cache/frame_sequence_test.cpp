#include "cache/frame_sequence.h"

#include <gtest/gtest.h>

#include "cache/test_support.h"

namespace loam {
namespace {

using Number = std::optional<std::uint64_t>;

TEST(FrameRange, ReadsAllForms) {
    const struct {
        const char* text;
        Number first, last;
    } cases[] = {{"", {}, {}}, {"7", 7, 7}, {"3-9", 3, 9}, {"3-", 3, {}}, {"-9", {}, 9}};
    for (const auto& expected : cases) {
        const Result<FrameRange> range = parse_frame_range(expected.text);
        ASSERT_TRUE(range) << expected.text;
        EXPECT_EQ(range->first, expected.first) << expected.text;
        EXPECT_EQ(range->last, expected.last) << expected.text;
    }
    for (const char* wrong : {"-", "x", "1-x", "1.5", "1-2-3", " 1", "99999999999999999999999"})
        EXPECT_FALSE(parse_frame_range(wrong)) << wrong;
}

struct Counter : SequenceWatcher {
    void begun(const std::filesystem::path&, std::span<const std::uint64_t> frames) override {
        planned = frames.size();
    }
    void frame_done(std::uint64_t, std::size_t) override { ++done; }
    void warned(const std::string&) override {}
    std::size_t planned = 0, done = 0;
};

TEST(FrameSequence, StopsBetweenFramesAndAtTheFirstError) {
    const test::Scratch scratch;
    std::atomic<bool> stop = false;
    const FrameSequence sequence{scratch / "new/folder", {4, 5, 6}, &stop};
    Counter counter;
    const auto outcome = each_frame(sequence, counter, [&](std::uint64_t frame) -> Status {
        stop = frame == 5;
        return Done{};
    });
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->stopped);
    EXPECT_EQ(outcome->frames, 2u);
    EXPECT_EQ(counter.done, 2u);
    EXPECT_EQ(counter.planned, 3u);
    EXPECT_TRUE(std::filesystem::is_directory(sequence.output));
    stop = false;
    const auto failed = each_frame(sequence, counter, [](std::uint64_t) -> Status { return Error{.what = "no"}; });
    ASSERT_FALSE(failed);
    EXPECT_EQ(counter.done, 2u);
}

} // namespace
} // namespace loam
