// Elastic bodies with pores (behaviors/porous): what the water in them does to the body, and the body to its pores.
//
//   P = p + (d lambda + 2 mu) ((1 + s)^(1/d) - 1)     inner pressure: of the water, and so that the body left alone
//                                                     has 1 + s times its volume; d dimensions
//   J = det(I + H)                                    volume of a particle, as a multiple of that at rest
#include <cmath>

#include "behaviors/elastic/elastic.h"

namespace loam {
namespace {

// A column that some law of the scene has declared.
std::optional<Column<float>> shared(const Pool& pool, const char* name) {
    const std::size_t index = pool.find(name);
    return index == SIZE_MAX ? std::nullopt : std::optional(Column<float>{index});
}

} // namespace

void Elastic::find_inner_pressure(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto pressure = shared(pool, "pore_pressure"), swelling = shared(pool, "swelling");
    if (!pressure || !swelling) return;
    const double d = step.scene.dimensions;
    parallel_each(reference_.size(), [&](std::size_t s) {
        const std::uint32_t i = slots_[s];
        Float4& moduli = moduli_[s];
        moduli.w = 0;
        if (i == SlotMap::gone) return;
        const double stretch = std::pow(1 + pool[*swelling][i], 1 / d) - 1;
        moduli.w = static_cast<float>(pool[*pressure][i] + (d * moduli.x + 2 * moduli.y) * stretch);
    });
}

void Elastic::tell_volumes(StepContext& step) const {
    Pool& pool = step.particles;
    const auto ratio = shared(pool, "volume_ratio"), yields = shared(pool, "pores_yield");
    if (!ratio || !yields) return;
    parallel_each(reference_.size(), [&](std::size_t s) {
        if (slots_[s] == SlotMap::gone) return;
        const Vec3d x = gradient_[3 * s].xyz_double() + Vec3d{1, 0, 0},
                    y = gradient_[3 * s + 1].xyz_double() + Vec3d{0, 1, 0},
                    z = gradient_[3 * s + 2].xyz_double() + Vec3d{0, 0, 1};
        pool[*ratio][slots_[s]] = static_cast<float>(dot(x, cross(y, z)));
        pool[*yields][slots_[s]] = 1;
    });
}

} // namespace loam
