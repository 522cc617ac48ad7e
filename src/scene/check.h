// Checks the text of a scene against the grammar: every key known, every value of the right type and within its range.
// After this, reading values cannot fail; only what depends on several values is left to check.
#pragma once

#include "scene/blocks.h"
#include "scene/complaint.h"

namespace loam {

void check_block(const Grammar& grammar, const json::Node& node, const std::string& path, const std::string& block,
                 Complaints& complaints);

// The values of a block that has been checked; what is not given has its default.
Values values_of(const json::Node& node, const Declaration& declaration);

} // namespace loam
