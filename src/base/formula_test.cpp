#include "base/formula.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

double value(const char* text, const Vec3d& at = {2, 3, 5}) {
    const Result<Formula> formula = Formula::read(text);
    EXPECT_TRUE(formula) << (formula ? "" : formula.error().text());
    return formula ? formula->at(at) : 0;
}

TEST(Formula, KnowsWhatBindsTighter) {
    EXPECT_DOUBLE_EQ(value("1 + 2*3"), 7);
    EXPECT_DOUBLE_EQ(value("(1+2)*3"), 9);
    EXPECT_DOUBLE_EQ(value("8-3-2"), 3);
    EXPECT_DOUBLE_EQ(value("24/4/2"), 3);
    EXPECT_DOUBLE_EQ(value("-2^2"), -4);
    EXPECT_DOUBLE_EQ(value("2^3^2"), 512);
    EXPECT_DOUBLE_EQ(value("2^-1"), 0.5);
    EXPECT_DOUBLE_EQ(value("--3*-x"), -6);
}

TEST(Formula, OfPlace) {
    EXPECT_DOUBLE_EQ(value("100*x + 10*y + z"), 235);
    EXPECT_DOUBLE_EQ(value("0.3*sin(2*pi*x/8)"), 0.3);
    EXPECT_DOUBLE_EQ(value("max(x, min(y, z)) + atan2(0, 1)"), 3);
    EXPECT_DOUBLE_EQ(value("step(x-2) + step(x-2.5)"), 1);
    EXPECT_DOUBLE_EQ(value("log(e) + 1e-3 + .5"), 1.501);
}

TEST(Formula, SaysWhereItIsWrong) {
    const auto complains = [](const std::string& text, const char* what, const char* hint) {
        const Result<Formula> formula = Formula::read(text);
        ASSERT_FALSE(formula) << text;
        EXPECT_NE(formula.error().what.find(what), std::string::npos) << formula.error().what;
        EXPECT_NE(formula.error().hint.find(hint), std::string::npos) << formula.error().hint;
    };
    complains("", "its end at column 1", "a number");
    complains("1 + ", "its end at column 5", "a number");
    complains("2*(x", "its end at column 5", ")");
    complains("x y", "\"y\" at column 3", "the end");
    complains("3*sine(x)", "\"sine\" at column 3", "did you mean \"sin\"");
    complains("sin x", "\"x\" at column 5", "(");
    complains("max(1)", "\")\" at column 6", ",");
    complains("1e999", "no number at column 1", "1e-3");
    complains(std::string(200, '(') + "1", "too many brackets", "100");
    complains("2" + std::string(300, '^'), "\"^\" at column 3", "a number");
    complains(std::string(2000, '1'), "2000 letters", "1000");
}

} // namespace
} // namespace loam
