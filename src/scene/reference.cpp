// The grammar for people: a Markdown reference of all blocks, and the page of one behavior for a terminal.
#include <fmt/format.h>

#include "base/text.h"
#include "scene/blocks.h"

namespace loam {
namespace {

std::string anchor(const std::string& title) { // as Markdown viewers make it
    std::string out;
    for (char c : title)
        if (c == ' ')
            out += '-';
        else if (c >= 'A' && c <= 'Z')
            out += static_cast<char>(c - 'A' + 'a');
        else
            out += c;
    return out;
}

std::string cell(std::string text) { // within a table
    for (std::size_t i = 0; (i = text.find_first_of("|\n", i)) != std::string::npos; i += 2)
        text.replace(i, 1, text[i] == '|' ? "\\|" : "  ");
    return text;
}

std::string kind_text(const Property& property) {
    switch (property.kind) {
    case Kind::flag: return "true, false";
    case Kind::number: return "number";
    case Kind::integer: return "whole number";
    case Kind::vector: return "[x, y, z]";
    case Kind::text: return "text";
    case Kind::body: return "name of a body";
    case Kind::choice: {
        std::string all;
        for (const std::string& choice : property.choices) all += (all.empty() ? "`" : ", `") + choice + "`";
        return all;
    }
    }
    return "";
}

std::string value_text(const Property& property) { // type and range, the unit once
    const std::string range = range_text(property);
    const std::string keys = property.keying == Keying::time       ? "; [keys](#keys) over time"
                             : property.keying == Keying::particle ? "; [keys](#keys)"
                                                                   : "";
    if (!range.empty()) return kind_text(property) + ", " + range + keys;
    return kind_text(property) + (property.unit.empty() ? "" : " in " + property.unit) + keys;
}

std::string keys_section() {
    std::string drivers, ways;
    for (const std::string& name : driver_names()) drivers += (drivers.empty() ? "`" : ", `") + name + "`";
    for (const std::string& name : interpolation_names()) ways += (ways.empty() ? "`" : ", `") + name + "`";
    return "## Keys\n\n"
           "Where the tables below say so, keys may stand in place of a value:\n\n"
           "    \"weight\": {\"keys\": [[0, 1], [2, 1], [3, 0]]}\n"
           "    \"weight\": {\"over\": \"temperature\", \"interpolation\": \"smooth\", \"keys\": [[300, 1], [320, "
           "0]]}\n"
           "    \"angle\": {\"keys\": [{\"at\": 0, \"value\": 0, \"interpolation\": \"bezier\", \"out\": [0.3, 0]}, "
           "[1, 90]]}\n\n"
           "| key | value | default | meaning |\n| --- | --- | --- | --- |\n"
           "| `over` | " +
           drivers +
           " | `time` | What keys are placed along. All but time are a particle's own, so that "
           "particles of one body may differ. |\n"
           "| `of` | name of a solute | all of them together | For keys over `concentration`. |\n"
           "| `interpolation` | " +
           ways +
           " | `linear` | How a key is joined to the next. A key may have its own. "
           "`smooth` never overshoots. |\n"
           "| `keys` | list of `[at, value]` or `{\"at\", \"value\", \"interpolation\", \"in\", \"out\"}` | required | "
           "In order; "
           "held before the first and after the last. `in` and `out` are the handles of `bezier`, [along the driver, "
           "in value] from the key. |\n\n"
           "Every behavior has a `weight`: how much of it acts.\n\n";
}

std::string presets_section(const Registries& registries) {
    if (registries.presets.empty()) return "";
    std::string out =
        "## Presets\n\n"
        "A body may begin with a named set of behaviors, and a look:\n\n"
        "    \"syrup\": {\"shape\": ..., \"behaviors\": {\"like\": \"honey\", \"viscosity\": "
        "{\"viscosity\": 3}}}\n\n"
        "Its own values win, one by one; `null` leaves out one of the set's behaviors. These are built in; "
        "[Preset](#preset) tells how to make others, `loam behaviors --presets` lists all, and "
        "`loam behaviors --presets NAME` shows what one says. A run keeps the presets that it used.\n\n"
        "| preset | what it is |\n| --- | --- |\n";
    for (const Preset& preset : registries.presets)
        out += fmt::format("| `{}` | {} |\n", preset.name, cell(preset_help(preset.text)));
    return out + "\n";
}

std::string part_text(const Part& part, const Grammar& grammar) {
    const std::string title = grammar[part.block].title;
    std::string link = fmt::format("[{}](#{})", title, anchor(title));
    switch (part.form) {
    case Part::Form::block: return link;
    case Part::Form::named: return "by name: " + link;
    case Part::Form::list: return "list of: " + link;
    case Part::Form::names: return "list of names";
    case Part::Form::shares: return "by name of " + link + ": number from 0 to 1";
    case Part::Form::patches: return "by name: changes to " + link;
    }
    return "";
}

// Which pressure solvers give a property of the solver block a default of their own.
std::string own_defaults(const std::string& block, const Property& property, const Registries& registries) {
    std::string all;
    if (block != "solver") return all;
    for (const Declaration& pressure : registries.pressure_solvers)
        if (const Property* own = pressure.find(property.name); own && own->initial != property.initial)
            all += fmt::format("; {} for {}", default_text(*own), pressure.name);
    return all;
}

std::string section(const std::string& name, const Grammar& grammar, const Registries& registries) {
    const Block& block = grammar[name];
    std::string out = fmt::format("## {}\n\n{}\n\n", block.title, block.declaration.help);
    if (block.declaration.properties.empty() && block.parts.empty()) return out + "It has no settings: write `{}`.\n\n";
    out += "| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
    for (const Property& property : block.declaration.properties)
        out += fmt::format("| `{}` | {} | {}{} | {} |\n", property.name, cell(value_text(property)),
                           property.required ? "required" : fmt::format("`{}`", cell(default_text(property))),
                           own_defaults(name, property, registries), cell(property.help));
    for (const Part& part : block.parts)
        out += fmt::format("| `{}` | {} | {} | {} |\n", part.name, part_text(part, grammar),
                           part.required ? "required" : "", cell(part.help));
    return out + "\n";
}

} // namespace

std::string scene_reference(const Registries& registries) {
    const Grammar grammar(registries);
    std::string out =
        "# Scene reference\n\n"
        "A scene is one JSON file; `//` and `/* */` comments are allowed. This page is made from the declarations "
        "in the program (`loam schema` prints the same for editors).\n\n"
        "SI units, y up. A vector may be `[x, y]` when z is 0. Names of bodies, emitters, drains and qualities "
        "begin with a letter and go on with letters, digits, `_` or `-`. Any value can be replaced on the command "
        "line by its path: `--set bodies.water.behaviors.fluid.density=800`; entries of lists go by number from 0, "
        "and `null` removes.\n\n";
    out += keys_section();
    out += presets_section(registries);
    for (const std::string& name : grammar.order()) out += section(name, grammar, registries);
    out.pop_back();
    return out;
}

std::string behavior_help(const Declaration& declaration) {
    std::string out = fmt::format("{}\n{}\n", declaration.name, declaration.help);
    if (declaration.properties.empty()) return out + "\nIt has no properties.\n";
    out += "\nProperties\n";
    for (const Property& property : declaration.properties)
        out += fmt::format("  {}\n      {}\n      {}; {}\n", property.name, property.help, allowed_text(property),
                           property.required ? "required" : "default " + default_text(property));
    out += fmt::format("\nIn a scene\n  \"behaviors\": {{\"{}\": {{", declaration.name);
    bool first = true;
    for (const Property& property : declaration.properties) {
        const Vec3d* vector = std::get_if<Vec3d>(&property.initial);
        if (vector && !is_finite(*vector)) continue;
        out += fmt::format("{}\"{}\": {}", first ? "" : ", ", property.name,
                           property.required ? std::string("...") : default_text(property));
        first = false;
    }
    return out + "}}\n";
}

} // namespace loam
