#include "surface/from_frame.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "cache/particle_sizes.h"

namespace loam {
namespace {

// Columns that say something of the particles, not of the material at a place.
constexpr std::array<std::string_view, 7> not_carried{"position", "id",       "body",  "mass",
                                                      "density",  "pressure", "volume"};

Error unknown(const char* what, const std::string& name, const std::vector<std::string>& names) {
    const std::string nearest = nearest_name(name, names);
    return {Fault::usage, std::string("--") + what, fmt::format("the frame has none named \"{}\"", name),
            (nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest)) + "There are: " + join(names)};
}

// Which bodies are wanted, by number.
Result<std::vector<bool>> wanted_bodies(const FrameHeader& header, const std::vector<std::string>& names) {
    std::vector<bool> wanted(header.bodies.size(), names.empty());
    for (const std::string& name : names) {
        const auto found = std::find(header.bodies.begin(), header.bodies.end(), name);
        if (found == header.bodies.end()) return unknown("bodies", name, header.bodies);
        wanted[static_cast<std::size_t>(found - header.bodies.begin())] = true;
    }
    return wanted;
}

bool is_number(const ColumnInfo& info) { return info.type == ElementType::f32 || info.type == ElementType::f64; }

Result<std::vector<std::size_t>> wanted_columns(const Columns& columns, const FrameChoice& choice) {
    const std::vector<std::string>& names = choice.columns;
    std::vector<std::size_t> wanted;
    std::vector<std::string> known;
    for (std::size_t c = 0; c < columns.column_count(); ++c) {
        const ColumnInfo& info = columns.info(c);
        if (!is_number(info) || info.name == "position") continue;
        known.push_back(info.name);
        const bool carried =
            choice.all_columns || std::find(not_carried.begin(), not_carried.end(), info.name) == not_carried.end();
        if (names.empty() ? carried : std::find(names.begin(), names.end(), info.name) != names.end())
            wanted.push_back(c);
    }
    for (const std::string& name : names)
        if (std::find(known.begin(), known.end(), name) == known.end()) return unknown("columns", name, known);
    return wanted;
}

double element(const Columns& columns, std::size_t column, std::size_t row, std::size_t component) {
    const ColumnInfo& info = columns.info(column);
    const std::byte* const at = columns.bytes(column) + row * info.stride;
    if (info.type == ElementType::f64) return reinterpret_cast<const double*>(at)[component];
    return reinterpret_cast<const float*>(at)[component];
}

MeshColumn chosen_rows(const Columns& columns, std::size_t column, std::span<const std::uint32_t> rows) {
    const ColumnInfo& info = columns.info(column);
    MeshColumn result{info.name, info.unit, info.components, {}};
    result.values.reserve(rows.size() * info.components);
    for (const std::uint32_t row : rows)
        for (std::size_t k = 0; k < info.components; ++k)
            result.values.push_back(static_cast<float>(element(columns, column, row, k)));
    return result;
}

} // namespace

Result<std::vector<std::uint32_t>> rows_of(const Frame& frame, const FrameChoice& choice) {
    const Result<std::vector<bool>> bodies = wanted_bodies(frame.header, choice.bodies);
    if (!bodies) return bodies.error();
    const std::span<const std::uint32_t> body = whole_numbers(frame, "body");
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < frame.columns.size(); ++i) {
        const std::uint32_t b = body.empty() ? 0 : body[i];
        if (!choice.bodies.empty() && !(b < bodies->size() && (*bodies)[b])) continue;
        if (!choice.only || choice.only(i)) rows.push_back(i);
    }
    return rows;
}

std::span<const std::uint32_t> whole_numbers(const Frame& frame, std::string_view name) {
    const std::size_t column = frame.columns.find(name);
    if (column == SIZE_MAX || frame.columns.info(column).type != ElementType::u32) return {};
    return {reinterpret_cast<const std::uint32_t*>(frame.columns.bytes(column)), frame.columns.size()};
}

Result<SurfaceParticles> particles_of(const Frame& frame, const FrameChoice& choice) {
    const Columns& columns = frame.columns;
    const Result<std::vector<std::uint32_t>> rows = rows_of(frame, choice);
    if (!rows) return rows.error();
    const Result<std::vector<std::size_t>> carried = wanted_columns(columns, choice);
    if (!carried) return carried.error();

    SurfaceParticles result{
        .dimensions = frame.header.dimensions, .radius = frame.header.particle_radius, .time = frame.header.time};
    const ParticleSizes sizes(frame);
    const std::size_t position = columns.find("position");
    const std::span<const std::uint32_t> body = whole_numbers(frame, "body");
    for (const std::uint32_t i : *rows) {
        result.body.push_back(body.empty() ? 0 : body[i]);
        result.positions.push_back(
            {element(columns, position, i, 0), element(columns, position, i, 1), element(columns, position, i, 2)});
        result.sizes.push_back(sizes.size(i));
    }
    for (const std::size_t column : *carried) result.columns.push_back(chosen_rows(columns, column, *rows));
    return result;
}

} // namespace loam
