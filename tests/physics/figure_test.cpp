#include "figure.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace loam::test {
namespace {

namespace fs = std::filesystem;

// Figures go to a folder of the test, whatever was asked for outside.
class FigureFolder : public testing::Test {
protected:
    FigureFolder() {
        if (const char* outside = std::getenv("LOAM_FIGURES")) outside_ = outside;
        setenv("LOAM_FIGURES", folder_.c_str(), 1);
    }
    ~FigureFolder() override {
        fs::remove_all(folder_);
        if (outside_.empty())
            unsetenv("LOAM_FIGURES");
        else
            setenv("LOAM_FIGURES", outside_.c_str(), 1);
    }

    static Figure figure() {
        Figure figure("case", {.title = "A case", .subtitle = "", .panels = {{.x_label = "x", .y_label = "y"}}});
        figure.measured("measured", {{0, 0}, {1, 2}, {2, 4}});
        return figure;
    }
    std::string drawn() const {
        std::ifstream file(folder_ / "case.svg");
        return {std::istreambuf_iterator(file), {}};
    }

    const fs::path folder_ = fs::temp_directory_path() / fmt::format("loam-figures-{}", getpid());

private:
    std::string outside_;
};

TEST_F(FigureFolder, KeepsTheCurvesOfOtherTests) {
    figure().ours("dfsph, dx 0.05", {{{0, 0.1}, {2, 4.1}}});
    figure().ours("wcsph", {{{0, 0.2}, {2, 4.2}}});
    figure().ours("wcsph", {{{0, 0.3}, {2, 4.3}}}); // again: takes the place of the first
    const std::string svg = drawn();
    EXPECT_NE(svg.find(">dfsph, dx 0.05<"), svg.npos);
    EXPECT_EQ(svg.find(">wcsph<"), svg.rfind(">wcsph<"));
    EXPECT_NE(svg.find(">measured<"), svg.npos);
    EXPECT_TRUE(fs::exists(folder_ / "case" / "dfsph-dx-0.05.json"));
}

TEST_F(FigureFolder, LongCurvesAreThinnedButEndWhereTheyDid) {
    Curve curve;
    for (int k = 0; k < 10000; ++k) curve.emplace_back(0.001 * k, 1 / 3.0);
    figure().ours("long", {curve});
    EXPECT_LT(fs::file_size(folder_ / "case" / "long.json"), 5000u);
    EXPECT_LT(fs::file_size(folder_ / "case.svg"), 10000u);
    std::ifstream file(folder_ / "case" / "long.json");
    const std::string kept{std::istreambuf_iterator(file), {}};
    EXPECT_NE(kept.find("[9.999,0.33333]]"), kept.npos);
}

TEST_F(FigureFolder, NothingHappensUnlessWanted) {
    unsetenv("LOAM_FIGURES");
    EXPECT_FALSE(Figure::wanted());
    figure().ours("dfsph", {{{0, 0}, {1, 1}}});
    EXPECT_FALSE(fs::exists(folder_));
}

} // namespace
} // namespace loam::test
