// A moment of a simulation, to have it back later: all that it needs to go on from there bit for bit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "particles/columns.h"

namespace loam {

struct SavedColumn {
    std::string name;
    ElementType type = ElementType::f32;
    std::size_t stride = 0; // bytes per particle
    std::vector<std::byte> bytes;
};

// All columns flagged `saved`, with all their bytes, in the order that the particles had.
struct SavedColumns {
    std::size_t particles = 0;
    std::vector<SavedColumn> columns;

    const SavedColumn* find(std::string_view name) const;
};

// What is remembered beside the columns, by name.
using SavedState = std::map<std::string, std::vector<double>>;

struct Snapshot {
    SavedColumns columns;
    SavedState state;
};

SavedColumns save_columns(const Columns& columns);

// Unsaved columns become as at birth. Saved ones must be declared as they were then; otherwise nothing changes.
Status restore_columns(Columns& columns, const SavedColumns& saved);

} // namespace loam
