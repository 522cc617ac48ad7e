#include "behaviors/elastic/clamps.h"

#include <algorithm>

#include "base/parallel.h"
#include "neighbors/list.h"

namespace loam {
namespace {

// Columns: along the first two points, across that in the plane of the three (of the scene in 2D), and its normal.
Mat3 basis_of(const Vec3d& p, const Vec3d& q, const Vec3d& r, int dimensions) {
    const Vec3d along = normalized(q - p);
    const Vec3d normal = dimensions == 2 ? Vec3d{0, 0, 1} : normalized(cross(along, r - p));
    return Mat3{{along, cross(normal, along), normal}}.transposed();
}

} // namespace

bool Clamps::look(const StepContext& step, const SlotMap& slots, const Reference& reference) {
    if (step.scene.pins.empty()) return false;
    const Pool& pool = step.particles;
    dimensions_ = step.scene.dimensions;
    std::vector<std::uint32_t> now(reference.size(), 0);
    parallel_each(now.size(), [&](std::size_t s) {
        if (slots[s] != SlotMap::gone && pool.is_held(slots[s])) now[s] = pool[pool.pin][slots[s]];
    });
    if (now == pin_) return false;
    pin_ = std::move(now);
    grips_.assign(step.scene.pins.size() + 1, {});
    for (std::uint32_t pin = 1; pin < grips_.size(); ++pin) grips_[pin] = grip_of(pin, reference);
    clamped_.assign(reference.size(), 0);
    for (std::size_t s = 0; s < pin_.size(); ++s) clamped_[s] = pin_[s] != 0 && grips_[pin_[s]].clamps;
    return true;
}

Clamps::Grip Clamps::grip_of(std::uint32_t pin, const Reference& reference) const {
    Grip grip;
    const auto farthest = [&](const auto& distance2) { // from which nothing is farther
        std::uint32_t best = 0;
        double most = -1;
        for (std::uint32_t s = 0; s < pin_.size(); ++s)
            if (pin_[s] == pin && distance2(reference[s].position) > most)
                most = distance2(reference[s].position), best = s;
        return std::pair{best, most};
    };
    auto& [a, b, c] = grip.slots;
    const auto first = std::find(pin_.begin(), pin_.end(), pin);
    if (first == pin_.end()) return grip;
    a = static_cast<std::uint32_t>(first - pin_.begin());
    const Vec3d from = reference[a].position;
    const auto [end, length2] = farthest([&](const Vec3d& p) { return dot(p - from, p - from); });
    if (!(length2 > 0)) return grip;
    b = end;
    const Vec3d along = normalized(reference[b].position - from);
    const auto [aside, width2] = farthest([&](const Vec3d& p) {
        const Vec3d across = cross(along, p - from);
        return dot(across, across);
    });
    c = aside;
    constexpr double in_a_line = 1e-6;
    grip.clamps = dimensions_ == 2 || width2 > in_a_line * length2;
    const auto body = std::find_if(reference.bodies().begin(), reference.bodies().end(),
                                   [&](const Reference::BodyRange& r) { return r.slots.end > grip.slots[0]; });
    grip.frame = static_cast<std::size_t>(body - reference.bodies().begin());
    return grip;
}

Mat3 Clamps::turn_of(const Grip& grip, const Pool& pool, const SlotMap& slots, const Reference& reference,
                     const BodyFrame& frame, double seconds) const {
    Vec3d now[3], rest[3];
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t i = slots[grip.slots[k]];
        now[k] = frame.near_anchor(pool[pool.position][i]) + seconds * pool[pool.velocity][i].xyz_double();
        rest[k] = reference[grip.slots[k]].position;
    }
    return basis_of(now[0], now[1], now[2], dimensions_) *
           basis_of(rest[0], rest[1], rest[2], dimensions_).transposed();
}

void Clamps::place_anchors(const Pool& pool, const SlotMap& slots, const Reference& reference,
                           const std::vector<BodyFrame>& frames, std::vector<Float4>& displacement) const {
    std::vector<Mat3> turned(grips_.size()); // beyond the turn of the body's frame
    for (std::size_t pin = 0; pin < grips_.size(); ++pin)
        if (const Grip& grip = grips_[pin]; grip.clamps) {
            const BodyFrame& frame = frames[grip.frame];
            turned[pin] = frame.turn.transposed() * turn_of(grip, pool, slots, reference, frame, 0) - Mat3::identity();
        }
    parallel_each(reference.anchors().size(), [&](std::size_t a) {
        const Reference::Anchor& anchor = reference.anchors()[a];
        displacement[reference.size() + a] =
            float4(displacement[anchor.to].xyz_double() + turned[pin_[anchor.to]] * anchor.arm);
    });
}

