#include "particles/births.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

class BirthsOf : public testing::Test {
protected:
    BirthsOf() {
        water = pool.declare<double>({.name = "water", .saved = true, .nature = Nature::amount});
        for (int k = 0; k < 4; ++k) {
            const double x = k;
            pool.give_birth(std::vector<Pool::Birth>{{{x, 0, 0}, {x, 0, 0}, 1, 1000.0 * (k + 1), 0}});
            pool[water][static_cast<std::size_t>(k)] = 0.1 * (k + 1);
        }
    }
    double total(Column<float> column) const {
        double sum = 0;
        for (const float x : pool[column]) sum += x;
        return sum;
    }
    double momentum() const {
        double sum = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            sum += static_cast<double>(pool[pool.mass][i]) * pool[pool.velocity][i].x;
        return sum;
    }

    Pool pool;
    Column<double> water;
};

TEST_F(BirthsOf, StandBehindAllOthersAsTheyWereAskedFor) {
    Births births(pool);
    births.die(1);
    const std::size_t first = births.add({.position = {7, 0, 0}, .body = 3});
    const std::size_t second = births.split(2, 0.25, {2.5, 0, 0});
    const std::size_t third = births.add({.position = {9, 0, 0}});
    EXPECT_EQ(births.born(), 3u);
    EXPECT_EQ(births.died(), 1u);
    const Renewal renewal = births.apply(pool);
    ASSERT_EQ(pool.size(), 6u);
    EXPECT_EQ(renewal.born.begin, 3u);
    EXPECT_EQ(renewal.died, 1u);
    EXPECT_EQ(pool[pool.position][renewal.born.begin + first].x, 7);
    EXPECT_EQ(pool[pool.body][renewal.born.begin + first], 3u);
    EXPECT_EQ(pool[pool.position][renewal.born.begin + second].x, 2.5);
    EXPECT_EQ(pool[pool.position][renewal.born.begin + third].x, 9);
    EXPECT_EQ(renewal.parents, (std::vector<std::uint32_t>{Renewal::no_parent, 1, Renewal::no_parent}))
        << "where the parent is now";
    for (std::size_t i = 0; i < pool.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(pool[pool.id][i], pool[pool.id][j]);
}

TEST_F(BirthsOf, SplitsAndMergesKeepMassVolumeMomentumAndAmounts) {
    const double mass = total(pool.mass), volume = total(pool.volume), before = momentum();
    Births births(pool);
    births.split(3, 0.125, {3.1, 0, 0});
    births.split(3, 0.125, {2.9, 0, 0});
    births.merge(0, 1, {-1, 0, 0});
    const Renewal renewal = births.apply(pool);
    EXPECT_EQ(pool.size(), 5u);
    EXPECT_EQ(renewal.born.size(), 2u);
    EXPECT_NEAR(total(pool.mass), mass, 1e-6 * mass);
    EXPECT_NEAR(total(pool.volume), volume, 1e-6);
    EXPECT_NEAR(momentum(), before, 1e-6 * before);
    double water_now = 0;
    for (const double w : pool[water]) water_now += w;
    EXPECT_NEAR(water_now, 1, 1e-12);
}

TEST_F(BirthsOf, AMergeGoesTheShortWay) { // the other one is the image beyond a periodic side
    Births births(pool);
    births.merge(3, 0, {-1, 0, 0});
    births.apply(pool);
    EXPECT_NEAR(pool[pool.position][0].x, -0.8, 1e-12);
    EXPECT_EQ(pool[pool.id][0], 0u) << "who takes up the other stays who it is, however heavy that was";
}

TEST_F(BirthsOf, NobodyDiesTwice) {
    Births births(pool);
    births.die(0), births.die(0);
    EXPECT_EQ(births.died(), 1u);
    EXPECT_EQ(births.apply(pool).died, 1u);
    EXPECT_EQ(pool.size(), 3u);
}

} // namespace
} // namespace loam
