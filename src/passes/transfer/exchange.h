// What all passes of an exchange see.
#pragma once

#include "passes/pass.h"
#include "passes/transfer/passes.h"

namespace loam {

struct Exchange {
    Column<Float4> record; // u, 1 / k, m, w
    double dt = 0;
    Vec3d drive; // b

    TransferArgs arguments(Pass& pass) const {
        return {.particles = pass.pairs(),
                .kernel = pass.step().scene.kernel,
                .dt = static_cast<float>(dt),
                .drive = float4(drive),
                .record = pass.reads(record)};
    }
};

} // namespace loam
