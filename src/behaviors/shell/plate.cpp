#include "behaviors/shell/plate.h"

#include <algorithm>
#include <map>
#include <numbers>

#include "base/parallel.h"

namespace loam {
namespace {

struct Frame2 { // an orthonormal frame in the plane of a triangle
    Vec3d a, b;
};
Frame2 plane_of(const Vec3d& p, const Vec3d& q, const Vec3d& r) {
    const Vec3d a = normalized(q - p), n = normalized(cross(q - p, r - p));
    return {a, cross(n, a)};
}

} // namespace

Plate::Plate(std::span<const Vec3d> reference, std::span<const Triangle> triangles, const PlateValues& values)
    : values_(values) {
    for (const Triangle& t : triangles) elements_.push_back({.corners = t, .edge = {none, none, none}});
    find_elements(reference);
    find_hinges(reference);
    find_uses(reference.size());
    angle_.resize(edges_.size()), bend_.resize(edges_.size());
    moment_.resize(elements_.size()), stretch_.resize(elements_.size()), strain_.resize(elements_.size());
    part_.resize(3 * elements_.size() + 4 * edges_.size());
}

void Plate::find_elements(std::span<const Vec3d> reference) {
    for (Element& e : elements_) {
        const Vec3d &p = reference[e.corners[0]], &q = reference[e.corners[1]], &r = reference[e.corners[2]];
        const Frame2 frame = plane_of(p, q, r);
        const double ax = dot(q - p, frame.a), bx = dot(r - p, frame.a), by = dot(r - p, frame.b); // ay is 0
        e.area = 0.5 * ax * by;
        e.inverse = {1 / ax, -bx / (ax * by), 0, 1 / by};
        const Vec3d corners[3]{p, q, r};
        double longest = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d edge = corners[(k + 2) % 3] - corners[(k + 1) % 3];
            const double x = dot(edge, frame.a), y = dot(edge, frame.b), l = std::sqrt(x * x + y * y);
            // m = (y, -x) / l
            e.bend[k] = {y * y / (l * e.area), x * x / (l * e.area), -x * y / (l * e.area)};
            longest = std::max(longest, l);
        }
        shortest_height_ = std::min(shortest_height_, 2 * e.area / longest);
    }
}

void Plate::find_hinges(std::span<const Vec3d> reference) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::pair<std::uint32_t, std::uint8_t>>> sides;
    for (std::uint32_t t = 0; t < elements_.size(); ++t)
        for (std::uint8_t k = 0; k < 3; ++k) {
            const Triangle& c = elements_[t].corners;
            const std::uint32_t a = c[(k + 1u) % 3], b = c[(k + 2u) % 3];
            sides[{std::min(a, b), std::max(a, b)}].push_back({t, k});
        }
    for (auto& [ends, uses] : sides) {
        if (uses.size() != 2) continue; // a rim, or a seam of several sheets, which bends freely
        // The first wing is that along whose rim the edge runs from its first to its second point: so all angles of a
        // sheet have the same sign where it bends the same way.
        const auto runs_along = [&, from = ends.first](const std::pair<std::uint32_t, std::uint8_t>& use) {
            return elements_[use.first].corners[(use.second + 1u) % 3] == from;
        };
        if (!runs_along(uses[0])) std::swap(uses[0], uses[1]);
        Hinge hinge;
        hinge.points = {ends.first, ends.second, elements_[uses[0].first].corners[uses[0].second],
                        elements_[uses[1].first].corners[uses[1].second]};
        for (std::size_t s = 0; s < 2; ++s) {
            hinge.triangle[s] = uses[s].first, hinge.side[s] = uses[s].second;
            elements_[uses[s].first].edge[uses[s].second] = static_cast<std::uint32_t>(edges_.size());
        }
        hinge.rest_angle = bend_of(hinge, reference).angle;
        edges_.push_back(hinge);
    }
}

void Plate::find_uses(std::size_t points) {
    std::vector<std::uint32_t> count(points + 1, 0);
    const auto each = [&](const auto& visit) {
        for (std::uint32_t t = 0; t < elements_.size(); ++t)
            for (std::uint32_t k = 0; k < 3; ++k) visit(elements_[t].corners[k], 3 * t + k);
        const auto begin = static_cast<std::uint32_t>(3 * elements_.size());
        for (std::uint32_t h = 0; h < edges_.size(); ++h)
            for (std::uint32_t k = 0; k < 4; ++k) visit(edges_[h].points[k], begin + 4 * h + k);
    };
    each([&](std::uint32_t point, std::uint32_t) { ++count[point + 1]; });
    for (std::size_t p = 0; p < points; ++p) count[p + 1] += count[p];
    first_use_ = count;
    uses_.resize(count[points]);
    each([&](std::uint32_t point, std::uint32_t place) { uses_[count[point]++] = place; });
}

