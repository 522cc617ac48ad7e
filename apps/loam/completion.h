// Completion for shells, made from the commands and options that there are.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace loam {

std::string bash_completion(const CLI::App& app);

} // namespace loam