void Clamps::move_anchors(const StepContext& step, const SlotMap& slots, const Reference& reference,
                          const std::vector<BodyFrame>& frames, std::vector<Float4>& velocity) const {
    std::vector<Mat3> turning(grips_.size(), Mat3{}); // per second
    for (std::size_t pin = 0; pin < grips_.size() && step.dt > 0; ++pin)
        if (const Grip& grip = grips_[pin]; grip.clamps) {
            const BodyFrame& frame = frames[grip.frame];
            turning[pin] = (1 / step.dt) *
                           (frame.turn.transposed() * (turn_of(grip, step.particles, slots, reference, frame, step.dt) -
                                                       turn_of(grip, step.particles, slots, reference, frame, 0)));
        }
    parallel_each(reference.anchors().size(), [&](std::size_t a) {
        const Reference::Anchor& anchor = reference.anchors()[a];
        velocity[reference.size() + a] =
            float4(velocity[anchor.to].xyz_double() + turning[pin_[anchor.to]] * anchor.arm);
    });
}

// Where along a bond its particle's own side ends: where those that are clamped become nearer than those that are not.
double Reference::share_before_face(std::size_t slot, std::size_t bond,
                                    const std::vector<std::uint8_t>& clamped) const {
    const auto place = [&](std::size_t k) { return Vec3d{bonds_.x[k], bonds_.y[k], bonds_.z[k]}; };
    const Vec3d way = place(bond);
    const auto is_beyond = [&](double share) {
        double free = 0, held = 1e300; // squared distances, less that of the particle itself
        for (std::size_t k = bonds_.begin[slot]; k != bonds_.begin[slot + 1]; ++k) {
            if (bonds_.other[k] == slot) continue; // padding
            const Vec3d at = place(k);
            double& nearest = clamped[bonds_.other[k]] ? held : free;
            nearest = std::min(nearest, dot(at, at) - 2 * share * dot(way, at));
        }
        return held < free;
    };
    double before = 0, beyond = 1;
    for (int halving = 0; halving < 20; ++halving) {
        const double middle = 0.5 * (before + beyond);
        (is_beyond(middle) ? beyond : before) = middle;
    }
    return 0.5 * (before + beyond);
}

void Reference::clamp(const std::vector<std::uint8_t>& clamped) {
    constexpr double nearest_face =
        0.5; // of a bond: what is nearer gets no more weight, which would need shorter steps
    std::vector<Loosened> cuts;
    for (std::uint32_t s = 0; s < size(); ++s)
        for (std::uint32_t k = bonds_.begin[s]; k != bonds_.begin[s + 1]; ++k) {
            const std::uint32_t other = bonds_.other[k];
            if (clamped[s] == clamped[other] || !(bonds_.weight[k] > 0)) continue;
            cuts.push_back({s,
                            k,
                            other,
                            {bonds_.x[k], bonds_.y[k], bonds_.z[k]},
                            bonds_.weight[k],
                            clamped[s] ? 0 : share_before_face(s, k, clamped)});
        }
    for (const Loosened& cut : cuts) {
        const std::uint32_t k = cut.bond;
        changed_.push_back(cut.slot);
        if (clamped[cut.slot]) {
            bonds_.weight[k] = 0;
            continue;
        }
        const auto s = static_cast<float>(cut.share);
        const float weighed = std::max<float>(s, nearest_face);
        bonds_.other[k] = static_cast<std::uint32_t>(slots());
        bonds_.x[k] *= s, bonds_.y[k] *= s, bonds_.z[k] *= s;
        bonds_.weight[k] /= weighed * weighed;
        anchors_.push_back({cut.other, (cut.share - 1) * cut.way});
    }
    loosened_ = std::move(cuts);
    bonds_.begin.resize(slots() + 1, bonds_.begin.back());
    for (auto* values : {&inverse_first_, &inverse_second_, &null_}) values->resize(slots() + list_padding);
    for (auto* values : {&inverse_first_, &inverse_second_, &null_})
        std::fill(values->begin() + static_cast<std::ptrdiff_t>(size()), values->end(), Float4{});
    refresh();
}

void Reference::unclamp() {
    std::vector<BondPair> broken; // meanwhile, from the free side
    for (const Loosened& cut : loosened_) {
        if (cut.share > 0 && !(bonds_.weight[cut.bond] > 0)) broken.push_back({cut.slot, cut.other});
        bonds_.other[cut.bond] = cut.other;
        bonds_.x[cut.bond] = static_cast<float>(cut.way.x), bonds_.y[cut.bond] = static_cast<float>(cut.way.y);
        bonds_.z[cut.bond] = static_cast<float>(cut.way.z);
        if (cut.share == 0 || bonds_.weight[cut.bond] > 0) bonds_.weight[cut.bond] = cut.weight;
        changed_.push_back(cut.slot);
    }
    loosened_.clear(), anchors_.clear();
    bonds_.begin.resize(size() + 1);
    for (const auto& [slot, other] : broken) // the way back
        for (std::size_t k = bonds_.begin[other]; k != bonds_.begin[other + 1]; ++k)
            if (bonds_.other[k] == slot && bonds_.weight[k] > 0) break_bond(other, k);
    refresh();
}

} // namespace loam
