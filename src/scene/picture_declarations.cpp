// What a scene may say about its pictures. Everything has a default that looks good.
#include "scene/scene.h"

namespace loam {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

} // namespace

const Declaration& look_declaration() {
    static const Declaration declaration{
        "look",
        "How pictures show a body.",
        {
            choice(
                "material",
                {"auto", "water", "glossy", "matte", "translucent", "cloth", "yarn", "particles", "grains", "sand",
                 "glass", "hidden"},
                "auto: thin fluids are water, thick ones glossy, sand sand, knits yarn, walls matte, containers glass; "
                "2D: particles."),
            text("color", "", "\"#rrggbb\"; of water, what is left of white light after `depth`. \"\": by itself."),
            text("melt_color", "", "\"#rrggbb\": its color where it is melted (behavior `heat`). \"\": the same."),
            body_name("joins", "The fluid whose surface shows what of this body is not solid: what has melted or "
                               "dissolved. Only what is solid is then shown by this look."),
            number("depth", "m", 0, {0, 1e9}, "How far light goes in water until it has its color; 0: by the scene."),
            number("roughness", "", 0.08, fraction, "Of the reflections of glossy: 0 is a mirror."),
            integer("grains", 24, {1, 1000}, "Grains shown per particle; for grains and sand."),
            text("piece", "",
                 "What bodies of `grains` are drawn as: \"ball\", \"bead\" (with a band), \"pebble\", or the file of a "
                 "mesh "
                 "(OBJ, PLY, STL), scaled to each grain and turned with it."),
            number("variety", "", 0.15, fraction, "By how much colors of grains differ."),
            integer("seed", 0, {0, 1e9}, "Start of the random numbers for places and colors of grains."),
            choice("stitch", {"knit", "woven"}, "How threads go; for yarn."),
            integer("fuzz", 10, {0, 1000}, "Fibers that stand off from the thread, per stitch; for yarn."),
        }};
    return declaration;
}

const Declaration& camera_declaration() {
    static const Declaration declaration{
        "camera",
        "Where pictures are taken from. Without it, all that moves is in view, from the right and slightly above; 2D "
        "scenes are seen straight on.",
        {
            vector("from", "m", {infinite, infinite, infinite}, "Where it stands.").keyed(),
            vector("to", "m", {infinite, infinite, infinite}, "What it looks at.").keyed(),
            number("view", "degrees", 30, {0.1, 170}, "Vertical angle of view.").keyed(),
            number("height", "m", 0, {0, 1e9}, "Height of what is seen by parallel rays; 0: a perspective view in 3D.")
                .keyed(),
            number("aperture", "m", 0, {0, 1e9}, "Diameter of the lens: what is not in focus blurs; 0 is sharp.")
                .keyed(),
            number("focus", "m", 0, {0, 1e9}, "Distance that is in focus; 0: that of `to`.").keyed(),
            number("shutter", "", 0.5, fraction, "Motion blur: how long the shutter is open, as a share of a frame.")
                .keyed(),
            number("exposure", "", 1, {1e-3, 1e3}, "Brightness of the picture.").keyed(),
            number("contrast", "", 1.2, {0.1, 10},
                   "More than 1: what is dark gets darker, what is bright brighter; not in 2D.")
                .keyed(),
        }};
    return declaration;
}

const Declaration& light_declaration() {
    static const Declaration declaration{
        "light",
        "What lights the scene, and what it stands on.",
        {
            vector("sun", "", {0.42, 0.8, 0.42}, "Direction to the sun.").keyed(),
            number("sun_strength", "", 1, {0, 1e3}, "Brightness of the sun; 0 for none.").keyed(),
            number("sun_size", "degrees", 2.2, {0.01, 45}, "Half the angle that the sun fills: softness of shadows.")
                .keyed(),
            number("sky_strength", "", 1, {0, 1e3}, "Brightness of the sky.").keyed(),
            choice("environment", {"studio", "sky"},
                   "What is around: a studio with a grey backdrop and soft boxes that water and glass mirror, or a "
                   "blue sky."),
            text("map", "",
                 "File of a picture of all that is around (Radiance, .hdr), instead of `environment`; \"\": none."),
            choice("floor", {"auto", "plain", "checker", "none"},
                   "What the scene stands on; auto: plain in 3D, none in 2D."),
            text("floor_color", "#8f9296", "\"#rrggbb\"."),
        }};
    return declaration;
}

} // namespace loam
