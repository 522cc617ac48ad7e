// Pressure by itself, on a few particles in the plane: what solvers find, and what equations of state say.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "pressure/wcsph/state.h"
#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

std::vector<std::string> solver_names() {
    std::vector<std::string> names;
    for (const auto& type : PressureSolvers::all()) names.push_back(type->declaration.name);
    return names;
}

class Solver : public testing::TestWithParam<std::string> {
protected:
    // So many particles side by side and above each other, around the origin and alone, that move by rate times their
    // place.
    std::unique_ptr<Simulation> block(double rate, int across = 8, int up = 8, const std::string& more = "") const {
        const std::string x = std::to_string(0.05 * across), y = std::to_string(0.05 * up);
        const std::string shape = R"({"box": {"min": [-)" + x + ", -" + y + R"(], "max": [)" + x + ", " + y + "]}}";
        const auto scene = read_scene(R"({"dimensions": 2, "particle_radius": 0.05, "solver": {"time_step": 0.002,
            "wcsph": {"sound_speed": 10}, "pressure": ")" +
                                          GetParam() + "\"" + more + R"(},
            "bodies": {"water": {"behaviors": {"fluid": {}}, "jitter": )" +
                                          std::to_string(jitter_) + R"(, "shape": )" + shape + "}}}",
                                      "test", known_registries());
        EXPECT_TRUE(scene) << scene.error().text();
        auto simulation = Simulation::create(*scene);
        EXPECT_TRUE(simulation) << simulation.error().text();
        Pool& pool = (*simulation)->particles();
        for (std::size_t i = 0; i < pool.size(); ++i) pool[pool.velocity][i] = float4(rate * pool[pool.position][i]);
        return std::move(*simulation);
    }

    double jitter_ = 0;
};

Vec3d momentum(const Pool& pool) {
    Vec3d sum;
    for (std::size_t i = 0; i < pool.size(); ++i)
        sum += static_cast<double>(pool[pool.mass][i]) * pool[pool.velocity][i].xyz_double();
    return sum;
}

double mean_speed(const Pool& pool) {
    double sum = 0;
    for (const Float4& v : pool[pool.velocity]) sum += length(v.xyz_double());
    return sum / static_cast<double>(pool.size());
}

// The rate at which a block still closes in: sum of -v . x over sum of x . x.
double closing(const Pool& pool) {
    double along = 0, squares = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d& x = pool[pool.position][i];
        along -= dot(pool[pool.velocity][i].xyz_double(), x), squares += dot(x, x);
    }
    return along / squares;
}

TEST_P(Solver, PushesApartWhatClosesInAndNothingElse) {
    const auto closes = block(-1), opens = block(1);
    const auto largest = [](const Simulation& s) {
        const auto pressure = s.particles()[s.particles().pressure];
        EXPECT_GE(*std::min_element(pressure.begin(), pressure.end()), 0);
        return *std::max_element(pressure.begin(), pressure.end());
    };
    float closing_most = 0, opening_most = 0;
    ASSERT_TRUE(closes->advance(0.1, nullptr, [&] { closing_most = std::max(closing_most, largest(*closes)); }));
    ASSERT_TRUE(opens->advance(0.1, nullptr, [&] { opening_most = std::max(opening_most, largest(*opens)); }));
    EXPECT_GT(closing_most, 0);
    EXPECT_EQ(opening_most, 0);
    EXPECT_LT(closing(closes->particles()), 0.1);
    EXPECT_NEAR(closing(opens->particles()), -1 / 1.1, 1e-4) << "what expands flies on as it was";
}

TEST_P(Solver, PushesEqualAndOpposite) {
    jitter_ = 0.5; // nothing that is lost on one side is lost on the other as well
    const auto s = block(-1);
    const Pool& pool = s->particles();
    const Vec3d before = momentum(pool);
    const double scale = mean_speed(pool) * static_cast<double>(pool.size()) * pool[pool.mass][0];
    ASSERT_TRUE(s->advance(0.05));
    EXPECT_LT(closing(pool), 0.5) << "they have pushed";
    EXPECT_LT(length(momentum(pool) - before), 1e-6 * scale);
}

