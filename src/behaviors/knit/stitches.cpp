#include "behaviors/knit/stitches.h"

namespace loam {
namespace {

constexpr double slanted_share = 0.25; // of the structural stiffness, in slanted springs

Sheet middle_of(const Sheet& sheet) {
    Sheet middle = sheet;
    middle.points.resize(sheet.in_layer()), middle.shares.resize(sheet.in_layer());
    middle.layers = 1;
    return middle;
}

// How much of a direction within the sheet is along wales, squared.
class Grain {
public:
    Grain(const Sheet& sheet, const Vec3d& axis) : sheet_(sheet), axis_(axis), normals_(sheet.in_layer()) {
        const std::size_t n = sheet.in_layer();
        for (std::size_t k = 0; k < n; ++k) normals_[k] = normalized(sheet.points[2 * n + k] - sheet.points[n + k]);
    }

    double along_wales(const Link& link) const {
        if (sheet_.rows > 0) return link.a / sheet_.columns != link.b / sheet_.columns ? 1 : 0;
        const Vec3d d = normalized(sheet_.points[link.b] - sheet_.points[link.a]);
        const Vec3d n = normalized(normals_[link.a] + normals_[link.b]);
        const Vec3d wale = axis_ - dot(axis_, n) * n;
        const double l = length(wale);
        return l > 1e-6 * length(axis_) ? dot(d, wale) * dot(d, wale) / (l * l) : 0.5; // at a pole all ways are alike
    }

private:
    const Sheet& sheet_;
    Vec3d axis_;
    std::vector<Vec3d> normals_;
};

} // namespace

std::vector<Spring> knit_springs(const Sheet& sheet, const Stitches& stitches) {
    const auto n = static_cast<std::uint32_t>(sheet.in_layer());
    const std::uint32_t middle = 0, back = n, front = 2 * n;
    const Grain grain(sheet, stitches.axis);
    std::vector<Spring> springs;
    const auto join = [&](std::uint32_t a, std::uint32_t b, double stiffness) {
        if (stiffness > 0) springs.push_back(Spring::between(sheet.points, a, b, stiffness, stitches.damping));
    };
    for (const Link& link : links_of(middle_of(sheet))) {
        double stiffness = link.kind == SpringKind::shear ? stitches.shear : stitches.flexion;
        if (link.kind == SpringKind::structural) {
            const double along = grain.along_wales(link);
            stiffness = stitches.structural * (along + (1 - along) * stitches.crosswise);
            const Vec3d flat = sheet.points[link.b] - sheet.points[link.a];
            for (const std::uint32_t side : {back, front})
                for (const auto& [a, b] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
                    const Vec3d slant = sheet.points[side + b] - sheet.points[middle + a];
                    join(middle + a, side + b, 0.25 * slanted_share * stiffness * dot(slant, slant) / dot(flat, flat));
                }
            stiffness *= 1 - slanted_share;
        }
        for (const std::uint32_t layer : {middle, back, front}) join(layer + link.a, layer + link.b, stiffness / 3);
    }
    for (std::uint32_t k = 0; k < n; ++k)
        join(middle + k, back + k, stitches.volume), join(middle + k, front + k, stitches.volume);
    return springs;
}

} // namespace loam
