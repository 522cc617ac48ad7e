#include "behaviors/sheets/barrier.h"

#include "behaviors/behavior.h"
#include "behaviors/sheets/inertia.h"
#include "behaviors/sheets/layer_mesh.h"
#include "behaviors/sheets/samples.h"
#include "particles/hash.h"

#include <algorithm>
#include <iterator>

namespace loam {
namespace {

constexpr int rounds = 8;
constexpr double kept_off = 0.3; // of the spacing: nearer to the triangle than that kernels hardly push
constexpr double rim = 1e-3;     // of a triangle: what counts as inside beyond its edges

// Positive on the side of the normal, in volumes.
double side_of(const Vec3d& p, const Vec3d a[3]) { return dot(p - a[0], cross(a[1] - a[0], a[2] - a[0])); }

bool shares_at(const Vec3d& p, const Vec3d a[3], double shares[3]) {
    const Vec3d n = cross(a[1] - a[0], a[2] - a[0]);
    const double n2 = dot(n, n);
    if (!(n2 > 0)) return false;
    shares[1] = dot(cross(p - a[0], a[2] - a[0]), n) / n2;
    shares[2] = dot(cross(a[1] - a[0], p - a[0]), n) / n2;
    shares[0] = 1 - shares[1] - shares[2];
    return shares[0] >= -rim && shares[1] >= -rim && shares[2] >= -rim;
}

} // namespace

Crossing find_crossing(const Vec3d& p, const Vec3d& d, const Vec3d a[3], const Vec3d b[3], double off) {
    Crossing crossing;
    const auto side = [&](double t) {
        const Vec3d moved[3]{a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]};
        return side_of(p + t * d, moved);
    };
    const double before = side(0), after = side(1);
    if (before == 0) return crossing;
    const bool crosses = (before > 0) != (after > 0);
    if (!crosses) { // comes near
        const auto area = [](const Vec3d& u, const Vec3d& v, const Vec3d& w) { return length(cross(v - u, w - u)); };
        const double gap = std::abs(after) / area(a[0] + b[0], a[1] + b[1], a[2] + b[2]),
                     gap_before = std::abs(before) / area(a[0], a[1], a[2]);
        if (!(gap < off) || !(gap < gap_before)) return crossing;
    }
    double lo = 0, hi = 1; // the side changes in between
    for (int k = 0; k < 30 && crosses; ++k) {
        const double middle = 0.5 * (lo + hi);
        ((side(middle) > 0) == (before > 0) ? lo : hi) = middle;
    }
    const Vec3d moved[3]{a[0] + hi * b[0], a[1] + hi * b[1], a[2] + hi * b[2]};
    if (!shares_at(p + hi * d, moved, crossing.shares)) return crossing;
    crossing.time = hi;
    const Vec3d n = normalized(cross(moved[1] - moved[0], moved[2] - moved[0]));
    crossing.normal = before > 0 ? n : -n;
    return crossing;
}

namespace {

// What visit(i, found) finds for i from 0 to count, in order.
template <class T, class Visit> std::vector<T> gather_blocks(std::size_t count, const Visit& visit) {
    std::vector<std::vector<T>> found(block_count(count));
    parallel_blocks(count, block_size, [&](Range range, std::size_t block) {
        for (std::size_t i = range.begin; i != range.end; ++i) visit(i, found[block]);
    });
    std::vector<T> all;
    for (auto& some : found)
        all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    return all;
}

class SheetBarrier : public Behavior {
public:
    explicit SheetBarrier(LayerMesh mesh) : mesh_(std::move(mesh)) {}

    Status prepare(StepContext& step) override {
        inertia_.declare(step.particles);
        sample_ = declare_samples(step.particles);
        return Done{};
    }
    Status before_motion(StepContext& step) override {
        if (!(step.dt > 0)) return Done{};
        step.profile.time("sheet barrier", [&] {
            mesh_.locate(step.particles);
            const auto position = step.particles[step.particles.position];
            start_.assign(position.begin(), position.end());
            moved_ = false;
            find_near(step);
            stop(step);
        });
        return Done{};
    }
    // What overlaps is moved apart without velocities: that must not take the layer through a particle either.
    Status after_motion(StepContext& step) override {
        if (!(step.dt > 0)) return Done{};
        step.profile.time("sheet barrier", [&] {
            moved_ = true;
            for (int round = 0; round < rounds; ++round) {
                find_hits(step);
                if (hits_.empty()) return;
                for (const Hit& hit : hits_) put_back(step, hit);
            }
        });
        return Done{};
    }

private:
    struct Near { // a particle of a fluid, and the faces around it
        std::uint32_t particle;
        std::vector<std::uint32_t> faces;
    };
    struct Hit {
        std::uint32_t particle, face;
        Crossing crossing;
    };
    static constexpr std::uint32_t gone = LayerMesh::gone;

