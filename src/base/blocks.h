// Blocks of particles: the unit of parallel work, the same for any number of threads.
#pragma once

#include <cstddef>

namespace loam {

struct Range {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
};

inline constexpr std::size_t block_size = 1024;

inline std::size_t block_count(std::size_t count, std::size_t size = block_size) { return (count + size - 1) / size; }

inline Range block_range(std::size_t block, std::size_t count, std::size_t size = block_size) {
    const std::size_t begin = block * size;
    return {begin, begin + size < count ? begin + size : count};
}

} // namespace loam
