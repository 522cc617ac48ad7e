// The parts of a step by themselves: walls, sources, the length of a step.
#include <cmath>

#include <gtest/gtest.h>

#include "run/load.h"
#include "step/simulation.h"
#include "step/time_step.h"
#include "step/walls.h"

namespace loam {
namespace {

std::unique_ptr<Simulation> simulation_of(const std::string& text) {
    const Result<Scene> scene = read_scene(text, "test", known_registries());
    if (!scene) throw std::runtime_error(scene.error().text());
    auto simulation = Simulation::create(*scene);
    if (!simulation) throw std::runtime_error(simulation.error().text());
    return std::move(*simulation);
}

// A plate that turns about z once a second; nothing else is near it.
const std::string turning_plate = R"({"particle_radius": 0.05, "duration": 1, "fps": 10,
  "bodies": {
    "water": {"shape": {"box": {"min": [5, 0, 0], "max": [5.2, 0.2, 0.2]}}, "behaviors": {"fluid": {}}},
    "plate": {"shape": {"box": {"min": [0.5, -0.1, -0.5], "max": [1.5, 0.1, 0.5]}},
              "boundary": {"motion": {"turns_per_second": 1, "axis": [0, 0, 1]}}}}})";

struct PlateAt {
    explicit PlateAt(double time) : facts(simulation->context().scene), neighborhood({.support = 0.2}) {
        if (Status made = make_walls(simulation->scene(), facts, neighborhood, walls); !made)
            throw std::runtime_error(made.error().text());
        move_walls(walls, time, facts, neighborhood);
    }
    std::unique_ptr<Simulation> simulation = simulation_of(turning_plate);
    SceneFacts facts;
    Neighborhood neighborhood;
    Walls walls;
};

TEST(Walls, TurnWithTheirParticlesAndSurfaces) {
    const PlateAt plate(0.25);
    const Walls& walls = plate.walls;
    ASSERT_GT(walls.size(), 100u);
    ASSERT_TRUE(walls.move());
    for (std::size_t i = 0; i < walls.size(); ++i) {
        const Vec3d &now = walls[walls.position][i], &rest = walls[walls.rest_position][i];
        EXPECT_NEAR(now.x, -rest.y, 1e-9);
        EXPECT_NEAR(now.y, rest.x, 1e-9);
        EXPECT_NEAR(walls[walls.velocity][i].x, -2 * M_PI * now.y, 1e-3);
        EXPECT_NEAR(length(walls[walls.normal][i].xyz_double()), 1, 1e-5);
    }
    EXPECT_NEAR(walls.bodies[0].pose.point({1, 0, 0}).y, 1, 1e-9);
}

TEST(Walls, HaveTheirFirstOrderBack) {
    PlateAt plate(0.1);
    Pool nobody;
    plate.neighborhood.update(nobody, plate.walls); // sorts them
    walls_in_first_order(plate.walls, plate.neighborhood);
    for (std::uint32_t i = 0; i < plate.walls.size(); ++i) ASSERT_EQ(plate.walls[plate.walls.id][i], i);
}

TEST(Walls, PushOutWhoGotInAndTakeItsSpeedIntoThem) {
    PlateAt plate(0);
    Pool pool;
    pool.give_birth(std::vector<Pool::Birth>{{{1, 0.05, 0}, {1, -3, 0}, 1e-3, 1}, {{3, 3, 3}, {0, 0, 0}, 1e-3, 1}});
    Profile profile;
    StepContext step{.scene = plate.facts, .particles = pool, .walls = plate.walls, .profile = profile};
    step.neighbors = &plate.neighborhood;
    step.traits.resize(2);
    EXPECT_EQ(keep_out_of_walls(step, 1), 1u);
    EXPECT_NEAR(pool[pool.position][0].y, 0.1, 1e-9);
    // The plate's surface rises with the turn, by 2 pi x.
    EXPECT_NEAR(pool[pool.velocity][0].y, 2 * M_PI, 1e-5);
    EXPECT_EQ(pool[pool.velocity][0].x, 1);
    EXPECT_EQ(keep_out_of_walls(step, 1), 0u);
    step.traits[0].own_contacts = true;
    pool[pool.position][0].y = 0;
    EXPECT_EQ(keep_out_of_walls(step, 1), 0u) << "its law does that itself";
}