    void stop(StepContext& step) {
        for (int round = 0; round < rounds; ++round) {
            find_hits(step);
            if (hits_.empty()) return;
            for (const Hit& hit : hits_) push(step, hit);
        }
        for (int round = 0; round < rounds; ++round) {
            find_hits(step);
            for (const Hit& hit : hits_) carry_along(step, hit);
        }
    }

    // The way of a particle in this step: what is ahead of it, or once all have moved, what they went.
    Vec3d way_of(const StepContext& step, std::uint32_t i) const {
        const Pool& pool = step.particles;
        if (!moved_) return step.dt * pool[pool.velocity][i].xyz_double();
        return shortest_way(pool[pool.position][i] - start_[i], step.scene.periodic_length);
    }

    // Corners at the start of the step and their way in it; false for a face that is not there any more.
    bool corners(const StepContext& step, const LayerMesh::Face& face, const Vec3d& near, Vec3d at[3],
                 Vec3d way[3]) const {
        const Pool& pool = step.particles;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t i = mesh_.where(face.points[k]);
            if (i == gone || pool[pool.volume][i] == 0) return false; // leaders of a fluid are not in its way
            at[k] = image_near(start_[i], near, step.scene.periodic_length);
            way[k] = way_of(step, i);
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d edge = at[k] - at[(k + 1) % 3];
            if (dot(edge, edge) > face.torn * face.torn) return false;
        }
        return true;
    }

    // Of a point, or around a sample: where a face is large its corners may be too far away to be neighbors.
    std::span<const std::uint32_t> faces_at(const Pool& pool, std::uint32_t i) const {
        if (const std::uint32_t id = pool[pool.id][i]; id < mesh_.points()) return mesh_.faces_of(id);
        if (const std::uint32_t edge = pool[sample_][i]; edge > 0)
            return mesh_.faces_of(mesh_.edges()[edge - 1].ends[0]);
        return {};
    }

    // Holes of a knit are smaller than particles: so a share of them finds one, always the same at the same face.
    bool finds_hole(const StepContext& step, std::uint32_t particle, std::uint32_t face) const {
        const double holes = mesh_.faces()[face].holes;
        return holes > 0 && unit_number(hash_of(face, 0, step.particles[step.particles.id][particle])) < holes;
    }

    Hit first_hit(const StepContext& step, const Near& near) const {
        const Vec3d at = start_[near.particle], way = way_of(step, near.particle);
        const double off = moved_ ? 0 : kept_off * step.scene.spacing;
        Hit first{near.particle, gone, {}};
        for (const std::uint32_t face : near.faces) {
            Vec3d from[3], by[3];
            if (finds_hole(step, near.particle, face)) continue;
            if (!corners(step, mesh_.faces()[face], at, from, by)) continue;
            const Crossing crossing = find_crossing(at, way, from, by, off);
            if (crossing.time > 1) continue;
            if (crossing.time < first.crossing.time || (crossing.time == first.crossing.time && face < first.face))
                first.face = face, first.crossing = crossing;
        }
        return first;
    }

    // Lists hold for the whole step, so who is near which face is found once.
    void find_near(const StepContext& step) {
        const Pool& pool = step.particles;
        near_ = gather_blocks<Near>(pool.size(), [&](std::size_t i, std::vector<Near>& to) {
            if (step.is_solid(i)) return;
            std::vector<std::uint32_t> faces;
            for (const std::uint32_t j : step.neighbors->particles.of(i)) {
                const auto of_j = faces_at(pool, j);
                faces.insert(faces.end(), of_j.begin(), of_j.end());
            }
            if (faces.empty()) return;
            std::sort(faces.begin(), faces.end());
            faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
            to.push_back({static_cast<std::uint32_t>(i), std::move(faces)});
        });
    }

