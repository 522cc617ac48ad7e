#include "picture/courses.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace loam {
namespace {

struct Bond {
    double along, across;
    bool front;
};
constexpr std::array<Bond, bonds_of_stitch> stitch{{{0, 0, false},
                                                    {2.0 / 7, 0, false},
                                                    {2.5 / 7, 0.25, true},
                                                    {1.0 / 7, 1, true},
                                                    {1.5 / 7, 4.0 / 3, false},
                                                    {5.5 / 7, 4.0 / 3, false},
                                                    {6.0 / 7, 1, true},
                                                    {4.5 / 7, 0.25, true},
                                                    {5.0 / 7, 0, false}}};

std::size_t how_many(double length, double per_metre) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(length * per_metre)));
}

// Through the points of a rectangle by Catmull-Rom splines, so that yarn is smooth where stitches are smaller than
// cells.
SheetSpot spot_in_rectangle(const Sheet& sheet, double column, double row) {
    struct Four {
        std::array<std::size_t, 4> at;
        std::array<double, 4> share;
    };
    const auto spline = [](double x, std::size_t count) {
        const double first = std::clamp(std::floor(x), 0.0, static_cast<double>(count - 2));
        const double t = x - first;
        Four four{{},
                  {0.5 * (-t + 2 * t * t - t * t * t), 0.5 * (2 - 5 * t * t + 3 * t * t * t),
                   0.5 * (t + 4 * t * t - 3 * t * t * t), 0.5 * (t * t * t - t * t)}};
        if (t > 1) four.share = {0, 1 - t, t, 0}; // beyond the rim it goes straight on
        const auto cell = static_cast<std::size_t>(first);
        const auto mirror = [&](std::size_t beyond, std::size_t rim, std::size_t next) {
            four.share[rim] += 2 * four.share[beyond], four.share[next] -= four.share[beyond];
            four.share[beyond] = 0;
        };
        if (cell == 0) mirror(0, 1, 2);
        if (cell + 2 == count) mirror(3, 2, 1);
        four.at = {cell > 0 ? cell - 1 : 0, cell, cell + 1, std::min(cell + 2, count - 1)};
        return four;
    };
    const Four c = spline(column, sheet.columns), r = spline(row, sheet.rows);
    SheetSpot spot;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            spot.points[spot.count] = static_cast<std::uint32_t>(r.at[i] * sheet.columns + c.at[j]);
            spot.shares[spot.count++] = static_cast<float>(r.share[i] * c.share[j]);
        }
    return spot;
}

std::vector<Course> courses_of_rectangle(const BodySheet& body) {
    const Sheet& sheet = *body.sheet;
    const std::size_t columns = sheet.columns - 1, rows = sheet.rows - 1;
    const double width = length(sheet.points[1] - sheet.points[0]) * static_cast<double>(columns);
    const double height = length(sheet.points[sheet.columns] - sheet.points[0]) * static_cast<double>(rows);
    const std::size_t stitches = how_many(width, body.wales), courses = how_many(height, body.courses);
    std::vector<Course> all(courses);
    const auto bond = [&](std::size_t c, double along, double across, bool front) -> BondingPoint {
        const double u = along / static_cast<double>(stitches),
                     v = (static_cast<double>(c) + across) / static_cast<double>(courses);
        return {spot_in_rectangle(sheet, u * static_cast<double>(columns), v * static_cast<double>(rows)), front};
    };
    for (std::size_t c = 0; c < courses; ++c) {
        for (std::size_t s = 0; s < stitches; ++s)
            for (const Bond& b : stitch) all[c].push_back(bond(c, static_cast<double>(s) + b.along, b.across, b.front));
        all[c].push_back(bond(c, static_cast<double>(stitches), 0, false));
    }
    return all;
}

// A cut across a sheet of triangles, at one level along the axis.
struct Cut {
    std::vector<Vec3d> places;
    std::vector<SheetSpot> spots;
    bool closed = false;
};

class Cutter {
public:
    explicit Cutter(const BodySheet& body) : sheet_(*body.sheet), levels_(sheet_.in_layer()) {
        const Vec3d axis = normalized(body.axis);
        for (std::size_t k = 0; k < levels_.size(); ++k) levels_[k] = dot(sheet_.points[k], axis);
        const auto [low, high] = std::minmax_element(levels_.begin(), levels_.end());
        low_ = *low, high_ = *high;
    }
    double low() const { return low_; }
    double high() const { return high_; }

    std::vector<Cut> at(double level) const {
        using Edge = std::pair<std::uint32_t, std::uint32_t>;
        std::map<Edge, std::vector<Edge>> next; // from the edge that a cut comes over, to those that it goes on over
        for (const Triangle& t : sheet_.triangles) {
            std::vector<Edge> over;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t a = std::min(t[k], t[(k + 1) % 3]), b = std::max(t[k], t[(k + 1) % 3]);
                if ((levels_[a] < level) != (levels_[b] < level)) over.push_back({a, b});
            }
            if (over.size() == 2) next[over[0]].push_back(over[1]), next[over[1]].push_back(over[0]);
        }
        std::map<Edge, bool> done;
        std::vector<Cut> cuts;
        const auto follow = [&](Edge edge, bool closed) {
            Cut cut;
            cut.closed = closed;
            for (std::optional<Edge> at = edge; at;) {
                add(cut, *at, level);
                done[*at] = true;
                std::optional<Edge> on;
                for (const Edge& other : next[*at])
                    if (!on && !done[other]) on = other;
                at = on;
            }
            cuts.push_back(std::move(cut));
        };
        for (const auto& [edge, others] : next) // those with ends first
            if (others.size() == 1 && !done[edge]) follow(edge, false);
        for (const auto& [edge, others] : next)
            if (!done[edge]) follow(edge, true);
        return cuts;
    }

