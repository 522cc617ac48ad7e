#include "machine.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <tbb/info.h>

#include "base/threads.h"

namespace loam {

Result<std::optional<InstructionSet>> instruction_set(const MachineArguments& arguments) {
    if (arguments.simd.empty()) return std::optional<InstructionSet>();
    for (InstructionSet isa : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
        if (name_of(isa) != arguments.simd) continue;
        if (is_available(isa)) return std::optional(isa);
        return Error{Fault::usage, "--simd", "this machine does not have " + arguments.simd,
                     "the best it has is " + std::string(name_of(best_instruction_set()))};
    }
    return Error{Fault::usage, "--simd", "\"" + arguments.simd + "\" is not an instruction set",
                 "allowed: scalar, avx2, avx512"};
}

int thread_count(const MachineArguments& arguments) {
    return arguments.threads > 0 ? arguments.threads : tbb::info::default_concurrency();
}

double free_memory() {
    std::ifstream info("/proc/meminfo");
    for (std::string name, rest; info >> name && std::getline(info, rest);)
        if (name == "MemAvailable:") return 1024 * std::strtod(rest.c_str(), nullptr);
    return 1e300; // not known: let the system refuse
}

int with_threads(const MachineArguments& arguments, const std::function<int()>& work) {
    return loam::with_threads(thread_count(arguments), work);
}

} // namespace loam
