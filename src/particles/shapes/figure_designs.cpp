// The figures. Each is one side of the body (z >= 0), mirrored.
#include "particles/shapes/figures.h"

namespace loam {
namespace {

void append(std::vector<ShapePtr>& all, std::vector<ShapePtr> some) {
    for (ShapePtr& part : some) all.push_back(std::move(part));
}

} // namespace

// A bath duck: a broad body with a raised tail, a round head, a flat bill, wings at the sides.
ShapePtr duck_figure() {
    const ShapePtr body = unite({egg({0, 0.24, 0}, {0.4, 0.24, 0.29}), egg({-0.32, 0.34, 0}, {0.2, 0.1, 0.12}, -35),
                                 limb({{0.2, 0.36, 0}, 0.15, {0.24, 0.52, 0}, 0.14})},
                                0.14);
    const ShapePtr head = unite({body, egg({0.25, 0.62, 0}, {0.185, 0.175, 0.17})}, 0.05);
    const ShapePtr bill =
        unite({egg({0.45, 0.62, 0}, {0.13, 0.028, 0.1}, 8), egg({0.43, 0.575, 0}, {0.1, 0.024, 0.08}, -6)}, 0.02);
    const ShapePtr wing = unite(
        {egg({-0.05, 0.29, 0.26}, {0.22, 0.11, 0.06}, -12), egg({-0.23, 0.34, 0.26}, {0.1, 0.05, 0.04}, -30)}, 0.06);
    const ShapePtr eye = egg({0.35, 0.68, 0.12}, {0.032, 0.036, 0.032});
    const ShapePtr whole = unite({unite({head, bill}, 0.03), unite({wing, eye})}, 0.015);
    const ShapePtr ground = egg({0, -10, 0}, {10.012, 10.012, 10.012}); // a flat base
    return mirrored(subtract(whole, {ground}));
}

// A standing dragon: curved neck, horned head with jaws, spread wings of three fingers, clawed legs, a spiked tail.
ShapePtr dragon_figure() {
    std::vector<ShapePtr> body{egg({0, 0.36, 0}, {0.2, 0.125, 0.105}, 14), egg({0.1, 0.4, 0}, {0.12, 0.12, 0.1})};
    append(body,
           tube({{0.1, 0.43, 0}, {0.24, 0.52, 0}, {0.26, 0.68, 0}, {0.33, 0.79, 0}}, {0.095, 0.07, 0.055, 0.052}, 3));
    append(body, tube({{-0.12, 0.33, 0}, {-0.3, 0.22, 0}, {-0.48, 0.1, 0}, {-0.66, 0.07, 0}, {-0.8, 0.16, 0}},
                      {0.1, 0.065, 0.045, 0.028, 0.012}, 3));
    // legs: thigh, shank, foot
    append(body, {limb({{-0.1, 0.31, 0.07}, 0.085, {-0.06, 0.2, 0.12}, 0.05}),
                  limb({{-0.06, 0.2, 0.12}, 0.05, {-0.13, 0.09, 0.13}, 0.034}),
                  limb({{-0.13, 0.09, 0.13}, 0.034, {-0.1, 0.03, 0.13}, 0.032})});
    append(body, {limb({{0.14, 0.36, 0.06}, 0.065, {0.12, 0.2, 0.11}, 0.042}),
                  limb({{0.12, 0.2, 0.11}, 0.042, {0.17, 0.1, 0.12}, 0.03}),
                  limb({{0.17, 0.1, 0.12}, 0.03, {0.17, 0.03, 0.12}, 0.03})});
    const ShapePtr trunk = unite(std::move(body), 0.05);
    // head: skull, snout, lower jaw, brow
    const ShapePtr head = unite(
        {egg({0.36, 0.82, 0}, {0.085, 0.065, 0.06}, -10), limb({{0.4, 0.81, 0}, 0.048, {0.51, 0.785, 0}, 0.03}),
         limb({{0.36, 0.775, 0}, 0.034, {0.475, 0.72, 0}, 0.018}), egg({0.38, 0.865, 0.035}, {0.04, 0.02, 0.02}, -15)},
        0.025);
    std::vector<ShapePtr> detail{limb({{0.34, 0.86, 0.035}, 0.022, {0.25, 0.94, 0.06}, 0.014}),
                                 limb({{0.25, 0.94, 0.06}, 0.014, {0.2, 1.0, 0.055}, 0.006}),
                                 egg({0.5, 0.812, 0.018}, {0.016, 0.012, 0.01})};
    for (const Vec3d foot : {Vec3d{-0.1, 0.025, 0.13}, Vec3d{0.17, 0.025, 0.12}})
        for (const double side : {-0.03, 0.0, 0.03})
            detail.push_back(limb({foot + Vec3d{0, 0, 0.4 * side}, 0.022, foot + Vec3d{0.07, -0.008, side}, 0.011}));
    // spikes along the back
    for (const Vec3d& s :
         {Vec3d{0.2, 0.83, 0}, Vec3d{0.15, 0.7, 0}, Vec3d{0.1, 0.58, 0}, Vec3d{0.0, 0.53, 0}, Vec3d{-0.12, 0.48, 0},
          Vec3d{-0.25, 0.36, 0}, Vec3d{-0.38, 0.25, 0}, Vec3d{-0.51, 0.17, 0}}) {
        const Vec3d root = s + Vec3d{0.07, -0.08, 0}, top = s + Vec3d{-0.025, 0.035, 0};
        detail.push_back(limb({root, 0.03, top, 0.006}));
    }
    append(detail, {web({-0.78, 0.14, 0}, {-0.9, 0.2, 0}, {-0.86, 0.29, 0}, 0.014),
                    web({-0.78, 0.14, 0}, {-0.86, 0.29, 0}, {-0.76, 0.26, 0}, 0.014)});
    // wing: arm, three fingers, skin between them
    const Vec3d shoulder{0.06, 0.46, 0.06}, wrist{0.12, 0.72, 0.3}, tip{-0.12, 0.86, 0.72}, second{-0.3, 0.62, 0.6},
        third{-0.34, 0.46, 0.36}, hip{-0.14, 0.42, 0.06};
    const std::vector<ShapePtr> bones{limb({shoulder, 0.04, wrist, 0.026}), limb({wrist, 0.026, tip, 0.01}),
                                      limb({wrist, 0.022, second, 0.01}), limb({wrist, 0.022, third, 0.01})};
    const std::vector<ShapePtr> skin{web(shoulder, wrist, third, 0.012), web(shoulder, third, hip, 0.012),
                                     web(wrist, third, second, 0.012), web(wrist, second, tip, 0.012)};
    const ShapePtr wing = unite({unite(bones, 0.02), unite(skin, 0.01)}, 0.015);
    return mirrored(unite({unite({trunk, head}, 0.03), unite(std::move(detail)), wing}, 0.02));
}

// A sitting rabbit: big haunches, upright head, two long ears, a round tail.
ShapePtr bunny_figure() {
    const ShapePtr body =
        unite({egg({-0.1, 0.27, 0}, {0.3, 0.26, 0.22}, 20), egg({0.12, 0.3, 0}, {0.17, 0.24, 0.16}, 10),
               egg({0.28, 0.62, 0}, {0.17, 0.14, 0.125}, -12), egg({0.39, 0.58, 0}, {0.08, 0.075, 0.075})},
              0.1);
    const ShapePtr legs = unite({egg({-0.14, 0.2, 0.17}, {0.19, 0.18, 0.09}, 15),
                                 limb({{-0.12, 0.05, 0.2}, 0.05, {0.1, 0.045, 0.2}, 0.045}),
                                 limb({{0.2, 0.28, 0.08}, 0.065, {0.26, 0.06, 0.085}, 0.045}),
                                 limb({{0.26, 0.05, 0.085}, 0.045, {0.33, 0.045, 0.085}, 0.042})},
                                0.05);
    const ShapePtr ear = unite({egg({0.15, 0.88, 0.075}, {0.055, 0.2, 0.035}, 18)});
    const ShapePtr tail = egg({-0.4, 0.17, 0}, {0.09, 0.09, 0.09});
    const ShapePtr eye = egg({0.36, 0.66, 0.105}, {0.024, 0.028, 0.02});
    return mirrored(unite({unite({body, legs, ear}, 0.05), unite({tail, eye})}, 0.02));
}

} // namespace loam
