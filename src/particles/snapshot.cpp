#include "particles/snapshot.h"

#include <algorithm>

#include "base/text.h"

namespace loam {
namespace {

Error misfit(std::string what) { return {Fault::file, "", std::move(what), ""}; }

Status check_fit(const Columns& columns, const SavedColumns& saved) {
    std::vector<std::string> unknown;
    for (const SavedColumn& column : saved.columns) unknown.push_back(column.name);
    for (std::size_t c = 0; c < columns.column_count(); ++c) {
        const ColumnInfo& info = columns.info(c);
        if (!info.saved) continue;
        const SavedColumn* const found = saved.find(info.name);
        if (!found) return misfit("column '" + info.name + "' is missing");
        if (found->type != info.type || found->stride != info.stride ||
            found->bytes.size() != saved.particles * info.stride)
            return misfit("column '" + info.name + "' is of another type or size");
        std::erase(unknown, info.name);
    }
    if (unknown.empty()) return Done{};
    std::sort(unknown.begin(), unknown.end());
    return misfit("there are no columns " + join(unknown));
}

} // namespace

const SavedColumn* SavedColumns::find(std::string_view name) const {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const SavedColumn& column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
}

SavedColumns save_columns(const Columns& columns) {
    SavedColumns saved{columns.size(), {}};
    for (std::size_t c = 0; c < columns.column_count(); ++c) {
        const ColumnInfo& info = columns.info(c);
        if (!info.saved) continue;
        const std::byte* const begin = columns.bytes(c);
        saved.columns.push_back({info.name, info.type, info.stride, {begin, begin + columns.size() * info.stride}});
    }
    return saved;
}

Status restore_columns(Columns& columns, const SavedColumns& saved) {
    if (Status fits = check_fit(columns, saved); !fits) return fits;
    columns.resize(0);
    columns.resize(saved.particles);
    for (std::size_t c = 0; c < columns.column_count(); ++c) {
        if (!columns.info(c).saved) continue;
        const std::vector<std::byte>& bytes = saved.find(columns.info(c).name)->bytes;
        std::copy(bytes.begin(), bytes.end(), columns.bytes(c));
    }
    return Done{};
}

} // namespace loam
