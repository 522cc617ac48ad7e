// One frame to one picture.
#pragma once

#include "picture/stage.h"
#include "picture/trace.h"

namespace loam {

// An error when the camera is inside of a body. `trace_seconds`: what following light took.
Result<Bitmap> picture_of(const Frame& frame, PictureStage& stage, TraceOptions options, double& trace_seconds);

} // namespace loam
