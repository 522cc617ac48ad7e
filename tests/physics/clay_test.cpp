// Clay: an equation of state that attracts.
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

// A lump that flies apart, in free space.
std::string lump(const std::string& law, double viscosity = 1, int dimensions = 2) {
    return fmt::format(R"({{"dimensions": {}, "particle_radius": 0.01, "duration": 2, "fps": 50,
      "bodies": {{"lump": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.2, 0.2, {}]}}}}, "velocity": [0.3, 0, 0],
        "start": {{"velocity": {{"rates": [4, 4, 0]}}}},
        "behaviors": {{{}, "viscosity": {{"viscosity": {}}}}}}}}}}})",
                       dimensions, dimensions == 2 ? 0 : 0.1, law, viscosity);
}
double extent(const Simulation& s) {
    double least = 1e9, most = -1e9;
    for (const Vec3d& p : s.particles()[s.particles().position])
        least = std::min(least, p.y), most = std::max(most, p.y);
    return most - least;
}

TEST(Clay, HangsTogetherWhereAFluidFliesApart) {
    for (const int dimensions : {2, 3}) {
        const auto clay = start(lump(R"("clay": {"density": 1000, "stiffness": 3000})", 1, dimensions));
        const auto fluid = start(lump(R"("fluid": {"density": 1000})", 1, dimensions));
        const Vec3d before = momentum(*clay);
        advance(*clay, 0.5), advance(*fluid, 0.5);
        if (std::getenv("LOAM_SHOW"))
            fmt::print("{}D: clay {:.3f}, fluid {:.3f} m\n", dimensions, extent(*clay), extent(*fluid));
        EXPECT_LT(extent(*clay), 0.35);
        EXPECT_GT(extent(*fluid), 1.3 * extent(*clay));
        EXPECT_LT(length(momentum(*clay) - before), 2e-4 * length(before));
    }
}

// It ends at rest, and whole: no clumps and no holes.
TEST(Clay, ComesToRestWithoutClumps) {
    const auto s = start(lump(R"("clay": {"density": 1000, "stiffness": 3000})", 20));
    advance(*s, 2);
    const Pool& pool = s->particles();
    double nearest = 1e9, mean = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        double own = 1e9;
        for (std::size_t j = 0; j < pool.size(); ++j)
            if (j != i) own = std::min(own, length(pool[pool.position][i] - pool[pool.position][j]));
        nearest = std::min(nearest, own), mean += own / static_cast<double>(pool.size());
    }
    const double energy = kinetic_energy(*s) - 0.5 * 40 * 0.3 * 0.3; // of the flight
    if (std::getenv("LOAM_SHOW")) fmt::print("nearest {:.4f} mean {:.4f} energy {:.5f}\n", nearest, mean, energy);
    EXPECT_GT(nearest, 0.012);
    EXPECT_GT(mean, 0.017);
    EXPECT_LT(energy, 0.02);
}

TEST(Clay, GivesWayBeyondItsStrength) {
    const auto strong = start(lump(R"("clay": {"density": 1000, "stiffness": 3000})")),
               weak = start(lump(R"("clay": {"density": 1000, "stiffness": 3000, "strength": 20})"));
    advance(*strong, 0.5), advance(*weak, 0.5);
    EXPECT_GT(extent(*weak), 1.5 * extent(*strong));
}

} // namespace
} // namespace loam::test
