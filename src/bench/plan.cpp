#include "bench/plan.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "pressure/solver.h"

namespace loam {
namespace {

constexpr double fewest_particles = 1000, most_particles = 100e6;
constexpr int most_threads = 1024;

std::vector<std::string> split(std::string_view words) {
    std::vector<std::string> all(1);
    for (const char c : words) {
        if (c == ',')
            all.emplace_back();
        else
            all.back() += c;
    }
    return all;
}

template <class T> std::optional<T> read_number(std::string_view word) {
    T value{};
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc() || end != word.data() + word.size()) return {};
    return value;
}

std::string quoted(const std::string& word) { return "\"" + word + "\""; }

std::optional<double> read_count(std::string_view word) {
    double unit = 1;
    if (word.ends_with('k')) unit = 1e3;
    if (word.ends_with('M')) unit = 1e6;
    if (unit > 1) word.remove_suffix(1);
    const auto number = read_number<double>(word);
    return number ? std::optional(*number * unit) : std::nullopt;
}

// Calls read(word) for each of the words and keeps what is new.
template <class T, class Read> Result<std::vector<T>> read_list(std::string_view words, const Read& read) {
    std::vector<T> all;
    for (const std::string& word : split(words)) {
        const Result<T> one = read(word);
        if (!one) return one.error();
        if (std::find(all.begin(), all.end(), *one) == all.end()) all.push_back(*one);
    }
    return all;
}

} // namespace

Result<std::vector<std::size_t>> read_sizes(std::string_view words) {
    auto sizes = read_list<std::size_t>(words, [](const std::string& word) -> Result<std::size_t> {
        const auto count = read_count(word);
        if (!count || !(*count >= fewest_particles && *count <= most_particles))
            return Error{Fault::usage, "--sizes",
                         quoted(word) + (count ? " is out of range" : " is not a number of particles"),
                         "allowed: 1k to 100M, with commas between: 10k,100k,1M"};
        return static_cast<std::size_t>(*count);
    });
    if (sizes) std::sort(sizes->begin(), sizes->end());
    return sizes;
}

Result<std::vector<std::string>> read_solvers(std::string_view words) {
    std::vector<std::string> known;
    for (const auto& type : PressureSolvers::all()) known.push_back(type->declaration.name);
    return read_list<std::string>(words, [&](const std::string& word) -> Result<std::string> {
        if (std::find(known.begin(), known.end(), word) != known.end()) return word;
        const std::string nearest = nearest_name(word, known);
        return Error{Fault::usage, "--solvers", "there is no solver " + quoted(word),
                     nearest.empty() ? "known: " + join(known) : "did you mean " + quoted(nearest) + "?"};
    });
}

Result<std::vector<int>> read_threads(std::string_view words) {
    return read_list<int>(words, [](const std::string& word) -> Result<int> {
        const auto count = read_number<int>(word);
        if (!count || *count < 1 || *count > most_threads)
            return Error{Fault::usage, "--threads", quoted(word) + " is not a number of threads",
                         "allowed: 1 to 1024, with commas between: 1,2"};
        return *count;
    });
}

Result<std::vector<InstructionSet>> read_instruction_sets(std::string_view words) {
    return read_list<InstructionSet>(words, [](const std::string& word) -> Result<InstructionSet> {
        if (word == "best") return best_instruction_set();
        for (const InstructionSet isa : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
            if (name_of(isa) != word) continue;
            if (is_available(isa)) return isa;
            return Error{Fault::usage, "--simd", "this machine does not have " + word,
                         "the best it has is " + std::string(name_of(best_instruction_set()))};
        }
        return Error{Fault::usage, "--simd", quoted(word) + " is not an instruction set",
                     "allowed: best, scalar, avx2, avx512, with commas between"};
    });
}

} // namespace loam
