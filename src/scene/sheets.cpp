#include "scene/sheets.h"

namespace loam {

namespace {

// How long an edge is, as a multiple of its length at rest, where the law that holds the sheet together has let it go.
double torn_by(const BehaviorUse& use) {
    if (use.values.has("tear") && use.values.number("tear") > 0) return 1 + 1.2 * use.values.number("tear");
    const bool may_stop = use.values.track("weight") || use.values.number("weight") < 1;
    return may_stop ? BodySheet{}.torn : never_torn;
}

} // namespace

std::vector<BodySheet> sheets_of(const Scene& scene) {
    std::vector<BodySheet> sheets(scene.bodies.size());
    std::uint32_t next = 0;
    for (std::size_t b = 0; b < sheets.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        if (body.boundary || !body.shape || body.group_of) continue;
        std::optional<Sheet> sheet = sheet_of(*body.shape, scene.spacing());
        if (!sheet) continue;
        sheets[b] = {std::make_shared<const Sheet>(std::move(*sheet)), next};
        for (const BehaviorUse& use : behaviors_of(scene, body))
            if (use.values.has("thickness")) sheets[b].torn = torn_by(use); // a law of sheets
        next += static_cast<std::uint32_t>(sheets[b].sheet->points.size());
    }
    return sheets;
}

} // namespace loam
