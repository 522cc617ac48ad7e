#include "completion.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"

namespace loam {
namespace {

std::string option_words(const CLI::App& app) {
    std::string words;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) words += (words.empty() ? "--" : " --") + name;
    return words;
}

// What the values of options and the positional arguments of commands are.
constexpr const char* frame = R"bash(# Completion for bash: source <(loam completion bash)
_loam() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{commands} --help --version" -- "$word"))
        return
    fi
    case $before in
        --quality) COMPREPLY=($(compgen -W "preview final" -- "$word")); return ;;
        --simd) [ "$command" = bench ] && words="best,scalar best"
            COMPREPLY=($(compgen -W "$words scalar avx2 avx512" -- "$word")); return ;;
        --method) COMPREPLY=($(compgen -W "{methods}" -- "$word")); return ;;
        --to) COMPREPLY=($(compgen -W "{formats}" -- "$word")); return ;;
        --output|-o) compopt -o filenames 2>/dev/null
            if [ "$command" = plot ]; then COMPREPLY=($(compgen -f -- "$word")); else COMPREPLY=($(compgen -d -- "$word")); fi
            return ;;
        --plot|--sheet) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); return ;;
        --sizes) COMPREPLY=($(compgen -W "10k,100k,1M,2M 100k,2M" -- "$word")); return ;;
        --solvers) COMPREPLY=($(compgen -W "wcsph,dfsph dfsph iisph pbf pcisph wcsph" -- "$word")); return ;;
        --threads|--frames|--set|--checkpoint|--repeat|--fall|--cell|--bodies|--columns|--smooth|--sheet-frames|--every|--size|--samples|--fps|--camera|--color|--range|--seed) return ;;
    esac
    case $command in
{options}    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    case $command in
        run|check) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -X '!*.json' -- "$word") $(compgen -d -- "$word")) ;;
        resume|surface|render|export|plot) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$word")) ;;
        info) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -X '!*.vtkhdf' -- "$word") $(compgen -d -- "$word")) ;;
        behaviors) COMPREPLY=($(compgen -W "$(loam behaviors 2>/dev/null | sed '/^$/,$d; s/ .*//')" -- "$word")) ;;
        completion) COMPREPLY=($(compgen -W "bash" -- "$word")) ;;
    esac
}}
complete -F _loam loam ./loam
)bash";

} // namespace

std::string bash_completion(const CLI::App& app) {
    std::string commands, options;
    for (const CLI::App* command : app.get_subcommands({})) {
        commands += (commands.empty() ? "" : " ") + command->get_name();
        options += fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(), option_words(*command));
    }
    std::string methods = surface_method_names(), formats = export_format_names();
    std::erase(methods, ',');
    std::erase(formats, ',');
    return fmt::format(frame, fmt::arg("commands", commands), fmt::arg("options", options),
                       fmt::arg("methods", methods), fmt::arg("formats", formats));
}

} // namespace loam
