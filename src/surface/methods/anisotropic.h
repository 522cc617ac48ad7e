// The field of the method `anisotropic`, for methods that build on it.
#pragma once

#include <memory>

#include "surface/kernel_field.h"

namespace loam {

std::unique_ptr<KernelField> make_anisotropic_field(); // with its defaults

} // namespace loam
