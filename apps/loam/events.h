// What programs are told with --json, on stdout: one object per line, each with an "event".
#pragma once

#include "base/result.h"
#include "cache/log.h"

namespace loam {

void tell_event(const LogLine& event);
void tell_failure(const Error& error); // "event": "error"

} // namespace loam
