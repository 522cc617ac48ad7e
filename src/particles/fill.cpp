// Filling a shape with particles on a lattice.
//
// Every lattice point has a cell, and stands for the part of the shape in it: where the surface cuts the cell, the
// particle lies in the middle of that part and has its volume. Parts of less than a third of what a neighbor has go
// to the neighbor. So volume and center are those of the shape, however coarse the lattice. A whole number of cells,
// stretched a little if need be, lies along each side of the shape's bounds: what is flat is not cut at all.
#include <algorithm>
#include <array>
#include <numbers>
#include <optional>

#include "base/parallel.h"
#include "base/text.h"
#include "particles/cells.h"
#include "particles/hash.h"
#include "particles/sampling.h"

namespace loam {
namespace {

constexpr double most_particles = 2e8;
constexpr int side = 16;           // lattice points along the edge of a block
constexpr double margin = 0.25;    // jitter leaves centers this many spacings below the surface
constexpr double shallow = 0.1;    // spacings below the surface at which a center is at least
constexpr int levels = 3;          // of halves, by which cut cells are measured
constexpr double too_small = 0.35; // of the largest part around; large ones press on others more than small ones do
constexpr double thinnest = 2e-3;  // spacings; less is nothing

using Index = std::array<std::int64_t, 3>;

// One particle per spacing^dimensions, whatever the lattice.
class Lattice {
public:
    Lattice(const Bounds& bounds, double spacing, int dimensions, bool hexagonal)
        : step_{spacing, spacing, spacing}, hexagonal_(hexagonal), flat_(dimensions == 2) {
        const double a = spacing * (flat_ ? std::sqrt(2 / std::numbers::sqrt3) : std::pow(2.0, 1.0 / 6));
        if (hexagonal && flat_)
            step_ = {a, a * std::numbers::sqrt3 / 2, spacing};
        else if (hexagonal)
            step_ = {a, a * std::sqrt(2.0 / 3), a * std::numbers::sqrt3 / 2};
        usual_ = cell_volume();
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double size = bounds.size()[axis];
            count_[axis] = std::max<std::int64_t>(1, std::llround(size / step_[axis] - 1e-6));
            const double fitting = size / static_cast<double>(count_[axis]);
            if (std::abs(fitting - step_[axis]) > 1e-9 * step_[axis]) step_[axis] = fitting;
            first_[axis] = bounds.lo[axis] + 0.5 * step_[axis];
        }
        if (hexagonal) count_[0] += 1, count_[2] += flat_ ? 0 : 1; // rows are shifted to and fro
        if (flat_) first_.z = 0, count_[2] = 1;
    }

    const Index& count() const { return count_; }
    Vec3d step() const { return step_; }
    double cell_volume() const { return step_.x * step_.y * (flat_ ? 1 : step_.z); }
    double usual_volume() const { return usual_; } // of a cell that is not stretched
    // Close packing: every other row is shifted by half a step, every other layer by a third of a row.
    Vec3d point(std::int64_t i, std::int64_t j, std::int64_t k) const {
        Vec3d p{double(i), double(j), double(k)};
        if (hexagonal_ && (flat_ ? j : j + k) % 2 == 0) p.x -= 0.5;
        if (hexagonal_ && !flat_ && j % 2 == 1) p.z -= 1.0 / 3;
        return first_ + Vec3d{p.x * step_.x, p.y * step_.y, p.z * step_.z};
    }

private:
    Vec3d first_, step_;
    double usual_ = 0;
    Index count_{};
    bool hexagonal_, flat_;
};

// What a lattice point stands for.
struct Part {
    Index index;
    Vec3d middle;
    double share = 0; // of the cell that is inside of the shape
    bool kept = true; // large enough for a particle
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

