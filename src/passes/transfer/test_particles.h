// Particles for tests of exchanges: uneven in place and volume, with neighbors, as a step would see them.
#pragma once

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "passes/context.h"

namespace loam::test {

struct Tile {
    Vec3d center;
    double volume = 0;
};

// A box of cells of the spacing, from 0 on, many of them cut into 2, 4 or 8. Centers are moved by up to `jitter` of the
// tile's size. So volumes are from 1/8 to 1 and fill the box without gaps. `cells.z` is 0 in 2D.
inline std::vector<Tile> uneven_tiles(const Vec3d& cells, double spacing, double jitter, unsigned seed) {
    const bool flat = cells.z == 0;
    const Vec3d cuts[]{{1, 1, 1}, {2, 1, 1}, {2, 2, 1}, flat ? Vec3d{4, 2, 1} : Vec3d{2, 2, 2}};
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> off(-jitter, jitter);
    std::uniform_int_distribution<int> choice(0, 3);
    std::vector<Tile> tiles;
    for (int x = 0; x < cells.x; ++x)
        for (int y = 0; y < cells.y; ++y)
            for (int z = 0; z < (flat ? 1 : cells.z); ++z) {
                const Vec3d cut = cuts[choice(random)];
                for (int a = 0; a < cut.x; ++a)
                    for (int b = 0; b < cut.y; ++b)
                        for (int c = 0; c < cut.z; ++c) {
                            const Vec3d at{x + (a + 0.5 + off(random)) / cut.x, y + (b + 0.5 + off(random)) / cut.y,
                                           flat ? 0 : z + (c + 0.5 + off(random)) / cut.z};
                            const double cell = flat ? spacing * spacing : spacing * spacing * spacing;
                            tiles.push_back({spacing * at, cell / (cut.x * cut.y * cut.z)});
                        }
            }
    return tiles;
}

// Particles are sorted: those of the pool are not in the order of the tiles.
class TestParticles {
public:
    struct Settings {
        double spacing = 1;
        int dimensions = 3;
        Vec3d period;
        KernelKind kernel = KERNEL_CUBIC;
        InstructionSet isa = best_instruction_set();
    };

    TestParticles(const std::vector<Tile>& tiles, const Settings& settings)
        : neighbors_({.support = 2 * settings.spacing,
                      .flat = settings.dimensions == 2,
                      .periodic_length = settings.period,
                      .isa = settings.isa}),
          step{.scene = facts, .particles = pool, .walls = walls_, .profile = profile_} {
        std::vector<Pool::Birth> births;
        births.reserve(tiles.size());
        for (const Tile& tile : tiles) births.push_back({.position = tile.center, .volume = tile.volume, .mass = 1});
        pool.give_birth(births);
        neighbors_.update(pool, walls_);
        step.neighbors = &neighbors_;
        facts.isa = settings.isa;
        facts.dimensions = settings.dimensions;
        facts.spacing = settings.spacing;
        facts.kernel = make_kernel(settings.kernel, 2 * settings.spacing, settings.dimensions);
        facts.periodic_length = settings.period;
    }
    TestParticles(const TestParticles&) = delete;
    TestParticles& operator=(const TestParticles&) = delete;

    std::size_t size() const { return pool.size(); }
    template <class Term> double total(const Term& term) const {
        double sum = 0;
        for (std::size_t i = 0; i < size(); ++i) sum += term(i);
        return sum;
    }

    Pool pool;
    SceneFacts facts;

private:
    Walls walls_;
    Profile profile_;
    Neighborhood neighbors_;

public:
    StepContext step;
};

// Tests that run on each instruction set of the machine.
class OnInstructionSet : public testing::TestWithParam<InstructionSet> {
protected:
    void SetUp() override {
        if (!is_available(GetParam())) GTEST_SKIP() << "not on this machine";
    }
    TestParticles::Settings box() const { return {.spacing = 0.1, .isa = GetParam()}; }
    TestParticles::Settings ring() const { // six cells around
        return {.spacing = 0.1, .dimensions = 2, .period = {0.6, 0, 0}, .isa = GetParam()};
    }
};
inline const auto all_instruction_sets =
    testing::Values(InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512);
inline std::string name_of_test(const testing::TestParamInfo<InstructionSet>& one) {
    return std::string(name_of(one.param));
}

} // namespace loam::test
