#include "events.h"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "exit_code.h"

namespace loam {

void tell_event(const LogLine& event) {
    fmt::print("{}\n", event.dump(-1, ' ', false, LogLine::error_handler_t::replace));
    std::fflush(stdout); // whoever reads waits for it
}

void tell_failure(const Error& error) {
    tell_event({{"event", "error"},
                {"fault", name_of(error.fault)},
                {"where", error.where},
                {"what", error.what},
                {"hint", error.hint},
                {"exit_code", static_cast<int>(exit_code(error.fault))}});
}

} // namespace loam
