// What frames and the log show of elastic bodies: stress, strain and energy of particles as they are now.
//
//   eps   = sym(R^T F G) + N - I,    sigma = lambda tr(eps) I + 2 mu eps         see elastic.law.h
//   E     = V (lambda tr(eps)^2 / 2 + mu eps : eps + k/2 sum_j w |u - H X - h n.X|^2)
//
// in the axes of the world. E is the energy whose derivative the forces are, so what is lost of it is lost to damping,
// flow and cracks, or to the steps.
#include "behaviors/elastic/elastic.h"
#include "behaviors/elastic/turn.h"
#include "passes/pass.h"

namespace loam {
namespace {

double product(const Mat3& a, const Mat3& b) { // a : b
    return dot(a.row[0], b.row[0]) + dot(a.row[1], b.row[1]) + dot(a.row[2], b.row[2]);
}

Mat3 rows_of(const std::vector<Float4>& rows, std::size_t slot) {
    return {{rows[3 * slot].xyz_double(), rows[3 * slot + 1].xyz_double(), rows[3 * slot + 2].xyz_double()}};
}

Mat3 null_projector(const Float4& n) {
    const Mat3 along = Mat3::outer(n.xyz_double(), n.xyz_double());
    return n.w > 0 ? along : n.w < 0 ? Mat3::identity() - along : Mat3{};
}

double von_mises(const Mat3& stress) {
    const Mat3 shear = stress - (stress.trace() / 3) * Mat3::identity();
    return std::sqrt(1.5 * product(shear, shear));
}

Float4 diagonal(const Mat3& m) { return float4({m.row[0].x, m.row[1].y, m.row[2].z}); }
Float4 aside(const Mat3& m) { return float4({m.row[1].z, m.row[0].z, m.row[0].y}); }

} // namespace

void Elastic::declare_shown(Pool& pool) {
    bool in_frames = false;
    for (const ElasticMaterial& m : materials_) in_frames |= m.shown;
    shown_.energy = pool.declare<float>({.name = "elastic_energy", .unit = "J", .output = in_frames});
    if (!in_frames) return;
    const auto vectors = [&](const char* name, const char* unit, const char* help) {
        return pool.declare<Float4>({.name = name, .unit = unit, .help = help, .output = true});
    };
    shown_.stress = vectors("stress", "Pa", "xx, yy, zz");
    shown_.shear_stress = vectors("shear_stress", "Pa", "yz, xz, xy");
    shown_.strain = vectors("strain", "", "xx, yy, zz");
    shown_.shear_strain = vectors("shear_strain", "", "yz, xz, xy: half the change of the angle");
    shown_.von_mises =
        pool.declare<float>({.name = "von_mises", .unit = "Pa", .help = "equivalent stress", .output = true});
}

// What the linear map leaves of the displacements of neighbors, squared: zero-energy modes.
double Elastic::left_over(std::size_t slot) const {
    const Bonds& bonds = reference_.bonds();
    const Mat3 fit = rows_of(gradient_, slot);
    const Vec3d across{gradient_[3 * slot].w, gradient_[3 * slot + 1].w, gradient_[3 * slot + 2].w};
    const Vec3d n = reference_.null()[slot].xyz_double();
    double sum = 0;
    for (std::size_t k = bonds.begin[slot]; k != bonds.begin[slot + 1]; ++k) {
        const Vec3d bond{bonds.x[k], bonds.y[k], bonds.z[k]};
        const Vec3d moved = displacement_[bonds.other[k]].xyz_double() - displacement_[slot].xyz_double();
        const Vec3d left = moved - fit * bond - dot(n, bond) * across;
        sum += bonds.weight[k] * dot(left, left);
    }
    return sum;
}

void Elastic::show(StepContext& step) {
    Pool& pool = step.particles;
    slots_.find(pool);
    const bool in_frames = shown_.stress.index != SIZE_MAX;
    parallel_each(pool.size(), [&](std::size_t i) {
        pool[shown_.energy][i] = 0;
        if (!in_frames) return;
        for (const Column<Float4> column : {shown_.stress, shown_.shear_stress, shown_.strain, shown_.shear_strain})
            pool[column][i] = {};
        pool[shown_.von_mises][i] = 0;
    });
    if (reference_.size() == 0) return;

    // What the next step begins with stays as it is: rotations and flow are found in copies.
    std::vector<Float4> turn = turn_, flow = flow_, law = flow_law_;
    for (Float4& at : law) at.z = 1; // no time passes
    find_displacements(step);
    ElasticArgs all = args();
    all.turn = turn.data();
    if (flows_) all.flow = flow.data(), all.flow_law = law.data();
    run_on_slots(step.scene.isa, elastic_gradient, all, reference_.slots());
    run_on_slots(step.scene.isa, elastic_stress, all, reference_.slots());

    for (std::size_t b = 0; b < frames_.size(); ++b) {
        const Range slots = reference_.bodies()[b].slots;
        parallel_each(slots.size(), [&](std::size_t n) {
            const std::size_t s = slots.begin + n;
            const std::uint32_t i = slots_[s];
            if (i == SlotMap::gone) return;
            const Mat3 unknown = null_projector(reference_.null()[s]), rotation = rotation_of(turn[s]);
            Mat3 map = rotation.transposed() * (Mat3::identity() + rows_of(gradient_, s) - unknown);
            if (flows_) map = map * rows_of(flow, s);
            const Mat3 strain = 0.5 * (map + map.transposed()) + unknown - Mat3::identity();
            const double lambda = moduli_[s].x, mu = moduli_[s].y, size = strain.trace();
            pool[shown_.energy][i] =
                static_cast<float>(reference_[s].volume * (0.5 * lambda * size * size + mu * product(strain, strain) +
                                                           0.5 * static_cast<double>(stress_[3 * s].w) * left_over(s)));
            if (!in_frames) return;
            const Mat3 to_world = frames_[b].turn * rotation;
            const Mat3 shown = to_world * strain * to_world.transposed();
            const Mat3 stress = (lambda * size) * Mat3::identity() + (2 * mu) * shown;
            pool[shown_.strain][i] = diagonal(shown), pool[shown_.shear_strain][i] = aside(shown);
            pool[shown_.stress][i] = diagonal(stress), pool[shown_.shear_stress][i] = aside(stress);
            pool[shown_.von_mises][i] = static_cast<float>(von_mises(stress));
        });
    }
}

} // namespace loam
