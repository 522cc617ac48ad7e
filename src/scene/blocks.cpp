#include "scene/blocks.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/text.h"

namespace loam {
namespace {

// A limit or default in full, as a person writes it: 0.01, 1e9, 2147483647.
std::string plain(double value) {
    std::string text = number_text(value);
    if (std::strtod(text.c_str(), nullptr) != value) return fmt::format("{}", value);
    const std::size_t exponent = text.find('e');
    if (exponent == std::string::npos) return text;
    return fmt::format("{}e{}", text.substr(0, exponent), std::atoi(text.c_str() + exponent + 1));
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

using Form = Part::Form;

Part shape_part(const std::string& help, bool required) { return {"shape", Form::block, "shape", help, required}; }

} // namespace

std::vector<std::string> Block::keys() const {
    std::vector<std::string> all;
    for (const Property& p : declaration.properties) all.push_back(p.name);
    for (const Part& p : parts) all.push_back(p.name);
    return all;
}

const Part* Block::part(std::string_view name) const {
    for (const Part& p : parts)
        if (p.name == name) return &p;
    return nullptr;
}

Grammar::Grammar(const Registries& registries) {
    add("scene", {"The scene",
                  scene_declaration(),
                  {{"solver", Form::block, "solver", "How the equations are solved."},
                   {"domain", Form::block, "domain", "The space in which particles live."},
                   {"behaviors", Form::block, "behaviors",
                    "What acts on all bodies, such as gravity; a body's own block of the same name replaces it."},
                   {"bodies", Form::named, "body", "Materials and walls, by name.", true},
                   {"drains", Form::named, "drain", "Places where particles vanish, by name."},
                   {"solutes", Form::named, "solute", "What fluids may hold, by name: see the behavior `miscible`."},
                   {"heaters", Form::named, "heater", "What gives heat, by name: see the behavior `heat`."},
                   {"presets", Form::named, "preset", "Sets of behaviors that bodies may be `like`, by name."},
                   {"gauges", Form::named, "gauge", "What is measured while it runs, by name."},
                   {"foam", Form::block, "foam", "White water on fluids: spray, foam and bubbles, for pictures."},
                   {"camera", Form::block, "camera", "Where pictures are taken from."},
                   {"light", Form::block, "light", "Sun, sky and floor of pictures."},
                   {"quality", Form::patches, "scene",
                    "Named variants, such as preview and final: each holds what it changes in the scene. Blocks are "
                    "merged, other values replaced, null removes."}}});
    add_solver(registries);
    add_fixed();
    add_shapes(registries);
    add_behaviors(registries);
    add_gauges(registries);
}

void Grammar::add(const std::string& name, Block block) {
    blocks_.emplace(name, std::move(block));
    order_.push_back(name);
}

void Grammar::add_fixed() {
    add("camera", {"Camera", camera_declaration(), {}});
    add("light", {"Light", light_declaration(), {}});
    add("foam", {"Foam", foam_declaration(), {}});
    add("domain", {"Domain", domain_declaration(), {}});
    add("body", {"Body",
                 body_declaration(),
                 {shape_part("What it fills at the start; for a wall, what is solid.", false),
                  {"behaviors", Form::block, "behaviors", "Its laws: a fluid, a viscosity, ..."},
                  {"start", Form::block, "start", "Velocities and displacements at the start, as fields of place."},
                  {"emitters", Form::named, "emitter", "Sources of more of it, by name."},
                  {"pins", Form::named, "pin", "Parts of it that are held, by name."},
                  {"concentration", Form::shares, "solute",
                   "What it holds of each solute at the start, as a part of its volume; nothing of those left out."},
                  {"boundary", Form::block, "boundary", "Makes it a wall."},
                  {"motion", Form::block, "motion", "How a rigid body is moved, until its release."},
                  {"groups", Form::named, "group", "Parts of it with behaviors of their own, by name."},
                  {"look", Form::block, "look", "How pictures show it."}}});
    add("group",
        {"Group",
         {"group", "Particles of a body with behaviors of their own, or with other values of its behaviors.", {}},
         {shape_part("Particles that are in it at the start belong to the group.", true),
          {"behaviors", Form::block, "behaviors",
           "They replace the body's blocks of the same name; its others hold as well.", true}}});
    add_start();
    add("preset", {"Preset",
                   preset_declaration(),
                   {{"behaviors", Form::block, "behaviors", "What bodies that are like it have.", true},
                    {"look", Form::block, "look", "How pictures show them."}}});
    add("look", {"Look", look_declaration(), {}});
    add("emitter", {"Emitter", emitter_declaration(), {shape_part("Where particles appear.", true)}});
    add("pin", {"Pin",
                pin_declaration(),
                {shape_part("Particles of the body that are inside at the start are held.", true),
                 {"motion", Form::block, "motion", "How what is held moves; without one it stands."}}});
    add("boundary", {"Boundary",
                     boundary_declaration(),
                     {{"motion", Form::block, "motion", "How it moves; without one it stands."}}});
    add("motion", {"Motion", motion_declaration(), {}});
    add("drain", {"Drain",
                  {"drain", "A place where particles vanish.", {}},
                  {shape_part("Particles inside vanish.", true),
                   {"bodies", Form::names, "body", "Names of the bodies it takes; all when left out."}}});
    add("solute", {"Solute", solute_declaration(), {}});
    add("heater", {"Heater",
                   heater_declaration(),
                   {shape_part("What is inside of it is heated.", true),
                    {"motion", Form::block, "motion", "How it moves; without one it stands."}}});
}

void Grammar::add_start() {
    const Part gradient{"gradient", Form::block, "gradient", "A matrix times r."};
    const Part formula{"formula", Form::block, "formula", "Formulas of place."};
    add("start", {"Start",
                  start_declaration(),
                  {{"velocity", Form::block, "start velocity", "How it moves."},
                   {"displacement", Form::block, "start displacement", "How an elastic body is strained."}}});
    add("start velocity", {"Starting velocity", start_velocity_declaration(), {gradient, formula}});
    add("start displacement", {"Starting displacement", start_displacement_declaration(), {gradient, formula}});
    add("gradient", {"Gradient", gradient_declaration(), {}});
    add("formula", {"Formula", formula_declaration(), {}});
}

void Grammar::add_gauges(const Registries& registries) {
    Block gauge{"Gauge", gauge_declaration(), {}};
    for (const Declaration& kind : registries.gauges)
        gauge.parts.push_back(
            {kind.name, Form::block, "gauge " + kind.name, kind.help.substr(0, kind.help.find('\n'))});
    add("gauge", std::move(gauge));
    for (const Declaration& kind : registries.gauges) add("gauge " + kind.name, {"Gauge " + kind.name, kind, {}});
}

void Grammar::add_solver(const Registries& registries) {
    Block solver{"Solver", solver_declaration(), {}};
    std::vector<std::string> names;
    for (const Declaration& pressure : registries.pressure_solvers) {
        names.push_back(pressure.name);
        const std::string help = pressure.help.substr(0, pressure.help.find('\n'));
        solver.parts.push_back(
            {pressure.name, Form::block, "pressure " + pressure.name, "Settings of " + pressure.name + ": " + help});
    }
    if (!names.empty())
        solver.declaration.properties.insert(solver.declaration.properties.begin(),
                                             choice("pressure", names, "What keeps materials from being compressed."));
    add("solver", std::move(solver));
    for (Declaration pressure : registries.pressure_solvers) {
        // A property that the solver block has too only gives it another default for this pressure solver.
        std::erase_if(pressure.properties, [](const Property& p) { return solver_declaration().find(p.name); });
        const std::string name = pressure.name;
        add("pressure " + name, {"Pressure solver " + name, std::move(pressure), {}});
    }
}

void Grammar::add_behaviors(const Registries& registries) {
    Block all{"Behaviors",
              {"behaviors",
               "Laws of force and exchange. A behavior is there when its block is, even an empty one {}.",
               {text("like", "",
                     "A preset to begin with, such as \"honey\"; values given beside it win, null leaves out one of "
                     "its behaviors.")}},
              {}};
    for (const Declaration& behavior : registries.behaviors)
        all.parts.push_back({behavior.name, Form::block, "behavior " + behavior.name,
                             behavior.help.substr(0, behavior.help.find('\n'))});
    add("behaviors", std::move(all));
    for (const Declaration& behavior : registries.behaviors)
        add("behavior " + behavior.name, {"Behavior " + behavior.name, behavior, {}});
}

void Grammar::add_shapes(const Registries& registries) {
    Block shape{"Shape",
                {"shape",
                 "A solid: exactly one primitive, such as {\"sphere\": {...}}, or one combination of other shapes. "
                 "Beside it may "
                 "stand what changes it, applied in this order: scale, rotate, translate, hollow, invert.",
                 {number("smooth", "m", 0, {0, 1e6}, "Rounds the seams of a combination by about this length."),
                  number("scale", "", 1, {1e-9, 1e9}, "Makes it larger or smaller, seen from the origin."),
                  vector("translate", "m", {}, "Moves it."),
                  number("hollow", "m", 0, {0, 1e6},
                         "Leaves only a skin of this thickness, inside of the surface; 0 for none."),
                  flag("invert", false, "Makes the outside solid: a container.")}},
                {{"rotate", Form::block, "rotate", "Turns it about an axis through the origin."},
                 {"union", Form::list, "shape", "Everything that is in any of the shapes."},
                 {"difference", Form::list, "shape", "The first shape without the others."},
                 {"intersection", Form::list, "shape", "What all of the shapes share."}}};
    for (const ShapeKind& kind : registries.shapes)
        shape.parts.push_back({kind.declaration.name, Form::block, "shape " + kind.declaration.name,
                               kind.declaration.help.substr(0, kind.declaration.help.find('\n'))});
    add("shape", std::move(shape));
    add("rotate", {"Rotation",
                   {"rotate",
                    "A rotation about an axis through the origin.",
                    {vector("axis", "", {0, 1, 0}, "The axis; z in 2D."),
                     number("degrees", "degrees", 0, {-1e6, 1e6}, "The angle, right-handed.").needed()}},
                   {}});
    for (const ShapeKind& kind : registries.shapes)
        add("shape " + kind.declaration.name, {"Shape " + kind.declaration.name, kind.declaration, {}});
}

bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= 64 && is_letter(text[0]) &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; });
}

