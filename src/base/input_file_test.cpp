#include "base/input_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace loam {
namespace {

TEST(InputFile, GivesTheBytes) {
    const std::string path = ::testing::TempDir() + "loam_input_file";
    std::ofstream(path, std::ios::binary) << std::string("a\0b\n", 4);
    EXPECT_EQ(*read_input_file(path), std::string("a\0b\n", 4));
    EXPECT_TRUE(read_input_file(path, 4));
    EXPECT_FALSE(read_input_file(path, 3));
    std::filesystem::remove(path);
    EXPECT_EQ(read_input_file(path).error().what, "cannot be opened");
}

TEST(InputFile, DevicesAndFoldersEndInAMessage) {
    EXPECT_NE(read_input_file("/dev/zero").error().what.find("device"), std::string::npos);
    EXPECT_NE(read_input_file(::testing::TempDir()).error().what.find("folder"), std::string::npos);
    const std::string pipe = ::testing::TempDir() + "loam_input_pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NE(read_input_file(pipe).error().what.find("pipe"), std::string::npos);
    std::filesystem::remove(pipe);
}

} // namespace
} // namespace loam
