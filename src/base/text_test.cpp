#include <gtest/gtest.h>

#include "base/text.h"

namespace loam {
namespace {

TEST(NearestName, IsWhatWasMeantOrNothing) {
    const std::vector<std::string> names{"density", "viscosity", "surface_tension"};
    EXPECT_EQ(nearest_name("desnity", names), "density");
    EXPECT_EQ(nearest_name("Surface-Tension", names), "surface_tension");
    EXPECT_EQ(nearest_name("color", names), "");
}

TEST(ShellWord, IsOneWordToAShell) {
    EXPECT_EQ(shell_word("out/dam-break"), "out/dam-break");
    EXPECT_EQ(shell_word("my runs/dam"), "'my runs/dam'");
    EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
    EXPECT_EQ(shell_word(""), "''");
}

TEST(NumberText, IsAsAPersonWritesIt) {
    EXPECT_EQ(number_text(0.01), "0.01");
    EXPECT_EQ(number_text(1000), "1000");
    EXPECT_EQ(number_text(1e-9), "1e-09");
}

TEST(Text, PrintableShowsWhatWouldMoveOrTurnTheText) {
    EXPECT_EQ(printable("plain, übér, 水\n\t"), "plain, übér, 水\n\t");
    EXPECT_EQ(printable("a\x1b[2Jb\r"), "a\\x1b[2Jb\\x0d");
    EXPECT_EQ(printable("a\xe2\x80\xae"
                        "b"),
              "a\\xe2\\x80\\xae"
              "b"); // right-to-left override
    EXPECT_EQ(printable("\xe2\x81\xa6\xd8\x9c"), "\\xe2\\x81\\xa6\\xd8\\x9c");
    EXPECT_EQ(printable("\xe2\x80"), "\xe2\x80"); // cut off
}

} // namespace
} // namespace loam
