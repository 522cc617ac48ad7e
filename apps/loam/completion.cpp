#include "completion.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "behaviors/behavior.h"
#include "cache/run_folder.h"
#include "commands.h"
#include "run/load.h"
#include "scene/overrides.h"

namespace loam {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* bash = R"bash(# Completion for bash: source <(loam completion bash)
_loam() {
    local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]} found ending
    found=($(loam complete -- "${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null))
    case ${found[0]} in
        :files*) compopt -o filenames 2>/dev/null; COMPREPLY=()
            for ending in $(printf '%s\n' "${found[0]#:files }" | tr ' ' '\n'); do
                COMPREPLY+=($(compgen -f -X "!*$ending" -- "$word"))
            done
            COMPREPLY+=($(compgen -d -- "$word")) ;;
        :folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")) ;;
        *) COMPREPLY=("${found[@]}"); [[ ${found[0]} == *[.=] ]] && compopt -o nospace 2>/dev/null ;;
    esac
    return 0
}
complete -F _loam loam ./loam
)bash";

constexpr const char* zsh = R"zsh(#compdef loam
# Completion for zsh: source <(loam completion zsh)
_loam() {
    local -a found
    found=("${(@f)$(loam complete -- "${(@)words[1,CURRENT]}" 2>/dev/null)}")
    case ${found[1]} in
        :files*) _files -g "*(${(j:|:)${(s: :)found[1]#:files }})" ;;
        :folders) _files -/ ;;
        *[.=]) compadd -S '' -- $found ;;
        *) compadd -- $found ;;
    esac
}
compdef _loam loam
)zsh";

constexpr const char* fish = R"fish(# Completion for fish: loam completion fish | source
function __loam_complete
    set -l found (loam complete -- (commandline -opc) (commandline -ct) 2>/dev/null)
    switch "$found[1]"
        case ':files*'
            for ending in (string split ' ' -- (string replace ':files ' '' -- $found[1]))
                __fish_complete_suffix $ending
            end
        case ':folders'
            __fish_complete_directories (commandline -ct)
        case '*'
            printf '%s\n' $found
    end
end
complete -c loam -f -a '(__loam_complete)'
)fish";

Words split(const std::string& text, char at) {
    Words parts;
    std::istringstream rest(text);
    for (std::string part; std::getline(rest, part, at);)
        if (!part.empty()) parts.push_back(part);
    return parts;
}

Words without_commas(std::string names) {
    std::replace(names.begin(), names.end(), ',', ' ');
    return split(names, ' ');
}

// The file of the scene that the line is about: that of the run, where a folder is given.
std::string scene_file(const Words& words) {
    std::error_code ignored;
    for (std::size_t k = 2; k + 1 < words.size(); ++k) {
        if (is_run_folder(words[k])) return (fs::path(words[k]) / "scene.json").string();
        if (words[k].ends_with(".json") && fs::is_regular_file(words[k], ignored)) return words[k];
    }
    return "";
}

Words bodies_of(const Words& words) {
    Words names;
    if (const Result<Scene> scene = load_scene(scene_file(words)))
        for (const BodySpec& body : scene->bodies)
            if (!body.boundary && !body.group_of) names.push_back(body.name);
    return names;
}

Words gauges_of(const Words& words) {
    Words names;
    if (const Result<Scene> scene = load_scene(scene_file(words)))
        for (const GaugeSpec& gauge : scene->gauges) names.push_back(gauge.name);
    return names;
}

Words columns_of(const Words& words) {
    const fs::path folder = fs::path(scene_file(words)).parent_path();
    const std::vector<std::uint64_t> frames = list_frames(folder);
    Words names;
    if (frames.empty()) return names;
    if (const Result<Frame> frame = read_frame(frame_path(folder, frames.front())))
        for (std::size_t k = 0; k < frame->columns.column_count(); ++k) names.push_back(frame->columns.info(k).name);
    return names;
}

// Names with commas between: the last of them is completed.
Words listed(const Words& names, const std::string& word) {
    const std::size_t comma = word.find_last_of(',');
    const std::string before = comma == std::string::npos ? "" : word.substr(0, comma + 1);
    Words all;
    for (const std::string& name : names) all.push_back(before + name);
    return all;
}

// Paths of the scene, one step further than the word goes.
Words paths_of(const Words& words) {
    const Result<std::string> text = read_text(scene_file(words), std::size_t{16} << 20);
    return text ? paths_below(*text, known_registries(), words.back()) : Words{};
}

Words values_of(const std::string& option, const Words& words) {
    const std::string& command = words[1];
    const Words isas{"scalar", "avx2", "avx512"};
    const std::map<std::string, Words> fixed{{"--quality", {"preview", "final"}},
                                             {"--method", without_commas(surface_method_names())},
                                             {"--to", without_commas(export_format_names())},
                                             {"--sizes", {"10k,100k,1M,2M", "100k,2M"}},
                                             {"--solvers", {"wcsph,dfsph", "dfsph", "iisph", "pbf", "pcisph", "wcsph"}},
                                             {"--plot", {":files .svg"}},
                                             {"--sheet", {":files .png"}}};
    if (const auto found = fixed.find(option); found != fixed.end()) return found->second;
    if (option == "--simd") return command == "bench" ? Words{"best,scalar", "best", "scalar", "avx2", "avx512"} : isas;
    if (option == "-o" || option == "--output") return {command == "plot" ? ":files .svg .png .txt" : ":folders"};
    if (option == "--set" && command != "surface") return paths_of(words);
    if (option == "--bodies") return listed(bodies_of(words), words.back());
    if (option == "--columns" || option == "--color") return listed(columns_of(words), words.back());
    if (option == "--gauges") return listed(gauges_of(words), words.back());
    return {};
}

Words arguments_of(const std::string& command) {
    if (command == "run" || command == "check") return {":files .json"};
    if (command == "info") return {":files .vtkhdf"};
    if (command == "completion") return {"bash", "zsh", "fish"};
    if (command != "behaviors") return {":folders"};
    Words names;
    for (const auto& type : Behaviors::all()) names.push_back(type->declaration.name);
    return names;
}

Words options_of(const CLI::App& app) {
    Words all;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
    return all;
}

// Before any filter by what is typed already.
Words possible(const CLI::App& app, const Words& words) {
    if (words.size() <= 2) {
        Words all;
        for (const CLI::App* command : app.get_subcommands({}))
            if (!command->get_group().empty()) all.push_back(command->get_name());
        all.insert(all.end(), {"--help", "--version"});
        return all;
    }
    const std::vector<const CLI::App*> commands =
        app.get_subcommands([&](const CLI::App* one) { return one->get_name() == words[1]; });
    if (commands.empty()) return {};
    const CLI::App* const command = commands.front();
    const std::string& before = words[words.size() - 2];
    const CLI::Option* const option = before.starts_with('-') ? command->get_option_no_throw(before) : nullptr;
    if (option && option->get_items_expected_max() > 0) return values_of(before, words);
    return words.back().starts_with('-') ? options_of(*command) : arguments_of(words[1]);
}

} // namespace

std::string completion_script(const std::string& shell) { return shell == "zsh" ? zsh : shell == "fish" ? fish : bash; }

std::string completions(const CLI::App& app, const Words& words) {
    if (words.size() < 2) return "";
    std::string lines;
    for (const std::string& one : possible(app, words))
        if (one.starts_with(':') || one.starts_with(words.back())) lines += one + "\n";
    return lines;
}

} // namespace loam
