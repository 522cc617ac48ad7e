// The loop over a particle's pairs with kept gradients, see kept_gradients.h. Only *.isa.cpp sources include this.
#pragma once

#include "passes/kept_gradients.h"
#include "passes/pair.h"

namespace loam::LOAM_ISA {

// All 32 bits of a word are used: 11 + 11 + 10. Numbers are read as they stand at the word's upper end, 2^21 times as
// large, which saves shifts in every pair of every iteration: in units of unit_of().
LAW float unit_of(const KeptGradients& pairs) { return pairs.unit / (1 << 21); }
LAW real3 unpack(whole word) { return {to_real(word << 21), to_real(word << 10 & ~0 << 21), to_real(word & ~0 << 22)}; }

// What an iteration reads in a row is more than caches hold, and processors do not fetch it soon enough by themselves:
// with a million particles this takes a sixth off an iteration.
inline constexpr std::uint32_t per_line = 16, ahead = 256; // entries: of a line of the cache; of some ten particles

// visit(j, gradient): in units of unit_of(pairs)
template <class Visit> LAW void each_kept(const KeptGradients& pairs, std::size_t i, const Visit& visit) {
    const NeighborList::Entry entry = pairs.entries[i];
    const std::uint32_t* const list = pairs.lists[i / block_size] + entry.start;
    const std::uint32_t* const words = pairs.words[i / block_size] + entry.start;
    for (std::uint32_t k = 0; k < entry.count; k += lanes) {
        if (k % per_line == 0) {
            __builtin_prefetch(list + k + ahead);
            __builtin_prefetch(words + k + ahead);
        }
        visit(list + k, unpack(load_words(words + k)));
    }
}

// Puts down the gradient of a pair that each_neighbor() visits; returns what is kept of it.
LAW real3 keep(const KeptGradients& to, std::size_t i, const Pair& pair, real3 gradient) {
    const float scale = 1 / to.unit, most = gradient_most;
    const auto bits = [&](real x, float s)
                          LAW_LAMBDA { return rounded(larger(smaller(s * x, broadcast(most)), broadcast(-most))); };
    const whole word = (bits(gradient.x, scale) & 2047) | (bits(gradient.y, scale) & 2047) << 11 |
                       bits(gradient.z, 0.5f * scale) << 22;
    store_words(to.words[i / block_size] + (pair.j - to.lists[i / block_size]), word);
    return broadcast(unit_of(to)) * unpack(word);
}

// Of a pair that each_neighbor() visits.
LAW real3 kept_gradient(const KeptGradients& pairs, std::size_t i, const Pair& pair) {
    const std::uint32_t* const words = pairs.words[i / block_size] + (pair.j - pairs.lists[i / block_size]);
    return broadcast(unit_of(pairs)) * unpack(load_words(words));
}

} // namespace loam::LOAM_ISA
