#include "particles/snapshot.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

struct Grains {
    Columns columns;
    Column<Vec3d> position = columns.declare<Vec3d>({.name = "position", .saved = true});
    Column<float> heat = columns.declare<float>({.name = "heat", .saved = true});
    Column<float> density = columns.declare<float>({.name = "density"});

    explicit Grains(std::size_t count) {
        columns.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto k = static_cast<float>(i);
            columns[position][i] = {k, 2, 3}, columns[heat][i] = 10 * k, columns[density][i] = 1000;
        }
    }
};

TEST(SavedColumns, ComeBackInTheirOrderWhateverHappenedSince) {
    Grains grains(5);
    const SavedColumns saved = save_columns(grains.columns);
    grains.columns.reorder(std::vector<std::uint32_t>{4, 1});
    grains.columns.append(7);
    ASSERT_TRUE(restore_columns(grains.columns, saved));
    ASSERT_EQ(grains.columns.size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(grains.columns[grains.position][i], (Vec3d{static_cast<double>(i), 2, 3}));
        EXPECT_EQ(grains.columns[grains.heat][i], 10.0f * static_cast<float>(i));
        EXPECT_EQ(grains.columns[grains.density][i], 0) << "unsaved columns start anew";
    }
}

TEST(SavedColumns, ThatDoNotFitAreNamedAndChangeNothing) {
    const SavedColumns saved = save_columns(Grains(5).columns);
    const auto refusal = [&](Columns& columns) {
        const Status done = restore_columns(columns, saved);
        return done ? std::string("none") : done.error().what;
    };
    Grains more(3);
    more.columns.declare<float>({.name = "saturation", .saved = true});
    EXPECT_NE(refusal(more.columns).find("'saturation' is missing"), std::string::npos) << refusal(more.columns);
    EXPECT_EQ(more.columns.size(), 3u);
    EXPECT_EQ(more.columns[more.density][2], 1000);

    Columns fewer;
    fewer.declare<Vec3d>({.name = "position", .saved = true});
    EXPECT_NE(refusal(fewer).find("heat"), std::string::npos) << refusal(fewer);

    Columns other;
    other.declare<Float4>({.name = "position", .saved = true});
    EXPECT_NE(refusal(other).find("'position' is of another type"), std::string::npos) << refusal(other);
}

} // namespace
} // namespace loam
