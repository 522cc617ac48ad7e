#include "bench/plan.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

using Sizes = std::vector<std::size_t>;

TEST(BenchPlan, SizesAreReadWithTheirUnitsAndSorted) {
    const auto sizes = read_sizes("1.5M,10k,250000,10000");
    ASSERT_TRUE(sizes) << sizes.error().text();
    EXPECT_EQ(*sizes, (Sizes{10'000, 250'000, 1'500'000}));
}

TEST(BenchPlan, WrongWordsAreNamedWithWhatIsAllowed) {
    for (const char* words : {"", "10x", "k", "10k,", "10k,,1M", "ten", "999", "101M", "-5k", "nan", "1e99", "inf"}) {
        const auto sizes = read_sizes(words);
        ASSERT_FALSE(sizes) << words;
        EXPECT_EQ(sizes.error().fault, Fault::usage);
        EXPECT_EQ(sizes.error().where, "--sizes");
        EXPECT_NE(sizes.error().hint.find("1k to 100M"), std::string::npos);
    }
    for (const char* words : {"", "0", "2,x", "1025", "1.5", "-1"}) EXPECT_FALSE(read_threads(words)) << words;
    EXPECT_FALSE(read_instruction_sets("sse"));
    EXPECT_NE(read_solvers("dfhsp").error().hint.find("dfsph"), std::string::npos);
}

TEST(BenchPlan, ListsKeepTheirOrderAndNothingTwice) {
    EXPECT_EQ(*read_threads("2,1,2"), (std::vector{2, 1}));
    EXPECT_EQ(*read_solvers("dfsph,wcsph"), (std::vector<std::string>{"dfsph", "wcsph"}));
    const auto sets = read_instruction_sets("best,scalar," + std::string(name_of(best_instruction_set())));
    ASSERT_TRUE(sets);
    EXPECT_EQ(sets->front(), best_instruction_set());
    EXPECT_EQ(sets->size(), best_instruction_set() == InstructionSet::scalar ? 1u : 2u);
}

} // namespace
} // namespace loam
