// Keys in place of a value: {"over": "time", "interpolation": "smooth", "keys": [[0, 1], [2, 0]]}. A key is [at,
// value], or
// {"at": 2, "value": 0} with an interpolation of its own and handles for Bezier curves.
#pragma once

#include "base/declaration.h"
#include "scene/complaint.h"

namespace loam {

void check_track(const json::Node& node, const std::string& path, const Property& property, Complaints& complaints);

// Of keys that have been checked.
Track track_of(const json::Node& node);

} // namespace loam
