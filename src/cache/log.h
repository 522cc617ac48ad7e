// The log of a run: one line of JSON per frame, each with its number under "frame". A frame that is computed again
// after a restart gets a second line; the last one counts.
#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "cache/durable.h"

namespace loam {

using LogLine = nlohmann::ordered_json;

struct Log {
    std::vector<LogLine> lines; // one per frame, in the order of frames
    std::size_t unreadable = 0; // whole lines that are not of a log; a torn last line does not count
    bool tidy = true;           // false: a torn or unreadable line, or a frame with several lines
};

// An absent file is an empty log.
Result<Log> read_log_file(const std::filesystem::path& path);

// Rewrites the file with the lines of a log, in one go.
Status write_log_file(const std::filesystem::path& path, const Log& log);

class LogWriter {
public:
    // Makes the log tidy first: after a crash its last line may be torn.
    static Result<LogWriter> open(const std::filesystem::path& path);

    // On the disk when it returns. A line that does not fit there leaves the log as it was.
    Status append(const LogLine& line);

private:
    LogWriter(std::filesystem::path path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

    std::filesystem::path path_;
    Descriptor file_;
};

} // namespace loam