Plate::Symmetric Plate::stress(const Symmetric& strain) const {
    const double nu = values_.poisson_ratio, c = values_.young_modulus / (1 - nu * nu);
    const double trace = nu * (strain.xx + strain.yy);
    return {c * ((1 - nu) * strain.xx + trace), c * ((1 - nu) * strain.yy + trace), c * (1 - nu) * strain.xy};
}

// The signed angle between the normals of the two wings and its gradients (Bridson et al. 2003, section 4).
Plate::Bend Plate::bend_of(const Hinge& hinge, std::span<const Vec3d> x) {
    const Vec3d &p = x[hinge.points[0]], &q = x[hinge.points[1]], &u = x[hinge.points[2]], &w = x[hinge.points[3]];
    const Vec3d edge = q - p, n1 = cross(u - p, u - q), n2 = cross(w - q, w - p);
    const double l = length(edge), s1 = dot(n1, n1), s2 = dot(n2, n2);
    Bend bend;
    if (!(l > 0 && s1 > 0 && s2 > 0)) return bend; // folded to nothing
    const Vec3d a = n1 / s1, b = n2 / s2;
    bend.gradient = {(dot(u - q, edge) / l) * a + (dot(w - q, edge) / l) * b,
                     -(dot(u - p, edge) / l) * a - (dot(w - p, edge) / l) * b, l * a, l * b};
    bend.angle = std::atan2(dot(cross(n1, n2), edge) / l, dot(n1, n2));
    return bend;
}

Plate::Symmetric Plate::curvature(const Element& element, std::span<const double> angles) const {
    Symmetric k;
    for (std::size_t e = 0; e < 3; ++e) {
        if (element.edge[e] == none) continue;
        const double own = element.share[e] * angles[element.edge[e]];
        k.xx += own * element.bend[e].xx, k.yy += own * element.bend[e].yy, k.xy += own * element.bend[e].xy;
    }
    return k;
}

Plate::Stretch Plate::stretch_of(const Element& e, std::span<const Vec3d> x) {
    const auto [i, j, k] = e.corners;
    const Vec3d d1 = x[j] - x[i], d2 = x[k] - x[i];
    return {e.inverse[0] * d1 + e.inverse[2] * d2, e.inverse[1] * d1 + e.inverse[3] * d2};
}

double Plate::bend_rate(std::size_t h, std::span<const Vec3d> v) const {
    double rate = 0;
    for (std::size_t k = 0; k < 4; ++k) rate -= dot(bend_[h].gradient[k], v[edges_[h].points[k]]);
    return rate;
}

Plate::Symmetric Plate::strain_rate(std::size_t n, std::span<const Vec3d> v) const {
    const Stretch &f = stretch_[n], rate = stretch_of(elements_[n], v);
    return {dot(f.a, rate.a), dot(f.b, rate.b), 0.5 * (dot(f.a, rate.b) + dot(rate.a, f.b))};
}

void Plate::look(std::span<const Vec3d> x) {
    parallel_each(edges_.size(), [&](std::size_t h) { bend_[h] = bend_of(edges_[h], x); });
    parallel_each(elements_.size(), [&](std::size_t n) { stretch_[n] = stretch_of(elements_[n], x); });
}

void Plate::forces(std::span<const Vec3d> x, std::span<const Vec3d> v, std::span<Vec3d> to) {
    const double damping = values_.damping_time; // strain and rate enter alike
    look(x);
    parallel_each(edges_.size(), [&](std::size_t h) {
        angle_[h] = std::remainder(bend_[h].angle - edges_[h].rest_angle, 2 * std::numbers::pi);
        angle_[h] += damping * bend_rate(h, v);
    });
    parallel_each(elements_.size(), [&](std::size_t n) {
        const Stretch& f = stretch_[n];
        const Symmetric rate = strain_rate(n, v);
        strain_[n] = {0.5 * (dot(f.a, f.a) - 1) + damping * rate.xx, 0.5 * (dot(f.b, f.b) - 1) + damping * rate.yy,
                      0.5 * dot(f.a, f.b) + damping * rate.xy};
    });
    spread(to);
}

