#include "foam/fluid.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "foam/passes.h"
#include "neighbors/search.h"

namespace loam {
namespace {

constexpr std::uint32_t none = UINT32_MAX;
constexpr std::size_t chunk = std::size_t{1} << 18; // places whose lists are in memory at a time
constexpr Float4 nowhere{1e15f, 1e15f, 1e15f, 0};   // pads lists
constexpr float least_lean = 0.25f;                 // of the weights around, at the surface
constexpr float outward = 0.6f;                     // cosine between velocity and normal of a crest (eq. 7)

Vec3d single(const Float4& v) { return v.xyz_double(); }

// Near the middle of things, but at the beginning of periodic axes.
Vec3d origin_for(std::span<const Vec3d> positions, const FluidSpace& space) {
    Bounds bounds;
    for (const Vec3d& p : positions) bounds.add(p);
    Vec3d origin = positions.empty() ? Vec3d{} : bounds.center();
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (space.period[axis] > 0) origin[axis] = space.begin[axis];
    return origin;
}

// Sum of 1 - r / reach over a lattice of half the reach.
float full_weights(bool flat) {
    float sum = 0;
    for (int z = flat ? 0 : -2; z <= (flat ? 0 : 2); ++z)
        for (int y = -2; y <= 2; ++y)
            for (int x = -2; x <= 2; ++x) {
                const float r = std::sqrt(static_cast<float>(x * x + y * y + z * z)) / 2;
                if (r > 0) sum += std::max(0.0f, 1 - r);
            }
    return sum;
}

template <class T> std::span<const T> column(const Frame& frame, const char* name) {
    const std::size_t found = frame.columns.find(name);
    if (found == SIZE_MAX || frame.columns.info(found).stride != sizeof(T)) return {};
    return {reinterpret_cast<const T*>(frame.columns.bytes(found)), frame.columns.size()};
}

} // namespace

Result<FluidFrame> fluid_of(const Frame& frame, const std::vector<bool>& by_body) {
    const auto positions = column<Float4>(frame, "position"), velocities = column<Float4>(frame, "velocity");
    const auto ids = column<std::uint32_t>(frame, "id"), bodies = column<std::uint32_t>(frame, "body");
    FluidFrame fluid{.time = frame.header.time};
    if (frame.columns.size() == 0) return fluid;
    if (velocities.empty() || ids.empty() || bodies.empty())
        return Error{Fault::file, "", "the frame has no velocities, ids or bodies", "white water needs them"};
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (bodies[i] >= by_body.size() || !by_body[bodies[i]]) continue;
        fluid.positions.push_back(positions[i].xyz_double());
        fluid.velocities.push_back({velocities[i].x, velocities[i].y, velocities[i].z, 0});
        fluid.ids.push_back(ids[i]);
    }
    return fluid;
}

FluidMotion::FluidMotion(const FluidFrame& before, const FluidFrame& after, const FluidSpace& space)
    : before_(before), after_(after), space_(space), matches_(after.size(), none) {
    std::uint32_t b = 0;
    for (std::size_t a = 0; a < after.size(); ++a) {
        while (b < before.size() && before.ids[b] < after.ids[a]) ++b;
        if (b < before.size() && before.ids[b] == after.ids[a]) matches_[a] = b;
    }
}

Vec3d FluidMotion::position(std::size_t particle, double share) const {
    const Vec3d to = after_.positions[particle], arriving = seconds() * single(after_.velocities[particle]);
    if (share >= 1) return to;
    const std::uint32_t match = matches_[particle];
    if (match == none) return to - (1 - share) * arriving;
    const Vec3d from = image_near(before_.positions[match], to, space_.period);
    const Vec3d leaving = seconds() * single(before_.velocities[match]);
    const double s = share, rest = 1 - share;
    return rest * rest * ((1 + 2 * s) * from + s * leaving) + s * s * ((3 - 2 * s) * to - rest * arriving);
}

Vec3d FluidMotion::velocity(std::size_t particle, double share) const {
    const Vec3d arriving = single(after_.velocities[particle]);
    const std::uint32_t match = matches_[particle];
    return match == none ? arriving : (1 - share) * single(before_.velocities[match]) + share * arriving;
}

FluidFrame FluidMotion::at(double share) const {
    if (share >= 1) return after_;
    FluidFrame now{before_.time + share * seconds(), after_.positions, after_.velocities, after_.ids};
    parallel_each(now.size(), [&](std::size_t i) {
        now.positions[i] = image_within(position(i, share), space_.begin, space_.period);
        now.velocities[i] = float4(velocity(i, share));
    });
    return now;
}

double FluidMotion::usual_speed() const {
    constexpr double few = 0.01;
    if (after_.size() == 0) return 0;
    std::vector<double> speeds(after_.size());
    parallel_each(after_.size(), [&](std::size_t i) { speeds[i] = length(single(after_.velocities[i])); });
    const auto at = speeds.end() - 1 - static_cast<std::ptrdiff_t>(few * static_cast<double>(speeds.size() - 1));
    std::nth_element(speeds.begin(), at, speeds.end());
    return *at;
}