    void find_hits(const StepContext& step) {
        hits_ = gather_blocks<Hit>(near_.size(), [&](std::size_t k, std::vector<Hit>& to) {
            if (const Hit hit = first_hit(step, near_[k]); hit.face != gone) to.push_back(hit);
        });
    }

    // One after the other, so that each sees what those before it did.
    void push(StepContext& step, const Hit& hit) const {
        Pool& pool = step.particles;
        const auto velocity = pool[pool.velocity];
        const auto per_mass = [&](std::uint32_t i) {
            return pool.is_held(i) ? 0.0 : 1 / static_cast<double>(inertia_.of(pool, i));
        };
        const Triangle& points = mesh_.faces()[hit.face].points;
        Vec3d from[3], by[3];
        const Vec3d& at = start_[hit.particle];
        if (!corners(step, mesh_.faces()[hit.face], at, from, by)) return;
        const double* const s = hit.crossing.shares;
        const Vec3d& n = hit.crossing.normal;
        const double gap = dot(at - (s[0] * from[0] + s[1] * from[1] + s[2] * from[2]), n);
        const Vec3d face_way = s[0] * by[0] + s[1] * by[1] + s[2] * by[2];
        const double closing = dot(step.dt * velocity[hit.particle].xyz_double() - face_way, n);
        // At least, of the closing distance; a little more, so that it does not count as near again.
        const double wanted = std::min(1.01 * kept_off * step.scene.spacing, 1.001 * gap) - gap;
        if (closing >= wanted) return;
        double mobility = per_mass(hit.particle);
        for (std::size_t k = 0; k < 3; ++k) mobility += s[k] * s[k] * per_mass(mesh_.where(points[k]));
        const Vec3d impulse = ((wanted - closing) / (step.dt * mobility)) * n;
        const auto change = [&](std::uint32_t i, const Vec3d& by_impulse) {
            velocity[i] = float4(velocity[i].xyz_double() + per_mass(i) * by_impulse, velocity[i].w);
        };
        change(hit.particle, impulse);
        for (std::size_t k = 0; k < 3; ++k) change(mesh_.where(points[k]), -s[k] * impulse);
    }

    void carry_along(StepContext& step, const Hit& hit) const {
        Pool& pool = step.particles;
        Vec3d from[3], by[3];
        if (!corners(step, mesh_.faces()[hit.face], start_[hit.particle], from, by)) return;
        const double* const s = hit.crossing.shares;
        Float4& v = pool[pool.velocity][hit.particle];
        v = float4((s[0] * by[0] + s[1] * by[1] + s[2] * by[2]) / step.dt, v.w);
    }

    // To where the face ended, on the side where the particle began.
    void put_back(StepContext& step, const Hit& hit) const {
        Pool& pool = step.particles;
        Vec3d from[3], by[3];
        if (!corners(step, mesh_.faces()[hit.face], start_[hit.particle], from, by)) return;
        const Vec3d end[3]{from[0] + by[0], from[1] + by[1], from[2] + by[2]};
        const bool positive = side_of(start_[hit.particle], from) > 0;
        const Vec3d normal = normalized(cross(end[1] - end[0], end[2] - end[0]));
        const double* const s = hit.crossing.shares;
        const double off = (positive ? kept_off : -kept_off) * step.scene.spacing;
        pool[pool.position][hit.particle] = s[0] * end[0] + s[1] * end[1] + s[2] * end[2] + off * normal;
    }

    Column<std::uint32_t> sample_;
    Inertia inertia_;
    LayerMesh mesh_;
    std::vector<Near> near_; // in this step
    std::vector<Hit> hits_;
    std::vector<Vec3d> start_; // positions at the start of the motion
    bool moved_ = false;       // the motion is done
};

} // namespace

namespace {

// The last word on velocities and places, but for what only follows.
const RegisterImplied sheet_barrier{{
    .declaration = {.name = "sheet_barrier", .help = "Fluids do not pass through sheets."},
    .acts = {{Stage::prepare, {}},
             {Stage::before_motion, {bounds("velocity"), reads("contacts")}},
             {Stage::after_motion, {bounds("position"), reads("velocity"), reads("contacts")}}},
    .make = [](const StepContext& step) -> std::unique_ptr<Behavior> {
        LayerMesh mesh(step.scene.sheets);
        if (mesh.faces().empty()) return nullptr;
        return std::make_unique<SheetBarrier>(std::move(mesh));
    },
}};

} // namespace
} // namespace loam
