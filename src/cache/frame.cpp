#include "cache/frame.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>
#include <optional>

#include "base/parallel.h"
#include "cache/hdf5.h"
#include "cache/seal.h"

namespace loam {
namespace {

using hdf5::Packing;
using hdf5::Type;

constexpr std::int64_t format_version = 1;
const std::string points_path = "/VTKHDF/Points", arrays = "/VTKHDF/PointData";

Type file_type(ElementType type) {
    switch (type) {
    case ElementType::u32: return Type::u32;
    case ElementType::f64: return Type::f64;
    default: return Type::f32;
    }
}

// The meaningful components of a column in the given order, as the file holds them.
std::vector<std::byte> in_order(const Columns& columns, std::size_t column, std::span<const std::uint32_t> order) {
    const ColumnInfo& info = columns.info(column);
    const std::size_t size = info.components * hdf5::size_of(file_type(info.type));
    std::vector<std::byte> values(order.size() * size);
    const std::byte* from = columns.bytes(column);
    parallel_each(order.size(), [&](std::size_t i) {
        std::memcpy(values.data() + i * size, from + order[i] * std::size_t{info.stride}, size);
    });
    return values;
}

std::vector<float> positions_in_order(const Columns& columns, std::size_t column,
                                      std::span<const std::uint32_t> order) {
    const bool exact = columns.info(column).type == ElementType::f64;
    const std::byte* from = columns.bytes(column);
    std::vector<float> points(3 * order.size());
    parallel_each(order.size(), [&](std::size_t i) {
        const Vec3d p = exact ? reinterpret_cast<const Vec3d*>(from)[order[i]]
                              : reinterpret_cast<const Float4*>(from)[order[i]].xyz_double();
        points[3 * i] = static_cast<float>(p.x);
        points[3 * i + 1] = static_cast<float>(p.y);
        points[3 * i + 2] = static_cast<float>(p.z);
    });
    return points;
}

void describe(hdf5::Writer& file, const std::string& dataset, const ColumnInfo& info) {
    if (!info.unit.empty()) file.attribute(dataset, "unit", info.unit);
    if (!info.help.empty()) file.attribute(dataset, "help", info.help);
}

// One vertex cell per particle: what VTK needs to draw a point.
void write_cells(hdf5::Writer& file, std::uint64_t count) {
    std::vector<std::int64_t> numbers(count + 1);
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<std::uint8_t> vertices(count, 1);
    const auto cells = static_cast<std::int64_t>(count);
    for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"})
        file.dataset(std::string("/VTKHDF/") + name, Type::i64, {1}, &cells);
    file.dataset("/VTKHDF/Connectivity", Type::i64, {count}, numbers.data(), Packing::packed);
    file.dataset("/VTKHDF/Offsets", Type::i64, {count + 1}, numbers.data(), Packing::packed);
    file.dataset("/VTKHDF/Types", Type::u8, {count}, vertices.data(), Packing::packed);
}

void write_header(hdf5::Writer& file, const FrameHeader& header) {
    const std::int64_t version[] = {1, 0};
    file.group("/VTKHDF");
    file.attribute("/VTKHDF", "Version", Type::i64, {2}, version);
    file.attribute("/VTKHDF", "Type", std::string("UnstructuredGrid"));
    file.group("/VTKHDF/FieldData");
    file.dataset("/VTKHDF/FieldData/TimeValue", Type::f64, {1}, &header.time);
    // A group of our own beside /VTKHDF, which VTK does not look at.
    file.group("/Loam");
    file.attribute("/Loam", "content", std::string("frame"));
    file.attribute("/Loam", "version", format_version);
    file.attribute("/Loam", "frame", static_cast<std::int64_t>(header.frame));
    file.attribute("/Loam", "time", header.time);
    file.attribute("/Loam", "dimensions", std::int64_t{header.dimensions});
    file.attribute("/Loam", "particle_radius", header.particle_radius);
    if (header.particle_volume > 0) file.attribute("/Loam", "particle_volume", header.particle_volume);
    if (header.ids_given > 0) file.attribute("/Loam", "ids_given", static_cast<std::int64_t>(header.ids_given));
    file.strings("/Loam/bodies", header.bodies);
}

std::vector<std::uint32_t> frame_order(const Columns& columns) {
    if (const std::size_t id = columns.find("id"); id != SIZE_MAX && columns.info(id).type == ElementType::u32)
        return order_by_id({reinterpret_cast<const std::uint32_t*>(columns.bytes(id)), columns.size()});
    std::vector<std::uint32_t> order(columns.size());
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

Result<FrameHeader> read_header(const hdf5::Reader& file) {
    if (file.text("/Loam", "content") != "frame") return file.unexpected("it is not a frame");
    const std::int64_t version = file.integer("/Loam", "version").value_or(0);
    if (version != format_version)
        return file.unexpected("frames of version " + std::to_string(version) + " are not known");
    const auto frame = file.integer("/Loam", "frame"), dimensions = file.integer("/Loam", "dimensions");
    const auto time = file.number("/Loam", "time"), radius = file.number("/Loam", "particle_radius");
    auto bodies = file.strings("/Loam/bodies");
    if (!frame || !dimensions || !time || !radius || !bodies) return file.unexpected("its header is not complete");
    return FrameHeader{static_cast<std::uint64_t>(*frame),
                       *time,
                       static_cast<int>(*dimensions),
                       *radius,
                       std::move(*bodies),
                       file.number("/Loam", "particle_volume").value_or(0), // older frames do not tell it
                       static_cast<std::uint64_t>(file.integer("/Loam", "ids_given").value_or(0))};
}

// Declares the column that fits an array of the file; SIZE_MAX when none does.
std::size_t declare_like(Columns& columns, ColumnInfo info, const hdf5::Reader::Found& found) {
    const bool vector = found.extent.components == 3;
    if (!vector && found.extent.components != 0) return SIZE_MAX;
    if (found.type == Type::f32)
        return vector ? columns.declare<Float4>(std::move(info)).index : columns.declare<float>(std::move(info)).index;
    if (found.type == Type::f64)
        return vector ? columns.declare<Vec3d>(std::move(info)).index : columns.declare<double>(std::move(info)).index;
    if (found.type == Type::u32 && !vector) return columns.declare<std::uint32_t>(std::move(info)).index;
    return SIZE_MAX;
}

Status read_array(const hdf5::Reader& file, const std::string& path, const std::string& name, Columns& columns) {
    const auto found = file.find(path);
    if (!found || found->extent.rows != columns.size()) return file.unexpected("array '" + name + "' does not fit");
    ColumnInfo info{name, file.text(path, "unit").value_or(""), file.text(path, "help").value_or("")};
    info.output = true;
    const std::size_t column = declare_like(columns, std::move(info), *found);
    if (column == SIZE_MAX) return file.unexpected("array '" + name + "' is of an unknown type");
    const std::size_t size = std::max<std::size_t>(found->extent.components, 1) * hdf5::size_of(found->type);
    std::vector<std::byte> values(columns.size() * size);
    if (!file.read(path, *found, values.data())) return file.unexpected("array '" + name + "' cannot be read");
    const std::size_t stride = columns.info(column).stride;
    for (std::size_t i = 0; i < columns.size(); ++i)
        std::memcpy(columns.bytes(column) + i * stride, values.data() + i * size, size);
    return Done{};
}

} // namespace

std::vector<std::uint32_t> order_by_id(std::span<const std::uint32_t> ids) {
    std::vector<std::uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0u);
    if (ids.empty()) return order;
    const std::size_t largest = *std::max_element(ids.begin(), ids.end());
    if (largest > 16 * ids.size()) { // most particles have died: counting all ids ever given would cost more
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
        return order;
    }
    std::vector<std::uint32_t> place(largest + 2, 0);
    for (const std::uint32_t id : ids) ++place[id + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    for (std::uint32_t i = 0; i < ids.size(); ++i) order[place[ids[i]]++] = i;
    return order;
}

Status write_frame(const std::filesystem::path& path, const Columns& columns, const FrameHeader& header) {
    const std::size_t position = columns.find("position");
    if (position == SIZE_MAX || columns.info(position).components != 3)
        return Error{Fault::file, path.string(), "cannot write a frame: the particles have no column `position`", ""};
    const std::uint64_t count = columns.size();
    const std::vector<std::uint32_t> order = frame_order(columns);
    hdf5::Writer file;
    write_header(file, header);
    write_cells(file, count);
    file.dataset(points_path, Type::f32, {count, 3}, positions_in_order(columns, position, order).data());
    describe(file, points_path, columns.info(position));
    file.group(arrays);
    for (std::size_t column = 0; column < columns.column_count(); ++column) {
        const ColumnInfo& info = columns.info(column);
        if (!info.output || column == position) continue;
        const std::uint64_t components = info.components > 1 ? info.components : 0;
        // In the order of ids, whole numbers (ids, bodies) follow a pattern; measured ones do not.
        const Packing packing = info.type == ElementType::u32 ? Packing::packed : Packing::none;
        file.dataset(arrays + "/" + info.name, file_type(info.type), {count, components},
                     in_order(columns, column, order).data(), packing);
        describe(file, arrays + "/" + info.name, info);
    }
    const Bytes image = file.image();
    if (image.empty()) return Error{Fault::file, path.string(), "cannot write the frame: not enough memory", ""};
    return write_sealed(path, image);
}

Result<Frame> read_frame(const std::filesystem::path& path) {
    Result<std::unique_ptr<hdf5::Reader>> opened = hdf5::Reader::open(path);
    if (!opened) return opened.error();
    const hdf5::Reader& file = **opened;
    Result<FrameHeader> header = read_header(file);
    if (!header) return header.error();
    const auto points = file.find(points_path);
    if (!points || points->type != Type::f32 || points->extent.components != 3 || points->extent.rows > UINT32_MAX)
        return file.unexpected("it has no points");
    Frame frame{std::move(*header), {}};
    frame.columns.resize(points->extent.rows);
    if (Status read = read_array(file, points_path, "position", frame.columns); !read) return read.error();
    for (const std::string& name : file.children(arrays))
        if (Status read = read_array(file, arrays + "/" + name, name, frame.columns); !read) return read.error();
    return frame;
}

} // namespace loam
