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

} // namespace
} // namespace loam
