#include "behaviors/porous/pores.h"

#include <gtest/gtest.h>

#include "behaviors/behavior.h"

namespace loam {
namespace {

Pores pores(const char* model) {
    Values values(Behaviors::find("porous")->declaration);
    values.set("model", std::string(model));
    return Pores::of(values);
}

TEST(Pores, SaturationAndPotentialAreEachOthersInverse) {
    for (const char* model : {"power", "leverett"})
        for (double s = 0.01; s < 1; s += 0.03)
            EXPECT_NEAR(pores(model).at(pores(model).potential(s)).saturation, s, 1e-6) << model;
}

TEST(Pores, SlopeIsTheDerivative) {
    for (const char* model : {"power", "leverett"}) {
        const Pores own = pores(model);
        for (double share = 0.1; share < 0.95; share += 0.1) {
            const double u = -share * own.strongest(), d = 1e-4 * own.strongest();
            const double slope = (own.at(u + d).saturation - own.at(u - d).saturation) / (2 * d);
            EXPECT_NEAR(own.at(u).slope, slope, 1e-2 * slope + 1e-9) << model << " " << share; // water gives a little
        }
    }
}

TEST(Pores, AreNeverFullerThanFull) {
    const Pores own = pores("power");
    EXPECT_NEAR(own.at(2e4).saturation, 1, 1e-4);
    EXPECT_EQ(own.at(0).saturation, 1);
    EXPECT_NEAR(own.at(-own.strongest()).saturation, 0, 1e-12);
    EXPECT_LT(own.at(-2 * own.strongest()).saturation, 0) << "so that a solve finds back";
}

// Washburn's law draws with all of the suction; what fills gradually, and hardly flows before it is full, with
// Gamma(filling + 1) Gamma(exponent + 1) / Gamma(filling + exponent + 1) of it.
TEST(Pores, SoakAsFastAsTheirSuctionLetsThem) {
    const Pores own = pores("power");
    const auto values = Values(Behaviors::find("porous")->declaration);
    const double a = values.number("exponent"), b = values.number("filling"), k = values.number("capillary");
    const double part = std::tgamma(b + 1) * std::tgamma(a + 1) / std::tgamma(b + a + 1);
    EXPECT_NEAR(part, 0.78, 0.01);
    EXPECT_NEAR(own.soaking_time(0.05) / (0.5 * 0.0025 * own.porosity / (own.conductivity() * k * part)), 1, 0.01);
}

TEST(Pores, DrainAboveWhatSuctionCarries) {
    const Pores own = pores("power");
    const double carried = own.strongest() / 9810;
    EXPECT_TRUE(std::isinf(own.draining_time(0.9 * carried, 9810)));
    EXPECT_NEAR(own.draining_time(carried + 0.1, 9810), 0.1 * own.porosity / (own.conductivity() * 9810), 1e-9);
}

} // namespace
} // namespace loam
