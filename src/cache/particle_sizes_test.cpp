#include "cache/particle_sizes.h"

#include <cmath>

#include <gtest/gtest.h>

namespace loam {
namespace {

constexpr double full = 0.9e-3; // a kernel's lattice volume; the spacing is 0.1

FrameHeader header(int dimensions = 3) {
    return {.dimensions = dimensions, .particle_radius = 0.05, .particle_volume = dimensions == 2 ? 0.9e-2 : full};
}

// One particle for each volume; each has a mass.
Columns particles(const std::vector<double>& volumes, float mass = 1) {
    Columns columns;
    const auto volume = columns.declare<float>({.name = "volume"});
    const auto weight = columns.declare<float>({.name = "mass"});
    columns.resize(volumes.size());
    for (std::size_t i = 0; i < volumes.size(); ++i) {
        columns[volume][i] = static_cast<float>(volumes[i]);
        columns[weight][i] = mass;
    }
    return columns;
}

TEST(ParticleSizes, GoWithTheRootOfTheVolume) {
    const Columns columns = particles({full, full / 8, full / 2, 8 * full});
    const ParticleSizes sizes(columns, header());
    EXPECT_EQ(sizes.size(0), 1); // exactly, so that surfaces of even particles are what they were
    EXPECT_EQ(sizes.radius(0), 0.05);
    EXPECT_FLOAT_EQ(sizes.size(1), 0.5f);
    EXPECT_NEAR(sizes.radius(1), 0.025, 1e-8);
    EXPECT_FLOAT_EQ(sizes.size(2), std::cbrt(0.5f));
    EXPECT_FLOAT_EQ(sizes.size(3), 2);
}

TEST(ParticleSizes, AreRootsOfAreasInFlatScenes) {
    const Columns columns = particles({0.9e-2, 0.9e-2 / 4});
    const ParticleSizes sizes(columns, header(2));
    EXPECT_EQ(sizes.size(0), 1);
    EXPECT_FLOAT_EQ(sizes.size(1), 0.5f);
    EXPECT_NEAR(sizes.volume(1), 0.25e-2, 1e-9);
}

// A full particle fills a cell of the lattice, whatever its volume as a point of quadrature is.
TEST(ParticleSizes, TellTheSpaceThatIsFilled) {
    const Columns columns = particles({full, full / 2, 0});
    const ParticleSizes sizes(columns, header());
    EXPECT_NEAR(sizes.volume(0), 1e-3, 1e-15);
    EXPECT_NEAR(sizes.volume(1), 0.5e-3, 1e-10);
    EXPECT_EQ(sizes.volume(2), 0);
}

TEST(ParticleSizes, NothingIsLeftOfAParticleWithoutVolumeAndMass) {
    const Columns columns = particles({0, -1, NAN}, 0);
    const ParticleSizes sizes(columns, header());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(sizes.size(i), 0);
}

TEST(ParticleSizes, LeadersWithoutVolumeAreShownInFull) {
    const Columns columns = particles({0}, 2);
    const ParticleSizes sizes(columns, header());
    EXPECT_EQ(sizes.size(0), 1);
    EXPECT_EQ(sizes.volume(0), 0);
}

TEST(ParticleSizes, OlderFramesHaveFullParticles) {
    Columns columns;
    columns.declare<float>({.name = "mass"});
    columns.resize(1);
    const ParticleSizes sizes(columns, {.particle_radius = 0.05});
    EXPECT_EQ(sizes.size(0), 1);
    EXPECT_NEAR(sizes.volume(0), 1e-3, 1e-15);
}

TEST(ParticleSizes, WithoutAFullVolumeTheSpacingTellsIt) {
    const Columns columns = particles({1e-3 / 8});
    EXPECT_FLOAT_EQ(ParticleSizes(columns, {.particle_radius = 0.05}).size(0), 0.5f);
}

} // namespace
} // namespace loam
