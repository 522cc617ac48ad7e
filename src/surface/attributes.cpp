#include "surface/attributes.h"

#include "base/parallel.h"

namespace loam {
namespace {

struct Near {
    std::uint32_t particle; // in the particles' own order
    float weight;
};

// The particles near a vertex, with weights by closeness and volume; that with the most is `near[0]`. Further and
// further, where there is none.
void find_near(const Cloud& cloud, const Vec3f& vertex, std::vector<Near>& near) {
    const Vec3d at{vertex.x, vertex.y, cloud.flat() ? 0.0 : vertex.z};
    for (double reach = cloud.neighbor_reach(); near.empty() && reach < 20 * cloud.neighbor_reach(); reach *= 2) {
        const Vec3d margin{reach, reach, reach}, relative = at - cloud.origin();
        float most = 0;
        cloud.each_in_box(at - margin, at + margin, [&](std::uint32_t i) {
            const Vec3d way = cloud.places()[i].xyz_double() - relative;
            const double t = 1 - dot(way, way) / (reach * reach);
            if (t <= 0) return;
            near.push_back({cloud.order()[i], static_cast<float>(t * t * t * cloud.share(i))});
            if (near.back().weight > most) {
                most = near.back().weight;
                std::swap(near.front(), near.back());
            }
        });
    }
}

void set_mean(const MeshColumn& from, std::span<const Near> near, float* to) {
    double sum[3] = {}, weight = 0;
    for (const Near& n : near) {
        for (int k = 0; k < from.components; ++k)
            sum[k] += double(n.weight) * from.values[std::size_t(from.components) * n.particle + std::size_t(k)];
        weight += n.weight;
    }
    for (int k = 0; k < from.components; ++k) to[k] = weight > 0 ? static_cast<float>(sum[k] / weight) : 0;
}

} // namespace

void carry_columns(const Cloud& cloud, SurfaceMesh& mesh) {
    const SurfaceParticles& particles = cloud.particles();
    const std::size_t count = mesh.vertices.size();
    mesh.body.assign(count, 0);
    mesh.columns.clear();
    for (const MeshColumn& from : particles.columns)
        mesh.columns.push_back({from.name, from.unit, from.components,
                                std::vector<float>(count * static_cast<std::size_t>(from.components))});
    parallel_ranges(count, [&](Range range) {
        std::vector<Near> near;
        for (std::size_t v = range.begin; v != range.end; ++v) {
            near.clear();
            find_near(cloud, mesh.vertices[v], near);
            if (near.empty()) continue;
            if (!particles.body.empty()) mesh.body[v] = particles.body[near.front().particle];
            for (std::size_t c = 0; c < mesh.columns.size(); ++c)
                set_mean(particles.columns[c], near,
                         mesh.columns[c].values.data() + v * static_cast<std::size_t>(mesh.columns[c].components));
        }
    });
}

} // namespace loam
