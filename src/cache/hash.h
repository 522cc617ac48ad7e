// XXH64, a fast 64-bit checksum (Y. Collet, the xxHash specification): finds damage, does not stop forgery.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace loam {

class Hash {
public:
    void add(std::span<const std::byte> bytes);
    std::uint64_t value() const;

private:
    static constexpr std::size_t stripe = 32; // bytes taken at once, eight per lane

    void take(const std::byte* bytes);

    std::array<std::uint64_t, 4> lanes_{0x60EA27EEADC0B5D6u, 0xC2B2AE3D27D4EB4Fu, 0u, 0x61C8864E7A143579u};
    std::array<std::byte, stripe> rest_{};
    std::size_t rest_size_ = 0;
    std::uint64_t total_ = 0;
};

std::uint64_t hash_of(std::span<const std::byte> bytes);
std::uint64_t hash_of(std::string_view text);

} // namespace loam
