// A thin elastic shell of triangles without rotations as unknowns: the basic shell triangle (Onate and Zarate 2000, in
// the large: Flores and Onate 2001). Membrane by constant strain; curvature of a triangle from the angles to its three
// neighbors, which gives the exact curvature of any quadratic surface on a regular mesh.
//
//   W = sum_T A t/2 e:C:e  +  A t^3/24 k:C:k
//
//   e = 1/2 (F^T F - I)                                  Green's strain, F of the triangle in its plane at rest
//   k = 1/A sum_edges l_e (a_e - a0_e)/2  m_e m_e^T      change of curvature; a_e angle between the normals across the
//                                                        edge, m_e normal to the edge in the triangle's plane at rest
//   C : plane stress,  C e = E/(1 - nu^2) ((1 - nu) e + nu tr(e) I)
//
// A triangle, t thickness, l_e length of an edge at rest, a0_e its angle at rest (a bowl is bent at rest). At a free
// rim there is no neighbor, and the angle counts as 0. At the edge of what is held the angle counts in full for the
// free triangle, and not at all for the held one: the layer is clamped along that edge. Forces are exact gradients of
// W, which is not changed by moving or turning the whole: momentum and angular momentum are kept. Damping is in
// proportion to the rates of e and k.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "base/mat3.h"
#include "particles/sheet.h"

namespace loam {

struct PlateValues {
    double young_modulus = 1e6;
    double poisson_ratio = 0.3;
    double thickness = 0.001;
    double damping_time = 0; // [s]: stress of a rate is that of a strain of rate * time
};

class Plate {
public:
    Plate() = default;
    Plate(std::span<const Vec3d> reference, std::span<const Triangle> triangles, const PlateValues& values);

    // Forces on the points that are at x and move with v.
    void forces(std::span<const Vec3d> x, std::span<const Vec3d> v, std::span<Vec3d> to);
    // The stress that rates times one second of damping make at the x of look(): linear in v, symmetric, never driving.
    void look(std::span<const Vec3d> x);
    void resistance(std::span<const Vec3d> v, std::span<Vec3d> to);
    double energy(std::span<const Vec3d> x) const;
    // Which points are held; triangles of such points alone are rigid, and clamp those beside them.
    void hold(std::span<const std::uint8_t> held);
    // visit(p, q, K, G) for all pairs of points that act on each other, also with themselves, triangle by triangle, at
    // the x of look(): K what resistance() sums up, G what tension adds.
    using Visit = std::function<void(std::uint32_t p, std::uint32_t q, const Mat3& material, double tension)>;
    void each_stiffness(const Visit& visit) const;
    // What the layer's stretch does to its waves. Along it they run faster than at rest: Green's strain makes it
    // stiffer along a stretch s, by (3 s^2 - 1) / 2. Across it tension draws its points back. Upper bounds.
    struct Tautness {
        double speedup = 1; // of waves along the layer
        double pull = 0;    // by tension on a point, per volume and displacement [N/m^4]; 0 when it is slack
    };
    Tautness tautness(std::span<const Vec3d> x, std::span<const std::uint8_t> pulled); // pull on these points

    double shortest_height() const { return shortest_height_; } // of all triangles at rest [m]
    std::size_t edges() const { return edges_.size(); }

private:
    struct Symmetric { // in the plane of a triangle at rest
        double xx = 0, yy = 0, xy = 0;
    };
    struct Element {
        Triangle corners{};
        std::array<double, 4> inverse{}; // of the matrix of its two edges at rest, by rows
        double area = 0;
        std::array<std::uint32_t, 3> edge{};        // of the edge across from each corner; none on a rim
        std::array<Symmetric, 3> bend;              // l_e / A m m^T of these edges
        std::array<double, 3> share{0.5, 0.5, 0.5}; // of the angle of each edge
    };
    struct Hinge {
        std::array<std::uint32_t, 4> points{}; // two of the edge, then the wings
        double rest_angle = 0;
        std::array<std::uint32_t, 2> triangle{};
        std::array<std::uint8_t, 2> side{}; // which of the triangle's edges it is
    };
    struct Bend { // angle of a hinge and how it changes with its four points
        double angle = 0;
        std::array<Vec3d, 4> gradient;
    };
    struct Stretch { // columns of F
        Vec3d a, b;
    };

    static constexpr std::uint32_t none = UINT32_MAX;

    void find_elements(std::span<const Vec3d> reference);
    void find_hinges(std::span<const Vec3d> reference);
    void find_uses(std::size_t points);
    Symmetric stress(const Symmetric& strain) const;
    double bend_rate(std::size_t hinge, std::span<const Vec3d> v) const;
    Symmetric strain_rate(std::size_t n, std::span<const Vec3d> v) const;
    void spread(std::span<Vec3d> to); // forces of strain_ and angle_
    Symmetric curvature(const Element& element, std::span<const double> angles) const;
    static Bend bend_of(const Hinge& hinge, std::span<const Vec3d> x);
    static Stretch stretch_of(const Element& element, std::span<const Vec3d> x);

    PlateValues values_;
    std::vector<Element> elements_;
    std::vector<Hinge> edges_;
    double shortest_height_ = 1e300;
    std::vector<std::uint32_t> first_use_,
        uses_; // by point: places in element_force_, then (negative side) hinge_force_
    // In a step:
    std::vector<double> angle_; // by hinge: change since rest, and what damping adds to it
    std::vector<Bend> bend_;
    std::vector<Stretch> stretch_;              // by triangle
    std::vector<Symmetric> strain_;             // as well
    std::vector<std::array<double, 3>> moment_; // by triangle and edge
    std::vector<Vec3d> part_;                   // 3 per triangle, then 4 per hinge
    std::vector<double> pull_, area_;           // by point, of tautness()
};

} // namespace loam
