#include "cache/seal.h"

#include <random>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "cache/test_support.h"

namespace loam {
namespace {

using test::Scratch;

TEST(Seal, HoldsForTheFileAsWritten) {
    const Scratch scratch;
    for (const std::string content : {"", "x", "some content of a file"}) {
        ASSERT_TRUE(write_sealed(scratch / "file", bytes_of(content)));
        EXPECT_TRUE(check_seal(scratch / "file"));
        EXPECT_TRUE(check_seal_quickly(scratch / "file"));
        EXPECT_EQ(test::slurp(scratch / "file").substr(0, content.size()), content);
    }
}

TEST(Seal, BreaksWhenTheFileIsCutAnywhere) {
    const Scratch scratch;
    ASSERT_TRUE(write_sealed(scratch / "file", bytes_of("some content of a file")));
    const std::string whole = test::slurp(scratch / "file");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        test::spill(scratch / "cut", whole.substr(0, size));
        EXPECT_FALSE(check_seal_quickly(scratch / "cut")) << size;
        test::spill(scratch / "cut", whole.substr(whole.size() - size));
        EXPECT_FALSE(check_seal_quickly(scratch / "cut")) << size << " from the end";
    }
    test::spill(scratch / "cut", whole + "x");
    EXPECT_FALSE(check_seal_quickly(scratch / "cut"));
}

TEST(Seal, BreaksWhenAnyBitFlips) {
    const Scratch scratch;
    ASSERT_TRUE(write_sealed(scratch / "file", bytes_of("some content of a file")));
    const std::string whole = test::slurp(scratch / "file");
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
        std::string flipped = whole;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
        test::spill(scratch / "flipped", flipped);
        const Status sealed = check_seal(scratch / "flipped");
        ASSERT_FALSE(sealed) << bit;
        EXPECT_EQ(sealed.error().fault, Fault::file);
    }
}

TEST(Seal, RefusesWhatIsNoFile) {
    const Scratch scratch;
    EXPECT_FALSE(check_seal(scratch / "missing"));
    EXPECT_FALSE(check_seal(scratch.path()));
    EXPECT_FALSE(check_seal("/dev/zero"));
    ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
    EXPECT_FALSE(check_seal(scratch / "pipe"));
}

} // namespace
} // namespace loam
