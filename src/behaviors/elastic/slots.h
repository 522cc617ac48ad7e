// The pool is sorted anew in every step. A solid has an order of its own, by its shape at rest, in which its bonds are
// kept: particle i of the pool has slot `column[i] - 1`, and slot s is at present particle index()[s] of the pool.
#pragma once

#include <vector>

#include "particles/pool.h"

namespace loam {

class BondSlots {
public:
    static constexpr std::uint32_t gone = UINT32_MAX; // the particle has left the pool

    void declare(Pool& pool, const std::string& name);
    // Gives slots 0, 1, ... to these particles of the pool, and to no others.
    void give(Pool& pool, const std::vector<std::uint32_t>& particles);
    // Whether these are the particles that have slots; index() must be up to date.
    bool are(const Pool& pool, const std::vector<std::uint32_t>& particles) const;
    // Brings index() up to date.
    void find(const Pool& pool);

    std::size_t size() const { return index_.size(); }
    std::uint32_t operator[](std::size_t slot) const { return index_[slot]; }
    std::uint32_t of(const Pool& pool, std::size_t particle) const { return pool[column_][particle] - 1; } // or `gone`
    void resize(std::size_t count) { index_.assign(count, gone); }

private:
    Column<std::uint32_t> column_;
    std::vector<std::uint32_t> index_;
};

} // namespace loam
