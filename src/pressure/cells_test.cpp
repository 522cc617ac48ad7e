#include "pressure/cells.h"

#include "passes/transfer/test_particles.h"

namespace loam::test {
namespace {

constexpr auto all = [](std::size_t) { return true; };

double sum(const std::vector<float>& values) {
    double total = 0;
    for (const float value : values) total += value;
    return total;
}

// 0.7 + 2 x - 3 y + 0.5 z at the centers of cells
std::vector<float> plane(const Cells& cells) {
    std::vector<float> field(cells.size());
    for (std::uint32_t k = 0; k < cells.size(); ++k) {
        const Vec3d x = cells.center(k);
        field[k] = static_cast<float>(0.7 + 2 * x.x - 3 * x.y + 0.5 * x.z);
    }
    return field;
}

TEST(Cells, SpreadAllThatParticlesBring) {
    for (const int dimensions : {2, 3}) {
        TestParticles some(uneven_tiles({5, 7, dimensions == 2 ? 0.0 : 4.0}, 0.3, 0.2, 1),
                           {.spacing = 0.3, .dimensions = dimensions});
        Cells cells;
        cells.fit(some.step, 0.6);
        const auto volume = some.pool[some.pool.volume];
        double brought = 0;
        for (const float v : volume) brought += v;
        EXPECT_NEAR(sum(cells.spread(some.step, all, [&](std::size_t i) { return volume[i]; })), brought,
                    1e-5 * brought);
        EXPECT_EQ(sum(cells.spread(
                      some.step, [](std::size_t) { return false; }, [](std::size_t) { return 1.0f; })),
                  0);
    }
}

TEST(Cells, PlaneFieldsAreExact) {
    TestParticles some(uneven_tiles({5, 4, 3}, 0.3, 0.2, 2), {.spacing = 0.3});
    Cells cells;
    cells.fit(some.step, 0.5);
    const std::vector<float> field = plane(cells);
    for (std::size_t i = 0; i < some.pool.size(); ++i) {
        const Vec3d x = some.pool[some.pool.position][i];
        const Float4 at = cells.sample(field, i, x);
        EXPECT_NEAR(at.w, 0.7 + 2 * x.x - 3 * x.y + 0.5 * x.z, 1e-4);
        EXPECT_NEAR(at.x, 2, 1e-4);
        EXPECT_NEAR(at.y, -3, 1e-4);
        EXPECT_NEAR(at.z, 0.5, 1e-4);
    }
}

TEST(Cells, KnowTheirNeighbors) {
    TestParticles some(uneven_tiles({6, 6, 6}, 0.3, 0.2, 3), {.spacing = 0.3});
    Cells cells;
    cells.fit(some.step, 0.6);
    for (std::uint32_t k = 0; k < cells.size(); ++k)
        cells.each_around(k, [&](std::uint32_t other, int x, int y, int z) {
            const Vec3d way = cells.center(other) - cells.center(k);
            EXPECT_NEAR(length(way - 0.6 * Vec3d{double(x), double(y), double(z)}), 0, 1e-9);
            EXPECT_EQ(cells.neighbor(other, -x, -y, -z), k);
        });
    for (std::size_t i = 0; i < some.pool.size(); ++i) { // two cells to either side are there
        std::uint32_t cell = cells.cell_of(i);
        for (const int side : {1, 1, -1, -1, -1, -1}) {
            cell = cells.beside(cell, 1, side);
            ASSERT_NE(cell, Cells::none);
        }
    }
}

TEST(Cells, WrapAtPeriodicSides) {
    TestParticles some(uneven_tiles({8, 4, 0}, 0.25, 0.2, 4), {.spacing = 0.25, .dimensions = 2, .period = {2, 0, 0}});
    Cells cells;
    cells.fit(some.step, 0.5);
    EXPECT_NEAR(cells.edge(0), 0.5, 1e-12);
    std::uint32_t cell = cells.cell_of(0);
    const std::uint32_t first = cell;
    for (int k = 0; k < 4; ++k) cell = cells.beside(cell, 0, 1);
    EXPECT_EQ(cell, first);
}

} // namespace
} // namespace loam::test