TEST_P(Solver, LetsALonePairPass) {
    const auto s = block(-1, 2, 1);
    ASSERT_TRUE(s->advance(0.02));
    EXPECT_NEAR(closing(s->particles()), 1 / 0.98, 1e-4) << "two particles are no fluid yet";
}

INSTANTIATE_TEST_SUITE_P(Each, Solver, testing::ValuesIn(solver_names()), [](const auto& one) { return one.param; });

class IteratingSolver : public Solver {};

TEST_P(IteratingSolver, LeavesLessTheLongerItMayIterate) {
    double last = 1;
    for (const int most : {2, 6, 40}) {
        const auto s = block(-1, 16, 16, R"(, "volume_error": 1e-8, "max_iterations": )" + std::to_string(most));
        ASSERT_TRUE(s->advance(0.05));
        const StepReport report = s->take_report();
        EXPECT_LT(report.volume_error, 0.1 * last) << most;
        last = report.volume_error;
    }
}

TEST_P(IteratingSolver, StopsWhereItIsGoodEnough) {
    for (const double wanted : {1e-3, 1e-5}) {
        const auto s = block(-1, 16, 16, R"(, "volume_error": )" + std::to_string(wanted));
        ASSERT_TRUE(s->advance(0.05));
        const StepReport report = s->take_report();
        EXPECT_EQ(report.unconverged, 0u);
        EXPECT_LE(report.volume_error, wanted);
        EXPECT_LT(report.iterations, 10); // and not much later
    }
}

INSTANTIATE_TEST_SUITE_P(Each, IteratingSolver, testing::Values("dfsph", "iisph", "pcisph", "pbf"),
                         [](const auto& one) { return one.param; });

EquationOfState state(const std::string& kind, bool negative = false) {
    const PressureType* type = PressureSolvers::find("wcsph");
    PressureSetup setup{.values = Values(type->declaration), .volume_error = 0.01, .expected_speed = 2};
    setup.values.set("state", kind);
    setup.values.set("negative_pressure", negative);
    return EquationOfState(setup);
}

TEST(EquationOfState, SoundIsSoFastThatTheFastestFlowCompressesAsAllowed) {
    EXPECT_NEAR(state("tait").sound, 20, 1e-9);
}

TEST(EquationOfState, RisesFromRestWithTheSpeedOfSoundSquared) {
    for (const char* kind : {"tait", "linear"}) {
        const EquationOfState s = state(kind);
        EXPECT_EQ(s.pressure(1000, 1), 0);
        EXPECT_NEAR(s.pressure(1000, 1.001f) / 0.001, 1000 * 20 * 20, 0.005 * 1000 * 20 * 20) << kind;
        EXPECT_NEAR(s.pressure(500, 1.01f), 0.5 * s.pressure(1000, 1.01f), 1e-3 * s.pressure(500, 1.01f)) << kind;
    }
}

TEST(EquationOfState, TaitIsStifferUntilItsTangentTakesOver) {
    const EquationOfState s = state("tait");
    EXPECT_NEAR(s.pressure(1000, 1.1f), 4e5 * (std::pow(1.1, 7) - 1) / 7, 100);
    const float at = EquationOfState::stiffest, h = 0.01f;
    const float below = (s.pressure(1000, at) - s.pressure(1000, at - h)) / h;
    const float above = (s.pressure(1000, at + h) - s.pressure(1000, at)) / h;
    const float far = (s.pressure(1000, 2 + h) - s.pressure(1000, 2)) / h;
    EXPECT_NEAR(above, below, 0.05 * below);
    EXPECT_NEAR(far, above, 0.01 * above);
}

TEST(EquationOfState, PullsOnlyWhereItMay) {
    for (const char* kind : {"tait", "linear"}) {
        EXPECT_EQ(state(kind).pressure(1000, 0.9f), 0) << kind;
        EXPECT_LT(state(kind, true).pressure(1000, 0.9f), 0) << kind;
    }
}

} // namespace
} // namespace loam
