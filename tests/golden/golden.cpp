#include "golden.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>

namespace loam::test {
namespace {

constexpr std::size_t width = 120; // of a line in a file

std::string on_one_line(const Json& node) {
    if (node.is_number_float()) return fmt::format("{}", node.get<double>());
    if (!node.is_structured()) return node.dump();
    std::string text;
    for (const auto& [key, value] : node.items())
        text += (text.empty() ? "" : ", ") + (node.is_object() ? Json(key).dump() + ": " : "") + on_one_line(value);
    return node.is_object() ? '{' + text + '}' : '[' + text + ']';
}

// On one line where that fits, behind `before` characters; else one entry per line.
std::string layout(const Json& node, std::size_t indent, std::size_t before) {
    std::string flat = on_one_line(node);
    if (!node.is_structured() || indent + before + flat.size() < width) return flat;
    const std::string margin(indent + 2, ' ');
    std::string text(1, node.is_object() ? '{' : '['), separator = "\n";
    for (const auto& [key, value] : node.items()) {
        const std::string name = node.is_object() ? Json(key).dump() + ": " : "";
        text += separator + margin + name + layout(value, indent + 2, name.size());
        separator = ",\n";
    }
    return text + "\n" + std::string(indent, ' ') + (node.is_object() ? "}" : "]");
}

std::size_t find_column(const Pool& pool, const std::string& column) {
    const std::size_t index = pool.find(column);
    if (index == SIZE_MAX) throw std::runtime_error("no particle has the column " + column);
    return index;
}

std::vector<double> entry(const Pool& pool, std::size_t column, std::size_t i) {
    const ColumnInfo& info = pool.info(column);
    const std::byte* bytes = pool.bytes(column) + i * info.stride;
    std::vector<double> values(info.components);
    for (std::size_t k = 0; k < values.size(); ++k)
        if (info.type == ElementType::f64) {
            std::memcpy(&values[k], bytes + k * sizeof(double), sizeof(double));
        } else if (info.type == ElementType::f32) {
            float value = 0;
            std::memcpy(&value, bytes + k * sizeof(float), sizeof(float));
            values[k] = value;
        } else {
            std::uint32_t value = 0;
            std::memcpy(&value, bytes + k * sizeof(value), sizeof(value));
            values[k] = value;
        }
    return values;
}

Json short_numbers(const std::vector<double>& values) {
    if (values.size() == 1) return short_number(values[0]);
    Json list = Json::array();
    for (const double value : values) list.push_back(short_number(value));
    return list;
}

std::vector<double> values_of(const Json& node) {
    return node.is_array() ? node.get<std::vector<double>>() : std::vector{node.get<double>()};
}

} // namespace

std::filesystem::path sources() { return std::filesystem::path(LOAM_SOURCE_DIR) / "src"; }

std::vector<std::filesystem::path> golden_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(sources()))
        if (entry.path().filename() == "golden.json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool writes_golden() {
    const char* wish = std::getenv("LOAM_GOLDEN");
    return wish && std::strcmp(wish, "write") == 0;
}

Json read_json(const std::filesystem::path& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return Json::parse(file);
}

void write_json(const std::filesystem::path& path, const Json& json) {
    std::ofstream file(path);
    file << layout(json, 0, 0) << '\n';
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

double short_number(double value) { return std::stod(fmt::format("{:.8g}", value)); }

std::vector<std::size_t> order_by_id(const Pool& pool) {
    std::vector<std::size_t> order(pool.size());
    std::iota(order.begin(), order.end(), 0);
    const auto ids = pool[pool.id];
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
    return order;
}

ColumnNumbers numbers_of(const Pool& pool, const std::string& column) {
    const std::size_t index = find_column(pool, column);
    const std::vector<std::size_t> by_id = order_by_id(pool); // sums are then the same in any order of the particles
    ColumnNumbers numbers;
    numbers.mean.resize(pool.info(index).components);
    for (const std::size_t i : by_id) {
        const std::vector<double> values = entry(pool, index, i);
        for (std::size_t k = 0; k < values.size(); ++k) {
            numbers.mean[k] += values[k];
            numbers.rms += values[k] * values[k];
        }
    }
    const auto count = static_cast<double>(pool.size());
    for (double& mean : numbers.mean) mean /= count;
    numbers.rms = std::sqrt(numbers.rms / count);
    for (const std::size_t part : {0, 1, 2, 3}) { // over the whole range
        const std::size_t i = by_id[part * (by_id.size() - 1) / 3];
        numbers.at[pool[pool.id][i]] = entry(pool, index, i);
    }
    return numbers;
}

double largest_difference(const Pool& a, const Pool& b, const std::string& column) {
    if (a.size() != b.size()) throw std::runtime_error("not as many particles");
    const std::vector<std::size_t> in_a = order_by_id(a), in_b = order_by_id(b);
    const std::size_t index_a = find_column(a, column), index_b = find_column(b, column);
    double largest = 0;
    for (std::size_t i = 0; i < in_a.size(); ++i) {
        const std::vector<double> one = entry(a, index_a, in_a[i]), other = entry(b, index_b, in_b[i]);
        for (std::size_t k = 0; k < one.size(); ++k)
            if (const double apart = std::abs(one[k] - other[k]); !(apart <= largest)) largest = apart;
    }
    return largest;
}

Json to_json(const ColumnNumbers& numbers) {
    Json at = Json::object();
    for (const auto& [id, values] : numbers.at) at[std::to_string(id)] = short_numbers(values);
    return {{"mean", short_numbers(numbers.mean)}, {"rms", short_number(numbers.rms)}, {"at", at}};
}

std::string difference(const Json& expected, const ColumnNumbers& found, double tolerance, double& worst) {
    const double rms = expected.at("rms");
    const double scale = rms > 0 ? rms : 1;
    std::string first;
    const auto compare = [&](const std::string& what, const std::vector<double>& want,
                             const std::vector<double>& have) {
        for (std::size_t k = 0; k < want.size(); ++k) {
            const double apart = k < have.size() ? std::abs(have[k] - want[k]) / scale : NAN;
            if (!(apart <= worst)) worst = apart;
            if (!(apart <= tolerance) && first.empty())
                first = fmt::format("{}[{}] is {:.9g} instead of {:.9g}: {:.1e} of the column's root mean square apart",
                                    what, k, k < have.size() ? have[k] : NAN, want[k], apart);
        }
    };
    compare("mean", values_of(expected.at("mean")), found.mean);
    compare("rms", {rms}, {found.rms});
    for (const auto& [id, want] : expected.at("at").items()) {
        const auto have = found.at.find(static_cast<std::uint32_t>(std::stoul(id)));
        compare("at id " + id + " ", values_of(want), have == found.at.end() ? std::vector<double>{} : have->second);
    }
    return first;
}

} // namespace loam::test
