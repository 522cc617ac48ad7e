// Particles to meshes: the one call that programs use.
//
//     auto maker = SurfaceMaker::create("anisotropic", {});
//     Result<SurfaceMesh> mesh = (*maker)->make(particles, options);
#pragma once

#include <memory>
#include <span>
#include <string>

#include "surface/method.h"

namespace loam {

inline constexpr const char* default_surface_method = "anisotropic";

struct SurfaceOptions {
    double cell = 0;             // size of a cell [m]; 0: the particles' radius
    int smoothing = 0;           // steps of smoothing that keeps volume
    double memory_limit = 1e300; // bytes
    InstructionSet isa = InstructionSet::scalar;
};

class SurfaceMaker {
public:
    // settings: NAME=VALUE for properties of the method. Errors name the nearest method or property.
    static Result<std::unique_ptr<SurfaceMaker>> create(const std::string& method,
                                                        std::span<const std::string> settings);

    // Frames of one sequence go through one maker, in order: some methods remember.
    Result<SurfaceMesh> make(const SurfaceParticles& particles, const SurfaceOptions& options);
    bool remembers() const { return method_->remembers(); }

private:
    explicit SurfaceMaker(std::unique_ptr<SurfaceMethod> method) : method_(std::move(method)) {}

    std::unique_ptr<SurfaceMethod> method_;
};

} // namespace loam
