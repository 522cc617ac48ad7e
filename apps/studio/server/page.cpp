#include "page.h"

#include "cache/durable.h"

namespace loam::studio {
namespace {

std::string type_of(const std::filesystem::path& file) {
    const std::string kind = file.extension().string();
    if (kind == ".html") return "text/html; charset=utf-8";
    if (kind == ".js") return "text/javascript; charset=utf-8";
    if (kind == ".css") return "text/css; charset=utf-8";
    if (kind == ".svg") return "image/svg+xml";
    return "application/octet-stream";
}

} // namespace

Result<Page> read_page(const std::filesystem::path& folder) {
    Page page;
    std::error_code failed;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, failed)) {
        if (!entry.is_regular_file(failed) || entry.is_symlink(failed)) continue;
        Result<std::string> bytes = read_text(entry.path(), std::size_t{64} << 20);
        if (!bytes) return bytes.error();
        page[entry.path().lexically_relative(folder).generic_string()] = {type_of(entry.path()), std::move(*bytes)};
    }
    if (page.count("index.html") != 0) return page;
    return Error{Fault::file, folder.string(), "the page of the studio is not built",
                 "start it by ./loam studio, which builds it"};
}

} // namespace loam::studio
