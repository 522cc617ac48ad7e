#include "particles/solid_surface.h"

#include <gtest/gtest.h>

#include "particles/sampling.h"
#include "particles/shapes/shape_test_help.h"

namespace loam {
namespace {

constexpr double spacing = 0.02;

SolidSurface surface_of(const ShapePtr& shape) {
    return solid_surface(shape, false, fill(*shape, {.spacing = spacing}), spacing);
}

} // namespace
} // namespace loam
