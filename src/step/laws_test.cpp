#include "step/laws.h"

#include <gtest/gtest.h>

#include "passes/transfer/test_particles.h"

namespace loam {
namespace {

using Calls = std::vector<std::string>;

class Probe : public Behavior {
public:
    Probe(std::string name, Calls& calls) : name_(std::move(name)), calls_(calls) {}

    Numbers share;
    double longest_step = 1e300;
    bool fails = false, is_viscous = false;
    std::size_t told_of = 0; // newborns

    void tell(std::size_t body, BodyTraits& traits) const override { traits.viscous |= is_viscous && body == 0; }
    Numbers pressure_share() const override { return share; }
    Status begin(StepContext&) override { return called("begin"); }
    void apply(StepContext&) override { static_cast<void>(called("force")); }
    Status apply_implicit(StepContext&) override { return called("implicit"); }
    Status transfer(StepContext&) override { return called("transfer"); }
    void births(StepContext& step, Births& births) override {
        births.split(0, 0.5, step.particles[step.particles.position][0]);
    }
    void born(StepContext&, const Renewal& renewal) override { told_of += renewal.born.size(); }
    void constrain(StepContext&, FieldKind kind, std::span<Float4>) override {
        static_cast<void>(called(kind == FieldKind::velocity ? "velocity" : "change"));
    }
    TimeStepLimit time_step(const StepContext&) const override { return {longest_step, name_}; }

private:
    Status called(const std::string& stage) {
        calls_.push_back(name_ + " " + stage);
        if (fails) return Error{Fault::simulation, name_, "on purpose"};
        return Done{};
    }
    std::string name_;
    Calls& calls_;
};

class LawsAtWork : public testing::Test {
protected:
    LawsAtWork() : particles({{{0, 0, 0}, 1}, {{1, 0, 0}, 1}}, {}) {
        particles.facts.bodies.resize(2);
        particles.pool[particles.pool.body][1] = 1;
    }
    Probe& add(const std::string& name, std::vector<Act> acts, TakesPressure pressure = TakesPressure::no) {
        auto probe = std::make_unique<Probe>(name, calls);
        Probe& law = *probe;
        laws.add({name, std::move(acts), pressure, std::move(probe)});
        return law;
    }

    test::TestParticles particles;
    StepContext& step = particles.step;
    Laws laws;
    Calls calls;
};

TEST_F(LawsAtWork, ActInTheStagesThatTheyDeclareAndInTheirOrder) {
    add("a", {{Stage::implicit, {reads("velocity")}}});
    add("b", {{Stage::implicit, {sets("velocity")}}, {Stage::transfer, {}}});
    laws.arrange();
    ASSERT_TRUE(laws.run(Stage::begin, step));
    ASSERT_TRUE(laws.run(Stage::implicit, step));
    ASSERT_TRUE(laws.run(Stage::transfer, step));
    EXPECT_EQ(calls, (Calls{"b implicit", "a implicit", "b transfer"}));
}

TEST_F(LawsAtWork, StopAtTheFirstThatFails) {
    add("a", {{Stage::begin, {}}}).fails = true;
    add("b", {{Stage::begin, {}}});
    laws.arrange();
    const Status done = laws.run(Stage::begin, step);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().where, "a");
    EXPECT_EQ(calls, Calls{"a begin"});
}

TEST_F(LawsAtWork, TellOfBodies) {
    add("a", {}).is_viscous = true;
    add("b", {});
    laws.tell(step);
    EXPECT_TRUE(step.traits[0].viscous);
    EXPECT_FALSE(step.traits[1].viscous);
}

TEST_F(LawsAtWork, WithoutPressureAllIsSolid) {
    add("a", {});
    laws.tell(step);
    EXPECT_FALSE(step.flow.all);
    EXPECT_TRUE(step.is_solid(0));
    EXPECT_FALSE(step.flow.anything(particles.pool));
}

TEST_F(LawsAtWork, SharesOfPressureAddUp) {
    add("water", {}, TakesPressure::by_weight).share = Numbers({1, 0.2f});
    laws.tell(step);
    EXPECT_FALSE(step.flow.all);
    EXPECT_FALSE(step.is_solid(1));
    add("sand", {}, TakesPressure::wholly).share = Numbers({0, 1});
    laws.tell(step);
    EXPECT_TRUE(step.flow.all);
    EXPECT_EQ(step.flowing(), 2u);
}

TEST_F(LawsAtWork, SharesMayDifferFromParticleToParticle) {
    Pool& pool = particles.pool;
    const auto own = pool.declare<float>({.name = "own_share"});
    pool[own][0] = 0, pool[own][1] = 0.7f;
    add("a", {}, TakesPressure::by_weight).share = Numbers({1, 1}, own);
    add("b", {}, TakesPressure::by_weight).share = Numbers({0.4f, 0});
    laws.tell(step);
    EXPECT_FALSE(step.flow.all);
    const auto share = step.flow.share.of(pool);
    EXPECT_EQ(share[0], 0.4f);
    EXPECT_EQ(share[1], 0.7f);
}

TEST_F(LawsAtWork, WallsAndGuidesNeedNotFlow) {
    particles.facts.bodies[1].is_material = false;
    add("water", {}, TakesPressure::by_weight).share = Numbers({1, 0});
    laws.tell(step);
    EXPECT_TRUE(step.flow.all);
}

TEST_F(LawsAtWork, TheShortestStepWins) {
    add("a", {}).longest_step = 0.3;
    add("b", {}).longest_step = 0.1;
    EXPECT_EQ(laws.time_step(step, {0.2, "frame"}).reason, "b");
    EXPECT_EQ(laws.time_step(step, {0.05, "frame"}).reason, "frame");
}

TEST_F(LawsAtWork, OnlyThoseThatConstrainDo) {
    add("a", {{Stage::force, {}}});
    laws.arrange();
    EXPECT_FALSE(laws.constraint(step));
    add("c", {{Stage::constrain, {changes("field")}}});
    add("d", {{Stage::constrain, {sets("field")}}});
    laws.arrange();
    laws.constraint(step)(FieldKind::change, {});
    EXPECT_EQ(calls, (Calls{"d change", "c change"}));
}

TEST_F(LawsAtWork, EachHearsOfBirthsThatOneAskedFor) {
    Probe& asks = add("a", {{Stage::births, {}}});
    Probe& other = add("b", {});
    laws.arrange();
    Births births(particles.pool);
    laws.ask_for_births(step, births);
    laws.born(step, births.apply(particles.pool));
    EXPECT_EQ(particles.pool.size(), 3u);
    EXPECT_EQ(asks.told_of, 1u);
    EXPECT_EQ(other.told_of, 1u);
}

} // namespace
} // namespace loam
