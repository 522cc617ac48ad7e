#include "cache/checkpoint.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "cache/test_support.h"

namespace loam {
namespace {

using test::Scratch;

constexpr std::uint64_t scene = 0xfedcba9876543210u;

SavedState some_state() {
    return {{"time", {0.1 + 0.2}},
            {"emitter/water.spout 100%", {1, -0.0, std::numeric_limits<double>::denorm_min()}},
            {".", {}}};
}

Snapshot snapshot_of(const Columns& columns) { return {save_columns(columns), some_state()}; }

TEST(Checkpoint, ComesBackBitForBit) {
    const Scratch scratch;
    Columns columns = test::some_particles(100);
    const auto velocity = Column<Float4>{columns.find("velocity")};
    const std::uint32_t odd_nan = 0x7fa12345u; // a signalling NaN with a payload
    std::memcpy(&columns[velocity][3].w, &odd_nan, 4);
    columns[velocity][4].x = -0.0f;
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", snapshot_of(columns), scene));

    const Result<Snapshot> read = read_checkpoint(scratch / "c.h5", scene);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->state, some_state());
    EXPECT_TRUE(std::signbit(read->state.at("emitter/water.spout 100%")[1]));
    Columns restored = test::some_particles(7);
    ASSERT_TRUE(restore_columns(restored, read->columns));
    ASSERT_EQ(restored.size(), columns.size());
    for (std::size_t i = 0; i < columns.column_count(); ++i) {
        const ColumnInfo& info = columns.info(i);
        if (!info.saved) continue;
        EXPECT_EQ(std::memcmp(restored.bytes(i), columns.bytes(i), columns.size() * info.stride), 0) << info.name;
    }
}

TEST(Checkpoint, MayBeEmpty) {
    const Scratch scratch;
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", {save_columns(test::some_particles(0)), {}}, scene));
    const Result<Snapshot> read = read_checkpoint(scratch / "c.h5", scene);
    ASSERT_TRUE(read);
    Columns restored = test::some_particles(7);
    ASSERT_TRUE(restore_columns(restored, read->columns));
    EXPECT_EQ(restored.size(), 0u);
}

TEST(Checkpoint, OfAnotherSceneIsRefused) {
    const Scratch scratch;
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", snapshot_of(test::some_particles(10)), scene));
    const Result<Snapshot> read = read_checkpoint(scratch / "c.h5", scene + 1);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().what.find("another scene"), std::string::npos);
}

TEST(Checkpoint, DamageIsFound) {
    const Scratch scratch;
    ASSERT_TRUE(write_checkpoint(scratch / "c.h5", snapshot_of(test::some_particles(10)), scene));
    const std::string whole = test::slurp(scratch / "c.h5");
    for (std::size_t at = 0; at < whole.size(); at += 97) {
        std::string changed = whole;
        changed[at] ^= 1;
        test::spill(scratch / "changed", changed);
        EXPECT_FALSE(read_checkpoint(scratch / "changed", scene)) << at;
        test::spill(scratch / "changed", whole.substr(0, at));
        EXPECT_FALSE(read_checkpoint(scratch / "changed", scene)) << at;
    }
}

} // namespace
} // namespace loam
