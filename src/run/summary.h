// What can be said of a scene before it runs, and of frames and runs that are there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/instruction_set.h"
#include "cache/frame.h"
#include "gauges/gauge.h"
#include "run/estimate.h"
#include "run/measure.h"
#include "scene/scene.h"

namespace loam {

struct SceneSummary {
    struct Body {
        std::string name;
        bool wall = false, moves = false;
        std::size_t particles = 0, emitters = 0;
        // Of its shape, and of its particles [m^3], in 2D areas [m^2]; nothing for walls, sheets and groups.
        std::optional<double> shape_volume, sampled_volume;
        // Of one with pores [s]: until water from all sides has filled it, and until what it cannot hold has run out.
        std::optional<double> soaking, draining;
    };
    std::vector<Body> bodies;
    std::size_t particles = 0, wall_particles = 0;
    std::uint64_t frames = 0; // beside the first one
    std::size_t bytes = 0;    // of memory, neighbor lists included
    double time_step = 0;     // of the first step
    std::string limited_by;
    RunEstimate estimate;
    std::vector<Pour> pours;
    std::vector<std::string> doubts; // what may not have been meant
};

// Samples the scene and takes one step to see what it needs.
Result<SceneSummary> summarize_scene(const Scene& scene, InstructionSet isa = best_instruction_set());

struct ShownGauge {
    std::string name;
    std::vector<GaugePart> parts;
    std::vector<double> values; // as many; not finite where it shows nothing
};

struct FrameSummary {
    FrameHeader header;
    Measures measures;
    bool gravity_known = false; // without the scene there is no potential energy
    // What the log of its run tells beside the frame.
    std::vector<std::optional<Vec3d>> turns; // by body, of rigid ones [degrees]
    std::vector<ShownGauge> gauges;
    std::vector<std::pair<std::string, double>> water; // where it is [kg]; empty where nothing has pores
};

// A frame, with the scene beside it if it lies in the folder of a run.
Result<FrameSummary> summarize_frame(const std::filesystem::path& path);

struct RunSummary {
    std::string title;
    std::uint64_t frames = 0;      // that are there, the first one included
    std::uint64_t frames_full = 0; // of the whole run
    bool finished = false;
    std::vector<std::uint64_t> changed_after; // frames after which the scene has other values
    std::vector<std::string> takes;
    std::size_t foam = 0;              // frames that have white water
    double wall_seconds = 0;           // of computing the frames that are there
    double largest_volume_error = 0;   // of any particle in any step
    std::vector<std::string> happened; // in words
    std::string simd;
    std::optional<FrameSummary> last;
};

Result<RunSummary> summarize_run(const std::filesystem::path& folder);

} // namespace loam
