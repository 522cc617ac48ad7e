#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "command_line.h"
#include "exit_code.h"

namespace {

// A program may be started without stdout or stderr; the next file to be opened would take their place, and what is
// told would end up in it.
void open_standard_files() {
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(file, F_GETFD) < 0) (void)::open("/dev/null", O_RDWR);
}

int complain_about_output(const std::string& why) {
    return loam::complain({loam::Fault::file, "stdout", "cannot write what was asked for: " + why,
                           "send it elsewhere; files that are finished are kept"});
}

} // namespace

// Whatever happens, the user hears of it in a sentence.
int main(int argc, char** argv) {
    using namespace loam;
    std::signal(SIGXFSZ, SIG_IGN); // a file that grows too large is an error like a full disk, not the end
    try {
        open_standard_files();
        const int code = command_line(argc, argv);
        if (std::fflush(stdout) != 0) return complain_about_output(std::strerror(errno));
        return std::ferror(stdout) ? complain_about_output("a part of it was not taken") : code;
    } catch (const std::bad_alloc&) {
        return complain({Fault::simulation, "", "there is not enough memory",
                         "use fewer particles: a larger particle_radius, or --quality preview"});
    } catch (const std::system_error& failed) { // of printing; errors of other files are values
        return complain_about_output(failed.code().message());
    } catch (const std::exception& unexpected) {
        complain({Fault::simulation, "", std::string("unexpected: ") + unexpected.what(),
                  "this is a mistake in the program; please report it with the scene. Finished frames are kept"});
        return exit_unexpected;
    }
}
