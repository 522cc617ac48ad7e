// Where particles come from and go to by the scene's wish: emitters, drains, open sides.
#pragma once

#include <vector>

#include "particles/births.h"
#include "passes/scene_facts.h"
#include "scene/scene.h"
#include "step/emitter.h"

namespace loam {

class Sources {
public:
    // `volume` of a particle; its mass is that of the body's density in the space that it stands for.
    Status open(const Scene& scene, const SceneFacts& facts, double volume);

    const std::vector<Emitter>& emitters() const { return emitters_; }
    const Bounds& open_sides() const { return sides_; } // beyond which particles vanish; without end where periodic
    double fastest_between(double from, double to) const;
    std::vector<float> slowest_led(std::size_t bodies) const; // as in SceneFacts

    // What has been let out by `time`, and what has come into a drain or beyond an open side.
    void renew(const Pool& pool, double time, Births& births);

    // The streams of emitters as they are at this time, and back to them. Returns whether they fit.
    std::vector<double> save(double time) const;
    bool restore(const std::vector<double>& streams, double time);

private:
    void find_lost(const Pool& pool, Births& births) const;

    struct Drain {
        ShapePtr shape;
        std::vector<std::uint8_t> takes; // by body
    };
    std::vector<Emitter> emitters_;
    std::vector<Drain> drains_;
    Bounds sides_;
    bool loses_ = false; // there is a drain or an open side
};

} // namespace loam
