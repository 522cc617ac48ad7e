// The particles of one body of a law of sheets, in a stable order: arrays of the law are in the order of slots.
#pragma once

#include <string>
#include <vector>

#include "behaviors/sheets/inertia.h"
#include "particles/slot_map.h"
#include "passes/context.h"

namespace loam {

class Slots {
public:
    static constexpr std::uint32_t missing = SlotMap::gone;

    // Declares the saved column NAME_slot and, shared by all laws, `inertia`. Each body counts its slots from 0.
    void declare(Pool& pool, const std::string& name, std::uint32_t body);
    // The particles of the body get slots, in the order of their ids. Returns where they are.
    std::vector<Vec3d> enter(Pool& pool);
    // The body touches others, walls, and itself where it folds (src/behaviors/contact).
    void let_touch(StepContext& step, const std::vector<Vec3d>& at_rest) const;
    // After a restart, with the column in place.
    void resize(std::size_t count) { map_.resize(count); }
    // Where each slot's particle is now.
    void locate(const Pool& pool) { map_.find(pool); }

    std::uint32_t body() const { return body_; }
    std::size_t size() const { return map_.size(); }
    std::size_t padded() const { return (size() + 7) / 8 * 8; }        // for loops over eight slots at a time
    std::uint32_t where(std::size_t slot) const { return map_[slot]; } // `missing` when it has died
    // Particles that are moved by something else than forces, such as a pin: nothing accelerates them.
    bool held(const Pool& pool, std::size_t slot) const { return where(slot) == missing || pool.is_held(where(slot)); }
    float inertia(const Pool& pool, std::size_t slot) const { return inertia_.of(pool, where(slot)); }

private:
    std::uint32_t body_ = 0;
    Inertia inertia_;
    SlotMap map_;
};

} // namespace loam
