#include "base/run_program.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

TEST(RunProgram, GivesTheInputAndTakesTheOutput) {
    const std::string much(1 << 20, 'x'); // more than any pipe holds
    const auto same = run_program({"cat"}, much);
    ASSERT_TRUE(same);
    EXPECT_EQ(same->code, 0);
    EXPECT_EQ(same->output, much);
    EXPECT_EQ(same->messages, "");
}

TEST(RunProgram, TellsHowItEnded) {
    const auto wrong = run_program({"sh", "-c", "echo no >&2; exit 3"}, "");
    ASSERT_TRUE(wrong);
    EXPECT_EQ(wrong->code, 3);
    EXPECT_EQ(wrong->messages, "no\n");
    const auto killed = run_program({"sh", "-c", "kill -9 $$"}, "");
    ASSERT_TRUE(killed);
    EXPECT_EQ(killed->code, 128 + 9);
    const auto missing = run_program({"loam-has-no-such-program"}, "");
    ASSERT_TRUE(missing);
    EXPECT_EQ(missing->code, 127);
}

} // namespace
} // namespace loam
