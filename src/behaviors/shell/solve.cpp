#include "behaviors/shell/solve.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/eigen3.h"

namespace loam {

// Points in the order in which they stand along the way in which the layer is longest.
PlateSolve::PlateSolve(std::span<const Vec3d> reference, Plate& plate) : order_(reference.size()) {
    Vec3d middle;
    for (const Vec3d& p : reference) middle += p / static_cast<double>(reference.size());
    Symmetric3 spread;
    for (const Vec3d& p : reference) {
        const Vec3d d = p - middle;
        spread.xx += d.x * d.x, spread.xy += d.x * d.y, spread.xz += d.x * d.z;
        spread.yy += d.y * d.y, spread.yz += d.y * d.z, spread.zz += d.z * d.z;
    }
    const Vec3d along = eigen_of(spread).vectors[0];
    std::vector<std::uint32_t> points(reference.size());
    std::iota(points.begin(), points.end(), 0);
    std::stable_sort(points.begin(), points.end(), [&](std::uint32_t a, std::uint32_t b) {
        return dot(reference[a], along) < dot(reference[b], along);
    });
    for (std::uint32_t place = 0; place < points.size(); ++place) order_[points[place]] = place;
    std::uint32_t farthest = 0;
    plate.look(reference);
    plate.each_stiffness([&](std::uint32_t p, std::uint32_t q, const Mat3&, double) {
        if (order_[p] > order_[q]) farthest = std::max(farthest, order_[p] - order_[q]);
    });
    width_ = std::size_t{3} * farthest + 2;
}

double PlateSolve::multiplications() const {
    return 1.5 * static_cast<double>(order_.size() * width_ * width_); // half of three rows each
}

void PlateSolve::factor() {
    const std::size_t count = 3 * order_.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t begin = i > width_ ? i - width_ : 0;
        double* const row = &at(i, begin) - begin;
        for (std::size_t j = begin; j <= i; ++j) {
            const std::size_t from = std::max(begin, j > width_ ? j - width_ : 0);
            const double* const other = &at(j, from) - from;
            double sum = row[j];
            for (std::size_t k = from; k < j; ++k) sum -= row[k] * other[k];
            row[j] = j < i ? sum / other[j] : std::sqrt(sum);
        }
    }
}

void PlateSolve::substitute(std::vector<double>& x) const {
    const auto entry = [&](std::size_t row, std::size_t column) {
        return band_[row * (width_ + 1) + width_ + column - row];
    };
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t k = i > width_ ? i - width_ : 0; k < i; ++k) x[i] -= entry(i, k) * x[k];
        x[i] /= entry(i, i);
    }
    for (std::size_t i = x.size(); i-- > 0;) {
        x[i] /= entry(i, i);
        for (std::size_t k = i > width_ ? i - width_ : 0; k < i; ++k) x[k] -= entry(i, k) * x[i];
    }
}

const std::vector<Vec3d>& PlateSolve::change(Plate& plate, std::span<const Vec3d> x, std::span<const Vec3d> v,
                                             std::span<const double> per_mass, const Step& step) {
    const std::size_t count = order_.size();
    band_.assign(3 * count * (width_ + 1), 0), right_.assign(3 * count, 0);
    forces_.resize(count), none_.assign(count, {}), change_.assign(count, {});
    plate.forces(x, none_, forces_);
    for (std::size_t p = 0; p < count; ++p)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t row = std::size_t{3} * order_[p] + k;
            at(row, row) = per_mass[p] > 0 ? 1 / per_mass[p] : 1;
            right_[row] = per_mass[p] > 0 && !step.damping_only ? step.seconds * forces_[p][k] : 0;
        }
    const double taut = step.damping_only ? 0 : step.seconds * step.seconds;
    const double stiff = taut + step.seconds * step.damping;
    plate.each_stiffness([&](std::uint32_t p, std::uint32_t q, const Mat3& material, double tension) {
        if (!(per_mass[p] > 0)) return;
        const Mat3 block = stiff * material + (taut * tension) * Mat3::identity();
        const Vec3d moved = block * v[q];
        for (std::size_t r = 0; r < 3; ++r) {
            const std::size_t row = std::size_t{3} * order_[p] + r;
            right_[row] -= moved[r];
            for (std::size_t c = 0; c < 3 && per_mass[q] > 0; ++c)
                if (const std::size_t column = std::size_t{3} * order_[q] + c; column <= row)
                    at(row, column) += block.row[r][c];
        }
    });
    factor();
    substitute(right_);
    for (std::size_t p = 0; p < count; ++p)
        if (per_mass[p] > 0)
            for (std::size_t k = 0; k < 3; ++k) change_[p][k] = right_[std::size_t{3} * order_[p] + k];
    return change_;
}

} // namespace loam
