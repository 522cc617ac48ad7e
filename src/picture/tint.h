// Colors that follow what particles are: what they hold, how hot they are, how much of them is melted.
#pragma once

#include <functional>
#include <string>

#include "picture/color.h"
#include "scene/scene.h"

namespace loam {

class Tint {
public:
    using Value = std::function<float(std::size_t)>; // of a particle or vertex; empty: there is none
    using Find = std::function<Value(const std::string& column)>;

    Tint(const Scene& scene, std::size_t body, const Find& find);

    bool colors() const { return !dyes_.empty() || melted_; }
    bool glows() const { return static_cast<bool>(temperature_); }
    // `own`: that of the look. Dyes count by their part of the volume.
    Color color(const Color& own, std::size_t i) const;
    Color glow(std::size_t i) const;

private:
    struct Dye {
        Color color;
        Value concentration;
    };
    std::vector<Dye> dyes_;
    Color melt_color_;
    Value melted_, temperature_;
};

// What something of this temperature gives off [K]: the hue of a black body (Planck's law), as bright as an eye that
// gets used to it sees it.
Color black_body(float temperature);

// Whether what the body holds colors it.
bool holds_dye(const Scene& scene, const BodySpec& body);

// Whether two bodies that flow into each other have one surface: both mix, or are one.
bool share_surface(const Scene& scene, std::size_t a, std::size_t b);

} // namespace loam
