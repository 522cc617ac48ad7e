// From a world, a camera and light to an image: paths of light, followed backwards.
#pragma once

#include <atomic>

#include "base/result.h"
#include "picture/camera.h"
#include "picture/world.h"

namespace loam {

struct TraceOptions {
    Size size;
    int samples = 16;
    float settled = 0; // pixels stop early, after half of the samples, when their relative error is below this
    std::uint32_t seed = 0;
    int scatterings = 2;  // along a path; then what is left is guessed
    int mirrorings = 8;   // reflections and refractions along a path
    float contact = 0;    // a clear body this near to a solid one touches it [m]
    float brightest = 12; // a single path counts no more than this: no fireflies
    bool moving = false;  // rays are spread over the time that the shutter is open
    bool denoise = true;
};

// The same for any number of threads.
Image trace(const World& world, const Lens& lens, const Light& light, const TraceOptions& options);

} // namespace loam
