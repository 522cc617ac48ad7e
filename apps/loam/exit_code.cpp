#include "exit_code.h"

#include "base/text.h"
#include "tell_people.h"

#include <cstdio>

#include <fmt/format.h>

namespace loam {

ExitCode exit_code(Fault fault) {
    switch (fault) {
    case Fault::scene: return exit_scene;
    case Fault::usage: return exit_usage;
    case Fault::file: return exit_file;
    case Fault::simulation: return exit_simulation;
    case Fault::stopped: return exit_interrupted;
    }
    return exit_unexpected;
}

const char* name_of(Fault fault) {
    switch (fault) {
    case Fault::scene: return "scene";
    case Fault::usage: return "usage";
    case Fault::file: return "file";
    case Fault::simulation: return "simulation";
    case Fault::stopped: return "stopped";
    }
    return "unexpected";
}

ExitCode complain(const Error& error) {
    tell_people("loam: {}\n", printable(error.text()));
    return exit_code(error.fault);
}

} // namespace loam
