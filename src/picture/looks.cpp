#include "picture/looks.h"

#include "picture/tank.h"
#include "picture/tint.h"

namespace loam {
namespace {

constexpr double thick = 0.5; // fluids with a higher viscosity [Pa s] are not shown as water

double viscosity_of(const Scene& scene, const BodySpec& body, double time) {
    const BehaviorUse* use = find_behavior(scene, body, "viscosity");
    return use && use->values.text("model") == "implicit" ? use->values.at(time).number("viscosity") : 0;
}

double weight_of(const Scene& scene, const BodySpec& body, const char* behavior, double time) {
    const BehaviorUse* use = find_behavior(scene, body, behavior);
    return use ? use->values.at(time).number("weight") : 0;
}

// What "auto" means for a body; `water_seen`: there is water already.
std::string material_of(const Scene& scene, const BodySpec& body, bool water_seen, double time) {
    const std::string& given = body.look.text("material");
    if (given != "auto") return given;
    if (body.boundary && body.boundary->values.text("method") == "none") return "hidden"; // a guide
    if (body.boundary) return scene.dimensions() == 3 && is_container(*body.shape) ? "glass" : "matte";
    if (scene.dimensions() == 2) return "particles";
    if (find_behavior(scene, body, "knit")) return "yarn";
    const double sand = weight_of(scene, body, "sand", time);
    if (sand > 0 && sand >= weight_of(scene, body, "fluid", time)) return "sand";
    if (find_behavior(scene, body, "fluid") && !water_seen && viscosity_of(scene, body, time) < thick) return "water";
    return "glossy";
}

void set_material(Look& look, const std::string& name, const Values& values) {
    Material& m = look.material;
    m.roughness = static_cast<float>(values.number("roughness"));
    look.grains = values.integer("grains");
    look.fuzz = values.integer("fuzz");
    look.variety = static_cast<float>(values.number("variety"));
    look.seed = static_cast<std::uint32_t>(values.number("seed"));
    if (name == "glossy") m.coat = true, m.ior = 1.5f;
    if (name == "translucent") m.coat = true, m.ior = 1.4f, m.let_through = 0.5f;
    if (name == "cloth" || name == "yarn") m.let_through = 0.15f, m.film_roughness = 0.45f;
    if (name == "particles") look.form = Look::Form::particles;
    if (name == "grains") look.form = Look::Form::grains;
    if (name == "sand") look.form = Look::Form::sand;
    if (name == "yarn") look.form = Look::Form::yarn, look.woven = values.text("stitch") == "woven";
    if (name == "glass") m = glass_material();
    if (name == "hidden") look.form = Look::Form::hidden;
}

} // namespace

bool is_container(const Shape& shape) {
    if (shape.bounded()) return false;
    const Bounds box = shape.bounds();
    return shape.distance(box.center() + Vec3d{0, 10 * length(box.size()), 0}) < 0;
}

std::vector<Look> looks_of(const Scene& scene, double depth, double time) {
    std::vector<Look> looks;
    std::size_t colors_used = 0;
    bool water_seen = false;
    for (const BodySpec& body : scene.bodies) {
        Look look;
        const std::string name = material_of(scene, body, water_seen, time);
        set_material(look, name, body.look);
        if (find_behavior(scene, body, "grains")) {
            if (look.form == Look::Form::surface) look.form = Look::Form::particles;
            if (const std::string& piece = body.look.text("piece"); piece != "ball") look.piece = piece;
        }
        if (name == "glass" && body.boundary && is_container(*body.shape)) look.form = Look::Form::tank;
        const bool is_water = name == "water", first_water = is_water && !water_seen;
        water_seen |= is_water;
        const std::optional<Color> given = parse_color(body.look.text("color"));
        Color color = given.value_or(from_hex(0x8c8a86)); // walls
        if (!given && !body.boundary) {
            const bool watery = first_water || (scene.dimensions() == 2 && colors_used == 0 && !water_seen);
            color = watery ? from_hex(scene.dimensions() == 2 ? 0x2e78c2 : 0x7cc3e6) : palette_color(colors_used++);
            if (name == "grains" || name == "sand") color = from_hex(0xd2b48c);
            if (scene.dimensions() == 2 && watery) water_seen = true;
        }
        look.material.color = color;
        if (is_water) {
            const double given_depth = body.look.number("depth");
            look.material.kind = Material::Kind::clear;
            look.material.depth = static_cast<float>(given_depth > 0 ? given_depth : depth);
            look.material.absorption = absorption_of(color, look.material.depth);
            look.material.dyed = holds_dye(scene, body);
        }
        if (name == "glass" && given) look.material.absorption = absorption_of(*given, 1);
        if (scene.dimensions() == 2) look.material.kind = Material::Kind::flat;
        looks.push_back(look);
    }
    return looks;
}

Light light_of(const Scene& scene, double time) {
    const Values given = scene.light.at(time);
    Light light;
    const Vec3d sun = given.vector("sun");
    light.sun.direction = {static_cast<float>(sun.x), static_cast<float>(sun.y), static_cast<float>(sun.z)};
    light.sun.direction = normalized(light.sun.direction);
    light.sun.angle = static_cast<float>(given.number("sun_size"));
    light.sun.irradiance *= static_cast<float>(given.number("sun_strength"));
    const bool studio = scene.dimensions() == 3 && given.text("environment") == "studio";
    if (studio) light.sky = studio_sky();
    light.sky.strength = static_cast<float>(given.number("sky_strength"));
    if (studio) { // the floor goes over into it, and gets darker on the way
        const Color lit =
            (std::max(0.0f, light.sun.direction.y) / 3.14159265f) * light.sun.irradiance + light.sky.mean();
        light.sky.studio->low = parse_color(given.text("floor_color")).value_or(Color{0.3f, 0.3f, 0.3f}) * lit;
        light.sky.studio->low = light.sky.studio->low * Color{0.5f, 0.515f, 0.53f};
        light.sky.studio->high = 0.5f * light.sky.studio->low;
    }
    if (scene.dimensions() == 2) light.sky.horizon = light.sky.zenith = light.sky.below = {0.96f, 0.965f, 0.97f};
    return light;
}

} // namespace loam