FluidNow::FluidNow(const FluidFrame& fluid, const FluidSpace& space)
    : space_(space), frame_(make_frame(space.reach, origin_for(fluid.positions, space), space.period)),
      full_(full_weights(space.flat)) {
    grid_.sort(fluid.positions, frame_);
    order_.assign(grid_.order().begin(), grid_.order().end());
    const std::size_t count = fluid.size();
    std::vector<Vec3d> sorted(count);
    places_.assign(count + 1, nowhere), velocities_.assign(count + 1, {});
    parallel_each(count, [&](std::size_t k) {
        sorted[k] = fluid.positions[order_[k]];
        places_[k] = float4(sorted[k] - frame_.origin, 1);
        velocities_[k] = fluid.velocities[order_[k]];
    });
    grid_.take_positions(sorted, frame_);
}

PairView FluidNow::pairs(const NeighborList& list, const Float4* queries) const {
    PairView view{.query_place = queries,
                  .target_place = places_.data(),
                  .entries = list.entries(),
                  .blocks = list.block_begins(),
                  .periodic = length(space_.period) > 0,
                  .length = {},
                  .inverse_length = {}};
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (space_.period[axis] > 0) {
            view.length[axis] = static_cast<float>(space_.period[axis]);
            view.inverse_length[axis] = static_cast<float>(1 / space_.period[axis]);
        }
    return view;
}

std::vector<Float4> FluidNow::flow_at(std::span<const Float4> places) const {
    std::vector<Float4> flows(places.size());
    if (order_.empty()) return flows;
    NeighborList list;
    for (std::size_t begin = 0; begin < places.size(); begin += chunk) {
        const std::span<const Float4> some = places.subspan(begin, std::min(chunk, places.size() - begin));
        std::vector<Vec3d> positions(some.size());
        parallel_each(some.size(), [&](std::size_t i) { positions[i] = some[i].xyz_double(); });
        Grid drops;
        drops.sort(positions, frame_);
        std::vector<Vec3d> sorted(some.size());
        std::vector<Float4> queries(some.size()), found(some.size());
        parallel_each(some.size(), [&](std::size_t k) {
            sorted[k] = positions[drops.order()[k]];
            queries[k] = float4(sorted[k] - frame_.origin);
        });
        drops.take_positions(sorted, frame_);
        search(drops, grid_, space_.reach, frame_, space_.flat, space_.isa, list);
        const FlowArgs args{pairs(list, queries.data()), velocities_.data(), static_cast<float>(space_.reach),
                            found.data()};
        parallel_ranges(some.size(), [&](Range range) { flow_around.on(space_.isa)(args, range); });
        parallel_each(some.size(), [&](std::size_t k) { flows[begin + drops.order()[k]] = found[k]; });
    }
    return flows;
}

std::vector<Float4> FluidNow::normals(std::span<const Float4> lean) const {
    std::vector<Float4> normals(lean.size() + 1);
    parallel_each(lean.size(), [&](std::size_t i) {
        const Vec3f way = lean[i].xyz();
        const Vec3f n = normalized(way);
        normals[i] = {n.x, n.y, n.z, length(way) > least_lean * lean[i].w ? 1.0f : 0.0f};
    });
    return normals;
}

FluidNow::Unrest FluidNow::unrest() const {
    const std::size_t count = order_.size();
    Unrest all{std::vector<float>(count), std::vector<float>(count), std::vector<float>(count)};
    if (count == 0) return all;
    NeighborList list;
    search(grid_, grid_, space_.reach, frame_, space_.flat, space_.isa, list);
    const PairView fluid = pairs(list, places_.data());
    const auto reach = static_cast<float>(space_.reach);
    std::vector<float> clash(count);
    std::vector<Float4> lean(count);
    const MotionArgs motion{fluid, velocities_.data(), reach, clash.data(), lean.data()};
    parallel_ranges(count, [&](Range range) { motion_around.on(space_.isa)(motion, range); });
    const std::vector<Float4> normal = normals(lean);
    std::vector<std::uint32_t> crests;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3f v = velocities_[i].xyz();
        if (normal[i].w > 0 && dot(v, normal[i].xyz()) > outward * length(v)) crests.push_back(i);
    }
    std::vector<float> bent(crests.size());
    const CrestArgs crest{fluid, normal.data(), crests.data(), reach, bent.data()};
    parallel_ranges(crests.size(), [&](Range range) { crest_around.on(space_.isa)(crest, range); });
    for (std::size_t i = 0; i < count; ++i)
        all.clash[order_[i]] = clash[i] / full_, all.crowd[order_[i]] = lean[i].w / full_;
    for (std::size_t k = 0; k < crests.size(); ++k) all.crest[order_[crests[k]]] = bent[k] / full_;
    return all;
}

} // namespace loam
