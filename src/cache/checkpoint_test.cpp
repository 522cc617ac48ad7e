#include "cache/checkpoint.h"

#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "cache/test_support.h"

namespace loam {
namespace {

using test::Scratch;

constexpr std::uint64_t scene = 0xfedcba9876543210u;

State some_state() {
    State state;
    state.set_number("time", 0.1 + 0.2);
    state.set_count("steps", UINT64_MAX);
    state.set("emitter/water.spout 100%", State::Numbers{1, -0.0, std::numeric_limits<double>::denorm_min()});
    state.set(".", State::Counts{});
    state.set("bodies", State::Texts{"water", "", "öl"});
    state.set("none", State::Texts{});
    return state;
}

// The same declarations, no particles.
Columns empty_like(const Columns&) { return test::some_particles(0); }

TEST(Checkpoint, ComesBackBitForBit) {
    const Scratch scratch;
    Columns columns = test::some_particles(100);
    const auto velocity = Column<Float4>{columns.find("velocity")};
    const std::uint32_t odd_nan = 0x7fa12345u; // a signalling NaN with a payload
    std::memcpy(&columns[velocity][3].w, &odd_nan, 4);
    columns[velocity][4].x = -0.0f;
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", columns, some_state(), scene));

    Columns restored = test::some_particles(7);
    const Result<State> state = read_checkpoint(scratch / "c.h5", restored, scene);
    ASSERT_TRUE(state) << state.error().text();
    EXPECT_EQ(*state, some_state());
    ASSERT_EQ(restored.size(), columns.size());
    for (std::size_t i = 0; i < columns.column_count(); ++i) {
        const ColumnInfo& info = columns.info(i);
        if (!info.saved) continue;
        EXPECT_EQ(std::memcmp(restored.bytes(i), columns.bytes(i), columns.size() * info.stride), 0) << info.name;
    }
    EXPECT_EQ(restored[Column<float>{restored.find("density")}][5], 0) << "unsaved columns start anew";
}

TEST(Checkpoint, MayBeEmpty) {
    const Scratch scratch;
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", test::some_particles(0), {}, scene));
    Columns restored = test::some_particles(7);
    ASSERT_TRUE(read_checkpoint(scratch / "c.h5", restored, scene));
    EXPECT_EQ(restored.size(), 0u);
}

TEST(Checkpoint, OfAnotherSceneIsRefused) {
    const Scratch scratch;
    const Columns columns = test::some_particles(10);
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", columns, some_state(), scene));
    Columns restored = empty_like(columns);
    const Result<State> state = read_checkpoint(scratch / "c.h5", restored, scene + 1);
    ASSERT_FALSE(state);
    EXPECT_NE(state.error().what.find("another scene"), std::string::npos);
}

TEST(Checkpoint, NamesColumnsThatDoNotFit) {
    const Scratch scratch;
    const Columns columns = test::some_particles(10);
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", columns, some_state(), scene));

    Columns more = empty_like(columns);
    more.declare<float>({.name = "saturation", .saved = true});
    const Result<State> missing = read_checkpoint(scratch / "c.h5", more, scene);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().what.find("'saturation' is missing"), std::string::npos);

    Columns fewer;
    fewer.declare<Vec3d>({.name = "position", .saved = true});
    const Result<State> extra = read_checkpoint(scratch / "c.h5", fewer, scene);
    ASSERT_FALSE(extra);
    EXPECT_NE(extra.error().what.find("hidden, id, velocity"), std::string::npos) << extra.error().what;

    Columns other;
    other.declare<Float4>({.name = "position", .saved = true});
    const Result<State> type = read_checkpoint(scratch / "c.h5", other, scene);
    ASSERT_FALSE(type);
    EXPECT_NE(type.error().what.find("'position' is of another type"), std::string::npos);
}

TEST(Checkpoint, DamageIsFound) {
    const Scratch scratch;
    const Columns columns = test::some_particles(10);
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", columns, some_state(), scene));
    const std::string whole = test::slurp(scratch / "c.h5");
    Columns restored = empty_like(columns);
    for (std::size_t at = 0; at < whole.size(); at += 97) {
        std::string changed = whole;
        changed[at] ^= 1;
        test::spill(scratch / "changed", changed);
        EXPECT_FALSE(read_checkpoint(scratch / "changed", restored, scene)) << at;
        test::spill(scratch / "changed", whole.substr(0, at));
        EXPECT_FALSE(read_checkpoint(scratch / "changed", restored, scene)) << at;
    }
}

TEST(Checkpoint, RefusesStateThatItCannotKeep) {
    const Scratch scratch;
    State state;
    state.set("name", State::Texts{std::string("a\0b", 3)});
    EXPECT_FALSE(write_checkpoint(scratch / "c.h5", test::some_particles(1), state, scene));
    EXPECT_EQ(test::count_files(scratch.path()), 0u);
}

TEST(State, GivesSingleValuesOfTheRightKindOnly) {
    const State state = some_state();
    EXPECT_EQ(*state.number("time"), 0.1 + 0.2);
    EXPECT_EQ(*state.count("steps"), UINT64_MAX);
    EXPECT_FALSE(state.number("steps"));
    EXPECT_FALSE(state.count("missing"));
    EXPECT_EQ(state.find<State::Texts>("bodies")->size(), 3u);
    EXPECT_EQ(state.find<State::Numbers>("bodies"), nullptr);
}

} // namespace
} // namespace loam
