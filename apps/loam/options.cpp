#include "options.h"

#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace loam {

// CLI11's own checks let "nan" pass, and tell of the largest number with all its digits.
CLI::Validator number_from(double least, double most) {
    const bool bounded = std::isfinite(most);
    const std::string allowed = bounded ? fmt::format("a number from {} to {}", number_text(least), number_text(most))
                                        : fmt::format("a number of at least {}", number_text(least));
    const auto check = [=](const std::string& text) {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
        return is_number && value >= least && value <= most ? std::string() : text + " is not " + allowed;
    };
    return CLI::Validator(check, "");
}

CLI::Validator whole_number() {
    const auto check = [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return digits && text.size() < 19 ? "" : "\"" + text + "\" is not a whole number of at least 0";
    };
    return CLI::Validator(check, "");
}

CLI::Validator whole_number_or_all() {
    const auto check = [](const std::string& text) { return text == "all" ? "" : whole_number()(text); };
    return CLI::Validator(check, "");
}

CLI::App* add_command(CLI::App& app, const char* name, const char* help, const char* examples, Action& chosen,
                      Action action) {
    CLI::App* command = app.add_subcommand(name, help);
    command->footer(std::string("\nExamples:\n") + examples);
    command->callback([&chosen, action = std::move(action)] { chosen = action; });
    return command;
}

void add_set(CLI::App& command, std::vector<std::string>& set, const std::string& help) {
    command.add_option("--set", set, help + ": PATH=VALUE; may be given often")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
}

void add_machine(CLI::App& command, MachineArguments& machine) {
    command.add_option("--threads", machine.threads, "Number of threads; the result does not depend on it")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    command.add_option("--simd", machine.simd, "Instruction set: scalar, avx2 or avx512; the best one if not given")
        ->type_name("NAME");
}

} // namespace loam
