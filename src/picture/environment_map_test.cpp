#include "picture/environment_map.h"

#include <gtest/gtest.h>

#include "cache/test_support.h"

namespace loam {
namespace {

// 16 x 8, each row of one brightness, the left half red: as runs, or plain.
std::string picture(bool runs) {
    std::string text = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 8 +X 16\n";
    for (int y = 0; y < 8; ++y) {
        const auto exponent = static_cast<char>(129 + (y < 4 ? 1 : 0)); // 128 of it: 1, in the upper half 2
        const char half = static_cast<char>(128), run = static_cast<char>(128 + 8), zero = 0;
        if (runs) {
            text += {2, 2, 0, 16};
            text += {run, half, run, half}; // red
            text += {run, zero, 8};         // green: a run, then bytes
            text += std::string(8, half);
            text += {run, zero, run, half}; // blue
            text += {static_cast<char>(128 + 16), exponent};
        } else {
            for (int x = 0; x < 16; ++x) text += {half, x < 8 ? zero : half, x < 8 ? zero : half, exponent};
        }
    }
    return text;
}

TEST(EnvironmentMap, IsReadAsRunsAndPlain) {
    const test::Scratch scratch;
    for (const bool runs : {true, false}) {
        test::spill(scratch / "a.hdr", picture(runs));
        const auto map = EnvironmentMap::read(scratch / "a.hdr");
        ASSERT_TRUE(map) << map.error().text();
        const Color up_right = (*map)->radiance(normalized(Vec3f{0.5f, 0.5f, -0.2f}));
        const Color down_left = (*map)->radiance(normalized(Vec3f{-0.5f, -0.5f, -0.2f}));
        EXPECT_EQ(up_right, (Color{2, 2, 2}));
        EXPECT_EQ(down_left, (Color{1, 0, 0}));
        EXPECT_NEAR((*map)->blurred({0, 1, 0}).x, 2, 1e-4);
        EXPECT_NEAR((*map)->blurred({0, -1, 0}).x, 1, 1e-4);
    }
}

TEST(EnvironmentMap, WhatIsWrongIsTold) {
    const test::Scratch scratch;
    const std::string whole = picture(true);
    for (const std::string& text :
         {std::string("P6 nothing"), whole.substr(0, 30), whole.substr(0, whole.size() / 2),
          std::string("#?RADIANCE\n\n-Y 0 +X 5\n"), std::string("#?RADIANCE\n\n+X 8 -Y 8\n")}) {
        test::spill(scratch / "a.hdr", text);
        EXPECT_FALSE(EnvironmentMap::read(scratch / "a.hdr"));
    }
    EXPECT_FALSE(EnvironmentMap::read(scratch / "none.hdr"));
}

} // namespace
} // namespace loam
