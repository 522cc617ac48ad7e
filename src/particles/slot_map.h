// Where the particles of a law are. The pool is sorted again and again; a law with a state of its own keeps that in an
// order of its own, by slots that never change. A saved column tells the slot of each particle, and this map finds the
// way back: from a slot to the particle that has it now.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "particles/pool.h"

namespace loam {

class SlotMap {
public:
    static constexpr std::uint32_t gone = UINT32_MAX; // nobody has the slot: its particle has left the pool

    // Declares a saved column: slot + 1, 0 for particles without one. Where a law counts the slots of each of its
    // bodies from 0, the map is that of one body.
    void declare(Pool& pool, const std::string& name, std::optional<std::uint32_t> body = {});
    // A column that others write: slot + 1; or ids, which are slots as they are.
    void follow(Column<std::uint32_t> column, std::size_t count);
    void follow_ids(const Pool& pool, std::size_t count);

    // The particles get the slots from `first` on, in their order; nobody loses one.
    void give(Pool& pool, std::span<const std::uint32_t> particles, std::size_t first = 0);
    void take(Pool& pool, std::size_t slot); // from whoever has it
    void take_all(Pool& pool);
    // After a restart, with the column in place.
    void resize(std::size_t count);

    // Brings the map up to date with the pool; costs nothing where particles are where they were.
    void find(const Pool& pool);

    // Whether these particles have slots, and no others; the map must be up to date.
    bool are_those_of(const Pool& pool, std::span<const std::uint32_t> particles) const;

    std::size_t size() const { return where_.size(); }
    std::uint32_t operator[](std::size_t slot) const { return where_[slot]; }
    std::uint32_t slot_of(const Pool& pool, std::size_t particle) const { // `gone` for those without one
        return pool[column_][particle] - first_;
    }

private:
    Column<std::uint32_t> column_;
    std::uint32_t first_ = 1; // the number of slot 0
    std::optional<std::uint32_t> body_;
    std::vector<std::uint32_t> where_;
    std::uint64_t order_ = 0; // of the pool, when it was found; 0: never
};

} // namespace loam
