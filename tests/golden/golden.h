// Golden values: a file golden.json in a law's own folder has tiny scenes, and numbers that every instruction set must
// reproduce. See tests/golden/README.md.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "step/simulation.h"

namespace loam::test {

using Json = nlohmann::ordered_json;

std::filesystem::path sources();                            // src/
std::vector<std::filesystem::path> golden_files();          // all below src/, sorted
bool writes_golden();                                       // LOAM_GOLDEN=write
Json read_json(const std::filesystem::path& path);          // throws
void write_json(const std::filesystem::path&, const Json&); // what fits stands on one line

double short_number(double value); // as many digits as a file keeps

std::vector<std::size_t> order_by_id(const Pool& pool);

// A column over all particles: its mean and root mean square, and its values at a few ids.
struct ColumnNumbers {
    std::vector<double> mean;
    double rms = 0; // of the length, if it is a vector
    std::map<std::uint32_t, std::vector<double>> at;
};

ColumnNumbers numbers_of(const Pool& pool, const std::string& column);
// Over all particles, which both have; for vectors, of a component.
double largest_difference(const Pool& a, const Pool& b, const std::string& column);
Json to_json(const ColumnNumbers& numbers);

// The first number that differs by more than `tolerance` times the root mean square that is expected, in words, or "".
// `worst` grows to the largest difference, in the same measure.
std::string difference(const Json& expected, const ColumnNumbers& found, double tolerance, double& worst);

} // namespace loam::test
