// Terrain: the solid below a surface y = h(x, z), made by noise or read from a file.
#include <cmath>
#include <filesystem>

#include "base/parallel.h"
#include "base/text.h"
#include "particles/shapes/distances.h"
#include "particles/shapes/height_file.h"
#include "particles/shapes/kinds.h"
#include "particles/shapes/noise.h"

namespace loam {
namespace {

constexpr int most_samples_per_side = 4096;

// Heights between samples by quadratic B-splines, so that the slope has no steps.
struct Surface {
    Heights heights;
    Vec3d lo, hi;

    struct Point {
        double height, slope_x, slope_z;
    };
    Point at(double x, double z) const {
        const Taps u = taps(x, lo.x, hi.x, heights.columns), v = taps(z, lo.z, hi.z, heights.rows);
        Point p{0, 0, 0};
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) {
                const double h = heights.at(u.index[i], v.index[j]);
                p.height += u.weight[i] * v.weight[j] * h;
                p.slope_x += u.slope[i] * v.weight[j] * h;
                p.slope_z += u.weight[i] * v.slope[j] * h;
            }
        return p;
    }

private:
    struct Taps {
        int index[3];
        double weight[3], slope[3];
    };
    static Taps taps(double x, double lo, double hi, int count) {
        if (count < 2 || !(hi > lo)) return {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
        const double per_metre = (count - 1) / (hi - lo);
        const double clamped = std::min(hi, std::max(lo, x));
        const double s = (clamped - lo) * per_metre;
        const int i = static_cast<int>(s + 0.5);
        const double t = s - i + 0.5; // 0..1
        const double scale = clamped == x ? per_metre : 0;
        const auto inside = [count](int k) { return std::clamp(k, 0, count - 1); };
        return {{inside(i - 1), i, inside(i + 1)},
                {0.5 * (1 - t) * (1 - t), 0.5 + t - t * t, 0.5 * t * t},
                {scale * (t - 1), scale * (1 - 2 * t), scale * t}};
    }
};

class HeightField final : public Shape {
public:
    explicit HeightField(Surface surface, double spacing) : surface_(std::move(surface)), spacing_(spacing) {
        bounds_ = {surface_.lo, surface_.hi};
        bounds_.lo.y = 1e300, bounds_.hi.y = -1e300;
        const Heights& h = surface_.heights;
        for (const float y : h.values) {
            bounds_.lo.y = std::min<double>(bounds_.lo.y, y);
            bounds_.hi.y = std::max<double>(bounds_.hi.y, y);
        }
        for (int j = 0; j < h.rows; ++j)
            for (int i = 0; i < h.columns; ++i) {
                const auto along = [](double from, double to, int k, int n) {
                    return n > 1 ? from + (to - from) * k / (n - 1) : from;
                };
                const auto p = surface_.at(along(bounds_.lo.x, bounds_.hi.x, i, h.columns),
                                           along(bounds_.lo.z, bounds_.hi.z, j, h.rows));
                steepest_ = std::max(steepest_, p.slope_x * p.slope_x + p.slope_z * p.slope_z);
            }
    }

