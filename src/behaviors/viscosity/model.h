#pragma once

namespace loam {

enum class ViscosityModel { morris, muller, implicit, artificial, xsph };

} // namespace loam
