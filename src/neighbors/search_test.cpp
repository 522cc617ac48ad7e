#include "neighbors/search.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace loam {
namespace {

struct Points {
    std::vector<Vec3d> positions;
    Grid grid;

    Points(std::vector<Vec3d> unsorted, const CellFrame& frame, std::vector<float> reach = {}) {
        grid.sort(unsorted, frame);
        std::vector<float> sorted_reach;
        for (std::uint32_t from : grid.order()) {
            positions.push_back(unsorted[from]);
            if (!reach.empty()) sorted_reach.push_back(reach[from]);
        }
        grid.take_positions(positions, frame);
        if (!reach.empty()) grid.take_reach(sorted_reach);
        own_reach = sorted_reach;
    }
    std::vector<float> own_reach;
};

std::vector<Vec3d> random_points(std::size_t count, Vec3d size, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < count; ++i)
        points.push_back({unit(random) * size.x, unit(random) * size.y, unit(random) * size.z});
    return points;
}

void expect_brute_force(const Points& queries, const Points& targets, double reach, const CellFrame& frame,
                        const NeighborList& list) {
    const bool same = &queries == &targets;
    ASSERT_EQ(list.size(), queries.positions.size());
    for (std::size_t i = 0; i < queries.positions.size(); ++i) {
        std::set<std::uint32_t> expected, unsure;
        for (std::size_t j = 0; j < targets.positions.size(); ++j) {
            if (same && i == j) continue;
            const double limit = std::max(queries.own_reach.empty() ? static_cast<float>(reach) : queries.own_reach[i],
                                          targets.own_reach.empty() ? static_cast<float>(reach) : targets.own_reach[j]);
            const double r = length(shortest_way(queries.positions[i] - targets.positions[j], frame.length));
            if (std::abs(r - limit) < 1e-5 * limit)
                unsure.insert(static_cast<std::uint32_t>(j)); // rounding decides
            else if (r < limit)
                expected.insert(static_cast<std::uint32_t>(j));
        }
        std::set<std::uint32_t> found;
        for (std::uint32_t j : list.of(i))
            if (!unsure.contains(j)) {
                EXPECT_TRUE(found.insert(j).second) << "listed twice";
            }
        ASSERT_EQ(found, expected) << "particle " << i;
    }
}

class SearchOn : public testing::TestWithParam<InstructionSet> {
protected:
    void SetUp() override {
        if (!is_available(GetParam())) GTEST_SKIP() << "not on this machine";
    }
};

TEST_P(SearchOn, FindsWhatBruteForceFinds) {
    const CellFrame frame = make_frame(0.1, {0.2, -0.3, 0.1}, {});
    const Points points(random_points(3000, {1, 0.7, 0.5}, 1), frame);
    NeighborList list;
    search(points.grid, points.grid, 0.1, frame, false, GetParam(), list);
    expect_brute_force(points, points, 0.1, frame, list);
}

TEST_P(SearchOn, FindsAcrossPeriodicSides) {
    const CellFrame frame = make_frame(0.1, {}, {1, 0, 0.43});
    const Points points(random_points(1500, {1, 0.3, 0.43}, 2), frame);
    NeighborList list;
    search(points.grid, points.grid, 0.1, frame, false, GetParam(), list);
    expect_brute_force(points, points, 0.1, frame, list);
}

TEST_P(SearchOn, FindsInTheFlat) {
    const CellFrame frame = make_frame(0.05, {}, {1, 0.9, 0});
    const Points points(random_points(2000, {1, 0.9, 0}, 3), frame);
    NeighborList list;
    search(points.grid, points.grid, 0.05, frame, true, GetParam(), list);
    expect_brute_force(points, points, 0.05, frame, list);
}

TEST_P(SearchOn, FindsInAnotherSet) {
    const CellFrame frame = make_frame(0.1, {}, {});
    const Points some(random_points(1000, {1, 1, 0.3}, 4), frame), others(random_points(700, {0.5, 2, 0.4}, 5), frame);
    NeighborList list;
    search(some.grid, others.grid, 0.1, frame, false, GetParam(), list);
    expect_brute_force(some, others, 0.1, frame, list);
}

TEST_P(SearchOn, UsesTheLargerOfTwoReaches) {
    const CellFrame frame = make_frame(0.2, {}, {});
    std::vector<float> reach(2000);
    std::mt19937 random(6);
    for (float& r : reach) r = std::uniform_real_distribution<float>(0.05f, 0.2f)(random);
    const Points points(random_points(2000, {1, 1, 0.5}, 7), frame, reach);
    NeighborList list;
    search(points.grid, points.grid, 0.2, frame, false, GetParam(), list);
    expect_brute_force(points, points, 0.2, frame, list);
}

TEST_P(SearchOn, TakesTheCommonReachOfThoseWithoutTheirOwn) {
    const CellFrame frame = make_frame(0.2, {}, {});
    std::vector<float> reach(1000);
    std::mt19937 random(9);
    for (float& r : reach) r = std::uniform_real_distribution<float>(0.05f, 0.2f)(random);
    const Points own(random_points(1000, {1, 1, 0.5}, 10), frame, reach),
        alike(random_points(800, {1, 1, 0.5}, 11), frame);
    NeighborList list;
    search(own.grid, alike.grid, 0.1, frame, false, GetParam(), list);
    expect_brute_force(own, alike, 0.1, frame, list);
    search(alike.grid, own.grid, 0.1, frame, false, GetParam(), list);
    expect_brute_force(alike, own, 0.1, frame, list);
}

TEST_P(SearchOn, BearsOutliersAndCrowds) {
    const CellFrame frame = make_frame(0.1, {}, {});
    std::vector<Vec3d> points = random_points(500, {0.3, 0.3, 0.3}, 8);
    for (int k = 0; k < 300; ++k) points.push_back({0.1, 0.1, 0.1}); // one place
    points.push_back({1e7, -1e9, 3e5});
    points.push_back({-4e8, 2, 1e30});
    const Points all(points, frame);
    NeighborList list;
    search(all.grid, all.grid, 0.1, frame, false, GetParam(), list);
    expect_brute_force(all, all, 0.1, frame, list);
}

TEST_P(SearchOn, BearsNothing) {
    const CellFrame frame = make_frame(0.1, {}, {});
    const Points none({}, frame), one({{0, 0, 0}}, frame);
    NeighborList list;
    search(none.grid, none.grid, 0.1, frame, false, GetParam(), list);
    EXPECT_EQ(list.size(), 0u);
    search(one.grid, none.grid, 0.1, frame, false, GetParam(), list);
    EXPECT_EQ(list.of(0).size(), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, SearchOn,
                         testing::Values(InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512),
                         [](const auto& one) { return std::string(name_of(one.param)); });

} // namespace
} // namespace loam
