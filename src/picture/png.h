// PNG files.
#pragma once

#include <filesystem>
#include <span>

#include "base/result.h"
#include "picture/image.h"

namespace loam {

// Durable on return; after an error the file is as it was before.
Status write_png(const std::filesystem::path& path, const Bitmap& picture);
Result<Bitmap> read_png(const std::filesystem::path& path);

} // namespace loam
