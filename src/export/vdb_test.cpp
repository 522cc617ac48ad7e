// Reads exported VDBs back with OpenVDB. Other formats are read back by other programs in tests/program/export_test.py.
#include "export/format.h"

#include <gtest/gtest.h>

#ifdef LOAM_OPENVDB

#include <sstream>

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointCount.h>
#include <openvdb/points/PointDataGrid.h>

namespace loam {
namespace {

openvdb::GridBase::Ptr only_grid(const std::string& bytes) {
    std::istringstream in(bytes, std::ios::binary);
    const openvdb::GridPtrVecPtr grids = openvdb::io::Stream(in).getGrids();
    return grids->size() == 1 ? grids->front() : nullptr;
}

// [-1, 1]^3, its triangles counter-clockwise from outside.
Geometry cube() {
    Geometry g{.time = 0.5, .size = 0.1, .is_mesh = true};
    for (int c = 0; c < 8; ++c) g.positions.push_back({c & 1 ? 1.f : -1.f, c & 2 ? 1.f : -1.f, c & 4 ? 1.f : -1.f});
    g.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                   {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return g;
}

TEST(ExportVdb, LevelSetHoldsDistances) {
    const Result<std::string> bytes = encode_vdb(cube());
    ASSERT_TRUE(bytes) << bytes.error().text();
    const auto grid = openvdb::gridPtrCast<openvdb::FloatGrid>(only_grid(*bytes));
    ASSERT_TRUE(grid);
    EXPECT_EQ(grid->getName(), "surface");
    EXPECT_EQ(grid->getGridClass(), openvdb::GRID_LEVEL_SET);
    const auto at = [&](double x) {
        return grid->getConstAccessor().getValue(grid->transform().worldToIndexNodeCentered({x, 0, 0}));
    };
    EXPECT_NEAR(at(1.1), 0.1, 0.01);
    EXPECT_NEAR(at(0.9), -0.1, 0.01);
    EXPECT_NEAR(at(0), -0.3, 0.01);
    EXPECT_NEAR(at(2), 0.3, 0.01);
}

TEST(ExportVdb, PointsKeepPlaceSizeAndVelocity) {
    Geometry g{.size = 0.1, .positions = {{0, 0, 0}, {1, 2, 3}}, .ids = {7, 9}, .radii = {0.1f, 0.2f}};
    g.columns = {{"velocity", "m/s", 3, {1, 2, 3, 4, 5, 6}}};
    const Result<std::string> bytes = encode_vdb(g);
    ASSERT_TRUE(bytes) << bytes.error().text();
    const auto grid = openvdb::gridPtrCast<openvdb::points::PointDataGrid>(only_grid(*bytes));
    ASSERT_TRUE(grid);
    EXPECT_EQ(openvdb::points::pointCount(grid->tree()), 2u);
    int seen = 0;
    for (auto leaf = grid->tree().cbeginLeaf(); leaf; ++leaf) {
        const openvdb::points::AttributeHandle<openvdb::Vec3f> place(leaf->constAttributeArray("P"));
        const openvdb::points::AttributeHandle<openvdb::Vec3f> velocity(leaf->constAttributeArray("v"));
        const openvdb::points::AttributeHandle<float> size(leaf->constAttributeArray("pscale"));
        const openvdb::points::AttributeHandle<std::int32_t> id(leaf->constAttributeArray("id"));
        for (auto index = leaf->beginIndexOn(); index; ++index, ++seen) {
            const std::size_t k = id.get(*index) == 7 ? 0 : 1;
            const openvdb::Vec3d p =
                grid->transform().indexToWorld(openvdb::Vec3d(place.get(*index)) + index.getCoord().asVec3d());
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_NEAR(p[axis], g.positions[k][static_cast<std::size_t>(axis)], 1e-5);
                EXPECT_EQ(velocity.get(*index)[axis], g.columns[0].values[3 * k + static_cast<std::size_t>(axis)]);
            }
            EXPECT_EQ(size.get(*index), g.radii[k]);
        }
    }
    EXPECT_EQ(seen, 2);
}

} // namespace
} // namespace loam

#else

TEST(ExportVdb, WithoutTheLibraryNamesThePackage) {
    const loam::Result<std::string> bytes = loam::encode_vdb({});
    ASSERT_FALSE(bytes);
    EXPECT_NE(bytes.error().hint.find("libopenvdb-dev"), std::string::npos);
}

#endif
