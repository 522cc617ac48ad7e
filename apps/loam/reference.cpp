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

Error unknown_behavior(const std::string& name, std::span<const Declaration> known) {
    std::vector<std::string> names;
    for (const Declaration& declaration : known) names.push_back(declaration.name);
    const std::string nearest = nearest_name(name, names);
    return {Fault::usage, "", fmt::format("there is no behavior \"{}\"", name),
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

} // namespace

int behaviors(const std::string& name) {
    const std::span<const Declaration> known = known_registries().behaviors;
    if (name.empty()) {
        std::size_t widest = 0;
        for (const Declaration& d : known) widest = std::max(widest, d.name.size());
        for (const Declaration& d : known) fmt::print("{:<{}}  {}\n", d.name, widest, first_line(d.help));
        fmt::print("\n`loam behaviors NAME` explains one.\n");
        return exit_ok;
    }
    for (const Declaration& d : known)
        if (d.name == name) {
            fmt::print("{}\n{}\n", behavior_help(d), character(*Behaviors::find(name)));
            return exit_ok;
        }
    return complain(unknown_behavior(name, known));
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
