#include "cache/hash.h"

#include <vector>

#include <gtest/gtest.h>

namespace loam {
namespace {

TEST(Hash, GivesThePublishedValues) {
    EXPECT_EQ(hash_of(""), 0xEF46DB3751D8E999u);
    EXPECT_EQ(hash_of("a"), 0xD24EC4F1A98C6E5Bu);
    EXPECT_EQ(hash_of("abc"), 0x44BC2CF5AD770999u);
    EXPECT_EQ(hash_of("Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1u);
}

TEST(Hash, DoesNotDependOnHowTheBytesAreCut) {
    std::vector<std::byte> bytes(1000);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 37 + 11);
    const std::uint64_t whole = hash_of(bytes);
    for (const std::size_t cut : {1u, 7u, 31u, 32u, 33u, 64u, 999u}) {
        Hash hash;
        for (std::size_t at = 0; at < bytes.size(); at += cut)
            hash.add(std::span(bytes).subspan(at, std::min(cut, bytes.size() - at)));
        EXPECT_EQ(hash.value(), whole) << "cut into " << cut;
    }
}

TEST(Hash, EveryByteCounts) {
    std::vector<std::byte> bytes(75);
    const std::uint64_t whole = hash_of(bytes);
    for (std::byte& byte : bytes) {
        byte ^= std::byte{1};
        EXPECT_NE(hash_of(bytes), whole);
        byte ^= std::byte{1};
    }
}

} // namespace
} // namespace loam
