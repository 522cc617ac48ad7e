#include "cache/checkpoint.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "cache/hdf5.h"
#include "cache/seal.h"

namespace loam {
namespace {

using hdf5::Extent;
using hdf5::Type;

constexpr std::int64_t format_version = 1;

struct Layout {
    Type type = Type::f32;
    Extent extent;
};

// A column with all its bytes: the fourth float of a Float4 may carry meaning.
Layout layout_of(const ColumnInfo& info, std::uint64_t count) {
    const Type type = info.type == ElementType::u32 ? Type::u32 : info.type == ElementType::f64 ? Type::f64 : Type::f32;
    const std::uint64_t values = info.stride / hdf5::size_of(type);
    return {type, {count, values > 1 ? values : 0}};
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

bool storable(const std::string& text) { return text.find('\0') == std::string::npos; }

Status check_storable(const std::filesystem::path& path, const State& state) {
    for (const auto& [name, entry] : state.entries()) {
        const auto* texts = std::get_if<State::Texts>(&entry);
        if (name.empty() || !storable(name) || (texts && !std::all_of(texts->begin(), texts->end(), storable)))
            return Error{Fault::file, path.string(),
                         fmt::format("cannot write the checkpoint: state '{}' has an empty name or a zero byte", name),
                         ""};
    }
    return Done{};
}

void write_entry(hdf5::Writer& file, const std::string& path, const State::Entry& entry) {
    if (const auto* numbers = std::get_if<State::Numbers>(&entry))
        file.dataset(path, Type::f64, {numbers->size()}, numbers->data());
    else if (const auto* counts = std::get_if<State::Counts>(&entry))
        file.dataset(path, Type::u64, {counts->size()}, counts->data());
    else
        file.strings(path, std::get<State::Texts>(entry));
}

Result<State> read_state(const hdf5::Reader& file) {
    State state;
    for (const std::string& child : file.children("/state")) {
        const std::string path = "/state/" + child, name = unescaped(child);
        const auto found = file.find(path);
        if (found && found->type == Type::f64 && found->extent.components == 0) {
            State::Numbers numbers(found->extent.rows);
            if (!file.read(path, *found, numbers.data())) return file.unexpected("state '" + name + "' is unreadable");
            state.set(name, std::move(numbers));
        } else if (found && found->type == Type::u64 && found->extent.components == 0) {
            State::Counts counts(found->extent.rows);
            if (!file.read(path, *found, counts.data())) return file.unexpected("state '" + name + "' is unreadable");
            state.set(name, std::move(counts));
        } else if (auto texts = file.strings(path)) {
            state.set(name, std::move(*texts));
        } else {
            return file.unexpected("state '" + name + "' is of an unknown kind");
        }
    }
    return state;
}

Status check_header(const hdf5::Reader& file, std::uint64_t scene_hash) {
    if (file.text("/Loam", "content") != "checkpoint") return file.unexpected("it is not a checkpoint");
    const std::int64_t version = file.integer("/Loam", "version").value_or(0);
    if (version != format_version)
        return file.unexpected(fmt::format("checkpoints of version {} are not known", version));
    if (file.text("/Loam", "scene") != fmt::format("{:016x}", scene_hash))
        return Error{Fault::file, file.path().string(), "this checkpoint belongs to another scene",
                     "the scene was changed since: put the old scene.json back, or start anew with `loam run --force`"};
    return Done{};
}

// The columns of the file and the declared ones must be the same, by name and type.
Status check_columns(const hdf5::Reader& file, const Columns& columns, std::uint64_t count) {
    std::vector<std::string> stored = file.children("/columns");
    for (std::size_t i = 0; i < columns.column_count(); ++i) {
        const ColumnInfo& info = columns.info(i);
        if (!info.saved) continue;
        const std::string name = escaped(info.name);
        const auto place = std::find(stored.begin(), stored.end(), name);
        if (place == stored.end()) return file.unexpected(fmt::format("column '{}' is missing", info.name));
        stored.erase(place);
        const auto found = file.find("/columns/" + name);
        const Layout layout = layout_of(info, count);
        if (!found || found->type != layout.type || found->extent != layout.extent)
            return file.unexpected(fmt::format("column '{}' is of another type or size", info.name));
    }
    if (!stored.empty()) return file.unexpected(fmt::format("this program has no columns {}", join(stored)));
    return Done{};
}

} // namespace

Result<double> State::number(std::string_view name) const {
    const Numbers* found = find<Numbers>(name);
    if (found && found->size() == 1) return found->front();
    return Error{Fault::file, "checkpoint", fmt::format("number '{}' is missing", name), ""};
}

Result<std::uint64_t> State::count(std::string_view name) const {
    const Counts* found = find<Counts>(name);
    if (found && found->size() == 1) return found->front();
    return Error{Fault::file, "checkpoint", fmt::format("count '{}' is missing", name), ""};
}

Status write_checkpoint(const std::filesystem::path& path, const Columns& columns, const State& state,
                        std::uint64_t scene_hash) {
    if (Status good = check_storable(path, state); !good) return good;
    hdf5::Writer file;
    file.group("/Loam");
    file.attribute("/Loam", "content", std::string("checkpoint"));
    file.attribute("/Loam", "version", format_version);
    file.attribute("/Loam", "scene", fmt::format("{:016x}", scene_hash));
    file.attribute("/Loam", "particles", static_cast<std::int64_t>(columns.size()));
    file.group("/columns");
    for (std::size_t i = 0; i < columns.column_count(); ++i) {
        if (!columns.info(i).saved) continue;
        const Layout layout = layout_of(columns.info(i), columns.size());
        file.dataset("/columns/" + escaped(columns.info(i).name), layout.type, layout.extent, columns.bytes(i));
    }
    file.group("/state");
    for (const auto& [name, entry] : state.entries()) write_entry(file, "/state/" + escaped(name), entry);
    const Bytes image = file.image();
    if (image.empty()) return Error{Fault::file, path.string(), "cannot write the checkpoint: not enough memory", ""};
    return write_sealed(path, image);
}

Result<State> read_checkpoint(const std::filesystem::path& path, Columns& columns, std::uint64_t scene_hash) {
    Result<std::unique_ptr<hdf5::Reader>> opened = hdf5::Reader::open(path);
    if (!opened) return opened.error();
    const hdf5::Reader& file = **opened;
    if (Status good = check_header(file, scene_hash); !good) return good.error();
    const std::int64_t particles = file.integer("/Loam", "particles").value_or(-1);
    if (particles < 0 || particles > UINT32_MAX) return file.unexpected("it has no number of particles");
    const auto count = static_cast<std::uint64_t>(particles);
    if (Status good = check_columns(file, columns, count); !good) return good.error();
    Result<State> state = read_state(file);
    if (!state) return state;
    columns.resize(0);
    columns.resize(count);
    for (std::size_t i = 0; i < columns.column_count(); ++i) {
        if (!columns.info(i).saved) continue;
        const Layout layout = layout_of(columns.info(i), count);
        if (!file.read("/columns/" + escaped(columns.info(i).name), {layout.type, layout.extent}, columns.bytes(i)))
            return file.unexpected(fmt::format("column '{}' cannot be read", columns.info(i).name));
    }
    return state;
}

} // namespace loam
