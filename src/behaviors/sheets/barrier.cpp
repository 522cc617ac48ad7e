#include "behaviors/sheets/barrier.h"

#include "behaviors/sheets/slots.h"

#include <algorithm>

namespace loam {
namespace {

constexpr int rounds = 8;
constexpr double kept_off = 0.05; // of the spacing: distance to the triangle that a particle keeps
constexpr double rim = 1e-3;      // of a triangle: what counts as inside beyond its edges

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

class SheetBarrier : public Behavior {
public:
    explicit SheetBarrier(const std::vector<BodySheet>& sheets) {
        std::size_t points = 0;
        for (const BodySheet& body : sheets)
            if (body.sheet) points = std::max(points, body.first_id + body.sheet->points.size());
        first_use_.assign(points + 1, 0);
        for (const BodySheet& body : sheets) add(body);
        for (const Face& face : faces_)
            for (const std::uint32_t id : face.points) ++first_use_[id + 1];
        for (std::size_t p = 0; p < points; ++p) first_use_[p + 1] += first_use_[p];
        uses_.resize(first_use_[points]);
        std::vector<std::uint32_t> next(first_use_.begin(), first_use_.end() - 1);
        for (std::uint32_t f = 0; f < faces_.size(); ++f)
            for (const std::uint32_t id : faces_[f].points) uses_[next[id]++] = f;
    }

    bool empty() const { return faces_.empty(); }

    Status prepare(StepContext& step) override {
        held_ = declare_held(step.particles);
        return Done{};
    }
    Status before_motion(StepContext& step) override {
        if (!(step.dt > 0)) return Done{};
        step.profile.time("sheet barrier", [&] {
            locate(step.particles);
            for (int round = 0; round < rounds; ++round) {
                find_hits(step);
                if (hits_.empty()) return;
                for (const Hit& hit : hits_) push(step, hit);
            }
            for (int round = 0; round < rounds; ++round) {
                find_hits(step);
                for (const Hit& hit : hits_) carry_along(step, hit);
            }
        });
        return Done{};
    }

private:
    struct Face {
        Triangle points; // ids
        double longest2; // square of the length at which an edge counts as torn, by the longest edge
    };
    struct Hit {
        std::uint32_t particle, face;
        Crossing crossing;
    };
    static constexpr std::uint32_t gone = UINT32_MAX;

    void add(const BodySheet& body) {
        if (!body.sheet) return;
        for (const Triangle& t : body.sheet->triangles) {
            const auto& p = body.sheet->points;
            const double longest =
                std::max({length(p[t[0]] - p[t[1]]), length(p[t[1]] - p[t[2]]), length(p[t[2]] - p[t[0]])});
            faces_.push_back({{t[0] + body.first_id, t[1] + body.first_id, t[2] + body.first_id},
                              body.torn * body.torn * longest * longest});
        }
    }

    void locate(const Pool& pool) {
        where_.assign(first_use_.size() - 1, gone);
        const auto id = pool[pool.id];
        parallel_each(pool.size(), [&](std::size_t i) {
            if (id[i] < where_.size()) where_[id[i]] = static_cast<std::uint32_t>(i);
        });
    }

    // Corners at the start of the step and their way in it; false for a face that is not there any more.
    bool corners(const StepContext& step, const Face& face, const Vec3d& near, Vec3d at[3], Vec3d way[3]) const {
        const Pool& pool = step.particles;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t i = where_[face.points[k]];
            if (i == gone) return false;
            at[k] = pool[pool.position][i];
            for (std::size_t axis = 0; axis < 3; ++axis)
                if (const double l = step.periodic_length[axis]; l > 0)
                    at[k][axis] -= l * std::round((at[k][axis] - near[axis]) / l);
            way[k] = step.dt * pool[pool.velocity][i].xyz_double();
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d edge = at[k] - at[(k + 1) % 3];
            if (dot(edge, edge) > face.longest2) return false;
        }
        return true;
    }

