#include "surface/surface.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/attributes.h"
#include "surface/march.h"
#include "surface/smooth.h"

namespace loam {
namespace {

Error unknown(const char* where, const std::string& what, const std::string& name,
              const std::vector<std::string>& names) {
    const std::string nearest = nearest_name(name, names);
    return {Fault::usage, where, fmt::format("there is no {} \"{}\"", what, name),
            (nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest)) + "There are: " + join(names)};
}

Status apply(const std::string& setting, const Declaration& declaration, Values& values) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    const std::string text = equals == std::string::npos ? "" : setting.substr(equals + 1);
    const Property* property = declaration.find(name);
    if (!property) {
        std::vector<std::string> names;
        for (const Property& p : declaration.properties) names.push_back(p.name);
        return unknown("--set", "property of " + declaration.name, name, names);
    }
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return Error{Fault::usage, "--set", fmt::format("\"{}\" is not NAME=NUMBER", setting), property->help};
    if (value < property->limits.lo || value > property->limits.hi)
        return Error{
            Fault::usage, "--set", fmt::format("{} = {} is out of range", name, number_text(value)),
            fmt::format("allowed: {} to {}", number_text(property->limits.lo), number_text(property->limits.hi))};
    values.set(name, value);
    return Done{};
}

Status check(const SurfaceParticles& particles) {
    if (!(particles.radius > 0) || !std::isfinite(particles.radius))
        return Error{Fault::file, "", fmt::format("the particles' radius is {}", particles.radius), ""};
    for (std::size_t i = 0; i < particles.positions.size(); ++i)
        if (!is_finite(particles.positions[i]))
            return Error{Fault::file, "", fmt::format("the place of particle {} is not a number", i), ""};
    return Done{};
}

} // namespace

Result<std::unique_ptr<SurfaceMaker>> SurfaceMaker::create(const std::string& method,
                                                           std::span<const std::string> settings) {
    const SurfaceMethodType* type = SurfaceMethods::find(method);
    if (!type) {
        std::vector<std::string> names;
        for (const auto& known : SurfaceMethods::all()) names.push_back(known->declaration.name);
        return unknown("--method", "surface method", method, names);
    }
    Values values(type->declaration);
    for (const std::string& setting : settings)
        if (Status applied = apply(setting, type->declaration, values); !applied) return applied.error();
    return std::unique_ptr<SurfaceMaker>(new SurfaceMaker(type->make(values)));
}

Result<SurfaceMesh> SurfaceMaker::make(const SurfaceParticles& particles, const SurfaceOptions& options) {
    if (Status good = check(particles); !good) return good.error();
    const FieldOptions field_options{.cell = options.cell > 0 ? options.cell : particles.radius,
                                     .memory_limit = options.memory_limit};
    const Cloud cloud(particles, options.isa);
    const Result<SparseField> field = method_->field(cloud, field_options);
    if (!field) return field.error();
    SurfaceMesh mesh = march(*field);
    smooth(mesh, options.smoothing);
    if (mesh.normals.empty()) compute_normals(mesh);
    carry_columns(cloud, mesh);
    return mesh;
}

} // namespace loam
