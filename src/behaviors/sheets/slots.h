// A stable order of particles: the pool is sorted in every step, a law with a reference state is not. Each particle of
// such a law has a slot, remembered in a saved column; arrays of the law are in the order of slots.
#pragma once

#include <string>
#include <vector>

#include "behaviors/sheets/inertia.h"
#include "passes/context.h"

namespace loam {

class Slots {
public:
    static constexpr std::uint32_t missing = UINT32_MAX;

    // Declares the saved column NAME_slot and, shared by all laws, `held` and `inertia`. Each body counts its slots
    // from 0.
    void declare(Pool& pool, const std::string& name, std::uint32_t body);
    // The particles of the body get slots, in the order of their ids. Returns where they are.
    std::vector<Vec3d> enter(Pool& pool);
    // The body touches others, walls, and itself where it folds (src/behaviors/contact).
    void let_touch(StepContext& step, const std::vector<Vec3d>& at_rest, double friction) const;
    // After a restart, with the column in place.
    void resize(std::size_t count) { where_.assign(count, missing); }
    // After the pool has been sorted: where each slot's particle is now; `missing` when it has died.
    void locate(const Pool& pool);
    bool still_located(const Pool& pool) const; // nobody was sorted or has died since

    std::uint32_t body() const { return body_; }
    std::size_t size() const { return where_.size(); }
    std::size_t padded() const { return (size() + 7) / 8 * 8; } // for loops over eight slots at a time
    std::uint32_t where(std::size_t slot) const { return where_[slot]; }
    // Particles that are moved by something else than forces, such as a pin: nothing accelerates them.
    bool held(const Pool& pool, std::size_t slot) const {
        return where_[slot] == missing || pool[held_][where_[slot]] != 0;
    }
    float inertia(const Pool& pool, std::size_t slot) const { return inertia_.of(pool, where_[slot]); }

private:
    std::uint32_t body_ = 0;
    Inertia inertia_;
    Column<std::uint32_t> slot_, held_; // slot + 1, 0: none
    std::vector<std::uint32_t> where_;  // by slot: index in the pool
};

// The column of particles that are held: 0 for free ones.
Column<std::uint32_t> declare_held(Pool& pool);

} // namespace loam
