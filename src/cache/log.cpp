#include "cache/log.h"

#include <array>
#include <cerrno>
#include <map>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace loam {
namespace {

constexpr std::size_t largest_log = std::size_t{1} << 30;

// Lines of scenes may carry names in any bytes; they must not make dump() throw.
std::string text_of(const LogLine& line) {
    return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

bool has_frame(const LogLine& line) {
    return line.is_object() && line.contains("frame") && line["frame"].is_number_integer() &&
           line["frame"].get<std::int64_t>() >= 0;
}

Log parsed(std::string_view text) {
    Log log;
    std::map<std::uint64_t, LogLine> by_frame;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        LogLine line;
        if (end != std::string_view::npos) line = LogLine::parse(text.substr(0, end), nullptr, false);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (!has_frame(line)) {
            log.tidy = false;
            if (end != std::string_view::npos) ++log.unreadable;
            continue;
        }
        const auto frame = line["frame"].get<std::uint64_t>();
        if (!by_frame.empty() && frame <= by_frame.rbegin()->first) log.tidy = false;
        by_frame[frame] = std::move(line);
    }
    for (auto& [frame, line] : by_frame) log.lines.push_back(std::move(line));
    return log;
}

} // namespace

Result<Log> read_log_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return Log{};
    const Result<std::string> text = read_text(path, largest_log);
    if (!text) return text.error();
    return parsed(*text);
}

Status write_log_file(const std::filesystem::path& path, const Log& log) {
    std::string text;
    for (const LogLine& line : log.lines) text += text_of(line);
    const std::array<Bytes, 1> pieces{bytes_of(text)};
    return write_durably(path, pieces);
}

Result<LogWriter> LogWriter::open(const std::filesystem::path& path) {
    const Result<Log> log = read_log_file(path);
    if (!log) return log.error();
    if (!log->tidy)
        if (Status written = write_log_file(path, *log); !written) return written.error();
    Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
    if (!file) return file_error(path, "open the log", errno);
    return LogWriter(path, std::move(file));
}

Status LogWriter::append(const LogLine& line) {
    if (!has_frame(line))
        return Error{Fault::file, path_.string(), "a line of the log needs the number of its frame", ""};
    struct stat before {};
    if (::fstat(file_.number(), &before) != 0) return file_error(path_, "look at the log", errno);
    const std::string text = text_of(line);
    int failed = write_all(file_.number(), bytes_of(text)); // one call, so a reader seldom sees half a line
    if (failed == 0 && ::fdatasync(file_.number()) != 0) failed = errno;
    if (failed == 0) return Done{};
    // Should this fail too, half a line stays, which every reader leaves out.
    [[maybe_unused]] const int cut = ::ftruncate(file_.number(), before.st_size);
    return file_error(path_, "write to the log", failed);
}

} // namespace loam