    std::vector<FillPoint> points() {
        const std::size_t total = static_cast<std::size_t>(block_total());
        std::vector<std::vector<Part>> by_block(total);
        parallel_blocks(total, 1, [&](Range, std::size_t b) { fill_block(block(b), by_block[b]); });
        begin_.assign(1, 0);
        for (const auto& some : by_block) begin_.push_back(begin_.back() + some.size());
        parts_.reserve(begin_.back());
        for (auto& some : by_block) {
            parts_.insert(parts_.end(), some.begin(), some.end());
            some = {};
        }
        join_small();
        keep_inside();
        std::vector<FillPoint> points;
        points.reserve(parts_.size());
        const double cell = lattice_.cell_volume() / lattice_.usual_volume();
        for (const Part& part : parts_)
            if (part.kept) points.push_back({jittered(part), part.share * cell});
        return points;
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

    void fill_block(const Index& b, std::vector<Part>& out) const {
        const double d = shape_.distance(middle(b));
        if (d > reach_) return;
        const Index& count = lattice_.count();
        for (std::int64_t k = b[2] * side; k < std::min(count[2], (b[2] + 1) * side); ++k)
            for (std::int64_t j = b[1] * side; j < std::min(count[1], (b[1] + 1) * side); ++j)
                for (std::int64_t i = b[0] * side; i < std::min(count[0], (b[0] + 1) * side); ++i) {
                    Part part{{i, j, k}, lattice_.point(i, j, k), 1};
                    if (d >= -reach_) measure(part);
                    if (part.share > 0) out.push_back(part);
                }
    }

    void measure(Part& part) const {
        constexpr double whole = 1 - 1e-6, nothing = 1e-6;
        const CellBox cell{part.middle, lattice_.step()};
        double volume = 0;
        Vec3d first;
        each_cell(shape_, cell, levels, flat_, [&](const CellBox& piece, double inside) {
            volume += inside, first += inside * (piece.center - cell.center);
        });
        part.share = volume / cell.volume(flat_);
        if (part.share > whole)
            part.share = 1;
        else if (part.share < nothing)
            part.share = 0;
        else
            part.middle += first / volume;
    }

    Part* find(const Index& index) {
        const Index& count = lattice_.count();
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (index[axis] < 0 || index[axis] >= count[axis]) return nullptr;
        const auto b =
            static_cast<std::size_t>(index[0] / side + blocks_[0] * (index[1] / side + blocks_[1] * (index[2] / side)));
        const auto order = [](const Index& a) { return std::array{a[2], a[1], a[0]}; };
        Part *begin = parts_.data() + begin_[b], *end = parts_.data() + begin_[b + 1];
        Part* const found = std::lower_bound(begin, end, index, [&](const Part& part, const Index& wanted) {
            return order(part.index) < order(wanted);
        });
        return found != end && found->index == index ? found : nullptr;
    }

    template <class Visit> void each_around(const Index& at, const Visit& visit) {
        for (std::int64_t k = flat_ ? 0 : -1; k <= (flat_ ? 0 : 1); ++k)
            for (std::int64_t j = -1; j <= 1; ++j)
                for (std::int64_t i = -1; i <= 1; ++i)
                    if (i != 0 || j != 0 || k != 0)
                        if (Part* other = find({at[0] + i, at[1] + j, at[2] + k})) visit(*other);
    }

    // The nearest one around that is kept, else the largest.
    Part* who_takes(const Part& small) {
        Part *nearest = nullptr, *largest = nullptr;
        each_around(small.index, [&](Part& other) {
            const auto away = [&](const Part& part) { return length(part.middle - small.middle); };
            if (other.kept && (!nearest || away(other) < away(*nearest))) nearest = &other;
            if (!largest || other.share > largest->share) largest = &other;
        });
        return nearest ? nearest : largest;
    }

    void join_small() {
        std::vector<Part*> small;
        for (Part& part : parts_) {
            if (part.share >= too_small) continue;
            double most = 0;
            each_around(part.index, [&](const Part& other) { most = std::max(most, other.share); });
            if (part.share < too_small * most) small.push_back(&part);
        }
        for (Part* part : small) part->kept = false;
        std::vector<std::pair<Part*, Part*>> takers; // found before anything is given
        for (Part* part : small) takers.emplace_back(part, who_takes(*part));
        // The smallest first: what goes to another small one goes on with it.
        std::stable_sort(takers.begin(), takers.end(),
                         [](const auto& a, const auto& b) { return a.first->share < b.first->share; });
        for (const auto& [from, to] : takers) {
            const double sum = from->share + to->share;
            to->middle += (from->share / sum) * (from->middle - to->middle);
            to->share = sum;
        }
    }

    // The middle of a part with a notch may lie outside of it.
    void keep_inside() {
        for (Part& part : parts_) {
            if (part.share == 1 || !part.kept) continue;
            const double depth = -shape_.distance(part.middle);
            if (depth > shallow * spacing_) continue;
            const Vec3d moved = part.middle - (shallow * spacing_ - depth) * shape_.normal(part.middle);
            if (-shape_.distance(moved) > depth) part.middle = moved;
        }
    }

    Vec3d jittered(const Part& part) const {
        if (options_.jitter == 0) return part.middle;
        Vec3d moved = part.middle;
        const std::uint64_t h = hash_of(options_.seed, part.index[0], part.index[1], part.index[2]);
        for (std::size_t axis = 0; axis < (flat_ ? 2 : 3); ++axis)
            moved[axis] += options_.jitter * spacing_ * (2 * unit_number(mix_bits(h + axis)) - 1);
        const double excess = shape_.distance(moved) + margin * spacing_;
        if (excess > 1e-9 * spacing_) moved -= excess * shape_.normal(moved);
        if (flat_) moved.z = 0;
        // Where the shape is too thin for that, the particle stays where it is.
        const double before = shape_.distance(part.middle);
        return shape_.distance(moved) <= std::max(before, -margin * spacing_ * 0.99) ? moved : part.middle;
    }

    const Shape& shape_;
    Lattice lattice_;
    double spacing_;
    bool flat_;
    const FillOptions& options_;
    Index blocks_{};
    double reach_ = 0; // half the diagonal of a block, and one spacing for distances that are not quite exact
    std::vector<Part> parts_;
    std::vector<std::size_t> begin_; // of each block in them
};

} // namespace

Result<std::vector<FillPoint>> fill(const Shape& shape, double spacing, int dimensions, const FillOptions& options) {
    const auto fail = [](std::string what, std::string hint) {
        return Error{Fault::scene, "", std::move(what), std::move(hint)};
    };
    if (!(spacing > 0) || !std::isfinite(spacing))
        return fail("the spacing " + number_text(spacing) + " is not above 0", "");
    if (!shape.bounded())
        return fail("the shape has no end, it cannot be filled with particles", "intersect it with a box");
    if (Placement by; const Shape* own = shape.before_placed(by, dimensions)) {
        auto points = fill(*own, spacing / by.scale, dimensions, options);
        if (points)
            for (FillPoint& point : *points) point.position = by.apply(point.position);
        return points;
    }
    const Vec3d size = shape.bounds().size();
    if (!is_finite(size) || !(std::min({size.x, size.y, size.z}) >= 0)) return fail("the shape is empty", "");
    const auto too_many = [&](double count) {
        const std::string many = std::isfinite(count) ? "about " + number_text(count) : "endlessly many";
        return fail(many + " particles would come out, more than 200 million",
                    "make particle_radius larger; it is " + number_text(0.5 * spacing));
    };
    const double volume = size.x / spacing * (size.y / spacing) * (dimensions == 2 ? 1 : size.z / spacing);
    if (!(volume < 1e5 * most_particles)) return too_many(volume);
    Filling filling(shape, spacing, dimensions, options);
    if (filling.block_total() > most_particles) return too_many(volume);
    if (volume > most_particles)
        if (const double count = filling.estimate(); count > most_particles) return too_many(count);
    std::vector<FillPoint> points;
    if (std::min({size.x, size.y, dimensions == 2 ? size.x : size.z}) > thinnest * spacing) points = filling.points();
    if (points.empty())
        return fail("no particle fits into the shape, its size is " + number_text(size.x) + " x " +
                        number_text(size.y) + " x " + number_text(size.z) + " m",
                    "make the shape larger or particle_radius smaller; it is " + number_text(0.5 * spacing));
    return points;
}

} // namespace loam
