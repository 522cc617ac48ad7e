#include "pressure/cell_equations.h"

#include <gtest/gtest.h>

namespace loam::test {
namespace {

// A row of cells between two ends that are 0, an edge beyond the last ones: -x'' = 1.
CellEquations row(std::uint32_t count) {
    CellEquations equations;
    for (std::uint32_t k = 0; k < count; ++k) {
        equations.add(k);
        equations.diagonal[k] = 2, equations.right[k] = 1;
        if (k > 0) equations.neighbors[k][0] = k - 1, equations.along[k][0] = 1;
        if (k + 1 < count) equations.neighbors[k][1] = k + 1, equations.along[k][1] = 1;
    }
    return equations;
}

TEST(CellEquations, FindAParabola) {
    CellEquations equations = row(31);
    EXPECT_LE(equations.solve(100, 1e-6), 31); // as many steps as unknowns at most
    for (std::size_t k = 0; k < 31; ++k) EXPECT_NEAR(equations.x[k], 0.5 * double(k + 1) * double(31 - k), 1e-3) << k;
}

TEST(CellEquations, StartFromWhatIsKnown) {
    CellEquations equations = row(31);
    equations.solve(100, 1e-6);
    EXPECT_EQ(equations.solve(100, 1e-4), 0);
}

// Nothing is asked of cells that are tied to nothing.
TEST(CellEquations, LoneCellsStayAtZero) {
    CellEquations equations = row(3);
    equations.add(3);
    equations.solve(100, 1e-6);
    EXPECT_EQ(equations.x[3], 0);
    EXPECT_NEAR(equations.x[1], 2, 1e-5);
}

TEST(CellEquations, AreEmptyAfterClear) {
    CellEquations equations = row(3);
    equations.clear();
    EXPECT_EQ(equations.solve(100, 1e-6), 0);
    EXPECT_TRUE(equations.x.empty());
}

} // namespace
} // namespace loam::test
