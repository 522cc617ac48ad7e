#include "picture/tint.h"

#include <algorithm>
#include <cmath>

#include "particles/solutes.h"

namespace loam {

Tint::Tint(const Scene& scene, std::size_t body, const Find& find) {
    if (body >= scene.bodies.size()) return;
    const BodySpec& spec = scene.bodies[body];
    if (find_behavior(scene, spec, "miscible") || find_behavior(scene, spec, "porous"))
        for (const SoluteSpec& solute : scene.solutes)
            if (const auto color = parse_color(solute.values.text("color")))
                if (Value value = find(concentration_column(solute.name))) dyes_.push_back({*color, std::move(value)});
    if (!find_behavior(scene, spec, "heat")) return;
    temperature_ = find("temperature");
    if (const auto color = parse_color(spec.look.text("melt_color"))) {
        melt_color_ = *color;
        melted_ = find("melted");
    }
}

// Averaged as if in thin layers: the logarithms of what is left of light. A little of a strong dye shows.
Color Tint::color(const Color& own, std::size_t i) const {
    const Color base = melted_ ? mix(own, melt_color_, std::clamp(melted_(i), 0.0f, 1.0f)) : own;
    if (dyes_.empty()) return base;
    const float least = 0.01f; // no dye takes all of the light
    const auto depth = [least](const Color& c) {
        return Color{std::log(std::max(c.x, least)), std::log(std::max(c.y, least)), std::log(std::max(c.z, least))};
    };
    float rest = 1;
    Color sum;
    for (const Dye& dye : dyes_) {
        const float part = std::clamp(dye.concentration(i), 0.0f, 1.0f);
        rest -= part;
        sum += part * depth(dye.color);
    }
    return exp(sum + std::max(rest, 0.0f) * depth(base));
}

Color Tint::glow(std::size_t i) const { return black_body(temperature_(i)); }

Color black_body(float temperature) {
    constexpr float begins = 750, bright = 1400; // [K]
    if (temperature <= begins) return {};
    constexpr float second = 0.0143878f; // hc / k [m K]
    constexpr float red = 610e-9f, green = 550e-9f, blue = 465e-9f;
    const auto relative = [&](float wavelength) { // to red
        return std::pow(red / wavelength, 5.0f) * std::exp(second / temperature * (1 / red - 1 / wavelength));
    };
    const Color hue{1, relative(green), relative(blue)};
    const float seen = (temperature - begins) / (bright - begins);
    return std::min(seen * seen, 20.0f) / std::max({hue.x, hue.y, hue.z}) * hue;
}

bool holds_dye(const Scene& scene, const BodySpec& body) {
    return find_behavior(scene, body, "miscible") &&
           std::any_of(scene.solutes.begin(), scene.solutes.end(),
                       [](const SoluteSpec& solute) { return !solute.values.text("color").empty(); });
}

bool share_surface(const Scene& scene, std::size_t a, std::size_t b) {
    if (scene.whole_body(a) == scene.whole_body(b)) return true;
    const auto mixes = [&](std::size_t body) {
        const BodySpec& spec = scene.bodies[scene.whole_body(body)];
        return !spec.boundary && find_behavior(scene, spec, "miscible") && find_behavior(scene, spec, "fluid");
    };
    return mixes(a) && mixes(b);
}

} // namespace loam
