// Knitwear as yarn: threads through the bonding points of its outer layers.
#include <algorithm>

#include "picture/courses.h"
#include "picture/spinner.h"

namespace loam {
namespace {

constexpr int points_per_bond = 4; // of a thread, between bonding points

class Knitter {
public:
    Knitter(const SurfaceMesh& now, const BodySheet& body, const YarnOptions& options)
        : now_(now), body_(body), options_(options), wet_(now), velocity_(now.find("velocity")) {}

    YarnStation station(const BondingPoint& bond) const {
        const std::size_t n = body_.sheet->in_layer();
        const SheetSpot& spot = bond.spot;
        Vec3f front, back, movement;
        float wet = 0;
        for (std::size_t k = 0; k < spot.count; ++k) {
            const std::size_t in_back = n + spot.points[k], in_front = 2 * n + spot.points[k];
            const std::size_t own = bond.front ? in_front : in_back;
            front += spot.shares[k] * now_.vertices[in_front], back += spot.shares[k] * now_.vertices[in_back];
            wet += spot.shares[k] * wet_.at(own);
            if (velocity_ && options_.shutter > 0) {
                const float* v = &velocity_->values[3 * own];
                movement += static_cast<float>(options_.shutter) * spot.shares[k] * Vec3f{v[0], v[1], v[2]};
            }
        }
        const Vec3f off = front - back;
        return {bond.front ? front : back, length(off) > 0 ? normalized(off) : Vec3f{0, 1, 0}, movement,
                wetted(options_.color, std::clamp(wet, 0.0f, 1.0f))};
    }

    // Whole stretches of a course, as smooth threads.
    void knit(const Course& course, Spinner& spinner, std::uint32_t number) const {
        const auto longest = static_cast<float>(2 * std::min(body_.torn, 1e6) / std::min(body_.wales, body_.courses));
        std::vector<YarnStation> bonds;
        for (const BondingPoint& bond : course) {
            const YarnStation next = station(bond);
            if (!bonds.empty() && length(next.at - bonds.back().at) > longest)
                spinner.spin(smooth(bonds), number++), bonds.clear();
            bonds.push_back(next);
        }
        spinner.spin(smooth(bonds), number);
    }

private:
    // Catmull-Rom, with even steps between bonding points.
    static std::vector<YarnStation> smooth(const std::vector<YarnStation>& bonds) {
        std::vector<YarnStation> way;
        for (std::size_t k = 0; k + 1 < bonds.size(); ++k) {
            const YarnStation &a = bonds[k > 0 ? k - 1 : 0], &b = bonds[k], &c = bonds[k + 1],
                              &d = bonds[std::min(k + 2, bonds.size() - 1)];
            for (int p = 0; p < points_per_bond; ++p) {
                const float t = static_cast<float>(p) / points_per_bond, t2 = t * t, t3 = t2 * t;
                way.push_back(
                    {0.5f * ((2.0f * b.at) + t * (c.at - a.at) + t2 * (2.0f * a.at - 5.0f * b.at + 4.0f * c.at - d.at) +
                             t3 * (3.0f * b.at - a.at - 3.0f * c.at + d.at)),
                     (1 - t) * b.off + t * c.off, (1 - t) * b.movement + t * c.movement,
                     (1 - t) * b.color + t * c.color});
            }
        }
        if (!bonds.empty()) way.push_back(bonds.back());
        return way;
    }

    const SurfaceMesh& now_;
    const BodySheet& body_;
    const YarnOptions& options_;
    Wetness wet_;
    const MeshColumn* velocity_;
};

} // namespace

Curves knit_of(const SurfaceMesh& now, const BodySheet& body, const YarnOptions& options) {
    const double pitch = 1 / body.wales;
    const double gap = length(body.sheet->points[2 * body.sheet->in_layer()] - body.sheet->points[0]);
    // So thick that legs of a loop touch, and threads that cross.
    const double radius = std::min({0.15 * pitch, 0.26 / body.courses, 1.05 * gap});
    const YarnPattern pattern{.radius = static_cast<float>(radius / pitch),
                              .plies = 3,
                              .twist = static_cast<float>(0.09 * pitch / radius),
                              .points = bonds_of_stitch * points_per_bond,
                              .fluff = 2 * options.fuzz};
    const Knitter knitter(now, body, options);
    Spinner spinner(pattern, static_cast<float>(pitch), options);
    const std::vector<Course> courses = courses_of(body);
    for (std::size_t c = 0; c < courses.size(); ++c)
        knitter.knit(courses[c], spinner, static_cast<std::uint32_t>(c) << 12);
    Curves curves = spinner.take();
    if (options.shutter <= 0) curves.movement.clear();
    return curves;
}

} // namespace loam
