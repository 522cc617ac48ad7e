#include "run/history.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace loam {
namespace {

namespace fs = std::filesystem;

LogLine line(int frame, double kinetic, const std::string& limit) {
    return {{"frame", frame},
            {"time", 0.1 * frame},
            {"steps", frame == 0 ? 0 : 4},
            {"mean_dt", frame == 0 ? 0 : 0.025},
            {"dt_limited_by", limit},
            {"wall_seconds", 2.0},
            {"volume_error", frame == 0 ? 0 : 1e-4},
            {"particles", 100},
            {"kinetic_energy", kinetic},
            {"potential_energy", 10 - kinetic},
            {"simd", "avx2"}};
}

Log sample() {
    Log log;
    log.lines = {line(0, 0, ""), line(1, 1, "velocity"), line(2, 4, "velocity"), line(3, 9, "sound")};
    return log;
}

const Panel* find(const std::vector<Panel>& panels, const std::string& title) {
    for (const Panel& panel : panels)
        if (panel.title == title) return &panel;
    return nullptr;
}

TEST(History, AddsEnergiesUp) {
    const auto panels = history_panels(sample());
    const Panel* energy = find(panels, "Energy [J]");
    ASSERT_TRUE(energy);
    ASSERT_EQ(energy->lines.size(), 3u);
    EXPECT_EQ(energy->lines[2].name, "total");
    for (const auto& [time, value] : energy->lines[2].points) EXPECT_DOUBLE_EQ(value, 10);
    EXPECT_EQ(energy->lines[0].points.size(), 4u) << "also at the start";
}

TEST(History, ShowsOnlyWhatTheLogHas) {
    const auto panels = history_panels(sample());
    EXPECT_TRUE(find(panels, "Particles"));
    EXPECT_FALSE(find(panels, "Iterations per step"));
    EXPECT_FALSE(find(panels, "Top speed [m/s]"));
    const Panel* error = find(panels, "Volume error [%]");
    ASSERT_TRUE(error);
    ASSERT_EQ(error->lines.size(), 1u) << "the largest is not logged";
    EXPECT_EQ(error->lines[0].points.size(), 3u) << "nothing is solved before the first step";
    EXPECT_DOUBLE_EQ(error->lines[0].points[0].second, 0.01);
    EXPECT_EQ(error->x_range->first, 0) << "all panels begin at the same time";
}

TEST(History, TellsWhatLimitedTheStepWhen) {
    const auto panels = history_panels(sample());
    const Panel* step = find(panels, "Time step [ms]");
    ASSERT_TRUE(step);
    ASSERT_EQ(step->spans.size(), 2u);
    EXPECT_EQ(step->spans[0].name, "velocity");
    EXPECT_DOUBLE_EQ(step->spans[0].from, 0);
    EXPECT_DOUBLE_EQ(step->spans[0].to, 0.2);
    EXPECT_EQ(step->spans[1].name, "sound");
    EXPECT_DOUBLE_EQ(step->spans[1].to, 0.3);
}

class HistoryOfRun : public testing::Test {
protected:
    void SetUp() override {
        folder = fs::temp_directory_path() / ("loam-history-" + std::to_string(::getpid()));
        fs::create_directories(folder / "frames");
        std::ofstream(folder / ".loam") << "";
        std::ofstream(folder / "scene.json") << "{}";
    }
    void TearDown() override { fs::remove_all(folder); }
    void log(const std::string& text) { std::ofstream(folder / "log.jsonl") << text; }
    std::string complaint() {
        const auto history = history_of_run(folder);
        return history ? "" : history.error().text();
    }

    fs::path folder;
};

TEST_F(HistoryOfRun, ATornLastLineIsThatOfARunThatGoesOn) {
    log(line(0, 1, "").dump() + "\n" + line(1, 2, "velocity").dump() + "\n{\"frame\": 2, \"ti");
    const auto history = history_of_run(folder);
    ASSERT_TRUE(history) << history.error().text();
    EXPECT_EQ(history->frames, 2u);
    EXPECT_TRUE(history->warnings.empty());
    EXPECT_NE(history->plot.subtitle.find("4 s of computing"), std::string::npos) << history->plot.subtitle;
}

TEST_F(HistoryOfRun, CountsTheLinesThatItCannotUnderstand) {
    log(line(0, 1, "").dump() + "\nrubbish\n" + line(2, 2, "velocity").dump() + "\n{\"frame\": 3}\n");
    const auto history = history_of_run(folder);
    ASSERT_TRUE(history) << history.error().text();
    EXPECT_EQ(history->frames, 2u);
    ASSERT_EQ(history->warnings.size(), 1u);
    EXPECT_NE(history->warnings[0].find("2 lines"), std::string::npos) << history->warnings[0];
}

TEST_F(HistoryOfRun, SaysWhyThereIsNothingToPlot) {
    EXPECT_NE(complaint().find("no frame yet"), std::string::npos);
    log("");
    EXPECT_NE(complaint().find("no frame yet"), std::string::npos);
    log("rubbish\n\n");
    EXPECT_NE(complaint().find("none of its 2 lines"), std::string::npos) << complaint();
    fs::remove(folder / ".loam");
    EXPECT_NE(complaint().find("no run of Loam"), std::string::npos);
}

} // namespace
} // namespace loam
