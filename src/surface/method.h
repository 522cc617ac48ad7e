// A surface method says where the surface is: it makes a field from particles, positive inside. Methods are known by
// name (`loam surface --method NAME`); one source file per method in methods/.
#pragma once

#include <memory>

#include "base/declaration.h"
#include "base/registry.h"
#include "base/result.h"
#include "surface/cloud.h"
#include "surface/sparse_field.h"

namespace loam {

struct FieldOptions {
    double cell = 0;             // size of a cell [m]
    double memory_limit = 1e300; // bytes that a surface may need
};

class SurfaceMethod {
public:
    virtual ~SurfaceMethod() = default;
    // Called for one frame after the other, in order.
    virtual Result<SparseField> field(const Cloud& cloud, const FieldOptions& options) = 0;
    // Whether the surface of a frame depends on the frames before.
    virtual bool remembers() const { return false; }
};

struct SurfaceMethodType {
    Declaration declaration;
    std::unique_ptr<SurfaceMethod> (*make)(const Values&) = nullptr;
};

using SurfaceMethods = Registry<SurfaceMethodType>;
using RegisterSurfaceMethod = SurfaceMethods::Entry;

} // namespace loam
