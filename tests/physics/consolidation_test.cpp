// P6: a full column of something soft bears a load. At first water bears it, and hands it over as it gets out (Terzaghi
// 1923).
#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

// Settled part of what will be, by T = k M t / (mu H^2).
double settled(double time) {
    double sum = 0;
    for (int m = 0; m < 200; ++m) {
        const double n = (2 * m + 1) * M_PI / 2;
        sum += 2 / (n * n) * std::exp(-n * n * time);
    }
    return 1 - sum;
}

// The load is a cap that alone is heavy, and so dense that the weight of the water in it is nothing beside it.
std::string column_under_load(double young, double permeability, int saturation) {
    const std::string stuff = fmt::format(
        R"("young_modulus": {}, "poisson_ratio": 0, "integration": "explicit", "damping": 0.001, "friction": 0)",
        young);
    return fmt::format(R"({{"dimensions": 2, "particle_radius": 0.00125, "duration": 2, "fps": 20,
      "bodies": {{
        "soil": {{"shape": {{"box": {{"min": [0, 0], "max": [0.0125, 0.105]}}}}, "saturation": {2},
          "behaviors": {{"elastic": {{{0}, "density": 800}},
                        "porous": {{"porosity": 0.5, "permeability": {1}, "capillary": 1}}}},
          "groups": {{"cap": {{"shape": {{"box": {{"min": [-1, 0.1, -1], "max": [1, 1, 1]}}}},
            "behaviors": {{"gravity": {{"acceleration": [0, -0.3, 0]}}, "elastic": {{{0}, "density": 100000}},
                          "porous": {{"porosity": 0.5, "permeability": {1}, "capillary": 1}}}}}}}}}},
        "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.0125, 0.2]}}, "invert": true}}, "boundary": {{"slip": "free"}}}}}}}})",
                       stuff, permeability, saturation);
}

// How much nearer the row below the cap has come to the lowest one.
class Column {
public:
    explicit Column(const std::string& scene) : s(start(scene)), row_(s->particles().next_id, 0) {
        const Pool& pool = s->particles();
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const double y = pool[pool.position][i].y;
            row_[pool[pool.id][i]] = y < 0.0025 ? 1 : y > 0.0975 && y < 0.1 ? 2 : 0;
        }
        apart_ = distance();
    }
    double sunk() const { return apart_ - distance(); }
    double pressure() const { // at the bottom
        double sum = 0;
        const float* const p = column(*s, "pore_pressure");
        for (std::size_t i = 0; i < s->particles().size(); ++i)
            if (row_[s->particles()[s->particles().id][i]] == 1) sum += p[i];
        return sum / 5;
    }
    std::unique_ptr<Simulation> s;

private:
    double distance() const {
        const Pool& pool = s->particles();
        double sum = 0;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const int which = row_[pool[pool.id][i]];
            sum += (which == 2 ? 1 : which == 1 ? -1 : 0) * pool[pool.position][i].y;
        }
        return sum / 5;
    }
    std::vector<std::uint8_t> row_; // by id
    double apart_ = 0;
};

void expect_consolidation(double young, double permeability) {
    // Dry, it comes to rest as deep as it will when water has got out: so elasticity and the cap are as they are.
    Column dry(column_under_load(young, permeability, 0)), wet(column_under_load(young, permeability, 1));
    double rest = 0; // it rings: the mean over two swings
    for (int k = 0; k < 56; ++k) advance(*dry.s, 0.32 + 0.005 * k), rest += dry.sunk() / 56;
    const double load = 0.3 * 0.005 * 100500, last = rest;
    EXPECT_NEAR(last, load * 0.0975 / young, 0.1 * last);
    const double depth = 0.105,
                 pace = permeability * young / 1e-3 / (depth * depth); // water leaves at the top of the cap
    for (const double scaled : {0.1, 0.197, 0.4, 0.848}) {
        advance(*wet.s, scaled / pace);
        if (std::getenv("LOAM_SHOW"))
            fmt::print("T {}: U {:.4f} law {:.4f}, u/q at the bottom {:.3f}\n", scaled, wet.sunk() / last,
                       settled(scaled), wet.pressure() / load);
        EXPECT_NEAR(wet.sunk() / last, settled(scaled), 0.05 * settled(scaled)) << "at T = " << scaled;
        const double n = M_PI / 2;
        if (scaled > 0.15) { // the first term of the series is all
            EXPECT_NEAR(wet.pressure() / load, 2 / n * std::exp(-n * n * scaled), 0.06) << "at T = " << scaled;
        }
    }
}

TEST(Porous, ConsolidatesUnderALoadLong) { expect_consolidation(1e5, 1e-10); }

} // namespace
} // namespace loam::test
