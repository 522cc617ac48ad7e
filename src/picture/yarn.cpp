#include "picture/yarn.h"

#include <algorithm>
#include <cmath>

#include "picture/spinner.h"

namespace loam {
namespace {

constexpr float pi = 3.14159265f;

// A stitch is a cell of the sheet.
constexpr YarnPattern knit{0.125f, 2, 0.9f, 12, 0.239f, 0.8f, 0.2f}; // neighboring threads just touch
constexpr YarnPattern weave{0.27f, 3, 0.7f, 6, 0, 0, 0.2f};
constexpr YarnPattern rope{0.45f, 3, 0.35f, 8, 0, 0, 0};

// The sheet between its points, and a little beyond its rim.
class Patch {
public:
    Patch(const SurfaceMesh& now, const BodySheet& body, const YarnOptions& options)
        : now_(now), body_(body), sheet_(*body.sheet), velocity_(now.find("velocity")), wet_(now),
          color_(options.color), shutter_(static_cast<float>(options.shutter)) {
        pitch_ = static_cast<float>(length(sheet_.points[1] - sheet_.points[0]));
    }

    std::size_t rows() const { return sheet_.rows; }
    std::size_t columns() const { return sheet_.columns; }
    float pitch() const { return pitch_; } // of stitches [m]

    Vec3f place(float column, float row) const {
        return mix(column, row, [&](std::size_t i) { return now_.vertices[i]; });
    }
    Vec3f normal(float column, float row) const {
        if (sheet_.is_rope()) return {0, 0, 0};
        return mix(column, row, [&](std::size_t i) { return now_.normals[i]; });
    }
    Vec3f movement(float column, float row) const {
        if (!velocity_ || shutter_ <= 0) return {};
        return shutter_ * mix(column, row, [&](std::size_t i) {
                   const float* v = &velocity_->values[3 * i];
                   return Vec3f{v[0], v[1], v[2]};
               });
    }
    YarnStation station(float column, float row, float off) const {
        const Vec3f up = normal(column, row);
        const float wet = mix(column, row, [&](std::size_t i) { return Vec3f{wet_.at(i), 0, 0}; }).x;
        return {place(column, row) + off * pitch_ * up, up, movement(column, row), wetted(color_, wet)};
    }
    bool is_whole(std::size_t row, std::size_t column, std::size_t next_row, std::size_t next_column) const {
        const std::size_t a = row * columns() + column, b = next_row * columns() + next_column;
        return length(now_.vertices[a] - now_.vertices[b]) <= body_.torn * length(sheet_.points[a] - sheet_.points[b]);
    }

private:
    template <class Value> Vec3f mix(float column, float row, const Value& value) const {
        const auto cell = [](float x, std::size_t count) {
            return count < 2 ? 0 : std::min(static_cast<std::size_t>(std::max(0.0f, x)), count - 2);
        };
        const std::size_t c = cell(column, columns()), r = cell(row, rows());
        const std::size_t up = rows() > 1 ? columns() : 0, i = r * columns() + c;
        const float u = column - static_cast<float>(c), v = rows() > 1 ? row - static_cast<float>(r) : 0;
        return (1 - v) * ((1 - u) * value(i) + u * value(i + 1)) +
               v * ((1 - u) * value(i + up) + u * value(i + up + 1));
    }

    const SurfaceMesh& now_;
    const BodySheet& body_;
    const Sheet& sheet_;
    const MeshColumn* velocity_;
    Wetness wet_;
    Color color_;
    float shutter_, pitch_;
};

// Goes along a line of the sheet, stitch by stitch, and gives each whole stretch to the spinner.
template <class IsWhole, class StationAt>
void go_along(Spinner& spinner, std::size_t stitches, int points, std::uint32_t number, const IsWhole& is_whole,
              const StationAt& station) {
    std::vector<YarnStation> way;
    for (std::size_t c = 0; c <= stitches; ++c) {
        const bool end = c == stitches || !is_whole(c);
        if (end && !way.empty()) {
            way.push_back(station(static_cast<float>(c)));
            spinner.spin(way, number + static_cast<std::uint32_t>(c));
            way.clear();
        }
        if (end) continue;
        for (int k = 0; k < points; ++k)
            way.push_back(station(static_cast<float>(c) + static_cast<float>(k) / static_cast<float>(points)));
    }
}

void spin_rows(Spinner& spinner, const Patch& patch, const YarnPattern& pattern, bool woven) {
    for (std::size_t r = 0; r < patch.rows(); ++r) {
        const auto row = static_cast<float>(r);
        const auto station = [&](float s) -> YarnStation {
            const float x = s + pattern.along * std::sin(4 * pi * s), y = row + pattern.across * std::cos(2 * pi * s);
            const float z = pattern.off * (woven ? std::cos(pi * (s + row)) : std::cos(4 * pi * s));
            return patch.station(x, y, z);
        };
        go_along(
            spinner, patch.columns() - 1, pattern.points, static_cast<std::uint32_t>(r * patch.columns()),
            [&](std::size_t c) { return patch.is_whole(r, c, r, c + 1); }, station);
    }
}

void spin_columns(Spinner& spinner, const Patch& patch, const YarnPattern& pattern) {
    for (std::size_t c = 0; c < patch.columns(); ++c) {
        const auto column = static_cast<float>(c);
        const auto station = [&](float s) -> YarnStation {
            return patch.station(column, s, -pattern.off * std::cos(pi * (s + column)));
        };
        go_along(
            spinner, patch.rows() - 1, pattern.points, static_cast<std::uint32_t>(0x800000u + c * patch.rows()),
            [&](std::size_t r) { return patch.is_whole(r, c, r + 1, c); }, station);
    }
}

} // namespace

bool has_threads(const BodySheet& body) {
    return body.sheet && (body.sheet->columns > 1 || (body.wales > 0 && body.sheet->layers == 3));
}

Curves yarn_of(const SurfaceMesh& now, const BodySheet& body, const YarnOptions& options) {
    if (body.wales > 0 && body.sheet->layers == 3) return knit_of(now, body, options);
    const Patch patch(now, body, options);
    const bool is_rope = body.sheet->is_rope();
    const YarnPattern& pattern = is_rope ? rope : options.woven ? weave : knit;
    Spinner spinner(pattern, patch.pitch(), options);
    spin_rows(spinner, patch, pattern, options.woven && !is_rope);
    if (options.woven && !is_rope) spin_columns(spinner, patch, pattern);
    Curves curves = spinner.take();
    if (options.shutter <= 0) curves.movement.clear();
    return curves;
}

} // namespace loam