void Plate::resistance(std::span<const Vec3d> v, std::span<Vec3d> to) {
    parallel_each(edges_.size(), [&](std::size_t h) { angle_[h] = bend_rate(h, v); });
    parallel_each(elements_.size(), [&](std::size_t n) { strain_[n] = strain_rate(n, v); });
    spread(to);
}

void Plate::spread(std::span<Vec3d> to) {
    const double t = values_.thickness, bending = t * t * t / 12;
    parallel_each(elements_.size(), [&](std::size_t n) {
        const Element& e = elements_[n];
        const Stretch& f = stretch_[n];
        const Symmetric s = stress(strain_[n]);
        const Vec3d pa = (e.area * t) * (s.xx * f.a + s.xy * f.b), pb = (e.area * t) * (s.xy * f.a + s.yy * f.b);
        const Vec3d on_j = -(e.inverse[0] * pa + e.inverse[1] * pb), on_k = -(e.inverse[2] * pa + e.inverse[3] * pb);
        part_[3 * n] = -(on_j + on_k), part_[3 * n + 1] = on_j, part_[3 * n + 2] = on_k;
        const Symmetric m = stress(curvature(e, angle_));
        for (std::size_t side = 0; side < 3; ++side) {
            const Symmetric& b = e.bend[side];
            moment_[n][side] = e.share[side] * e.area * bending * (m.xx * b.xx + m.yy * b.yy + 2 * m.xy * b.xy);
        }
    });
    const std::size_t begin = 3 * elements_.size();
    parallel_each(edges_.size(), [&](std::size_t h) {
        const Hinge& hinge = edges_[h];
        const double torque = moment_[hinge.triangle[0]][hinge.side[0]] + moment_[hinge.triangle[1]][hinge.side[1]];
        for (std::size_t k = 0; k < 4; ++k) part_[begin + 4 * h + k] = torque * bend_[h].gradient[k];
    });
    parallel_each(to.size(), [&](std::size_t p) {
        Vec3d sum;
        for (std::uint32_t u = first_use_[p]; u != first_use_[p + 1]; ++u) sum += part_[uses_[u]];
        to[p] = sum;
    });
}

void Plate::hold(std::span<const std::uint8_t> held) {
    const auto is_rigid = [&](std::uint32_t n) {
        const auto [i, j, k] = elements_[n].corners;
        return held[i] && held[j] && held[k];
    };
    for (const Hinge& hinge : edges_)
        for (std::size_t s = 0; s < 2; ++s) {
            const bool own = is_rigid(hinge.triangle[s]), other = is_rigid(hinge.triangle[1 - s]);
            elements_[hinge.triangle[s]].share[hinge.side[s]] = own == other ? 0.5 : own ? 0 : 1;
        }
}

