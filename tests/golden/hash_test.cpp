// Frames of a few examples are the same bit for bit as when their hashes were kept: silent drift shows.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "cache/hash.h"
#include "golden.h"
#include "run_scene.h"

namespace loam::test {
namespace {

// Another compiler may round elsewhere: the kept hashes are of this one.
#if defined(LOAM_RELEASE) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 12 && defined(__x86_64__)
constexpr bool compiler_of_hashes = true;
#else
constexpr bool compiler_of_hashes = false;
#endif

const std::filesystem::path kept = std::filesystem::path(LOAM_SOURCE_DIR) / "tests/golden/hashes.json";

std::string file_of(const std::string& name) {
    return (std::filesystem::path(LOAM_SOURCE_DIR) / "examples" / (name + ".json")).string();
}

std::string example(const std::string& name) {
    std::ifstream file(file_of(name));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

template <class T> void add(Hash& hash, const T& value) { hash.add(std::as_bytes(std::span(&value, 1))); }

// Ids, places and velocities, in the order of the ids.
std::string hash_of_particles(const Pool& pool) {
    Hash hash;
    for (const std::size_t i : order_by_id(pool)) {
        const Float4& v = pool[pool.velocity][i];
        add(hash, pool[pool.id][i]);
        add(hash, pool[pool.position][i]);
        add(hash, std::array{v.x, v.y, v.z});
    }
    return fmt::format("{:016x}", hash.value());
}

Json hashes_of(const std::string& name, const Json& one, InstructionSet isa) {
    const auto s = start(example(name), one.at("set").get<std::vector<std::string>>(), isa, file_of(name));
    Json hashes = Json::array();
    for (const int frame : one.at("frames")) {
        advance(*s, frame / s->scene().values.number("fps"));
        hashes.push_back(hash_of_particles(s->particles()));
    }
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{:20} {:7}: {} particles, {} steps\n", name, name_of(isa), s->particles().size(), s->steps());
    return hashes;
}

std::vector<std::string> examples_with_hashes() {
    std::vector<std::string> names;
    const Json file = read_json(kept);
    for (const auto& [name, one] : file.items()) names.push_back(name);
    return names;
}

class Hashes : public testing::TestWithParam<std::string> {};

TEST_P(Hashes, AreTheKeptOnes) {
    if (!compiler_of_hashes) GTEST_SKIP() << "the kept hashes are of a release by g++ 12 for x86-64";
    const std::string& name = GetParam();
    Json file = read_json(kept);
    Json& one = file.at(name);
    for (const InstructionSet isa : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
        if (!is_available(isa)) continue;
        const std::string family = isa == InstructionSet::scalar ? "scalar" : "simd";
        const Json found = hashes_of(name, one, isa);
        if (writes_golden() && isa != InstructionSet::avx512) {
            one[family] = found;
            write_json(kept, file);
        }
        EXPECT_EQ(one.value(family, Json::array()), found)
            << name << " on " << name_of(isa) << ": particles are not what they were, bit for bit.\n"
            << "If the change is meant, say in its note which results differ, and write the hashes anew:\n"
            << "LOAM_GOLDEN=write loam_golden_tests --gtest_filter='*Hashes*'";
    }
}

INSTANTIATE_TEST_SUITE_P(Examples, Hashes, testing::ValuesIn(examples_with_hashes()), [](const auto& one) {
    std::string name = one.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace
} // namespace loam::test
