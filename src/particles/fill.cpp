// Filling a shape with particles on a lattice.
//
// Lattice points inside of the shape are kept, so that their volumes add up to the shape's volume. Those so close to
// the surface that more than half of their radius would stick out are moved in along the normal; on flat faces a whole
// number of spacings apart none are.
#include <atomic>
#include <numbers>

#include "base/parallel.h"
#include "base/text.h"
#include "particles/hash.h"
#include "particles/sampling.h"

namespace loam {
namespace {

constexpr double most_particles = 2e8;
constexpr int side = 16;        // lattice points along the edge of a block
constexpr double margin = 0.25; // centres stay this many spacings below the surface

using Index = std::array<std::int64_t, 3>;

// One particle per spacing^dimensions, whatever the lattice. `lo` is the corner half a spacing before the first point.
class Lattice {
public:
    Lattice(const Bounds& bounds, double spacing, int dimensions, bool hexagonal)
        : first_(bounds.lo + Vec3d{0.5 * spacing, 0.5 * spacing, 0.5 * spacing}), step_{spacing, spacing, spacing},
          hexagonal_(hexagonal), flat_(dimensions == 2) {
        const double a = spacing * (flat_ ? std::sqrt(2 / std::numbers::sqrt3) : std::pow(2.0, 1.0 / 6));
        if (hexagonal && flat_)
            step_ = {a, a * std::numbers::sqrt3 / 2, spacing};
        else if (hexagonal)
            step_ = {a, a * std::sqrt(2.0 / 3), a * std::numbers::sqrt3 / 2};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double points = std::floor((bounds.size()[axis] - 0.5 * spacing) / step_[axis] + 1e-6) + 1;
            count_[axis] = std::max<std::int64_t>(1, static_cast<std::int64_t>(points));
            // Even a shape thinner than half a spacing gets a point in its middle to try.
            if (bounds.size()[axis] < spacing) first_[axis] = bounds.center()[axis];
        }
        if (hexagonal) count_[0] += 1, count_[2] += flat_ ? 0 : 1; // rows are shifted to and fro
        if (flat_) first_.z = 0, count_[2] = 1;
    }

    const Index& count() const { return count_; }
    Vec3d step() const { return step_; }
    // Close packing: every other row is shifted by half a step, every other layer by a third of a row.
    Vec3d point(std::int64_t i, std::int64_t j, std::int64_t k) const {
        Vec3d p{double(i), double(j), double(k)};
        if (hexagonal_ && (flat_ ? j : j + k) % 2 == 0) p.x -= 0.5;
        if (hexagonal_ && !flat_ && j % 2 == 1) p.z -= 1.0 / 3;
        return first_ + Vec3d{p.x * step_.x, p.y * step_.y, p.z * step_.z};
    }

private:
    Vec3d first_, step_;
    Index count_{};
    bool hexagonal_, flat_;
};

class Filling {
public:
    Filling(const Shape& shape, double spacing, int dimensions, const FillOptions& options)
        : shape_(shape), lattice_(shape.bounds(), spacing, dimensions, options.lattice == "hexagonal"),
          spacing_(spacing), flat_(dimensions == 2), options_(options) {
        const Index& count = lattice_.count();
        for (std::size_t axis = 0; axis < 3; ++axis) blocks_[axis] = (count[axis] + side - 1) / side;
        const Vec3d half = (0.5 * side + 1) * lattice_.step();
        reach_ = length(flat_ ? Vec3d{half.x, half.y, 0} : half) + spacing;
    }

    double block_total() const { return double(blocks_[0]) * double(blocks_[1]) * double(blocks_[2]); }

    // Without evaluating single points.
    double estimate() const {
        const std::size_t total = static_cast<std::size_t>(block_total());
        const double per_block = flat_ ? side * side : side * side * side;
        return parallel_reduce(
            total, 0.0,
            [&](Range range) {
                double sum = 0;
                for (std::size_t b = range.begin; b < range.end; ++b) {
                    const double d = shape_.distance(middle(block(b)));
                    sum += d > reach_ ? 0 : d < -reach_ ? per_block : 0.5 * per_block * (1 - d / reach_);
                }
                return sum;
            },
            [](double a, double b) { return a + b; });
    }

