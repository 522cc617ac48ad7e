// Which instruction set the inner loops run on, chosen once per simulation.
//
// Sources named *.isa.cpp are compiled once per instruction set, with LOAM_ISA naming the namespace they go into. A
// function `void f(const Args&, Range)` defined there is declared for the rest of the program by
//
//     LOAM_DISPATCH(f, void(const Args&, Range))
//
// and called as  f.on(isa)(args, range).
#pragma once

#include <string_view>
#include <type_traits>

namespace loam {

enum class InstructionSet { scalar, avx2, avx512 };

InstructionSet best_instruction_set(); // of those built in and present on this machine; LOAM_SIMD=scalar|avx2 lowers it
bool is_available(InstructionSet isa);
std::string_view name_of(InstructionSet isa);
// Whether results have the same bits. avx2 and avx512 compute with eight lanes both, and by operations that are rounded
// as the standard says (no estimates, which differ from one maker of processors to the other).
bool round_alike(InstructionSet a, InstructionSet b);

template <class Function> struct Dispatch {
    Function* scalar;
    Function* avx2;
    Function* avx512;

    Function* on(InstructionSet isa) const {
        switch (isa) {
        case InstructionSet::avx512: return avx512;
        case InstructionSet::avx2: return avx2;
        default: return scalar;
        }
    }
};

} // namespace loam

#if defined(__x86_64__)
#define LOAM_DISPATCH(name, ...)                                                                                       \
    namespace scalar {                                                                                                 \
    std::type_identity_t<__VA_ARGS__> name;                                                                            \
    }                                                                                                                  \
    namespace avx2 {                                                                                                   \
    std::type_identity_t<__VA_ARGS__> name;                                                                            \
    }                                                                                                                  \
    namespace avx512 {                                                                                                 \
    std::type_identity_t<__VA_ARGS__> name;                                                                            \
    }                                                                                                                  \
    inline constexpr Dispatch<__VA_ARGS__> name{&scalar::name, &avx2::name, &avx512::name};
#else
#define LOAM_DISPATCH(name, ...)                                                                                       \
    namespace scalar {                                                                                                 \
    std::type_identity_t<__VA_ARGS__> name;                                                                            \
    }                                                                                                                  \
    inline constexpr Dispatch<__VA_ARGS__> name{&scalar::name, &scalar::name, &scalar::name};
#endif
