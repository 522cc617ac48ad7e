// Completion for shells. The scripts are thin: what may stand in a place is answered by the program itself, from the
// commands and options that there are, and from the scene or the run that is named on the line.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace loam {

// For "bash", "zsh" or "fish".
std::string completion_script(const std::string& shell);

// What the last of these words may be, one per line. The first line may be ":files .json .obj" or ":folders" instead:
// names of files with such endings, and of folders; of folders alone.
std::string completions(const CLI::App& app, const std::vector<std::string>& words);

} // namespace loam
