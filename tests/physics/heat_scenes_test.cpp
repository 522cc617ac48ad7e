// What the scenes of heat and mixing promise by their titles, in numbers, far below their own resolution.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "example.h"
#include "exchanged.h"

namespace loam::test {
namespace {

// What is kept, and how much of it there is, by name.
std::map<std::string, std::pair<double, double>> sums(const Simulation& s) {
    std::map<std::string, std::pair<double, double>> all;
    for (const Account& account : s.accounts()) {
        std::map<std::string, double> entries(account.entries.begin(), account.entries.end());
        if (account.name == "heat") all["heat"] = {entries.at("sum"), entries.at("enthalpy")};
        if (account.name == "solutes")
            for (const auto& [name, value] : entries)
                if (entries.count(name + "_sum")) all[name] = {entries.at(name + "_sum"), value};
    }
    return all;
}

// Enthalpy and solutes are constant in every frame, less what came from outside: heaters, walls, air, emitters.
struct Coarse {
    const char* name;
    double radius, until;
    friend void PrintTo(const Coarse& scene, std::ostream* to) { *to << scene.name; }
};
class HeatScenes : public testing::TestWithParam<Coarse> {};
INSTANTIATE_TEST_SUITE_P(All, HeatScenes,
                         testing::Values(Coarse{"candle", 0.0019, 0.12}, Coarse{"ice", 0.005, 0.3},
                                         Coarse{"lava-crust", 0.05, 0.3}, Coarse{"chocolate", 0.004, 0.2},
                                         Coarse{"casting", 0.012, 0.4}, Coarse{"lamp", 0.005, 0.3},
                                         Coarse{"dye", 0.015, 0.48}, Coarse{"tea", 0.0019, 0.2},
                                         Coarse{"honey-water", 0.0029, 0.3}, Coarse{"miscible", 0.02, 0.3}),
                         [](const auto& scene) {
                             std::string name = scene.param.name;
                             std::erase(name, '-');
                             return name;
                         });
TEST_P(HeatScenes, KeepWhatTheyHold) {
    const auto [name, radius, until] = GetParam();
    const auto s = example(name, radius);
    const auto before = sums(*s);
    ASSERT_FALSE(before.empty());
    for (int frame = 1; frame / 25.0 <= until; ++frame) {
        advance(*s, frame / 25.0);
        for (const auto& [what, sum] : sums(*s))
            ASSERT_NEAR(sum.first, before.at(what).first, 1e-9 * sum.second) << what << " in frame " << frame;
    }
    for (const auto& [what, sum] : sums(*s)) EXPECT_GT(sum.second, 0) << what;
}

// Wax melts at the flame, runs down outside of what was the candle, and freezes there.
TEST(HeatScenesLong, Candle) {
    const auto s = example("candle", 0.0018);
    const Pool& pool = s->particles();
    const double heat = kept(*s, "enthalpy");
    double most_melted = 0;
    for (int frame = 1; frame <= 50; ++frame) {
        advance(*s, frame / 25.0);
        double melted = 0;
        for (std::size_t i = 0; i < pool.size(); ++i) melted += column(*s, "melted")[i];
        most_melted = std::max(most_melted, melted / static_cast<double>(pool.size()));
        ASSERT_NEAR(own_enthalpy(*s) / heat, 1, 1e-9) << "frame " << frame;
    }
    int frozen_outside = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d at = pool[pool.position][i];
        frozen_outside += std::hypot(at.x, at.z) > 0.0135 && at.y < 0.045 && column(*s, "melted")[i] < 0.3f;
    }
    if (std::getenv("LOAM_SHOW"))
        fmt::print("candle: {} particles, {:.3f} melted at most, {} frozen at the side\n", pool.size(), most_melted,
                   frozen_outside);
    EXPECT_GT(most_melted, 0.03);
    EXPECT_LT(most_melted, 0.5);
    EXPECT_GT(frozen_outside, 4);
}

// Sugar leaves its cube and sinks.
TEST(HeatScenesLong, Tea) {
    const auto s = example("tea", 0.0016);
    const Pool& pool = s->particles();
    const auto height = [&] {
        double sum = 0, all = 0;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const double c = column(*s, "concentration_sugar")[i];
            sum += c * pool[pool.position][i].y, all += c;
        }
        return sum / all;
    };
    const auto solid = [&] {
        return total(*s, [&](std::size_t i) { return column(*s, "concentration_sugar")[i] > 0.72f; });
    };
    const double before = height(), cube = solid();
    advance(*s, 4);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("tea: sugar sank from {:.4f} to {:.4f} m, {} of {} particles are solid\n", before, height(), solid(),
                   cube);
    EXPECT_LT(height(), 0.75 * before);
    EXPECT_LT(solid(), 0.5 * cube);
}

// The mean of a column over the particles for which it counts.
double mean(const Simulation& s, const std::string& name, const std::function<bool(std::size_t)>& counts) {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < s.particles().size(); ++i)
        if (counts(i)) sum += column(s, name)[i], ++all;
    return sum / all;
}
double height_of(const Simulation& s, std::size_t i) { return s.particles()[s.particles().position][i].y; }
double top_of(const Simulation& s) {
    double top = 0;
    for (std::size_t i = 0; i < s.particles().size(); ++i) top = std::max(top, height_of(s, i));
    return top;
}

