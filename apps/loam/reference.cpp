// loam behaviors, loam schema, loam reference: all made from the declarations.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "behaviors/behavior.h"
#include "commands.h"
#include "exit_code.h"
#include "run/load.h"

namespace loam {
namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

Error unknown(const char* what, const std::string& name, std::span<const std::string> names) {
    const std::string nearest = nearest_name(name, names);
    return {Fault::usage, "", fmt::format("there is no {} \"{}\"", what, name),
            nearest.empty() ? "known: " + join(names) : fmt::format("did you mean \"{}\"?", nearest)};
}

std::string character(const BehaviorType& type) {
    const char* what = find_act(type.acts, Stage::transfer) ? "an exchange" : "a force";
    switch (type.form) {
    case Form::property: return "It is what a body is made of: other laws look at it.";
    case Form::single: return fmt::format("It is {} on each particle by itself.", what);
    case Form::pair: return fmt::format("It is {} between neighbors.", what);
    case Form::cluster: return fmt::format("It is {} within groups of particles.", what);
    }
    return "";
}

int list_presets(const std::vector<Preset>& known) {
    std::size_t widest = 0;
    for (const Preset& preset : known) widest = std::max(widest, preset.name.size());
    for (const Preset& preset : known) {
        const Result<std::string> text = preset_text(preset);
        const std::string help = text ? preset_help(*text) : text.error().text();
        const bool built_in = !preset.text.empty();
        fmt::print("{:<{}}  {}{}\n", preset.name, widest, help, built_in ? "" : fmt::format(" [{}]", preset.file));
    }
    fmt::print(
        "\n`loam behaviors --presets NAME` shows one; a body takes it by \"behaviors\": {{\"like\": \"NAME\"}}.\n");
    return exit_ok;
}

// Those that a scene in the current folder may name.
int presets(const std::string& name) {
    const std::vector<Preset> known = known_presets(known_registries(), "");
    if (name.empty()) return list_presets(known);
    std::vector<std::string> names;
    for (const Preset& preset : known) {
        names.push_back(preset.name);
        if (preset.name != name) continue;
        const Result<std::string> text = preset_text(preset);
        if (!text) return complain(text.error());
        fmt::print("// {}{}\n{}", preset.file, preset.text.empty() ? "" : ", built in", *text);
        return exit_ok;
    }
    return complain(unknown("preset", name, names));
}

} // namespace

int behaviors(const std::string& name, bool of_presets) {
    if (of_presets) return presets(name);
    const std::span<const Declaration> known = known_registries().behaviors;
    if (name.empty()) {
        std::size_t widest = 0;
        for (const Declaration& d : known) widest = std::max(widest, d.name.size());
        for (const Declaration& d : known) fmt::print("{:<{}}  {}\n", d.name, widest, first_line(d.help));
        fmt::print("\n`loam behaviors NAME` explains one; `loam behaviors --presets` lists materials made of them.\n");
        return exit_ok;
    }
    std::vector<std::string> names;
    for (const Declaration& d : known) {
        names.push_back(d.name);
        if (d.name != name) continue;
        fmt::print("{}\n{}\n", behavior_help(d), character(*Behaviors::find(name)));
        return exit_ok;
    }
    return complain(unknown("behavior", name, names));
}

int schema() {
    fmt::print("{}\n", scene_schema(known_registries()));
    return exit_ok;
}

int reference() {
    fmt::print("{}", scene_reference(known_registries()));
    return exit_ok;
}

} // namespace loam
