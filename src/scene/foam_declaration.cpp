// White water: what a scene may say about spray, foam and bubbles. See src/foam.
#include "scene/scene.h"

namespace loam {

const Declaration& foam_declaration() {
    static const Declaration declaration{
        "foam",
        "White water (Ihmsen et al. 2012): spray, foam and bubbles that ride on fluids and push nothing. They are made "
        "where water is fast and meets other water or curls over, along with the run, and pictures show them.",
        {
            number("amount", "", 1, {0, 1000}, "How much: 2 is twice as many, 0 none."),
            body_name("of", "The fluid that makes it; \"\": all that are as thin as water."),
            number("slow", "m/s", 0.5, {0, 1e6}, "Water that is no faster makes none."),
            number("fast", "m/s", 2.5, {0, 1e6}, "Water this fast makes as much as it can."),
            number("calm", "m/s", 0.2, {0, 1e6}, "How fast water must run into its neighbors to trap air."),
            number("wild", "m/s", 1, {0, 1e6}, "From this on it traps as much as it can."),
            number("life", "s", 2, {0, 1e6}, "How long foam lasts; some of it less."),
            number("rise", "m/s", 0.25, {0, 1e3}, "How fast bubbles rise in water at rest."),
            number("size", "", 0.2, {1e-3, 1}, "Radius of drops and bubbles, in particle radii."),
            integer("most", 5'000'000, {0, 1e9}, "The nearer they come to this number, the fewer are made."),
            integer("seed", 1, {0, 1e9}, "Another number: other drops."),
        }};
    return declaration;
}

} // namespace loam
