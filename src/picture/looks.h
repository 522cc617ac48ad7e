// From what a scene says about looks to materials, lights and a floor; what it does not say is chosen here.
#pragma once

#include "picture/light.h"
#include "picture/world.h"
#include "scene/scene.h"

namespace loam {

struct Look {
    enum class Form { surface, particles, grains, sand, yarn, tank, hidden };
    Form form = Form::surface;
    Material material;
    int grains = 24;
    bool woven = false; // yarn; otherwise knitted
    int fuzz = 10;
    std::string piece; // what grains are drawn as: see pieces.h; empty: balls
    float variety = 0; // of their colors
    std::uint32_t seed = 0;

    bool is_grainy() const { return form == Form::grains || form == Form::sand; }
};

// One per body of the scene. `depth`: how far light typically goes through a body of fluid [m].
// What a body is may follow keys: sand that turns to water is seen as water from then on.
std::vector<Look> looks_of(const Scene& scene, double depth, double time = 0);
// Solid everywhere around: to be looked into, not at.
bool is_container(const Shape& shape);
Light light_of(const Scene& scene, double time);

} // namespace loam