    std::vector<Vec3d> points() const {
        const std::size_t total = static_cast<std::size_t>(block_total());
        std::vector<std::vector<Vec3d>> parts(total);
        parallel_blocks(total, 1, [&](Range, std::size_t b) { fill_block(block(b), parts[b]); });
        std::size_t count = 0;
        for (const auto& part : parts) count += part.size();
        std::vector<Vec3d> all;
        all.reserve(count);
        for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
        return all;
    }

private:
    Index block(std::size_t b) const {
        const auto n = static_cast<std::int64_t>(b);
        return {n % blocks_[0], n / blocks_[0] % blocks_[1], n / (blocks_[0] * blocks_[1])};
    }
    Vec3d middle(const Index& b) const {
        const Vec3d lo = lattice_.point(b[0] * side, b[1] * side, b[2] * side);
        Vec3d p = lo + 0.5 * (side - 1) * lattice_.step();
        if (flat_) p.z = 0;
        return p;
    }

    void fill_block(const Index& b, std::vector<Vec3d>& out) const {
        const double d = shape_.distance(middle(b));
        if (d > reach_) return;
        const bool all_inside = d < -reach_ && options_.jitter == 0;
        const Index& count = lattice_.count();
        for (std::int64_t k = b[2] * side; k < std::min(count[2], (b[2] + 1) * side); ++k)
            for (std::int64_t j = b[1] * side; j < std::min(count[1], (b[1] + 1) * side); ++j)
                for (std::int64_t i = b[0] * side; i < std::min(count[0], (b[0] + 1) * side); ++i) {
                    Vec3d p = lattice_.point(i, j, k);
                    if (all_inside || keep(p, {i, j, k})) out.push_back(p);
                }
    }

    bool keep(Vec3d& p, const Index& index) const {
        const double d = shape_.distance(p);
        if (!(d < -1e-3 * spacing_)) return false;
        if (options_.jitter == 0 && d <= -margin * spacing_) return true;
        Vec3d moved = p;
        if (options_.jitter > 0) {
            const std::uint64_t h = hash_of(options_.seed, index[0], index[1], index[2]);
            for (std::size_t axis = 0; axis < (flat_ ? 2 : 3); ++axis)
                moved[axis] += options_.jitter * spacing_ * (2 * unit_number(mix_bits(h + axis)) - 1);
        }
        const double excess = shape_.distance(moved) + margin * spacing_;
        if (excess > 1e-9 * spacing_) moved -= excess * shape_.normal(moved);
        if (flat_) moved.z = 0;
        // Where the shape is too thin for that, the lattice point stays where it is.
        if (shape_.distance(moved) <= std::max(d, -margin * spacing_ * 0.99)) p = moved;
        return true;
    }

    const Shape& shape_;
    Lattice lattice_;
    double spacing_;
    bool flat_;
    const FillOptions& options_;
    Index blocks_{};
    double reach_ = 0; // half the diagonal of a block, and one spacing for distances that are not quite exact
};

} // namespace

Result<std::vector<Vec3d>> fill(const Shape& shape, double spacing, int dimensions, const FillOptions& options) {
    const auto fail = [](std::string what, std::string hint) {
        return Error{Fault::scene, "", std::move(what), std::move(hint)};
    };
    if (!(spacing > 0) || !std::isfinite(spacing))
        return fail("the spacing " + number_text(spacing) + " is not above 0", "");
    if (!shape.bounded())
        return fail("the shape has no end, it cannot be filled with particles", "intersect it with a box");
    const Vec3d size = shape.bounds().size();
    if (!is_finite(size) || !(std::min({size.x, size.y, size.z}) >= 0)) return fail("the shape is empty", "");
    const auto too_many = [&](double count) {
        const std::string many = std::isfinite(count) ? "about " + number_text(count) : "endlessly many";
        return fail(many + " particles would come out, more than 200 million",
                    "make particle_radius larger; it is " + number_text(0.5 * spacing));
    };
    const double volume = size.x / spacing * (size.y / spacing) * (dimensions == 2 ? 1 : size.z / spacing);
    if (!(volume < 1e5 * most_particles)) return too_many(volume);
    const Filling filling(shape, spacing, dimensions, options);
    if (filling.block_total() > most_particles) return too_many(volume);
    if (volume > most_particles)
        if (const double count = filling.estimate(); count > most_particles) return too_many(count);
    std::vector<Vec3d> points = filling.points();
    if (points.empty())
        return fail("no particle fits into the shape, its size is " + number_text(size.x) + " x " +
                        number_text(size.y) + " x " + number_text(size.z) + " m",
                    "make the shape larger or particle_radius smaller; it is " + number_text(0.5 * spacing));
    return points;
}

} // namespace loam
