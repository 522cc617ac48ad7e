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

} // namespace
} // namespace loam