private:
    void add(Cut& cut, const std::pair<std::uint32_t, std::uint32_t>& edge, double level) const {
        const auto [a, b] = edge;
        const double t = (level - levels_[a]) / (levels_[b] - levels_[a]);
        cut.places.push_back((1 - t) * sheet_.points[a] + t * sheet_.points[b]);
        SheetSpot spot;
        spot.points[0] = a, spot.points[1] = b;
        spot.shares[0] = static_cast<float>(1 - t), spot.shares[1] = static_cast<float>(t);
        spot.count = 2;
        cut.spots.push_back(spot);
    }

    const Sheet& sheet_;
    std::vector<double> levels_; // of points, along the axis
    double low_ = 0, high_ = 0;
};

SheetSpot between(const SheetSpot& a, const SheetSpot& b, double t) {
    SheetSpot spot;
    for (const auto& [from, share] : {std::pair{&a, 1 - t}, std::pair{&b, t}})
        for (std::size_t k = 0; k < from->count; ++k) {
            spot.points[spot.count] = from->points[k];
            spot.shares[spot.count++] = static_cast<float>(share) * from->shares[k];
        }
    return spot;
}

struct OnCut {
    Vec3d place;
    SheetSpot spot;
};

OnCut nearest(const std::vector<Cut>& cuts, const Vec3d& to) {
    OnCut found;
    double least = 1e300;
    for (const Cut& cut : cuts)
        for (std::size_t k = 0; k + (cut.closed ? 0 : 1) < cut.places.size(); ++k) {
            const std::size_t l = (k + 1) % cut.places.size();
            const Vec3d edge = cut.places[l] - cut.places[k];
            const double l2 = dot(edge, edge);
            const double t = l2 > 0 ? std::clamp(dot(to - cut.places[k], edge) / l2, 0.0, 1.0) : 0;
            const Vec3d at = cut.places[k] + t * edge;
            if (const double d = dot(to - at, to - at); d < least)
                least = d, found = {at, between(cut.spots[k], cut.spots[l], t)};
        }
    return found;
}

// A way along a cut, by length.
class Along {
public:
    explicit Along(const Cut& cut) : cut_(cut), length_{0} {
        const std::size_t parts = cut.places.size() - (cut.closed ? 0 : 1);
        for (std::size_t k = 0; k < parts; ++k)
            length_.push_back(length_.back() + length(cut.places[(k + 1) % cut.places.size()] - cut.places[k]));
    }
    double whole() const { return length_.back(); }
    OnCut at(double way) const {
        const auto next = std::upper_bound(length_.begin() + 1, length_.end() - 1, way);
        const auto k = static_cast<std::size_t>(next - length_.begin()) - 1;
        const std::size_t l = (k + 1) % cut_.places.size();
        const double part = length_[k + 1] - length_[k];
        const double t = part > 0 ? std::clamp((way - length_[k]) / part, 0.0, 1.0) : 0;
        return {(1 - t) * cut_.places[k] + t * cut_.places[l], between(cut_.spots[k], cut_.spots[l], t)};
    }

private:
    const Cut& cut_;
    std::vector<double> length_; // up to each place
};

std::vector<Course> courses_of_surface(const BodySheet& body) {
    const Cutter cutter(body);
    const double span = cutter.high() - cutter.low();
    const std::size_t courses = how_many(span, body.courses);
    const double height = span / static_cast<double>(courses);
    const auto cut_at = [&](double c) { // within the sheet
        return cutter.at(cutter.low() + std::clamp(c, 0.05, static_cast<double>(courses) - 0.05) * height);
    };
    std::vector<Course> all;
    for (std::size_t c = 0; c < courses; ++c) {
        const auto level = static_cast<double>(c) + 0.05;
        const std::map<double, std::vector<Cut>> above{
            {0.25, cut_at(level + 0.25)}, {1, cut_at(level + 1)}, {4.0 / 3, cut_at(level + 4.0 / 3)}};
        for (const Cut& cut : cut_at(level)) {
            if (cut.places.size() < 3) continue;
            const Along along(cut);
            const std::size_t stitches = how_many(along.whole(), body.wales);
            const auto add = [&](Course& to, double s, double across, bool front) {
                const OnCut foot = along.at(s / static_cast<double>(stitches) * along.whole());
                to.push_back({across > 0 ? nearest(above.at(across), foot.place).spot : foot.spot, front});
            };
            Course course;
            for (std::size_t s = 0; s < stitches; ++s)
                for (const Bond& b : stitch) add(course, static_cast<double>(s) + b.along, b.across, b.front);
            add(course, static_cast<double>(stitches), 0, false);
            all.push_back(std::move(course));
        }
    }
    return all;
}

} // namespace

std::vector<Course> courses_of(const BodySheet& body) {
    return body.sheet->rows > 0 ? courses_of_rectangle(body) : courses_of_surface(body);
}

} // namespace loam
