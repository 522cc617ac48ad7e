#include "frame_packet.h"

#include <cstring>
#include <span>

#include "cache/particle_sizes.h"
#include "packing.h"

namespace loam::studio {
namespace {

using Json = nlohmann::ordered_json;

constexpr float largest_size = 2;

std::uint32_t mixed(std::uint32_t x) { // a hash that spreads neighboring ids
    x ^= x >> 16, x *= 0x7feb352dU;
    x ^= x >> 15, x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

const std::uint32_t* ids_of(const Frame& frame) {
    const std::size_t id = frame.columns.find("id");
    if (id == SIZE_MAX || frame.columns.info(id).type != ElementType::u32) return nullptr;
    return reinterpret_cast<const std::uint32_t*>(frame.columns.bytes(id));
}

// The rows that are sent. By a hash of the id, so that a particle that is shown stays shown.
std::vector<std::uint32_t> chosen_rows(const Frame& frame, std::size_t most) {
    const std::size_t total = frame.columns.size();
    const std::uint32_t* const ids = ids_of(frame);
    const double share = total <= most ? 1 : static_cast<double>(most) / static_cast<double>(total);
    const auto limit = static_cast<std::uint32_t>(share * 4294967295.0);
    std::vector<std::uint32_t> rows;
    rows.reserve(std::min(total, most + most / 8));
    for (std::uint32_t row = 0; row < total; ++row)
        if (share >= 1 || mixed(ids ? ids[row] : row) <= limit) rows.push_back(row);
    return rows;
}

double value_at(const Columns& columns, std::size_t column, std::size_t row, std::size_t component) {
    const ColumnInfo& info = columns.info(column);
    const std::byte* const at = columns.bytes(column) + row * info.stride;
    const auto get = [&](auto kind) {
        std::memcpy(&kind, at + component * sizeof kind, sizeof kind);
        return static_cast<double>(kind);
    };
    switch (info.type) {
    case ElementType::f32: return get(float{});
    case ElementType::f64: return get(double{});
    case ElementType::u32: return get(std::uint32_t{});
    }
    return 0;
}

double size_of_value(const Columns& columns, std::size_t column, std::size_t row) {
    if (columns.info(column).components == 1) return value_at(columns, column, row, 0);
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += std::pow(value_at(columns, column, row, k), 2);
    return std::sqrt(sum);
}

Json columns_text(const Frame& frame) {
    Json all = Json::array();
    for (std::size_t c = 0; c < frame.columns.column_count(); ++c) {
        const ColumnInfo& info = frame.columns.info(c);
        if (info.name == "position" || info.name == "body" || info.name == "id") continue;
        all.push_back({{"name", info.name}, {"unit", info.unit}, {"help", info.help}, {"components", info.components}});
    }
    return all;
}

// As read_frame() has them.
std::span<const Float4> places_of(const Frame& frame) {
    const std::size_t position = frame.columns.find("position");
    if (position == SIZE_MAX) return {};
    return {reinterpret_cast<const Float4*>(frame.columns.bytes(position)), frame.columns.size()};
}

Bounds bounds_of(std::span<const Float4> places, const std::vector<std::uint32_t>& rows) {
    Bounds bounds;
    if (!places.empty())
        for (const std::uint32_t row : rows) bounds.add(places[row].xyz_double());
    return bounds.empty() ? Bounds{{0, 0, 0}, {0, 0, 0}} : bounds;
}

// Loops over particles that do nothing else: a picture of many waits for them.
void append_places(std::string& bytes, std::span<const Float4> places, const std::vector<std::uint32_t>& rows,
                   const Bounds& bounds) {
    const Vec3d size = bounds.size();
    float lo[3], scale[3];
    for (std::size_t k = 0; k < 3; ++k) {
        lo[k] = static_cast<float>(bounds.lo[k]);
        scale[k] = size[k] > 0 ? static_cast<float>(65535 / size[k]) : 0;
    }
    const auto whole = [](float x) { return static_cast<std::uint16_t>(std::clamp(x + 0.5f, 0.f, 65535.f)); };
    const std::size_t start = bytes.size();
    bytes.resize(start + 6 * rows.size());
    char* to = bytes.data() + start;
    for (const std::uint32_t row : rows) {
        const Float4& p = places[row];
        const std::uint16_t cell[] = {whole(scale[0] * (p.x - lo[0])), whole(scale[1] * (p.y - lo[1])),
                                      whole(scale[2] * (p.z - lo[2]))};
        std::memcpy(to, cell, sizeof cell), to += sizeof cell;
    }
}

void append_bodies(std::string& bytes, const Frame& frame, const std::vector<std::uint32_t>& rows) {
    const std::size_t column = frame.columns.find("body");
    const bool known = column != SIZE_MAX && frame.columns.info(column).type == ElementType::u32;
    const auto* const bodies = known ? reinterpret_cast<const std::uint32_t*>(frame.columns.bytes(column)) : nullptr;
    for (const std::uint32_t row : rows)
        bytes += static_cast<char>(static_cast<std::uint8_t>(bodies ? std::min(bodies[row], 255u) : 0));
}

} // namespace

std::string frame_packet(const Frame& frame, const PacketWish& wish) {
    const Columns& columns = frame.columns;
    const std::vector<std::uint32_t> rows = chosen_rows(frame, wish.most);
    const std::span<const Float4> places = places_of(frame);
    const Bounds bounds = bounds_of(places, rows);
    const ParticleSizes sizes(frame);
    const bool differ =
        std::any_of(rows.begin(), rows.end(), [&](auto r) { return std::abs(sizes.size(r) - 1) > 0.02f; });

    Json head{{"frame", frame.header.frame}, {"time", frame.header.time}, {"dimensions", frame.header.dimensions}};
    head["radius"] = frame.header.particle_radius;
    head["bodies"] = frame.header.bodies;
    head["total"] = columns.size();
    head["count"] = rows.size();
    head["bounds"] = bounds_text(bounds);
    head["columns"] = columns_text(frame);
    head["sizes"] = differ;
    head["largest_size"] = largest_size;
    const std::size_t column = wish.column.empty() ? SIZE_MAX : columns.find(wish.column);
    double least = 1e300, most = -1e300;
    std::vector<double> values;
    if (column != SIZE_MAX) {
        values.reserve(rows.size());
        for (const std::uint32_t row : rows) {
            values.push_back(size_of_value(columns, column, row));
            if (std::isfinite(values.back()))
                least = std::min(least, values.back()), most = std::max(most, values.back());
        }
        if (least > most) least = most = 0;
        head["column"] = {{"name", wish.column}, {"unit", columns.info(column).unit}, {"least", least}, {"most", most}};
    }

    std::string bytes = described(head, rows.size() * 12 + 64);
    append_places(bytes, places, rows, bounds);
    pad(bytes);
    append_bodies(bytes, frame, rows);
    pad(bytes);
    if (differ)
        for (const std::uint32_t row : rows)
            append(bytes, static_cast<std::uint8_t>(std::lround(255 * std::min(1.f, sizes.size(row) / largest_size))));
    pad(bytes);
    for (const double value : values) append(bytes, within(value, least, most));
    return bytes;
}

std::string particle_text(const Frame& frame, std::size_t row) {
    const Columns& columns = frame.columns;
    const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    Json all{{"frame", frame.header.frame}, {"time", frame.header.time}, {"row", row}};
    for (std::size_t c = 0; c < columns.column_count() && row < columns.size(); ++c) {
        const ColumnInfo& info = columns.info(c);
        const double first = value_at(columns, c, row, 0);
        Json value = info.type == ElementType::u32 ? Json(static_cast<std::uint32_t>(first)) : number(first);
        if (info.components > 1) {
            value = Json::array();
            for (std::size_t k = 0; k < 3; ++k) value.push_back(number(value_at(columns, c, row, k)));
        }
        if (info.name == "id")
            all["id"] = value;
        else if (info.name == "body")
            all["body"] = value;
        else
            all["values"][info.name] = value;
    }
    return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::size_t row_of(const Frame& frame, std::size_t nth, std::size_t most) {
    const std::vector<std::uint32_t> rows = chosen_rows(frame, most);
    return nth < rows.size() ? rows[nth] : SIZE_MAX;
}

std::size_t row_with_id(const Frame& frame, std::uint32_t id) {
    const std::uint32_t* const ids = ids_of(frame);
    if (!ids) return SIZE_MAX;
    const std::uint32_t* const end = ids + frame.columns.size(); // in order: see write_frame()
    const std::uint32_t* const found = std::lower_bound(ids, end, id);
    return found != end && *found == id ? static_cast<std::size_t>(found - ids) : SIZE_MAX;
}

} // namespace loam::studio