std::string range_text(const Property& property) {
    const auto [lo, hi] = property.limits;
    const std::string unit = property.unit.empty() ? "" : " " + property.unit;
    if (lo == positive.lo && std::isinf(hi)) return "greater than 0" + unit;
    if (lo == positive.lo) return "greater than 0, at most " + plain(hi) + unit;
    if (std::isinf(lo) && std::isinf(hi)) return "";
    if (std::isinf(hi)) return "at least " + plain(lo) + unit;
    if (std::isinf(lo)) return "at most " + plain(hi) + unit;
    return "from " + plain(lo) + " to " + plain(hi) + unit;
}

std::string allowed_text(const Property& property) {
    const std::string range = range_text(property);
    const char* of = property.kind == Kind::vector ? "components " : "";
    std::string limited;
    if (!range.empty())
        limited = fmt::format(" {}{}", of, range);
    else if (!property.unit.empty())
        limited = " in " + property.unit;
    if (property.keying == Keying::time || property.keying == Keying::particle) limited += ", or keys";
    switch (property.kind) {
    case Kind::flag: return "true or false";
    case Kind::number: return "a number" + limited;
    case Kind::integer: return "a whole number" + limited;
    case Kind::vector: return "a vector [x, y, z]" + limited;
    case Kind::text: return "text in double quotes";
    case Kind::body: return "the name of a body";
    case Kind::choice: return "one of " + join(property.choices);
    }
    return "";
}

std::string default_text(const Property& property) {
    if (property.required) return "required";
    if (const bool* truth = std::get_if<bool>(&property.initial)) return *truth ? "true" : "false";
    if (const double* value = std::get_if<double>(&property.initial)) return plain(*value);
    if (const std::string* text = std::get_if<std::string>(&property.initial)) return fmt::format("\"{}\"", *text);
    const Vec3d& v = std::get<Vec3d>(property.initial);
    if (!is_finite(v)) return "none";
    return "[" + plain(v.x) + ", " + plain(v.y) + ", " + plain(v.z) + "]";
}

} // namespace loam
