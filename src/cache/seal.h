// A sealed file ends with 32 bytes that vouch for all bytes before them. HDF5 ignores what stands behind its own end,
// so other programs read sealed files as they are. We look at the seal before HDF5 looks at anything: its library can
// crash or take huge amounts of memory on a damaged file.
#pragma once

#include <filesystem>

#include "cache/durable.h"

namespace loam {

// Writes content and seal durably.
Status write_sealed(const std::filesystem::path& path, Bytes content);

// Reads the whole file and compares. The error says whether it is cut off, damaged, or not ours.
Status check_seal(const std::filesystem::path& path);

// Only that the seal is there and fits the size of the file: quick, finds truncation but not flipped bytes.
Status check_seal_quickly(const std::filesystem::path& path);

} // namespace loam
