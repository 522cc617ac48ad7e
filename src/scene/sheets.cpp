#include "scene/sheets.h"

namespace loam {

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
            if (use.values.has("tear") && use.values.number("tear") > 0)
                sheets[b].torn = 1 + 1.2 * use.values.number("tear");
        next += static_cast<std::uint32_t>(sheets[b].sheet->points.size());
    }
    return sheets;
}

} // namespace loam
