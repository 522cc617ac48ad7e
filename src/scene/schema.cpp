// The grammar as JSON Schema, draft 2020-12. Each block becomes an entry of $defs.
#include <nlohmann/json.hpp>

#include "scene/blocks.h"

namespace loam {
namespace {

using Json = nlohmann::ordered_json;

std::string key_of(const std::string& block) { // "shape box" -> "shape-box"
    std::string key = block;
    for (char& c : key)
        if (c == ' ') c = '-';
    return key;
}

Json reference(const std::string& block) { return {{"$ref", "#/$defs/" + key_of(block)}}; }

void add_limits(Json& schema, const Limits& limits) {
    if (limits.lo == positive.lo)
        schema["exclusiveMinimum"] = 0;
    else if (std::isfinite(limits.lo))
        schema["minimum"] = limits.lo;
    if (std::isfinite(limits.hi)) schema["maximum"] = limits.hi;
}

Json vector_schema(const Property& property) {
    const Vec3d initial = std::get<Vec3d>(property.initial);
    Json item{{"type", is_finite(initial) ? Json("number") : Json{"number", "null"}}};
    add_limits(item, property.limits);
    Json schema{{"type", "array"}, {"items", item}, {"minItems", 2}, {"maxItems", 3}};
    if (is_finite(initial) && !property.required) schema["default"] = Json::array({initial.x, initial.y, initial.z});
    return schema;
}

Json number_schema(const Property& property) {
    Json schema{{"type", property.kind == Kind::integer ? "integer" : "number"}};
    add_limits(schema, property.limits);
    const double initial = std::get<double>(property.initial);
    if (!property.required && property.kind == Kind::integer) schema["default"] = static_cast<long long>(initial);
    if (!property.required && property.kind == Kind::number && std::isfinite(initial)) schema["default"] = initial;
    return schema;
}

Json text_schema(const Property& property) {
    Json schema;
    if (property.kind == Kind::choice)
        schema["enum"] = property.choices;
    else
        schema["type"] = "string";
    if (!property.required) schema["default"] = std::get<std::string>(property.initial);
    return schema;
}

Json value_schema(const Property& property) {
    Json schema;
    switch (property.kind) {
    case Kind::flag: schema = {{"type", "boolean"}, {"default", std::get<bool>(property.initial)}}; break;
    case Kind::number:
    case Kind::integer: schema = number_schema(property); break;
    case Kind::vector: schema = vector_schema(property); break;
    case Kind::text:
    case Kind::body:
    case Kind::choice: schema = text_schema(property); break;
    }
    if (property.keying == Keying::time || property.keying == Keying::particle) {
        Json single = std::move(schema);
        schema = {{"anyOf", Json::array({std::move(single), reference("track")})}};
    }
    schema["description"] = property.help + (property.unit.empty() ? "" : " [" + property.unit + "]");
    return schema;
}

// Keys in place of a value; what a value may be is left to the reader.
Json track_schema() {
    const Json number{{"type", "number"}};
    const Json value{{"anyOf", Json::array({number, Json{{"type", "array"}, {"items", number}}})}};
    const Json interpolation{{"enum", interpolation_names()}, {"default", "linear"}};
    const Json handle{{"type", "array"}, {"items", number}, {"minItems", 2}, {"maxItems", 2}};
    const Json pair{{"type", "array"}, {"items", value}, {"minItems", 2}, {"maxItems", 2}};
    const Json block{
        {"type", "object"},
        {"properties",
         {{"at", number}, {"value", value}, {"interpolation", interpolation}, {"in", handle}, {"out", handle}}},
        {"required", {"at", "value"}},
        {"additionalProperties", false}};
    return {{"type", "object"},
            {"title", "Keys"},
            {"description", "A value keyed over time, or over something that a particle has."},
            {"properties",
             {{"over", {{"enum", driver_names()}, {"default", "time"}}},
              {"of", {{"type", "string"}}},
              {"interpolation", interpolation},
              {"keys", {{"type", "array"}, {"items", {{"anyOf", Json::array({pair, block})}}}, {"minItems", 1}}}}},
            {"required", {"keys"}},
            {"additionalProperties", false}};
}

Json named_schema(Json entry) {
    return {{"type", "object"},
            {"patternProperties", {{std::string(name_pattern), std::move(entry)}}},
            {"additionalProperties", false}};
}

// What a quality changes: values that are replaced are checked as they are, blocks only for being there.
Json patch_schema(const Block& scene) {
    Json properties;
    for (const Property& property : scene.declaration.properties)
        properties[property.name] = {{"anyOf", Json::array({value_schema(property), Json{{"type", "null"}}})}};
    for (const Part& part : scene.parts)
        if (part.form != Part::Form::patches)
            properties[part.name] = {{"type", {"object", "null"}}, {"description", part.help}};
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json part_schema(const Part& part, const Grammar& grammar) {
    Json schema;
    switch (part.form) {
    case Part::Form::block: schema = reference(part.block); break;
    case Part::Form::named: schema = named_schema(reference(part.block)); break;
    case Part::Form::list: schema = {{"type", "array"}, {"items", reference(part.block)}}; break;
    case Part::Form::names: schema = {{"type", "array"}, {"items", {{"type", "string"}}}}; break;
    case Part::Form::shares: schema = named_schema({{"type", "number"}, {"minimum", 0}, {"maximum", 1}}); break;
    case Part::Form::patches: schema = named_schema(patch_schema(grammar[part.block])); break;
    }
    schema["description"] = part.help;
    return schema;
}

Json block_schema(const Block& block, const Grammar& grammar) {
    Json properties = Json::object(), required = Json::array();
    for (const Property& property : block.declaration.properties) {
        properties[property.name] = value_schema(property);
        if (property.required) required.push_back(property.name);
    }
    for (const Part& part : block.parts) {
        properties[part.name] = part_schema(part, grammar);
        if (part.required) required.push_back(part.name);
    }
    Json schema{{"type", "object"},
                {"title", block.title},
                {"description", block.declaration.help},
                {"properties", properties}};
    if (!required.empty()) schema["required"] = required;
    schema["additionalProperties"] = false;
    return schema;
}

Json one_of_required(const std::vector<std::string>& keys) {
    Json options = Json::array();
    for (const std::string& key : keys) options.push_back({{"required", {key}}});
    return options;
}

// What goes beyond single keys: one kind per shape, walls apart from materials.
void add_relations(Json& definitions, const Registries& registries) {
    std::vector<std::string> kinds = combinations;
    for (const ShapeKind& kind : registries.shapes) kinds.push_back(kind.declaration.name);
    Json& shape = definitions["shape"];
    shape["oneOf"] = one_of_required(kinds);
    shape["dependentSchemas"]["smooth"]["anyOf"] = one_of_required(combinations);
    shape["properties"]["union"]["minItems"] = 1;
    shape["properties"]["intersection"]["minItems"] = 1;
    shape["properties"]["difference"]["minItems"] = 2;
    for (auto& [name, law] : definitions["behaviors"]["properties"].items()) { // null leaves out a preset's
        if (name == "like") continue;
        const Json help = law["description"];
        law = {{"anyOf", Json::array({reference("behavior " + name), Json{{"type", "null"}}})}, {"description", help}};
    }
    for (const Preset& preset : registries.presets)
        definitions["behaviors"]["properties"]["like"]["examples"].push_back(preset.name);
    Json& body = definitions["body"];
    body["if"] = {{"required", {"boundary"}}};
    body["then"] = {{"required", {"shape"}}, {"propertyNames", {{"enum", {"shape", "boundary", "look"}}}}};
    const auto has = [](const char* law) { return Json{{"properties", {{"behaviors", {{"required", {law}}}}}}}; };
    // A fluid may be nowhere at the start where it comes out of a surface, or can seep out of pores.
    Json filled = one_of_required({"shape", "emitters"}), coat = has("coat"), porous = has("porous");
    coat["required"] = porous["required"] = {"behaviors"};
    filled.push_back(coat);
    Json somewhere = filled;
    somewhere.push_back(has("fluid"));
    body["else"] = {{"required", {"behaviors"}}, {"anyOf", somewhere}};
    definitions["scene"]["properties"]["bodies"]["anyOf"] =
        Json::array({Json{{"additionalProperties", {{"anyOf", filled}}}},
                     Json{{"not", {{"additionalProperties", {{"not", porous}}}}}}});
    definitions["scene"]["properties"]["bodies"]["minProperties"] = 1;
    std::vector<std::string> gauges;
    for (const Declaration& kind : registries.gauges) gauges.push_back(kind.name);
    if (!gauges.empty()) definitions["gauge"]["oneOf"] = one_of_required(gauges);
}

} // namespace

std::string scene_schema(const Registries& registries) {
    const Grammar grammar(registries);
    Json definitions;
    for (const std::string& name : grammar.order()) definitions[key_of(name)] = block_schema(grammar[name], grammar);
    definitions["track"] = track_schema();
    add_relations(definitions, registries);
    const Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                      {"title", "Loam scene"},
                      {"$ref", "#/$defs/scene"},
                      {"$defs", definitions}};
    return schema.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace loam
