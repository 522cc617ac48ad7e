// A made-up law, `tracer`: neighbors exchange an amount, particles split and merge as they like, emitters and drains
// work. It is the walk-through of docs/adding-a-behavior.md: one source, known to scenes by its declaration, told of
// births, and what it exchanges is kept.
#include <numeric>

#include <gtest/gtest.h>

#include "passes/transfer/transfer.h"
#include "run_scene.h"

namespace loam::test {
namespace {

class Tracer : public Behavior {
public:
    explicit Tracer(const BodyValues& values) : values_(values) { set(values); }

    void set(const BodyValues& values) override { rate_ = values.numbers("rate"); }

    Status prepare(StepContext& step) override {
        Pool& pool = step.particles;
        amount_ = pool.declare<double>(
            {.name = "tracer", .help = "how much it holds", .saved = true, .output = true, .nature = Nature::amount});
        transfer_.declare(pool, {.name = "tracer", .reason = "tracer"});
        for (std::size_t i = 0; i < pool.size(); ++i) fill(pool, i, pool[pool.position][i].x < 0.2);
        return Done{};
    }

    void born(StepContext& step, const Renewal& renewal) override {
        for (std::size_t k = 0; k < renewal.born.size(); ++k)
            if (renewal.parents[k] == Renewal::no_parent) fill(step.particles, renewal.born.begin + k, true);
    }

    Status transfer(StepContext& step) override {
        Pool& pool = step.particles;
        const auto state = pool[transfer_.state()];
        const auto rate = rate_.of(pool);
        const auto amount = pool[amount_];
        const auto volume = pool[pool.volume];
        parallel_each(pool.size(), [&](std::size_t i) {
            state[i] = {static_cast<float>(amount[i] / volume[i]), rate[i], 1, volume[i]};
        });
        transfer_.move(step, {.amount = amount_, .implicit = true});
        return Done{};
    }

    // Some large ones are cut in two, some small ones join a neighbor, in every step.
    void births(StepContext& step, Births& births) override {
        const Pool& pool = step.particles;
        std::vector<std::uint8_t> busy(pool.size(), 0);
        const auto volume = pool[pool.volume];
        const double whole = step.scene.space;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            if (busy[i] || pool[pool.id][i] % 7 != step_ % 7) continue;
            const Vec3d& at = pool[pool.position][i];
            if (volume[i] > 0.8 * whole) {
                births.split(i, 0.5, at + Vec3d{0.1 * step.scene.spacing, 0, 0});
                continue;
            }
            for (const std::uint32_t j : step.neighbors->particles.of(i)) {
                if (busy[j] || volume[i] + volume[j] > 1.1 * whole) continue;
                busy[i] = busy[j] = 1;
                births.merge(i, j, at - pool[pool.position][j]);
                break;
            }
        }
        ++step_;
    }

private:
    void fill(Pool& pool, std::size_t i, bool full) const {
        if (values_.uses(pool[pool.body][i])) pool[amount_][i] = full ? pool[pool.volume][i] : 0;
    }

    BodyValues values_;
    Numbers rate_;
    Column<double> amount_;
    Transfer transfer_;
    std::size_t step_ = 0;
};

const RegisterBehavior tracer{{
    .declaration = {.name = "tracer",
                    .help = "Made up: spreads between neighbors.",
                    .properties = {number("rate", "m^2/s", 0.01, not_negative, "How fast it spreads.")}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {reads("position")}},
             {Stage::transfer, {reads("volume")}},
             {Stage::births, {changes("volume"), changes("mass"), changes("position"), changes("velocity")}}},
    .make = make_behavior<Tracer>,
}};

std::string tank(const std::string& more = "") {
    return R"({"dimensions": 2, "particle_radius": 0.02, "duration": 1, "fps": 20, "behaviors": {"gravity": {}},
      "bodies": {
        "water": {"shape": {"box": {"min": [0, 0], "max": [0.8, 0.4]}},
                  "behaviors": {"fluid": {}, "tracer": {}}, )" +
           more + R"( "look": {}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.8, 1.2]}, "invert": true}, "boundary": {}}}})";
}

double held(const Simulation& s) {
    const Pool& pool = s.particles();
    const auto* const amount = reinterpret_cast<const double*>(pool.bytes(pool.find("tracer")));
    return std::accumulate(amount, amount + pool.size(), 0.0);
}

double sum(const Simulation& s, Column<float> column) {
    return total(s, [&](std::size_t i) { return s.particles()[column][i]; });
}

TEST(Exchange, KeepsItsAmountThroughSplitsAndMerges) {
    const auto s = start(tank());
    const Pool& pool = s->particles();
    const double amount = held(*s), mass = sum(*s, pool.mass), volume = sum(*s, pool.volume);
    const std::size_t particles = pool.size();
    ASSERT_GT(amount, 0);
    std::size_t most = 0;
    advance(*s, 0.5, [&] { most = std::max(most, pool.size()); });
    EXPECT_GT(most, particles + 10) << "some were cut";
    EXPECT_NEAR(held(*s), amount, 1e-12 * amount);
    EXPECT_NEAR(sum(*s, pool.mass), mass, 1e-6 * mass);
    EXPECT_NEAR(sum(*s, pool.volume), volume, 1e-6 * volume);
    double far = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.position][i].x > 0.3) far += reinterpret_cast<const double*>(pool.bytes(pool.find("tracer")))[i];
    EXPECT_GT(far, 0.02 * amount) << "and it has spread";
}

TEST(Exchange, NewbornsOfEmittersAreFilledByTheLaw) {
    const auto s = start(tank(
        R"("emitters": {"tap": {"shape": {"box": {"min": [0.3, 0.9], "max": [0.5, 0.92]}}, "direction": [0, -1], "speed": 1}},)"));
    const double before = held(*s), volume = sum(*s, s->particles().volume);
    advance(*s, 0.3);
    const double poured = sum(*s, s->particles().volume) - volume;
    ASSERT_GT(poured, 0.01);
    EXPECT_NEAR(held(*s) - before, poured, 1e-5 * poured);
}

TEST(Exchange, GoesOnTheSameFromASnapshot) {
    const auto s = start(tank());
    advance(*s, 0.2);
    const Snapshot then = s->snapshot();
    EXPECT_NE(then.columns.find("tracer"), nullptr);
    advance(*s, 0.25);
    const double once = held(*s);
    ASSERT_TRUE(s->restore(then));
    EXPECT_EQ(s->time(), 0.2);
    EXPECT_NEAR(held(*s), once, 1e-12 * once);
}

} // namespace
} // namespace loam::test