void Plate::each_stiffness(const Visit& visit) const {
    struct Rates { // of strain and curvature by the velocity of a point
        std::uint32_t point = 0;
        Vec3d strain[3], curvature[3]; // xx, yy, xy
        double u = 0, v = 0;           // gradient of its share
    };
    const double t = values_.thickness, nu = values_.poisson_ratio, c = values_.young_modulus / (1 - nu * nu);
    const auto work = [&](const Vec3d(&a)[3], const Vec3d(&b)[3]) {
        return c * (Mat3::outer(a[0], b[0] + nu * b[1]) + Mat3::outer(a[1], b[1] + nu * b[0]) +
                    2 * (1 - nu) * Mat3::outer(a[2], b[2]));
    };
    for (std::size_t n = 0; n < elements_.size(); ++n) {
        const Element& e = elements_[n];
        const Stretch& f = stretch_[n];
        std::vector<Rates> near(3);
        const double u[3]{-e.inverse[0] - e.inverse[2], e.inverse[0], e.inverse[2]};
        const double v[3]{-e.inverse[1] - e.inverse[3], e.inverse[1], e.inverse[3]};
        for (std::size_t k = 0; k < 3; ++k)
            near[k] = {e.corners[k], {u[k] * f.a, v[k] * f.b, 0.5 * (v[k] * f.a + u[k] * f.b)}, {}, u[k], v[k]};
        for (std::size_t side = 0; side < 3; ++side) {
            if (e.edge[side] == none) continue;
            for (std::size_t k = 0; k < 4; ++k) {
                const std::uint32_t point = edges_[e.edge[side]].points[k];
                auto own = std::find_if(near.begin(), near.end(), [&](const Rates& r) { return r.point == point; });
                if (own == near.end()) own = near.insert(own, {.point = point});
                const Vec3d rate = -e.share[side] * bend_[e.edge[side]].gradient[k];
                own->curvature[0] += e.bend[side].xx * rate, own->curvature[1] += e.bend[side].yy * rate;
                own->curvature[2] += e.bend[side].xy * rate;
            }
        }
        const Symmetric s = stress({0.5 * (dot(f.a, f.a) - 1), 0.5 * (dot(f.b, f.b) - 1), 0.5 * dot(f.a, f.b)});
        // Of the stress, what pulls: pressure would make it buckle, and the matrix indefinite.
        const double mean = 0.5 * (s.xx + s.yy), off = std::hypot(0.5 * (s.xx - s.yy), s.xy);
        const double low = std::max(0.0, mean - off), high = std::max(0.0, mean + off);
        const double turn = 0.5 * std::atan2(s.xy, 0.5 * (s.xx - s.yy)), x = std::cos(turn), y = std::sin(turn);
        for (const Rates& p : near)
            for (const Rates& q : near)
                visit(p.point, q.point,
                      (e.area * t) * work(p.strain, q.strain) +
                          (e.area * t * t * t / 12) * work(p.curvature, q.curvature),
                      e.area * t *
                          (high * (x * p.u + y * p.v) * (x * q.u + y * q.v) +
                           low * (x * p.v - y * p.u) * (x * q.v - y * q.u)));
    }
}

// Points are drawn back across the layer by K_pq = -sum_T A grad N_p . S grad N_q; twice the diagonal bounds the rest
// of a row (Gershgorin).
Plate::Tautness Plate::tautness(std::span<const Vec3d> x, std::span<const std::uint8_t> pulled) {
    pull_.assign(x.size(), 0), area_.assign(x.size(), 0);
    double stretch2 = 1;
    for (const Element& e : elements_) {
        const auto [i, j, k] = e.corners;
        const Stretch f = stretch_of(e, x);
        const double aa = dot(f.a, f.a), bb = dot(f.b, f.b), ab = dot(f.a, f.b);
        stretch2 = std::max(stretch2, 0.5 * (aa + bb) + std::hypot(0.5 * (aa - bb), ab)); // eigenvalue of F^T F
        const Symmetric s = stress({0.5 * (aa - 1), 0.5 * (bb - 1), 0.5 * ab});
        const auto add = [&](std::uint32_t point, double u, double v) { // the gradient of its share
            pull_[point] += e.area * std::max(0.0, s.xx * u * u + s.yy * v * v + 2 * s.xy * u * v);
            area_[point] += e.area / 3;
        };
        add(i, -e.inverse[0] - e.inverse[2], -e.inverse[1] - e.inverse[3]);
        add(j, e.inverse[0], e.inverse[1]), add(k, e.inverse[2], e.inverse[3]);
    }
    Tautness taut{std::sqrt(0.5 * (3 * stretch2 - 1)), 0};
    for (std::size_t p = 0; p < x.size(); ++p)
        if (pulled[p] && area_[p] > 0) taut.pull = std::max(taut.pull, 2 * pull_[p] / area_[p]);
    return taut;
}

double Plate::energy(std::span<const Vec3d> x) const {
    std::vector<double> angles;
    for (const Hinge& hinge : edges_)
        angles.push_back(std::remainder(bend_of(hinge, x).angle - hinge.rest_angle, 2 * std::numbers::pi));
    const double t = values_.thickness;
    double sum = 0;
    const auto work = [&](const Symmetric& e) {
        const Symmetric s = stress(e);
        return 0.5 * (s.xx * e.xx + s.yy * e.yy + 2 * s.xy * e.xy);
    };
    for (const Element& e : elements_) {
        const Stretch f = stretch_of(e, x);
        sum += e.area * t * work({0.5 * (dot(f.a, f.a) - 1), 0.5 * (dot(f.b, f.b) - 1), 0.5 * dot(f.a, f.b)});
        sum += e.area * t * t * t / 12 * work(curvature(e, angles));
    }
    return sum;
}

} // namespace loam
