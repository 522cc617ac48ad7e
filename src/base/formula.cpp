#include "base/formula.h"

#include <charconv>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/text.h"

namespace loam {
namespace {

constexpr std::size_t longest = 1000; // of a formula, in letters
constexpr int deepest = 100;          // brackets within brackets

struct FunctionOfOne {
    std::string_view name;
    double (*call)(double);
};
struct FunctionOfTwo {
    std::string_view name;
    double (*call)(double, double);
};
struct Constant {
    std::string_view name;
    double value;
};

constexpr FunctionOfOne of_one[] = {
    {"abs", [](double a) { return std::abs(a); }},        {"acos", [](double a) { return std::acos(a); }},
    {"asin", [](double a) { return std::asin(a); }},      {"atan", [](double a) { return std::atan(a); }},
    {"cos", [](double a) { return std::cos(a); }},        {"cosh", [](double a) { return std::cosh(a); }},
    {"exp", [](double a) { return std::exp(a); }},        {"floor", [](double a) { return std::floor(a); }},
    {"log", [](double a) { return std::log(a); }},        {"sin", [](double a) { return std::sin(a); }},
    {"sinh", [](double a) { return std::sinh(a); }},      {"sqrt", [](double a) { return std::sqrt(a); }},
    {"step", [](double a) { return a < 0 ? 0.0 : 1.0; }}, {"tan", [](double a) { return std::tan(a); }},
    {"tanh", [](double a) { return std::tanh(a); }},
};
constexpr FunctionOfTwo of_two[] = {
    {"atan2", [](double a, double b) { return std::atan2(a, b); }},
    {"max", [](double a, double b) { return std::max(a, b); }},
    {"min", [](double a, double b) { return std::min(a, b); }},
};
constexpr Constant constants[] = {{"pi", std::numbers::pi}, {"e", std::numbers::e}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace

// Reads by recursive descent; what it complains about first stays, and ends the reading.
class FormulaReader {
public:
    explicit FormulaReader(std::string_view text) : text_(text) {}

    Result<Formula> read() {
        if (text_.size() > longest)
            return Error{Fault::scene, "", fmt::format("the formula has {} letters", text_.size()),
                         fmt::format("allowed: at most {}", longest)};
        sum();
        if (!failed() && next() != '\0') fail_here("allowed here: +, -, *, /, ^, or the end");
        if (failed()) return error_;
        return formula_;
    }

private:
    using Kind = Formula::Step::Kind;

    bool failed() const { return !error_.what.empty(); }
    char next() { // that means something; 0 at the end
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char wanted) {
        if (failed() || next() != wanted) return false;
        ++at_;
        return true;
    }
    void fail(std::size_t column, const std::string& what, std::string hint) {
        if (!failed())
            error_ = {Fault::scene, "", fmt::format("the formula \"{}\" has {} at column {}", text_, what, column + 1),
                      std::move(hint)};
    }
    void fail_here(std::string hint) {
        const char found = next();
        fail(at_, found == '\0' ? std::string("its end") : fmt::format("\"{}\"", found), std::move(hint));
    }
    void expect(char wanted) {
        if (!take(wanted)) fail_here(fmt::format("allowed here: {}", wanted));
    }

    void put(double value) { formula_.steps_.push_back({.kind = Kind::number, .value = value}); }
    void put(double (*call)(double)) { formula_.steps_.push_back({.kind = Kind::one, .of_one = call}); }
    void put(double (*call)(double, double)) { formula_.steps_.push_back({.kind = Kind::two, .of_two = call}); }

    void sum() {
        if (++depth_ > deepest) fail(at_, "too many brackets", fmt::format("allowed: {} within each other", deepest));
        term();
        while (!failed()) {
            if (take('+'))
                term(), put([](double a, double b) { return a + b; });
            else if (take('-'))
                term(), put([](double a, double b) { return a - b; });
            else
                break;
        }
        --depth_;
    }
    void term() {
        factor();
        while (!failed()) {
            if (take('*'))
                factor(), put([](double a, double b) { return a * b; });
            else if (take('/'))
                factor(), put([](double a, double b) { return a / b; });
            else
                break;
        }
    }
    void factor() {
        bool negative = false;
        while (next() == '-' || next() == '+') negative ^= text_[at_++] == '-';
        power();
        if (negative) put([](double a) { return -a; });
    }
    void power() {
        atom();
        if (!take('^')) return;
        if (++depth_ > deepest) fail(at_, "too many powers", fmt::format("allowed: {} within each other", deepest));
        factor(); // so that 2^3^2 is 2^9, and 2^-1 a half
        --depth_;
        put([](double a, double b) { return std::pow(a, b); });
    }
    void atom() {
        if (failed()) return;
        const char first = next();
        if (is_digit(first) || first == '.')
            number();
        else if (is_letter(first))
            name();
        else if (take('('))
            sum(), expect(')');
        else
            fail_here("allowed here: a number, x, y, z, a function such as sin(...), or a bracket");
    }
    void number() {
        double value = 0;
        const auto [end, fault] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (fault != std::errc{} || !std::isfinite(value)) return fail(at_, "no number", "write it as 0.5 or 1e-3");
        at_ = static_cast<std::size_t>(end - text_.data());
        put(value);
    }
    void name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (word == "x" || word == "y" || word == "z")
            return formula_.steps_.push_back(
                {.kind = Kind::coordinate, .axis = static_cast<std::size_t>(word[0] - 'x')});
        for (const Constant& constant : constants)
            if (constant.name == word) return put(constant.value);
        for (const FunctionOfOne& function : of_one)
            if (function.name == word) return arguments(function.call);
        for (const FunctionOfTwo& function : of_two)
            if (function.name == word) return arguments(function.call);
        unknown(begin, std::string(word));
    }
    void arguments(double (*call)(double)) {
        expect('('), sum(), expect(')');
        put(call);
    }
    void arguments(double (*call)(double, double)) {
        expect('('), sum(), expect(','), sum(), expect(')');
        put(call);
    }
    void unknown(std::size_t column, const std::string& word) {
        std::vector<std::string> known = formula_functions();
        known.insert(known.begin(), {"x", "y", "z", "pi", "e"});
        const std::string nearest = nearest_name(word, known);
        fail(column, fmt::format("an unknown name \"{}\"", word),
             (nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest)) + "known: " + join(known));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
    Formula formula_;
    Error error_;
};

Result<Formula> Formula::read(std::string_view text) { return FormulaReader(text).read(); }

double Formula::at(const Vec3d& place) const {
    std::vector<double> waiting(steps_.size());
    std::size_t top = 0;
    for (const Step& step : steps_) {
        switch (step.kind) {
        case Step::Kind::number: waiting[top++] = step.value; break;
        case Step::Kind::coordinate: waiting[top++] = place[step.axis]; break;
        case Step::Kind::one: waiting[top - 1] = step.of_one(waiting[top - 1]); break;
        case Step::Kind::two:
            --top;
            waiting[top - 1] = step.of_two(waiting[top - 1], waiting[top]);
            break;
        }
    }
    return waiting[0];
}

std::vector<std::string> formula_functions() {
    std::vector<std::string> names;
    for (const FunctionOfOne& function : of_one) names.emplace_back(function.name);
    for (const FunctionOfTwo& function : of_two) names.emplace_back(function.name);
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace loam
