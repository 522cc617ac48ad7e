// A few steps of the same jittered particles: what the passes sum is the same on every instruction set, particle by
// particle, up to the order of the sums.
#include <gtest/gtest.h>

#include "golden.h"
#include "run_scene.h"

namespace loam::test {
namespace {

struct Sums {
    std::string name;
    std::string solver, behaviors;    // more of their blocks
    std::vector<std::string> columns; // that a step fills
    double tolerance = 3e-5;          // of a column's root mean square
};

void PrintTo(const Sums& sums, std::ostream* out) { *out << sums.name; }

// Two liquids on a floor that they stick to, not a whole number of lanes wide.
std::string two_liquids(const Sums& sums, int dimensions) {
    return fmt::format(
        R"({{"dimensions": {0}, "particle_radius": 0.05, "behaviors": {{"gravity": {{}} {2}}},
            "solver": {{"time_step": 0.001 {1}}},
            "bodies": {{
              "light": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.7, 0.8, 0.9]}}}}, "jitter": 0.4,
                         "velocity": [1, 0, 0], "behaviors": {{"fluid": {{"density": 300}}}}}},
              "heavy": {{"shape": {{"box": {{"min": [0.7, 0, 0], "max": [1.6, 0.8, 0.9]}}}}, "jitter": 0.4, "seed": 7,
                         "behaviors": {{"fluid": {{"density": 2000}}}}}},
              "floor": {{"shape": {{"box": {{"min": [-0.5, -0.5, -0.5], "max": [2, 0, 1.5]}}}},
                         "boundary": {{"slip": "no"}}}}}}}})",
        dimensions, sums.solver, sums.behaviors);
}

// Enough to run into each other: what is squeezed at the start does not push at once.
void take_steps(Simulation& s) { advance(s, 0.005); }

class InstructionSets : public testing::TestWithParam<Sums> {};

TEST_P(InstructionSets, SumAlike) {
    for (const int dimensions : {2, 3}) {
        const auto scalar = start(two_liquids(GetParam(), dimensions), {}, InstructionSet::scalar);
        take_steps(*scalar);
        for (const InstructionSet isa : {InstructionSet::avx2, InstructionSet::avx512}) {
            if (!is_available(isa)) continue;
            const auto s = start(two_liquids(GetParam(), dimensions), {}, isa);
            take_steps(*s);
            for (const std::string& column : GetParam().columns) {
                const double rms = numbers_of(scalar->particles(), column).rms;
                const double apart = largest_difference(scalar->particles(), s->particles(), column) / rms;
                if (std::getenv("LOAM_SHOW"))
                    fmt::print("{} {}D {}: {} {:.1e}\n", GetParam().name, dimensions, name_of(isa), column, apart);
                EXPECT_GT(rms, 0) << column << " is not filled";
                EXPECT_LT(apart, GetParam().tolerance) << column << " on " << name_of(isa) << ", " << dimensions << "D";
            }
        }
    }
}

const std::string soft = R"(, "pressure": "wcsph", "wcsph": {"sound_speed": 2})";
const std::string implicit = R"(, "volume_error": 1e-7, "max_iterations": 3, "pressure": )"; // as many for all

// Where rounding decides who is at the surface, or whose pressure is cut off at 0, some particles differ by more.
constexpr double where_rounding_decides = 3e-3;

std::vector<Sums> all_sums() {
    std::vector<Sums> all{{"Pressure", soft, "", {"density", "kernel_gradient", "acceleration"}},
                          {"CarriedPressure",
                           R"(, "pressure": "wcsph", "wcsph": {"sound_speed": 2, "density": "carried"})",
                           "",
                           {"carried_compression", "acceleration"},
                           where_rounding_decides},
                          {"TensionByCurvature", soft, R"(, "surface_tension": {"tension": 5})", {"acceleration"}},
                          {"TensionByCohesion",
                           soft,
                           R"(, "surface_tension": {"tension": 5, "model": "becker-teschner"})",
                           {"acceleration"}},
                          {"Drag", soft, R"(, "drag": {"air_density": 50})", {"acceleration"}},
                          {"CorrectedGradients",
                           implicit + R"("dfsph", "dfsph": {"gradients": "corrected"})",
                           "",
                           {"velocity"},
                           where_rounding_decides}};
    for (const char* model : {"morris", "muller", "artificial", "xsph", "implicit"})
        all.push_back(
            {std::string("Viscosity_") + model,
             soft,
             fmt::format(R"(, "viscosity": {{"model": "{}", "viscosity": 20, "alpha": 2, "tolerance": 1e-6}})", model),
             {"velocity"}});
    for (const char* solver : {"dfsph", "iisph", "pcisph", "pbf"})
        all.push_back({std::string("Solver_") + solver,
                       fmt::format(R"({}"{}")", implicit, solver),
                       "",
                       {"density", "velocity"},
                       where_rounding_decides});
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, InstructionSets, testing::ValuesIn(all_sums()),
                         [](const auto& one) { return one.param.name; });

} // namespace
} // namespace loam::test
