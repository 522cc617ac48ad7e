// What the options of several commands have in common. CLI11 fills the arguments in while it parses.
#pragma once

#include <functional>
#include <limits>

#include <CLI/CLI.hpp>

#include "commands.h"

namespace loam {

using Action = std::function<int()>; // what the chosen command will do

CLI::App* add_command(CLI::App& app, const char* name, const char* help, const char* examples, Action& chosen,
                      Action action);
void add_set(CLI::App& command, std::vector<std::string>& set, const std::string& help);
void add_machine(CLI::App& command, MachineArguments& machine);

CLI::Validator number_from(double least, double most = std::numeric_limits<double>::infinity());
CLI::Validator whole_number();
CLI::Validator whole_number_or_all();

} // namespace loam
