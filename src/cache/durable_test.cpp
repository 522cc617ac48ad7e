#include "cache/durable.h"

#include <array>
#include <cerrno>

#include <fcntl.h>

#include <gtest/gtest.h>

#include "cache/test_support.h"

namespace loam {
namespace {

using test::Scratch;

Status write(const std::filesystem::path& path, std::string_view text) {
    const std::array<Bytes, 1> pieces{bytes_of(text)};
    return write_durably(path, pieces);
}

TEST(Durable, WritesPiecesAndReplacesWhatWasThere) {
    const Scratch scratch;
    ASSERT_TRUE(write(scratch / "file", "old and longer"));
    const std::array<Bytes, 2> pieces{bytes_of("ne"), bytes_of("w")};
    ASSERT_TRUE(write_durably(scratch / "file", pieces));
    EXPECT_EQ(test::slurp(scratch / "file"), "new");
    EXPECT_EQ(test::count_files(scratch.path()), 1u);
}

TEST(Durable, AFailedWriteLeavesTheOldFileAndNothingElse) {
    const Scratch scratch;
    ASSERT_TRUE(write(scratch / "file", "old"));
    const int code = test::in_child([&] {
        test::allow_files_up_to(10000);
        const Status written = write(scratch / "file", std::string(20000, 'x'));
        return !written && written.error().fault == Fault::file && !written.error().hint.empty() ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(test::slurp(scratch / "file"), "old");
    EXPECT_EQ(test::count_files(scratch.path()), 1u);
}

TEST(Durable, AFullDiskIsReported) {
    const Descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
    ASSERT_TRUE(full);
    EXPECT_EQ(write_all(full.number(), bytes_of("text")), ENOSPC);
    const Error error = file_error("out/frames/000001.vtkhdf", "write the file", ENOSPC);
    EXPECT_EQ(error.where, "out/frames/000001.vtkhdf");
    EXPECT_NE(error.what.find("No space left"), std::string::npos);
    EXPECT_NE(error.hint.find("free some space"), std::string::npos);
}

TEST(Durable, NamesTheFolderThatIsMissingOrAFile) {
    const Scratch scratch;
    test::spill(scratch / "file", "");
    const Status missing = write(scratch / "missing/file", "text");
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().where.find("missing/file"), std::string::npos);
    EXPECT_FALSE(write(scratch / "file/inside", "text"));
    EXPECT_FALSE(make_folder(scratch / "file/inside"));
    EXPECT_FALSE(make_folder(scratch / "file"));
}

TEST(Durable, MakesFoldersWithParents) {
    const Scratch scratch;
    ASSERT_TRUE(make_folder(scratch / "a/b/c"));
    ASSERT_TRUE(make_folder(scratch / "a/b/c"));
    EXPECT_TRUE(std::filesystem::is_directory(scratch / "a/b/c"));
}

TEST(Durable, RemovesOnlyUnfinishedFiles) {
    const Scratch scratch;
    test::spill(scratch / "000001.vtkhdf.123.part", "half");
    test::spill(scratch / "000001.vtkhdf", "whole");
    remove_unfinished(scratch.path());
    EXPECT_EQ(test::count_files(scratch.path()), 1u);
    EXPECT_EQ(test::slurp(scratch / "000001.vtkhdf"), "whole");
}

TEST(Durable, ReadsTextUpToALimit) {
    const Scratch scratch;
    test::spill(scratch / "file", "12345");
    ASSERT_TRUE(read_text(scratch / "file", 5));
    EXPECT_EQ(*read_text(scratch / "file", 5), "12345");
    EXPECT_FALSE(read_text(scratch / "file", 4));
    EXPECT_FALSE(read_text("/dev/zero", 1000));
    EXPECT_FALSE(read_text(scratch / "missing", 5));
}

} // namespace
} // namespace loam
