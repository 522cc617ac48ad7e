// loam studio
#include <filesystem>

#include <fmt/format.h>

#include "commands.h"
#include "exit_code.h"
#ifdef LOAM_STUDIO
#include "studio.h"
#endif

namespace loam {

#ifdef LOAM_STUDIO

int open_studio(const StudioArguments& arguments) {
    std::error_code failed;
    studio::Options options{.path = arguments.path,
                            .page = arguments.page.empty() ? LOAM_STUDIO_PAGE : arguments.page,
                            .program = std::filesystem::read_symlink("/proc/self/exe", failed),
                            .gallery = LOAM_STUDIO_GALLERY,
                            .port = arguments.port,
                            .open_browser = !arguments.no_open};
    const Status served = studio::serve(options, [](const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    });
    return served ? static_cast<int>(exit_ok) : complain(served.error());
}

#else

int open_studio(const StudioArguments&) {
    return complain({Fault::usage, "studio", "this program was built without the studio",
                     "install libboost-dev (Debian) and build again"});
}

#endif

} // namespace loam
