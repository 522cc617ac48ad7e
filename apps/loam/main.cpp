#include <csignal>
#include <exception>
#include <new>

#include "command_line.h"
#include "exit_code.h"

// Whatever happens, the user hears of it in a sentence.
int main(int argc, char** argv) {
    using namespace loam;
    std::signal(SIGXFSZ, SIG_IGN); // a file that grows too large is an error like a full disk, not the end
    try {
        return command_line(argc, argv);
    } catch (const std::bad_alloc&) {
        return complain({Fault::simulation, "", "there is not enough memory",
                         "use fewer particles: a larger particle_radius, or --quality preview"});
    } catch (const std::exception& unexpected) {
        complain({Fault::simulation, "", std::string("unexpected: ") + unexpected.what(),
                  "this is a mistake in the program; please report it with the scene. Finished frames are kept"});
        return exit_unexpected;
    }
}
