// The built page, read once: what is not in it cannot be asked for.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace loam::studio {

struct PageFile {
    std::string type, bytes;
};
using Page = std::map<std::string, PageFile>; // by "assets/index.js"

Result<Page> read_page(const std::filesystem::path& folder);

} // namespace loam::studio
