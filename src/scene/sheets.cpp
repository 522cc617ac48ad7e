#include "scene/sheets.h"

namespace loam {
namespace {

// How long an edge is, as a multiple of its length at rest, where the law that holds the sheet together has let it go.
double torn_by(const BehaviorUse& use) {
    if (use.values.has("tear") && use.values.number("tear") > 0) return 1 + 1.2 * use.values.number("tear");
    const bool may_stop = use.values.track("weight") || use.values.number("weight") < 1;
    return may_stop ? BodySheet{}.torn : never_torn;
}

// Three layers of a third of the thickness each.
void knit(Sheet& sheet, BodySheet& body, const Values& values) {
    sheet = in_three_layers(std::move(sheet), values.number("thickness") / 3);
    body.holes = values.number("holes");
    body.wales = values.number("wales"), body.courses = values.number("courses");
    body.axis = values.vector("axis");
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
        sheets[b].first_id = next;
        for (const BehaviorUse& use : behaviors_of(scene, body)) {
            if (use.values.has("thickness")) sheets[b].torn = torn_by(use); // a law of sheets
            if (use.values.has("wales")) knit(*sheet, sheets[b], use.values);
        }
        sheets[b].sheet = std::make_shared<const Sheet>(std::move(*sheet));
        next += static_cast<std::uint32_t>(sheets[b].sheet->points.size());
    }
    return sheets;
}

} // namespace loam
