// A source of particles. Each of its points lets one out whenever the stream has gone on by a particle distance, and no
// two neighbors do so at the same time: layers would come apart into disks where a stream gets faster as it falls. A
// rate below what the speed carries thins the particles out at random, so a wide slow emitter rains and a narrow one
// drips.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "particles/pool.h"
#include "scene/scene.h"

namespace loam {

class Emitter {
public:
    static Result<Emitter> create(const EmitterSpec& spec, std::uint32_t body, double volume, double mass,
                                  double spacing, int dimensions, std::uint64_t seed);

    std::uint32_t body() const { return body_; }
    double fastest() const { return fastest_between(start_, stop_); }  // [m/s]
    double fastest_between(double from, double to) const;              // 0 where it is closed
    bool reaches_into(const Bounds& space) const;                      // some of its points do
    double least_depth_in(const Shape& shape, const Pose& pose) const; // of its points [m]; below 0 outside

    // About how many particles leave by `time`, from the start of the run.
    double poured(double time) const;
    // Particles that have left by `time`, where they are by then.
    std::vector<Pool::Birth> emit(double time);

    // All that its particles depend on, and back to it. With other speeds or times the stream goes on from the length
    // that it had.
    struct Stream {
        double emitted = -1; // length that has come out [m]
        double ahead = 0;    // of what the speed alone would have carried [m]
        double carried = 0;  // by the speed, by now [m]
    };
    Stream stream(double time) const { return {emitted_, ahead_, carried_by(time)}; }
    void go_on(const Stream& from, double time);

private:
    struct Point {
        Vec3d place;
        double delay = 0; // by this length of the stream [m]
    };
    Status lay_out(const Shape& shape);
    double length_at(double time) const;               // of the stream, as its speed carries it
    double carried_by(double time) const;              // the same; 0 before the start, no more after the stop
    double time_of(double length, double until) const; // when it has this length

    std::vector<Point> points_;
    Vec3d direction_;
    Values values_;           // speed and rate, which may be keyed
    double layer_volume_ = 0; // of one particle of each point
    double start_ = 0, stop_ = 0, jitter_ = 0, spacing_ = 0;
    double volume_ = 0, mass_ = 0;
    bool flat_ = false;
    std::uint32_t body_ = 0;
    std::uint64_t seed_ = 0;
    double emitted_ = -1, ahead_ = 0; // of the stream
};

} // namespace loam
