#include "particles/slot_map.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

class SlotsOf : public testing::Test {
protected:
    SlotsOf() { pool.give_birth(std::vector<Pool::Birth>(4)); }
    std::uint32_t id_in(const SlotMap& map, std::size_t slot) const { return pool[pool.id][map[slot]]; }

    Pool pool;
};

TEST_F(SlotsOf, FindTheirParticlesWhereverTheyAreSorted) {
    SlotMap map;
    map.declare(pool, "test_slot");
    map.give(pool, std::vector<std::uint32_t>{3, 1});
    pool.reorder(std::vector<std::uint32_t>{2, 3, 0, 1});
    map.find(pool);
    EXPECT_EQ(id_in(map, 0), 3u);
    EXPECT_EQ(id_in(map, 1), 1u);
    EXPECT_EQ(map.slot_of(pool, map[1]), 1u);
    EXPECT_EQ(map.slot_of(pool, 0), SlotMap::gone);
    EXPECT_TRUE(map.are_those_of(pool, std::vector<std::uint32_t>{map[0], map[1]}));
    EXPECT_FALSE(map.are_those_of(pool, std::vector<std::uint32_t>{map[0]}));
}

TEST_F(SlotsOf, KnowWhoIsGone) {
    SlotMap map;
    map.declare(pool, "test_slot");
    map.give(pool, std::vector<std::uint32_t>{0, 1, 2});
    pool.bury(std::vector<std::uint8_t>{1, 0, 1, 1});
    map.find(pool);
    EXPECT_EQ(map[1], SlotMap::gone);
    EXPECT_EQ(id_in(map, 2), 2u);
    map.take(pool, 2);
    pool.reorder(std::vector<std::uint32_t>{1, 0, 2});
    map.find(pool);
    EXPECT_EQ(map[2], SlotMap::gone);
    EXPECT_EQ(id_in(map, 0), 0u);
}

TEST_F(SlotsOf, BodiesOfALawCountOnTheirOwn) {
    for (std::size_t i = 2; i < 4; ++i) pool[pool.body][i] = 1;
    SlotMap of_first, of_second;
    of_first.declare(pool, "test_slot", 0), of_second.declare(pool, "test_slot", 1);
    of_first.give(pool, std::vector<std::uint32_t>{0, 1});
    of_second.give(pool, std::vector<std::uint32_t>{3, 2});
    pool.reorder(std::vector<std::uint32_t>{3, 2, 1, 0});
    of_first.find(pool), of_second.find(pool);
    EXPECT_EQ(id_in(of_first, 1), 1u);
    EXPECT_EQ(id_in(of_second, 0), 3u);
}

TEST_F(SlotsOf, MayBeIds) {
    SlotMap map;
    map.follow_ids(pool, 3);
    pool.reorder(std::vector<std::uint32_t>{3, 2, 0});
    map.find(pool);
    EXPECT_EQ(map[0], 2u);
    EXPECT_EQ(map[1], SlotMap::gone);
    EXPECT_EQ(map[2], 1u);
}

} // namespace
} // namespace loam
