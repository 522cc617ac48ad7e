// What has to be moved to move a particle: its mass, and that of the samples that go with it (samples.h).
#pragma once

#include "particles/pool.h"

namespace loam {

class Inertia {
public:
    // Declares the saved column `inertia`: 0 for particles that carry nothing but themselves.
    void declare(Pool& pool) {
        column_ = pool.declare<float>({.name = "inertia", .unit = "kg", .help = "0: its mass", .saved = true});
    }
    // The particle is a point of a layer: whatever of its mass goes over to samples, it moves as the whole.
    void fix(Pool& pool, std::size_t i) const { pool[column_][i] = pool[pool.mass][i]; }
    float of(const Pool& pool, std::size_t i) const {
        const float carried = pool[column_][i];
        return carried > 0 ? carried : pool[pool.mass][i];
    }
    bool is_layer(const Pool& pool, std::size_t i) const { return pool[column_][i] > 0; }

private:
    Column<float> column_;
};

} // namespace loam
