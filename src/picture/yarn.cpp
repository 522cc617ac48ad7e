#include "picture/yarn.h"

#include <algorithm>
#include <cmath>

#include "picture/sampler.h"

namespace loam {
namespace {

constexpr float pi = 3.14159265f;

// Sizes in stitches; a stitch is a cell of the sheet.
struct Pattern {
    float radius = 0; // of the yarn
    int plies = 1;    // that it is twisted of
    float twist = 0;  // turns per length of a stitch
    int points = 1;   // of a thread, per stitch
    float along = 0;  // a, b, d of the loops
    float across = 0;
    float off = 0;
};
constexpr Pattern knit{0.125f, 2, 0.9f, 12, 0.239f, 0.8f, 0.2f}; // neighboring threads just touch
constexpr Pattern weave{0.27f, 3, 0.7f, 6, 0, 0, 0.2f};
constexpr Pattern rope{0.45f, 3, 0.35f, 8, 0, 0, 0};

float random(std::uint32_t seed) { return static_cast<float>(Sampler::hash(seed) >> 8) * 0x1p-24f; }

// The sheet between its points, and a little beyond its rim.
class Patch {
public:
    Patch(const SurfaceMesh& now, const BodySheet& body, double shutter)
        : now_(now), body_(body), sheet_(*body.sheet), velocity_(now.find("velocity")),
          shutter_(static_cast<float>(shutter)) {
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
    float shutter_, pitch_;
};

// A point of the middle of a thread, the direction off the sheet, and how it moves.
struct Station {
    Vec3f at, off, movement;
};

class Spinner {
public:
    Spinner(const Pattern& pattern, float pitch, const YarnOptions& options)
        : pattern_(pattern), pitch_(pitch), options_(options) {}

    // A thread through these stations; `number` tells it from others.
    void spin(const std::vector<Station>& way, std::uint32_t number) {
        if (way.size() < 4) return;
        for (int ply = 0; ply < pattern_.plies; ++ply) add_ply(way, number, ply);
        const auto stitches = static_cast<float>(way.size()) / static_cast<float>(pattern_.points);
        const auto fibers = static_cast<int>(stitches * static_cast<float>(options_.fuzz));
        for (int k = 0; k < fibers; ++k) add_fiber(way, number, static_cast<std::uint32_t>(k));
    }

    Curves take() { return std::move(curves_); }

private:
    struct Axes {
        Vec3f along, off, side;
    };
    Axes axes(const std::vector<Station>& way, std::size_t k) const {
        const Vec3f d = way[std::min(k + 1, way.size() - 1)].at - way[k > 0 ? k - 1 : 0].at;
        const Vec3f along = length(d) > 0 ? normalized(d) : Vec3f{1, 0, 0};
        Vec3f off = way[k].off - dot(way[k].off, along) * along;
        if (length(off) < 1e-3f) off = tangents(along).a; // a rope has no sides, and turns as it likes
        off = normalized(off);
        return {along, off, cross(along, off)};
    }

    void add(const std::vector<Float4>& thread, const std::vector<Vec3f>& movement, float shade) {
        curves_.add(thread, shade * options_.color);
        curves_.movement.insert(curves_.movement.end(), movement.begin(), movement.end());
    }

    void add_ply(const std::vector<Station>& way, std::uint32_t number, int ply) {
        // Plies touch each other and, together, fill the yarn.
        const float whole = pattern_.radius * pitch_, radius = whole * (pattern_.plies == 2 ? 0.62f : 0.52f);
        std::vector<Float4> thread;
        std::vector<Vec3f> movement;
        float turned = static_cast<float>(ply) / static_cast<float>(pattern_.plies) + random(number + options_.seed);
        for (std::size_t k = 0; k < way.size(); ++k) {
            if (k > 0) turned += pattern_.twist * length(way[k].at - way[k - 1].at) / pitch_;
            const Axes a = axes(way, k);
            const Vec3f shift =
                (whole - radius) * (std::cos(2 * pi * turned) * a.off + std::sin(2 * pi * turned) * a.side);
            const Vec3f p = way[k].at + shift;
            thread.push_back({p.x, p.y, p.z, radius});
            movement.push_back(way[k].movement);
        }
        const std::uint32_t seed = Sampler::hash(options_.seed ^ (number * 31u + static_cast<std::uint32_t>(ply)));
        add(thread, movement, 0.92f + 0.16f * random(seed));
    }

