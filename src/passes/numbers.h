// A number for every particle: the same for all of a body, or a column where it is keyed over what particles are.
#pragma once

#include <vector>

#include "particles/pool.h"

namespace loam {

class Numbers {
public:
    Numbers() = default;
    explicit Numbers(std::vector<float> by_body, Column<float> own = {}) : by_body_(std::move(by_body)), own_(own) {}

    // For loops over particles.
    struct View {
        const float* by_body;
        const std::uint32_t* body;
        const float* own; // null: by body

        float operator[](std::size_t i) const { return own ? own[i] : by_body[body[i]]; }
    };
    View of(const Pool& pool) const {
        return {by_body_.data(), pool[pool.body].data(), differ() ? pool[own_].data() : nullptr};
    }

    bool differ() const { return own_.index != SIZE_MAX; } // within a body
    const std::vector<float>& by_body() const { return by_body_; }

private:
    std::vector<float> by_body_;
    Column<float> own_;
};

} // namespace loam
