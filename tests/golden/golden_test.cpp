// Every law has golden values, and every instruction set reproduces them.
#include <chrono>
#include <cstring>

#include <gtest/gtest.h>

#include "golden.h"
#include "solid_scenes.h"

namespace loam::test {
namespace {

constexpr double usual_tolerance = 1e-4; // of a column's root mean square
const char* const how_to_write = "LOAM_GOLDEN=write loam_golden_tests; then look at the difference in git";

struct Case {
    std::filesystem::path file;
    std::string name;
};

std::string folder_of(const Case& c) { return c.file.parent_path().filename().string(); }

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << " of " << c.file.string(); }

std::string test_name(const testing::TestParamInfo<Case>& info) {
    std::string name = folder_of(info.param) + "_" + info.param.name;
    for (char& sign : name)
        if (!std::isalnum(static_cast<unsigned char>(sign))) sign = '_';
    return name;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const auto& file : golden_files()) {
        const Json content = read_json(file);
        for (const auto& [name, one] : content.at("cases").items()) cases.push_back({file, name});
    }
    return cases;
}

// A case may change the scene that stands before all cases, and the time.
std::unique_ptr<Simulation> run(const Json& file, const Json& one, InstructionSet isa) {
    Json scene = file.value("scene", Json::object());
    scene.merge_patch(one.value("scene", Json::object()));
    auto s = start(scene.dump(), {}, isa);
    advance(*s, one.contains("until") ? one.at("until").get<double>() : file.at("until").get<double>());
    return s;
}

std::vector<std::string> columns_of(const Json& file, const Json& one) {
    std::vector<std::string> columns{"position", "velocity"};
    for (const Json& list : {file.value("columns", Json::array()), one.value("columns", Json::array())})
        for (const Json& name : list) columns.push_back(name);
    return columns;
}

double mass(const Simulation& s) {
    return total(s, [&](std::size_t i) { return s.particles()[s.particles().mass][i]; });
}

Json expectations(const Simulation& s, const std::vector<std::string>& columns) {
    Json expected{{"particles", s.particles().size()}, {"mass", short_number(mass(s))}};
    for (const std::string& column : columns) expected[column] = to_json(numbers_of(s.particles(), column));
    return expected;
}

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, Values) {
    const Case& c = GetParam();
    Json file = read_json(c.file);
    Json& one = file.at("cases").at(c.name);
    const std::vector<std::string> columns = columns_of(file, one);
    if (writes_golden()) {
        one["expected"] = expectations(*run(file, one, InstructionSet::scalar), columns);
        write_json(c.file, file);
    }
    ASSERT_TRUE(one.contains("expected"))
        << c.file << " expects nothing of " << c.name << "; to write it: " << how_to_write;
    const Json& expected = one.at("expected");
    std::vector<Vec3d> eight_lanes; // places found by avx2
    for (const InstructionSet isa : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
        if (!is_available(isa)) continue;
        const auto began = std::chrono::steady_clock::now();
        const auto s = run(file, one, isa);
        double worst = 0;
        EXPECT_EQ(s->particles().size(), expected.at("particles")) << name_of(isa);
        EXPECT_NEAR(mass(*s) / expected.at("mass").get<double>(), 1, 1e-5) << name_of(isa);
        for (const std::string& column : columns) {
            ASSERT_TRUE(expected.contains(column)) << column << " is new; to write it: " << how_to_write;
            EXPECT_EQ(difference(expected.at(column), numbers_of(s->particles(), column),
                                 one.value("tolerance", file.value("tolerance", usual_tolerance)), worst),
                      "")
                << column << " on " << name_of(isa) << "\nif the change is meant: " << how_to_write;
        }
        if (isa == InstructionSet::avx2) eight_lanes = positions_by_id(*s);
        if (isa == InstructionSet::avx512) {
            EXPECT_TRUE(eight_lanes == positions_by_id(*s)) << "avx2 and avx512 must give the same bits";
        }
        if (std::getenv("LOAM_SHOW"))
            fmt::print("{:40} {:7}: {:5} particles, {:5} steps, {:.3f} s, {:.1e} apart\n", test_name({c, 0}),
                       name_of(isa), s->particles().size(), s->steps(),
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(), worst);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(all_cases()), test_name);

// A law without golden values, or one whose cases do not use it, is not guarded.
void expect_golden(const std::string& kind, const std::string& name) {
    const std::filesystem::path path = sources() / kind / name / "golden.json";
    ASSERT_TRUE(std::filesystem::exists(path))
        << "the law " << name << " has no golden values. Write " << path
        << R"( as {"cases": {"plain": {"scene": {...}, "until": 0.1}}} with a tiny scene, run )" << how_to_write
        << " (tests/golden/README.md)";
    const Json file = read_json(path);
    for (const auto& [case_name, one] : file.at("cases").items()) {
        Json scene = file.value("scene", Json::object());
        scene.merge_patch(one.value("scene", Json::object()));
        EXPECT_NE(scene.dump().find('"' + name + '"'), std::string::npos)
            << "case " << case_name << " of " << path << " does not use " << name;
    }
}

TEST(GoldenFiles, EveryBehaviorHasOne) {
    for (const auto& type : Behaviors::all()) expect_golden("behaviors", type->declaration.name);
}

TEST(GoldenFiles, EveryPressureSolverHasOne) {
    for (const auto& type : PressureSolvers::all()) expect_golden("pressure", type->declaration.name);
}

} // namespace
} // namespace loam::test