    void add_fiber(const std::vector<Station>& way, std::uint32_t number, std::uint32_t fiber) {
        const std::uint32_t seed = Sampler::hash(Sampler::hash(options_.seed ^ number) + 7919u * fiber);
        const auto k = static_cast<std::size_t>(random(seed + 1) * static_cast<float>(way.size() - 1));
        const Axes a = axes(way, k);
        const float angle = 2 * pi * random(seed + 2), lean = 2.4f * (random(seed + 3) - 0.5f);
        const Vec3f out = std::cos(angle) * a.off + std::sin(angle) * a.side;
        const Vec3f curl = std::cos(angle + 2) * a.off + std::sin(angle + 2) * a.side;
        const float reach = pitch_ * (0.12f + 0.35f * random(seed + 4) * random(seed + 5));
        std::vector<Float4> thread;
        for (int p = 0; p < 5; ++p) {
            const float t = static_cast<float>(p - 1) / 2; // from within the yarn to its end
            const Vec3f at = way[k].at + (0.8f * pattern_.radius * pitch_ + t * reach) * out +
                             t * reach * (lean * a.along + 0.6f * (t - 1) * curl);
            thread.push_back({at.x, at.y, at.z, 0.011f * pitch_ * (1.3f - 0.5f * t)});
        }
        add(thread, std::vector<Vec3f>(thread.size(), way[k].movement), 1.0f + 0.25f * random(seed + 6));
    }

    const Pattern& pattern_;
    float pitch_;
    const YarnOptions& options_;
    Curves curves_;
};

// Goes along a line of the sheet, stitch by stitch, and gives each whole stretch to the spinner.
template <class IsWhole, class StationAt>
void go_along(Spinner& spinner, std::size_t stitches, int points, std::uint32_t number, const IsWhole& is_whole,
              const StationAt& station) {
    std::vector<Station> way;
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

void spin_rows(Spinner& spinner, const Patch& patch, const Pattern& pattern, bool woven) {
    for (std::size_t r = 0; r < patch.rows(); ++r) {
        const auto row = static_cast<float>(r);
        const auto station = [&](float s) -> Station {
            const float x = s + pattern.along * std::sin(4 * pi * s), y = row + pattern.across * std::cos(2 * pi * s);
            const float z = pattern.off * (woven ? std::cos(pi * (s + row)) : std::cos(4 * pi * s));
            const Vec3f off = patch.normal(x, y);
            return {patch.place(x, y) + z * patch.pitch() * off, off, patch.movement(x, y)};
        };
        go_along(
            spinner, patch.columns() - 1, pattern.points, static_cast<std::uint32_t>(r * patch.columns()),
            [&](std::size_t c) { return patch.is_whole(r, c, r, c + 1); }, station);
    }
}

void spin_columns(Spinner& spinner, const Patch& patch, const Pattern& pattern) {
    for (std::size_t c = 0; c < patch.columns(); ++c) {
        const auto column = static_cast<float>(c);
        const auto station = [&](float s) -> Station {
            const Vec3f off = patch.normal(column, s);
            const float z = -pattern.off * std::cos(pi * (s + column));
            return {patch.place(column, s) + z * patch.pitch() * off, off, patch.movement(column, s)};
        };
        go_along(
            spinner, patch.rows() - 1, pattern.points, static_cast<std::uint32_t>(0x800000u + c * patch.rows()),
            [&](std::size_t r) { return patch.is_whole(r, c, r + 1, c); }, station);
    }
}

} // namespace

bool has_threads(const BodySheet& body) { return body.sheet && body.sheet->columns > 1; }

Curves yarn_of(const SurfaceMesh& now, const BodySheet& body, const YarnOptions& options) {
    const Patch patch(now, body, options.shutter);
    const bool is_rope = body.sheet->is_rope();
    const Pattern& pattern = is_rope ? rope : options.woven ? weave : knit;
    Spinner spinner(pattern, patch.pitch(), options);
    spin_rows(spinner, patch, pattern, options.woven && !is_rope);
    if (options.woven && !is_rope) spin_columns(spinner, patch, pattern);
    Curves curves = spinner.take();
    if (options.shutter <= 0) curves.movement.clear();
    return curves;
}

} // namespace loam