    Hit first_hit(const StepContext& step, std::uint32_t i) const {
        const Pool& pool = step.particles;
        const auto id = pool[pool.id];
        const Vec3d at = pool[pool.position][i], way = step.dt * pool[pool.velocity][i].xyz_double();
        Hit first{i, gone, {}};
        for (const std::uint32_t j : step.neighbors->particles.of(i)) {
            if (id[j] >= where_.size()) continue;
            for (std::uint32_t u = first_use_[id[j]]; u != first_use_[id[j] + 1]; ++u) {
                Vec3d from[3], by[3];
                if (!corners(step, faces_[uses_[u]], at, from, by)) continue;
                const Crossing crossing = find_crossing(at, way, from, by, kept_off * step.spacing);
                if (crossing.time > 1) continue;
                if (crossing.time < first.crossing.time ||
                    (crossing.time == first.crossing.time && uses_[u] < first.face))
                    first.face = uses_[u], first.crossing = crossing;
            }
        }
        return first;
    }

    void find_hits(const StepContext& step) {
        const Pool& pool = step.particles;
        std::vector<std::vector<Hit>> found(block_count(pool.size()));
        parallel_blocks(pool.size(), block_size, [&](Range range, std::size_t block) {
            for (std::size_t i = range.begin; i != range.end; ++i) {
                if (step.is_solid(i)) continue;
                if (const Hit hit = first_hit(step, static_cast<std::uint32_t>(i)); hit.face != gone)
                    found[block].push_back(hit);
            }
        });
        hits_.clear();
        for (const auto& some : found) hits_.insert(hits_.end(), some.begin(), some.end());
    }

    // One after the other, so that each sees what those before it did.
    void push(StepContext& step, const Hit& hit) const {
        Pool& pool = step.particles;
        const auto velocity = pool[pool.velocity];
        const auto held = pool[held_];
        const auto mass = pool[pool.mass];
        const auto per_mass = [&](std::uint32_t i) { return held[i] ? 0.0 : 1 / static_cast<double>(mass[i]); };
        Vec3d from[3], by[3];
        const Vec3d at = pool[pool.position][hit.particle];
        if (!corners(step, faces_[hit.face], at, from, by)) return;
        const double* const s = hit.crossing.shares;
        const Vec3d& n = hit.crossing.normal;
        const double gap = dot(at - (s[0] * from[0] + s[1] * from[1] + s[2] * from[2]), n);
        const Vec3d face_way = s[0] * by[0] + s[1] * by[1] + s[2] * by[2];
        const double closing = dot(step.dt * velocity[hit.particle].xyz_double() - face_way, n);
        // At least, of the closing distance; a little more, so that it does not count as near again.
        const double wanted = std::min(1.01 * kept_off * step.spacing, 1.001 * gap) - gap;
        if (closing >= wanted) return;
        double mobility = per_mass(hit.particle);
        for (std::size_t k = 0; k < 3; ++k) mobility += s[k] * s[k] * per_mass(where_[faces_[hit.face].points[k]]);
        const Vec3d impulse = ((wanted - closing) / (step.dt * mobility)) * n;
        const auto change = [&](std::uint32_t i, const Vec3d& by_impulse) {
            velocity[i] = float4(velocity[i].xyz_double() + per_mass(i) * by_impulse, velocity[i].w);
        };
        change(hit.particle, impulse);
        for (std::size_t k = 0; k < 3; ++k) change(where_[faces_[hit.face].points[k]], -s[k] * impulse);
    }

    void carry_along(StepContext& step, const Hit& hit) const {
        Pool& pool = step.particles;
        Vec3d from[3], by[3];
        if (!corners(step, faces_[hit.face], pool[pool.position][hit.particle], from, by)) return;
        const double* const s = hit.crossing.shares;
        Float4& v = pool[pool.velocity][hit.particle];
        v = float4((s[0] * by[0] + s[1] * by[1] + s[2] * by[2]) / step.dt, v.w);
    }

    Column<std::uint32_t> held_;
    std::vector<Face> faces_;
    std::vector<std::uint32_t> first_use_, uses_; // by id: faces at this point
    std::vector<std::uint32_t> where_;            // by id: index in the pool
    std::vector<Hit> hits_;
};

} // namespace

std::unique_ptr<Behavior> make_sheet_barrier(std::vector<BodySheet> sheets) {
    auto barrier = std::make_unique<SheetBarrier>(sheets);
    if (barrier->empty()) return nullptr;
    return barrier;
}

} // namespace loam
