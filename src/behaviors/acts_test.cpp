#include "behaviors/acts.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "behaviors/behavior.h"

namespace loam {
namespace {

std::vector<std::string> names_in_order(Stage stage,
                                        const std::vector<std::pair<std::string, std::vector<Act>>>& laws) {
    std::vector<NamedActs> named;
    for (const auto& [name, acts] : laws) named.push_back({name, acts});
    std::vector<std::string> names;
    for (const std::size_t k : order_in(stage, named)) names.push_back(laws[k].first);
    return names;
}

TEST(Acts, FollowFromWhatIsDoneToAQuantity) {
    const auto order = names_in_order(Stage::implicit, {{"a reader", {{Stage::implicit, {reads("velocity")}}}},
                                                        {"a follower", {{Stage::implicit, {follows("velocity")}}}},
                                                        {"bound", {{Stage::implicit, {bounds("velocity")}}}},
                                                        {"change", {{Stage::implicit, {changes("velocity")}}}},
                                                        {"set", {{Stage::implicit, {sets("velocity")}}}}});
    EXPECT_EQ(order, (std::vector<std::string>{"set", "change", "bound", "a reader", "a follower"}));
}

TEST(Acts, OfOtherStagesDoNotCount) {
    const auto order = names_in_order(Stage::force, {{"b", {{Stage::force, {changes("acceleration")}}}},
                                                     {"a", {{Stage::force, {changes("acceleration")}}}},
                                                     {"late", {{Stage::implicit, {sets("acceleration")}}}}});
    EXPECT_EQ(order, (std::vector<std::string>{"a", "b"})) << "by name, where nothing orders them";
}

TEST(Acts, GoThroughChainsOfLaws) {
    const auto order = names_in_order(Stage::begin, {{"a", {{Stage::begin, {reads("mud")}}}},
                                                     {"b", {{Stage::begin, {reads("water"), sets("mud")}}}},
                                                     {"c", {{Stage::begin, {sets("water")}}}}});
    EXPECT_EQ(order, (std::vector<std::string>{"c", "b", "a"}));
}

TEST(Acts, WhoChangesWhatItReadsIsNoReader) {
    const auto order = names_in_order(Stage::begin, {{"a", {{Stage::begin, {reads("x"), changes("x")}}}},
                                                     {"b", {{Stage::begin, {reads("x"), changes("x")}}}}});
    EXPECT_EQ(order.size(), 2u);
}

TEST(Acts, ThatEachWaitForTheOtherAreAnError) {
    EXPECT_THROW(names_in_order(Stage::begin, {{"a", {{Stage::begin, {reads("x"), sets("y")}}}},
                                               {"b", {{Stage::begin, {reads("y"), sets("x")}}}}}),
                 std::logic_error);
}

// All laws that there are, as if one scene used them all.
TEST(Acts, OfAllLawsHaveAnOrderInEveryStage) {
    std::vector<NamedActs> named;
    for (const auto& type : Behaviors::all()) named.push_back({type->declaration.name, type->acts});
    for (const auto& type : ImpliedLaws::all()) named.push_back({type->declaration.name, type->acts});
    EXPECT_GT(named.size(), 15u);
    for (std::size_t stage = 0; stage < stage_count; ++stage)
        EXPECT_NO_THROW(order_in(static_cast<Stage>(stage), named)) << stage;
}

TEST(Acts, KnowWhatIsWritten) {
    const Act act{Stage::transfer, {reads("velocity"), bounds("position"), changes("mass")}};
    EXPECT_TRUE(writes(act, "mass"));
    EXPECT_TRUE(writes(act, "position"));
    EXPECT_FALSE(writes(act, "velocity"));
    EXPECT_FALSE(writes(act, "volume"));
}

} // namespace
} // namespace loam
