#include "cache/frame.h"

#include <random>

#include <gtest/gtest.h>

#include "cache/hdf5.h"
#include "cache/seal.h"
#include "cache/test_support.h"

namespace loam {
namespace {

using test::Scratch;

const FrameHeader header{12, 0.48, 3, 0.01, {"water", "öl", ""}};

template <class T> std::vector<T> values(const Columns& columns, const char* name) {
    const std::size_t index = columns.find(name);
    if (index == SIZE_MAX) return {};
    const std::span<const T> all = columns[Column<T>{index}];
    return {all.begin(), all.end()};
}

TEST(Frame, ComesBackInTheOrderOfIds) {
    const Scratch scratch;
    ASSERT_TRUE(write_frame(scratch / "f.vtkhdf", test::some_particles(50), header));
    const Result<Frame> frame = read_frame(scratch / "f.vtkhdf");
    ASSERT_TRUE(frame) << frame.error().text();
    EXPECT_EQ(frame->header.frame, 12u);
    EXPECT_EQ(frame->header.time, 0.48);
    EXPECT_EQ(frame->header.dimensions, 3);
    EXPECT_EQ(frame->header.particle_radius, 0.01);
    EXPECT_EQ(frame->header.bodies, header.bodies);
    const Columns& columns = frame->columns;
    ASSERT_EQ(columns.size(), 50u);
    for (std::uint32_t i = 0; i < 50; ++i) {
        EXPECT_EQ(values<std::uint32_t>(columns, "id")[i], i);
        EXPECT_EQ(values<Float4>(columns, "position")[i], (Float4{1.f * i, 0.5f * i, -1.f * i, 0}));
        EXPECT_EQ(values<Float4>(columns, "velocity")[i], (Float4{1.f * i, 2, 3, 0}));
        EXPECT_EQ(values<double>(columns, "heat")[i], 0.1 * i);
        EXPECT_EQ(values<float>(columns, "density")[i], 1000.f + i);
    }
    EXPECT_EQ(columns.find("hidden"), SIZE_MAX);
    EXPECT_EQ(columns.info(columns.find("velocity")).unit, "m/s");
    EXPECT_EQ(columns.info(columns.find("velocity")).help, "of the particle");
}

TEST(Frame, TellsTheVolumeOfAFullParticleWhereItIsKnown) {
    const Scratch scratch;
    FrameHeader told = header;
    told.particle_volume = 7.9e-6;
    ASSERT_TRUE(write_frame(scratch / "new.vtkhdf", test::some_particles(5), told));
    ASSERT_TRUE(write_frame(scratch / "old.vtkhdf", test::some_particles(5), header)); // as Loam once wrote them
    const Result<Frame> now = read_frame(scratch / "new.vtkhdf"), before = read_frame(scratch / "old.vtkhdf");
    ASSERT_TRUE(now) << now.error().text();
    ASSERT_TRUE(before) << before.error().text();
    EXPECT_EQ(now->header.particle_volume, 7.9e-6);
    EXPECT_EQ(before->header.particle_volume, 0);
}

TEST(Frame, MayBeEmptyOrHaveOneParticle) {
    const Scratch scratch;
    for (const std::uint32_t count : {0u, 1u}) {
        ASSERT_TRUE(write_frame(scratch / "f.vtkhdf", test::some_particles(count), header));
        const Result<Frame> frame = read_frame(scratch / "f.vtkhdf");
        ASSERT_TRUE(frame) << frame.error().text();
        EXPECT_EQ(frame->columns.size(), count);
        EXPECT_NE(frame->columns.find("velocity"), SIZE_MAX);
    }
}

TEST(Frame, ManyParticlesInAnyOrderGiveTheSameBytes) {
    const Scratch scratch;
    Columns columns = test::some_particles(100000);
    ASSERT_TRUE(write_frame(scratch / "a", columns, header));
    std::vector<std::uint32_t> order(columns.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    columns.reorder(order);
    ASSERT_TRUE(write_frame(scratch / "b", columns, header));
    EXPECT_EQ(test::slurp(scratch / "a"), test::slurp(scratch / "b"));
}

TEST(Frame, OrdersDenseAndSparseIds) {
    const std::vector<std::uint32_t> dense{3, 0, 2, 0}, sparse{4000000000u, 7, 4294967295u, 7};
    EXPECT_EQ(order_by_id(dense), (std::vector<std::uint32_t>{1, 3, 2, 0}));
    EXPECT_EQ(order_by_id(sparse), (std::vector<std::uint32_t>{1, 3, 0, 2}));
    EXPECT_TRUE(order_by_id({}).empty());
}

TEST(Frame, NeedsPositions) {
    const Scratch scratch;
    Columns columns;
    columns.declare<float>({.name = "density", .output = true});
    EXPECT_FALSE(write_frame(scratch / "f.vtkhdf", columns, header));
    EXPECT_EQ(test::count_files(scratch.path()), 0u);
}

TEST(Frame, CutOrChangedFilesGiveAnError) {
    const Scratch scratch;
    ASSERT_TRUE(write_frame(scratch / "f.vtkhdf", test::some_particles(50), header));
    const std::string whole = test::slurp(scratch / "f.vtkhdf");
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        std::string changed = whole;
        if (i % 2)
            changed.resize(random() % whole.size());
        else
            changed[random() % whole.size()] ^= static_cast<char>(1 + random() % 255);
        test::spill(scratch / "changed", changed);
        const Result<Frame> frame = read_frame(scratch / "changed");
        ASSERT_FALSE(frame);
        EXPECT_EQ(frame.error().fault, Fault::file);
        EXPECT_FALSE(frame.error().hint.empty());
    }
}

TEST(Frame, RandomBytesGiveAnErrorEvenWhenSealed) {
    const Scratch scratch;
    std::mt19937 random(1);
    for (const std::size_t size : {0u, 1u, 31u, 32u, 100u, 5000u}) {
        std::string noise(size, '\0');
        for (char& c : noise) c = static_cast<char>(random());
        test::spill(scratch / "noise", noise);
        EXPECT_FALSE(read_frame(scratch / "noise"));
        ASSERT_TRUE(write_sealed(scratch / "noise", bytes_of(noise)));
        EXPECT_FALSE(read_frame(scratch / "noise"));
    }
}

// A sealed file of HDF5 that is no frame, or claims more than it has.
TEST(Frame, OtherContentGivesAnError) {
    const Scratch scratch;
    {
        hdf5::Writer file;
        file.group("/Loam");
        ASSERT_TRUE(write_sealed(scratch / "other", file.image()));
    }
    const Result<Frame> other = read_frame(scratch / "other");
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().what.find("not a frame"), std::string::npos);
    {
        hdf5::Writer file;
        file.group("/Loam");
        file.attribute("/Loam", "content", std::string("frame"));
        file.attribute("/Loam", "version", std::int64_t{99});
        ASSERT_TRUE(write_sealed(scratch / "newer", file.image()));
    }
    const Result<Frame> newer = read_frame(scratch / "newer");
    ASSERT_FALSE(newer);
    EXPECT_NE(newer.error().what.find("version 99"), std::string::npos);
}

TEST(Frame, AFullDiskKeepsTheOldFrame) {
    const Scratch scratch;
    ASSERT_TRUE(write_frame(scratch / "f.vtkhdf", test::some_particles(50), header));
    const std::string before = test::slurp(scratch / "f.vtkhdf");
    for (const std::size_t limit : {0u, 100u, 4096u, 20000u}) {
        const int code = test::in_child([&] {
            test::allow_files_up_to(limit);
            const Status written = write_frame(scratch / "f.vtkhdf", test::some_particles(900), header);
            return !written && written.error().fault == Fault::file ? 0 : 1;
        });
        EXPECT_EQ(code, 0);
    }
    EXPECT_EQ(test::slurp(scratch / "f.vtkhdf"), before);
    EXPECT_EQ(test::count_files(scratch.path()), 1u);
}

} // namespace
} // namespace loam
