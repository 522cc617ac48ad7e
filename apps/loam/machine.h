// Threads and instruction set, as asked for on the command line.
#pragma once

#include <functional>
#include <optional>

#include "base/instruction_set.h"
#include "base/result.h"
#include "commands.h"

namespace loam {

// Empty when none was asked for.
Result<std::optional<InstructionSet>> instruction_set(const MachineArguments& arguments);

int thread_count(const MachineArguments& arguments);

double free_memory(); // bytes that can be used without pushing others out

// Runs the work with that many threads, also when there are fewer cores.
int with_threads(const MachineArguments& arguments, const std::function<int()>& work);

} // namespace loam
