#include "base/instruction_set.h"

#include <cstdlib>

namespace loam {

bool is_available(InstructionSet isa) {
#if defined(__x86_64__)
    // x86-64-v3 and -v4, as the build's flags ask for them.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    if (isa == InstructionSet::avx2) return v3;
    if (isa == InstructionSet::avx512) return v4;
#endif
    return isa == InstructionSet::scalar;
}

InstructionSet best_instruction_set() {
    InstructionSet best = is_available(InstructionSet::avx512) ? InstructionSet::avx512
                          : is_available(InstructionSet::avx2) ? InstructionSet::avx2
                                                               : InstructionSet::scalar;
    if (const char* wish = std::getenv("LOAM_SIMD"))
        for (InstructionSet isa : {InstructionSet::scalar, InstructionSet::avx2})
            if (name_of(isa) == wish && isa < best) best = isa;
    return best;
}

std::string_view name_of(InstructionSet isa) {
    switch (isa) {
    case InstructionSet::avx512: return "avx512";
    case InstructionSet::avx2: return "avx2";
    default: return "scalar";
    }
}

bool round_alike(InstructionSet a, InstructionSet b) {
    return (a == InstructionSet::scalar) == (b == InstructionSet::scalar);
}

} // namespace loam