    // To first order in the gap near the surface: the gap times the cosine of the slope there. Away from it the
    // steepest slope of all is taken, which gives a lower bound.
    double distance(const Vec3d& at) const override {
        const Surface::Point p = surface_.at(at.x, at.z);
        const double gap = at.y - p.height;
        const double local = p.slope_x * p.slope_x + p.slope_z * p.slope_z;
        const double t = clamp01((std::abs(gap) - 2 * spacing_) / (8 * spacing_));
        return gap / std::sqrt(1 + local + (std::max(steepest_, local) - local) * t);
    }
    Vec3d normal(const Vec3d& at) const override {
        const Surface::Point p = surface_.at(at.x, at.z);
        return normalized(Vec3d{-p.slope_x, 1, -p.slope_z});
    }
    Bounds bounds() const override { return bounds_; }
    bool bounded() const override { return false; }
    bool on_patch(const Vec3d& at) const override {
        return at.x >= bounds_.lo.x && at.x <= bounds_.hi.x && at.z >= bounds_.lo.z && at.z <= bounds_.hi.z;
    }

private:
    Surface surface_;
    double spacing_;
    Bounds bounds_;
    double steepest_ = 0; // slope squared
};

// Hills of noise, tilted along x, with a meandering valley along x if wanted.
double terrain_height(double x, double z, const Values& values) {
    const Vec3d lo = values.vector("min"), hi = values.vector("max");
    const double wavelength = values.number("wavelength");
    const auto seed = static_cast<std::uint64_t>(values.integer("seed"));
    const double hills = fractal_noise({x / wavelength, 0.37, z / wavelength}, values.integer("octaves"),
                                       values.number("roughness"), seed);
    double height = lo.y + values.number("amplitude") * hills - values.number("slope") * (x - lo.x);
    const double depth = values.number("valley"), width = values.number("valley_width");
    if (depth > 0) {
        const double bend = gradient_noise({x / (2 * wavelength), 7.7, 0.5}, seed + 99);
        const double across = (z - 0.5 * (lo.z + hi.z) - values.number("meander") * bend) / width;
        const double sides = across * across / (1 + across * across); // 0 at the bottom, 1 on the banks
        height += depth * (sides - 1);
        height -= values.number("amplitude") * hills * 0.7 * (1 - sides); // a bed smoother than the hills
    }
    return height;
}

Heights procedural(const Values& values, const ShapeContext& context, const Vec3d& lo, const Vec3d& hi) {
    const auto samples = [&](double extent) {
        return 2 + static_cast<int>(std::clamp(extent / context.spacing, 0.0, most_samples_per_side - 2.0));
    };
    Heights heights;
    heights.columns = samples(hi.x - lo.x);
    heights.rows = context.dimensions == 2 ? 1 : samples(hi.z - lo.z);
    heights.values.resize(static_cast<std::size_t>(heights.columns) * heights.rows);
    parallel_each(heights.values.size(), [&](std::size_t n) {
        const int i = static_cast<int>(n % heights.columns), j = static_cast<int>(n / heights.columns);
        const double x = lo.x + (hi.x - lo.x) * i / (heights.columns - 1);
        const double z = heights.rows > 1 ? lo.z + (hi.z - lo.z) * j / (heights.rows - 1) : 0;
        heights.values[n] = static_cast<float>(terrain_height(x, z, values));
    });
    return heights;
}

Result<Heights> from_file(const Values& values, const ShapeContext& context, double base) {
    Result<Heights> heights = read_heights((std::filesystem::path(context.folder) / values.text("file")).string());
    if (!heights) return heights;
    for (float& h : heights->values) h = static_cast<float>(base + values.number("amplitude") * h);
    if (context.dimensions == 2) { // the middle row
        const auto middle = heights->values.begin() + static_cast<std::ptrdiff_t>(heights->rows / 2) * heights->columns;
        heights->values = {middle, middle + heights->columns};
        heights->rows = 1;
    }
    return heights;
}

Result<ShapePtr> make_heightfield(const Values& values, const ShapeContext& context) {
    const Vec3d lo = values.vector("min"), hi = values.vector("max");
    for (const std::size_t axis : {std::size_t{0}, std::size_t{2}})
        if (!(hi[axis] > lo[axis]) && !(axis == 2 && context.dimensions == 2))
            return wrong("max", std::string(1, "xyz"[axis]) + " is " + number_text(hi[axis]) + ", not above min's " +
                                    number_text(lo[axis]));
    for (const std::size_t axis : {std::size_t{0}, std::size_t{2}})
        if (!(hi[axis] - lo[axis] >= context.spacing) && !(axis == 2 && context.dimensions == 2))
            return wrong("max", "the patch is " + number_text(hi[axis] - lo[axis]) + " m wide in " +
                                    std::string(1, "xyz"[axis]) + ", less than a particle, " +
                                    number_text(context.spacing) + " m");
    Surface surface{{}, lo, hi};
    if (context.dimensions == 2) surface.lo.z = surface.hi.z = 0;
    if (values.text("file").empty()) {
        surface.heights = procedural(values, context, lo, hi);
    } else {
        Result<Heights> heights = from_file(values, context, lo.y);
        if (!heights) return heights.error();
        surface.heights = std::move(*heights);
    }
    return ShapePtr(std::make_shared<HeightField>(std::move(surface), context.spacing));
}

} // namespace

std::vector<ShapeKind> heightfield_kinds() {
    return {{{"heightfield",
              "Terrain: all that lies below a surface of hills. It goes on beyond its patch; the patch is covered with "
              "particles. In 2D a line of hills along x.",
              {vector("min", "m", {0, 0, 0}, "corner of the patch in x and z; y is the level of the terrain").needed(),
               vector("max", "m", {1, 0, 1}, "opposite corner in x and z; y is not looked at").needed(),
               number("amplitude", "m", 0.1, not_negative, "height of the hills; of a file's largest value"),
               number("wavelength", "m", 1, positive, "distance of large hills"),
               integer("octaves", 4, {1, 12}, "number of ever smaller hills on top of each other"),
               number("roughness", "", 0.45, fraction, "height of hills over that of hills twice as wide"),
               number("slope", "", 0, any, "fall per metre along x"),
               number("valley", "m", 0, not_negative, "depth of a valley along x"),
               number("valley_width", "m", 0.3, positive, "distance of its middle to its sides"),
               number("meander", "m", 0, not_negative, "how far the valley swings to the sides"),
               integer("seed", 1, not_negative, "another number, another terrain"),
               text("file", "", "heights from a file instead: a PGM picture, or rows of numbers as text")}},
             make_heightfield}};
}

} // namespace loam
