// Threads of plies that are twisted around each other, with fibers around them.
#pragma once

#include <vector>

#include "picture/world.h"
#include "picture/yarn.h"

namespace loam {

// Sizes in stitches.
struct YarnPattern {
    float radius = 0; // of the yarn
    int plies = 1;    // that it is twisted of
    float twist = 0;  // turns per length of a stitch
    int points = 1;   // of a thread, per stitch
    float along = 0;  // a, b, d of the loops (yarn.h)
    float across = 0;
    float off = 0;
    int fluff = 0; // fibers per stitch that go along with the plies, around them
};

// A point of the middle of a thread, the direction off the sheet, how it moves, and its color.
struct YarnStation {
    Vec3f at, off, movement;
    Color color;
};

// How wet a sheet looks at its points; 0 where the frame does not tell.
class Wetness {
public:
    explicit Wetness(const SurfaceMesh& mesh)
        : saturation_(mesh.find("saturation")), porosity_(mesh.find("porosity")) {}
    float at(std::size_t i) const {
        return saturation_ ? wetness_of(saturation_->values[i], porosity_ ? porosity_->values[i] : 1) : 0;
    }

private:
    const MeshColumn *saturation_, *porosity_;
};

class Spinner {
public:
    // `pitch`: length of a stitch [m].
    Spinner(const YarnPattern& pattern, float pitch, const YarnOptions& options)
        : pattern_(pattern), pitch_(pitch), options_(options) {}

    // A thread through these stations; `number` tells it from others.
    void spin(const std::vector<YarnStation>& way, std::uint32_t number);
    Curves take() { return std::move(curves_); }

private:
    struct Axes {
        Vec3f along, off, side;
    };
    Axes axes(const std::vector<YarnStation>& way, std::size_t k) const;
    // `stations`: one for each point of the thread.
    void add(const std::vector<Float4>& thread, const std::vector<YarnStation>& stations, float shade);
    void add_ply(const std::vector<YarnStation>& way, std::uint32_t number, int ply);
    void add_fiber(const std::vector<YarnStation>& way, std::uint32_t number, std::uint32_t fiber);
    void add_fluff(const std::vector<YarnStation>& way, std::uint32_t number, std::uint32_t fiber);

    const YarnPattern& pattern_;
    float pitch_;
    const YarnOptions& options_;
    std::vector<float> turned_; // by station of the thread that is spun: turns of its plies
    Curves curves_;
};

} // namespace loam
