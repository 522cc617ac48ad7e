#include "step/densities.h"

#include "base/parallel.h"
#include "passes/lattice.h"

namespace loam {

void Densities::Material::set(const BodyValues& values) {
    used.clear(), keyed.clear();
    for (std::size_t b = 0; b < values.size(); ++b) {
        used.push_back(values.uses(b));
        keyed.push_back(values.uses(b) && values[b].track("density"));
    }
    density = values.numbers("density"), weight = values.numbers("weight");
}

Densities::Densities(const std::vector<BodyValues>& materials) {
    for (const BodyValues& values : materials) materials_.push_back(std::make_unique<Material>(values));
}

std::vector<std::uint8_t> Densities::changing_bodies() const {
    std::vector<std::uint8_t> changing;
    for (std::size_t b = 0; !materials_.empty() && b < materials_.front()->used.size(); ++b) {
        const Material* first = nullptr;
        changing.push_back(0);
        for (const auto& material : materials_) {
            if (!material->used[b]) continue;
            if (!first) first = material.get();
            changing[b] |= material->keyed[b] || material->density.by_body()[b] != first->density.by_body()[b];
        }
    }
    return changing;
}

bool Densities::any_changes() const {
    const auto changing = changing_bodies();
    return std::any_of(changing.begin(), changing.end(), [](std::uint8_t c) { return c != 0; });
}

Status Densities::prepare(StepContext& step) {
    changes_ = changing_bodies();
    for (std::size_t b = 0; b < changes_.size(); ++b) changes_[b] &= !step.scene.sheets[b].sheet;
    Pool& pool = step.particles;
    density_ = pool.declare<float>({.name = column, .unit = "kg/m^3", .saved = true});
    for (std::size_t i = 0; i < pool.size(); ++i)
        pool[density_][i] = static_cast<float>(step.scene.bodies[pool[pool.body][i]].density);
    return Done{};
}

void Densities::born(StepContext& step, const Renewal& renewal) {
    Pool& pool = step.particles;
    for (std::size_t k = 0; k < renewal.born.size(); ++k)
        if (const std::size_t i = renewal.born.begin + k; renewal.parents[k] == Renewal::no_parent)
            pool[density_][i] = static_cast<float>(step.scene.bodies[pool[pool.body][i]].density);
}

Status Densities::begin(StepContext& step) {
    Pool& pool = step.particles;
    struct Views {
        const Material* material;
        Numbers::View density, weight;
    };
    std::vector<Views> all;
    for (const auto& material : materials_)
        all.push_back({material.get(), material->density.of(pool), material->weight.of(pool)});
    const auto body = pool[pool.body];
    const auto mass = pool[pool.mass], volume = pool[pool.volume], density = pool[density_];
    const double space_per_volume = step.scene.space / lattice_volume(step.scene.kernel, step.scene.spacing);
    parallel_each(pool.size(), [&](std::size_t i) {
        if (!changes_[body[i]]) return;
        double sum = 0, weights = 0;
        for (const Views& own : all)
            if (own.material->used[body[i]]) sum += own.weight[i] * own.density[i], weights += own.weight[i];
        if (!(weights > 0)) return; // nothing says what it is: as before
        const double now = sum / weights;
        mass[i] = static_cast<float>(mass[i] + (now - density[i]) * space_per_volume * volume[i]);
        density[i] = static_cast<float>(now);
    });
    return Done{};
}

} // namespace loam
