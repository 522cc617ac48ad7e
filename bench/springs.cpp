// Springs: a square cloth, one evaluation of all forces.
#include <cmath>

#include "behaviors/springs/network.h"
#include "parts.h"

namespace loam {
namespace {

struct Cloth {
    SpringNetwork network;
    std::vector<Float4> place, velocity, acceleration;
};

Cloth make_cloth(std::size_t springs) {
    const double side = std::round(std::sqrt(static_cast<double>(springs) / 6)), spacing = 0.01;
    const Sheet sheet = rectangle_sheet({}, {side * spacing, 0, 0}, {0, 0, side * spacing}, spacing);
    std::vector<Spring> all;
    for (const Link& link : links_of(sheet))
        all.push_back(
            {link.a, link.b, static_cast<float>(length(sheet.points[link.a] - sheet.points[link.b])), 100, 1});
    Cloth cloth{SpringNetwork(all, sheet.points.size()), {}, {}, {}};
    for (const Vec3d& p : sheet.points)
        cloth.place.push_back(float4({p.x, 0.01 * std::sin(40 * p.x), p.z}, 1)), cloth.velocity.push_back({0, 0, 0, 1});
    for (auto* column : {&cloth.place, &cloth.velocity, &cloth.acceleration}) column->resize(cloth.network.slots());
    return cloth;
}

} // namespace

void add_spring_parts(std::size_t springs) {
    each_instruction_set([&](InstructionSet isa) {
        add_part(part_name("springs", isa, springs), [=](benchmark::State& state) {
            Cloth cloth = make_cloth(springs);
            const SpringArgs args{cloth.network.rows(), cloth.place.data(), cloth.velocity.data(),
                                  cloth.acceleration.data()};
            auto* const pass = spring_accelerations.on(isa);
            measure(state, static_cast<double>(cloth.place.size()), 2 * static_cast<double>(cloth.network.springs()),
                    [&] {
                        parallel_blocks(cloth.network.groups(), block_size / spring_lanes,
                                        [&](Range groups, std::size_t) { pass(args, groups); });
                    });
        });
    });
}

} // namespace loam