const std::string tap = R"({"particle_radius": 0.05, "duration": 1, "fps": 10,
  "domain": {"min": [-10, -1, -10], "max": [10, 10, 10]},
  "drains": {"sink": {"shape": {"box": {"min": [4, 0, 0], "max": [5, 1, 1]}}, "bodies": ["oil"]}},
  "bodies": {
    "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}}, "behaviors": {"fluid": {}},
              "emitters": {"tap": {"shape": {"box": {"min": [0, 5, 0], "max": [0.4, 5.1, 0.4]}},
                                   "direction": [0, -1, 0], "speed": 2, "start": 0.5}}},
    "oil": {"shape": {"box": {"min": [2, 0, 0], "max": [2.2, 0.2, 0.2]}}, "behaviors": {"fluid": {"density": 900}}}}})";

class Tap : public testing::Test {
protected:
    Tap() {
        if (Status opened = sources.open(simulation->scene(), simulation->context().scene, 1e-3); !opened)
            throw std::runtime_error(opened.error().text());
    }
    std::unique_ptr<Simulation> simulation = simulation_of(tap);
    Sources sources;
};

TEST_F(Tap, LetsOutWhatItsSpeedCarries) {
    Pool pool;
    Births before(pool), then(pool), later(pool);
    sources.renew(pool, 0.4, before);
    EXPECT_EQ(before.born(), 0u);
    sources.renew(pool, 1.5, then); // two metres of 4 x 4 particles, a tenth of a metre each
    EXPECT_NEAR(static_cast<double>(then.born()), 20 * 16, 16);
    sources.renew(pool, 1.5, later);
    EXPECT_EQ(later.born(), 0u);
    EXPECT_EQ(sources.fastest_between(0, 0.4), 0);
    EXPECT_EQ(sources.fastest_between(0, 0.6), 2);
}

TEST_F(Tap, GoesOnWhereItWas) {
    Pool pool;
    Births some(pool), more(pool), again(pool);
    sources.renew(pool, 1, some);
    const std::vector<double> saved = sources.save(1);
    sources.renew(pool, 1.3, more);
    ASSERT_TRUE(sources.restore(saved, 1));
    sources.renew(pool, 1.3, again);
    EXPECT_GT(more.born(), 0u);
    EXPECT_EQ(again.born(), more.born());
    EXPECT_FALSE(sources.restore({}, 1)) << "of a scene without emitters";
}

TEST_F(Tap, DrainsTakeTheirBodiesAndOpenSidesAll) {
    Pool pool;
    pool.give_birth(std::vector<Pool::Birth>{{.position = {4.5, 0.5, 0.5}, .body = 0},
                                             {.position = {4.5, 0.5, 0.5}, .body = 1},
                                             {.position = {0, -2, 0}, .body = 0},
                                             {.position = {0, 0, 0}, .body = 0}});
    Births births(pool);
    sources.renew(pool, 0, births);
    EXPECT_EQ(births.died(), 2u);
    births.apply(pool);
    ASSERT_EQ(pool.size(), 2u);
    EXPECT_EQ(pool[pool.id][0], 0u) << "water in a drain for oil";
    EXPECT_EQ(pool[pool.id][1], 3u);
}

// Steps of a time that does not divide the frame are made shorter, all alike: none is tiny.
TEST(TimeStep, DividesTheFrameEvenly) {
    const auto s = simulation_of(R"({"particle_radius": 0.05, "duration": 1, "fps": 10, "solver": {"time_step": 0.03},
      "bodies": {"water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}}, "behaviors": {"fluid": {}}}}})");
    std::vector<double> steps;
    ASSERT_TRUE(s->advance(0.1, nullptr, [&] { steps.push_back(s->context().dt); }));
    ASSERT_EQ(steps.size(), 4u);
    for (const double dt : steps) EXPECT_NEAR(dt, 0.025, 1e-12);
    EXPECT_EQ(s->time(), 0.1) << "to the last bit";
}

TEST(TimeStep, SaysWhatWouldHaveToBeTooShort) {
    const auto s =
        simulation_of(R"({"particle_radius": 0.05, "duration": 1, "fps": 10, "solver": {"min_time_step": 0.01},
      "bodies": {"water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}}, "velocity": [1000, 0, 0],
                           "behaviors": {"fluid": {}}}}})");
    const Status done = s->advance(0.1);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("limited by: velocity"), std::string::npos) << done.error().text();
    EXPECT_NE(done.error().text().find("bodies.water"), std::string::npos) << done.error().text();
}

} // namespace
} // namespace loam
