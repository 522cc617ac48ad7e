#include "cache/checkpoint.h"

#include <algorithm>

#include <fmt/format.h>

#include "cache/hdf5.h"
#include "cache/seal.h"

namespace loam {
namespace {

using hdf5::Extent;
using hdf5::Type;

constexpr std::int64_t format_version = 1;

Type file_type(ElementType type) {
    return type == ElementType::u32 ? Type::u32 : type == ElementType::f64 ? Type::f64 : Type::f32;
}

ElementType element_type(Type type) {
    return type == Type::u32 ? ElementType::u32 : type == Type::f64 ? ElementType::f64 : ElementType::f32;
}

// A column with all its bytes: the fourth float of a Float4 may carry meaning.
Extent extent_of(const SavedColumn& column, std::uint64_t particles) {
    const std::uint64_t values = column.stride / hdf5::size_of(file_type(column.type));
    return {particles, values > 1 ? values : 0};
}

// HDF5 takes '/' for a step into a group and '.' for the group itself.
std::string escaped(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (c == '/' || c == '%' || (c == '.' && name == "."))
            text += fmt::format("%{:02X}", static_cast<unsigned>(c));
        else
            text += c;
    }
    return text;
}

std::string unescaped(std::string_view text) {
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size()) {
            name += text.substr(i, 3) == "%2F" ? '/' : text.substr(i, 3) == "%2E" ? '.' : '%';
            i += 2;
        } else {
            name += text[i];
        }
    }
    return name;
}

Result<SavedState> read_state(const hdf5::Reader& file) {
    SavedState state;
    for (const std::string& child : file.children("/state")) {
        const std::string path = "/state/" + child, name = unescaped(child);
        const auto found = file.find(path);
        if (!found || found->type != Type::f64 || found->extent.components != 0)
            return file.unexpected("state '" + name + "' is of an unknown kind");
        std::vector<double> numbers(found->extent.rows);
        if (!file.read(path, *found, numbers.data())) return file.unexpected("state '" + name + "' is unreadable");
        state[name] = std::move(numbers);
    }
    return state;
}

Result<SavedColumns> read_columns(const hdf5::Reader& file, std::uint64_t particles) {
    SavedColumns columns{particles, {}};
    for (const std::string& child : file.children("/columns")) {
        const std::string path = "/columns/" + child, name = unescaped(child);
        const auto found = file.find(path);
        if (!found || found->extent.rows != particles || file_type(element_type(found->type)) != found->type)
            return file.unexpected(fmt::format("column '{}' is of an unknown kind or size", name));
        const std::size_t stride = hdf5::size_of(found->type) * std::max<std::uint64_t>(1, found->extent.components);
        SavedColumn column{name, element_type(found->type), stride, std::vector<std::byte>(particles * stride)};
        if (!file.read(path, *found, column.bytes.data()))
            return file.unexpected(fmt::format("column '{}' cannot be read", name));
        columns.columns.push_back(std::move(column));
    }
    return columns;
}

Status check_header(const hdf5::Reader& file, std::uint64_t scene_hash) {
    if (file.text("/Loam", "content") != "checkpoint") return file.unexpected("it is not a checkpoint");
    const std::int64_t version = file.integer("/Loam", "version").value_or(0);
    if (version != format_version)
        return file.unexpected(fmt::format("checkpoints of version {} are not known", version));
    if (file.text("/Loam", "scene") != fmt::format("{:016x}", scene_hash))
        return Error{Fault::file, file.path().string(), "this checkpoint belongs to another scene",
                     "the scene was changed by hand since: put the old scene.json back, and change it by `loam resume "
                     "DIR --set PATH=VALUE`"};
    return Done{};
}

} // namespace

Status write_checkpoint(const std::filesystem::path& path, Snapshot snapshot, std::uint64_t scene_hash) {
    hdf5::Writer file;
    file.group("/Loam");
    file.attribute("/Loam", "content", std::string("checkpoint"));
    file.attribute("/Loam", "version", format_version);
    file.attribute("/Loam", "scene", fmt::format("{:016x}", scene_hash));
    file.attribute("/Loam", "particles", static_cast<std::int64_t>(snapshot.columns.particles));
    file.group("/columns");
    for (SavedColumn& column : snapshot.columns.columns) {
        file.dataset("/columns/" + escaped(column.name), file_type(column.type),
                     extent_of(column, snapshot.columns.particles), column.bytes.data());
        column.bytes = {};
    }
    file.group("/state");
    for (const auto& [name, numbers] : snapshot.state)
        file.dataset("/state/" + escaped(name), Type::f64, {numbers.size()}, numbers.data());
    const Bytes image = file.image();
    if (image.empty()) return Error{Fault::file, path.string(), "cannot write the checkpoint: not enough memory", ""};
    return write_sealed(path, image);
}

Result<Snapshot> read_checkpoint(const std::filesystem::path& path, std::uint64_t scene_hash) {
    Result<std::unique_ptr<hdf5::Reader>> opened = hdf5::Reader::open(path);
    if (!opened) return opened.error();
    const hdf5::Reader& file = **opened;
    if (Status good = check_header(file, scene_hash); !good) return good.error();
    const std::int64_t particles = file.integer("/Loam", "particles").value_or(-1);
    if (particles < 0 || particles > UINT32_MAX) return file.unexpected("it has no number of particles");
    Result<SavedColumns> columns = read_columns(file, static_cast<std::uint64_t>(particles));
    if (!columns) return columns.error();
    Result<SavedState> state = read_state(file);
    if (!state) return state.error();
    return Snapshot{std::move(*columns), std::move(*state)};
}

} // namespace loam
