#include "cache/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace loam {
namespace {

// The five primes of the specification.
constexpr std::uint64_t p1 = 0x9E3779B185EBCA87u, p2 = 0xC2B2AE3D27D4EB4Fu, p3 = 0x165667B19E3779F9u,
                        p4 = 0x85EBCA77C2B2AE63u, p5 = 0x27D4EB2F165667C5u;

template <class T> T load(const std::byte* bytes) {
    static_assert(std::endian::native == std::endian::little, "the specification reads little-endian words");
    T word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

std::uint64_t mixed(std::uint64_t lane, std::uint64_t word) { return std::rotl(lane + word * p2, 31) * p1; }

std::uint64_t merged(std::uint64_t all, std::uint64_t lane) { return (all ^ mixed(0, lane)) * p1 + p4; }

} // namespace

void Hash::take(const std::byte* bytes) {
    for (std::size_t i = 0; i < 4; ++i) lanes_[i] = mixed(lanes_[i], load<std::uint64_t>(bytes + 8 * i));
}

void Hash::add(std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    total_ += bytes.size();
    if (rest_size_ > 0) {
        const std::size_t part = std::min(stripe - rest_size_, bytes.size());
        std::memcpy(rest_.data() + rest_size_, bytes.data(), part);
        rest_size_ += part;
        bytes = bytes.subspan(part);
        if (rest_size_ < stripe) return;
        take(rest_.data());
        rest_size_ = 0;
    }
    for (; bytes.size() >= stripe; bytes = bytes.subspan(stripe)) take(bytes.data());
    std::copy(bytes.begin(), bytes.end(), rest_.begin());
    rest_size_ = bytes.size();
}

std::uint64_t Hash::value() const {
    std::uint64_t all = p5;
    if (total_ >= stripe) {
        all = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
        for (const std::uint64_t lane : lanes_) all = merged(all, lane);
    }
    all += total_;
    const std::byte* at = rest_.data();
    const std::byte* end = at + rest_size_;
    for (; at + 8 <= end; at += 8) all = std::rotl(all ^ mixed(0, load<std::uint64_t>(at)), 27) * p1 + p4;
    for (; at + 4 <= end; at += 4) all = std::rotl(all ^ load<std::uint32_t>(at) * p1, 23) * p2 + p3;
    for (; at < end; ++at) all = std::rotl(all ^ std::to_integer<std::uint64_t>(*at) * p5, 11) * p1;
    all = (all ^ (all >> 33)) * p2;
    all = (all ^ (all >> 29)) * p3;
    return all ^ (all >> 32);
}

std::uint64_t hash_of(std::span<const std::byte> bytes) {
    Hash hash;
    hash.add(bytes);
    return hash.value();
}

std::uint64_t hash_of(std::string_view text) { return hash_of(std::as_bytes(std::span(text.data(), text.size()))); }

} // namespace loam