// Cubes shrink, and what has melted sinks from the surface, where they float.
TEST(HeatScenesLong, Ice) {
    const auto s = example("ice", 0.004);
    const Pool& pool = s->particles();
    const auto is_ice = [&](std::size_t i) { return pool[pool.body][i] == 1; };
    const auto solid = [&](std::size_t i) { return is_ice(i) && column(*s, "melted")[i] < 0.5f; };
    const double before = total(*s, solid);
    advance(*s, 7);
    double of_melt = 0, of_water = 0, melt = 0, water = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (!is_ice(i))
            of_water += height_of(*s, i), ++water;
        else if (!solid(i))
            of_melt += height_of(*s, i), ++melt;
    if (std::getenv("LOAM_SHOW"))
        fmt::print("ice: {:.2f} of it solid, melt at {:.4f} m, water at {:.4f} m\n", total(*s, solid) / before,
                   of_melt / melt, of_water / water);
    EXPECT_LT(total(*s, solid), 0.7 * before);
    EXPECT_LT(of_melt / melt, 0.033);
}

// It runs down, darkens, and stands.
TEST(HeatScenesLong, LavaCrust) {
    const auto s = example("lava-crust", 0.03);
    const Pool& pool = s->particles();
    advance(*s, 12);
    double farthest = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) farthest = std::max(farthest, pool[pool.position][i].x);
    const double temperature = mean(*s, "temperature", [](std::size_t) { return true; });
    if (std::getenv("LOAM_SHOW"))
        fmt::print("lava: {} particles, {:.2f} m far, {:.0f} K, {:.3f} m/s\n", pool.size(), farthest, temperature,
                   pool.fastest());
    EXPECT_GT(farthest, 0.8);
    EXPECT_LT(temperature, 1250);
    EXPECT_LT(pool.fastest(), 0.1);
}

TEST(HeatScenesLong, Chocolate) {
    const auto s = example("chocolate", 0.0025);
    const double before = top_of(*s);
    advance(*s, 3);
    const double between = top_of(*s);
    advance(*s, 8);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("chocolate: {:.4f} m high, then {:.4f}, then {:.4f}\n", before, between, top_of(*s));
    EXPECT_LT(between, 0.95 * before);
    EXPECT_LT(top_of(*s), 0.5 * before);
}

// Ink gets everywhere.
TEST(HeatScenesLong, Dye) {
    const auto s = example("dye", 0.015);
    advance(*s, 5);
    const auto all = [](std::size_t) { return true; };
    const double usual = mean(*s, "concentration_ink", all), count = static_cast<double>(s->particles().size());
    const double some = total(*s, [&](std::size_t i) { return column(*s, "concentration_ink")[i] > 0.1 * usual; });
    if (std::getenv("LOAM_SHOW")) fmt::print("dye: {:.2f} of the water has some\n", some / count);
    EXPECT_GT(some / count, 0.5);
}

// Honey is thin in the end, and everywhere.
TEST(HeatScenesLong, HoneyWater) {
    const auto s = example("honey-water", 0.0028);
    const auto spread = [&] {
        std::vector<float> all;
        for (std::size_t i = 0; i < s->particles().size(); ++i) all.push_back(column(*s, "concentration_honey")[i]);
        std::sort(all.begin(), all.end());
        return all[all.size() * 9 / 10] - all[all.size() / 10];
    };
    EXPECT_EQ(spread(), 1);
    advance(*s, 9);
    if (std::getenv("LOAM_SHOW")) fmt::print("honey: concentrations differ by {:.3f}\n", spread());
    EXPECT_LT(spread(), 0.4);
}

// Wax rises, and comes down again.
TEST(HeatScenesLong, Lamp) {
    const auto s = example("lamp", 0.0025);
    const Pool& pool = s->particles();
    double highest = 0, last = 0;
    for (int second = 1; second <= 15; ++second) {
        advance(*s, second);
        double sum = 0;
        int count = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == 0) sum += pool[pool.position][i].y, ++count;
        last = sum / count;
        highest = std::max(highest, last);
    }
    if (std::getenv("LOAM_SHOW")) fmt::print("lamp: wax at 0.0140 m, then {:.4f} m, then {:.4f} m\n", highest, last);
    EXPECT_GT(highest, 0.03);
    EXPECT_LT(last, 0.9 * highest);
}

// Iron that has frozen keeps the shape of the mould when it is opened.
TEST(HeatScenesLong, Casting) {
    const auto s = example("casting", 0.008);
    advance(*s, 8);
    const Pool& pool = s->particles();
    double top = 0, melted = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        top = std::max(top, pool[pool.position][i].y);
        melted += column(*s, "melted")[i];
    }
    if (std::getenv("LOAM_SHOW")) fmt::print("casting: {} particles, {} m high\n", pool.size(), top);
    EXPECT_LT(melted, 0.05 * static_cast<double>(pool.size()));
    EXPECT_GT(top, 0.25) << "it stands";
}

} // namespace
} // namespace loam::test
