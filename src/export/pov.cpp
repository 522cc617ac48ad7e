// A scene that POV-Ray 3.7 renders as it is, without include files: camera, sun, sky, ground, and the particles as
// spheres or the surface as mesh2 of water. POV-Ray's tolerances are absolute and meant for scenes of a few units, so
// lengths are multiplied with a power of ten that brings the scene to that size.
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "export/format.h"

namespace loam {
namespace {

constexpr double opening = 40; // of the camera, across the picture [degrees]
constexpr double shape = 0.75; // height of the picture, as part of its width: what the framing is meant for

struct Stage {
    double scale = 1; // units per m
    Bounds view;      // the rest in units
    double radius = 1, floor = 0;
    bool flat = false;
};

Stage stage_for(const Geometry& g) {
    Bounds view = g.view;
    if (view.empty()) view = {{-1, -1, -1}, {1, 1, 1}};
    const double size = std::max(length(view.size()), 1e-9);
    const double scale = std::pow(10, std::round(std::log10(10 / size)));
    // A little below the lowest particle: a surface that lies in the ground flickers.
    return {scale, {scale * view.lo, scale * view.hi}, scale * 0.5 * size, scale * (view.lo.y - 0.002 * size), g.flat};
}

std::string vector_text(const Vec3d& v) { return fmt::format("<{:.6g}, {:.6g}, {:.6g}>", v.x, v.y, v.z); }

// From where all corners of the view are in the picture.
Vec3d eye_for(const Stage& s) {
    const Vec3d back = normalized(s.flat ? Vec3d{0, 0, 1} : Vec3d{0.45, 0.35, 1});
    const Vec3d right = normalized(cross(Vec3d{0, 1, 0}, back)), up = cross(back, right);
    const double half_width = std::tan(opening / 2 * M_PI / 180);
    double distance = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d half = 0.5 * s.view.size();
        const Vec3d c{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z};
        distance = std::max(distance, dot(c, back) + std::max(std::abs(dot(c, right)) / half_width,
                                                              std::abs(dot(c, up)) / (shape * half_width)));
    }
    return s.view.center() + back * (1.08 * distance);
}

std::string surroundings(const Stage& s) {
    const Vec3d middle = s.view.center();
    // `right` has a minus because Loam's axes are right-handed and POV-Ray's are not.
    std::string text = fmt::format(R"(#version 3.7;
global_settings {{ assumed_gamma 1.0 max_trace_level 12 }}
camera {{
  location {}
  up y
  right -x*image_width/image_height
  angle {}
  look_at {}
}}
light_source {{ {} color rgb 1.6 area_light x*{r}, z*{r}, 4, 4 adaptive 1 jitter circular orient }}
sky_sphere {{ pigment {{ gradient y color_map {{ [0 color rgb <0.75, 0.82, 0.9>] [0.6 color rgb <0.2, 0.4, 0.75>] }} }} }}
)",
                                   vector_text(eye_for(s)), opening, vector_text(middle),
                                   vector_text(middle + Vec3d{-6, 12, 8} * s.radius), fmt::arg("r", 2 * s.radius));
    text += fmt::format(
        "plane {{ y, {:.6g} pigment {{ color rgb <0.55, 0.52, 0.48> }} finish {{ ambient 0.15 diffuse 0.7 }} }}\n",
        s.floor);
    return text;
}

// A name in a comment must not end it.
std::string one_line(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
}

constexpr Vec3d palette[] = {{0.12, 0.36, 0.75}, {0.85, 0.45, 0.1}, {0.2, 0.6, 0.25},
                             {0.75, 0.15, 0.2},  {0.5, 0.3, 0.7},   {0.85, 0.75, 0.25}};

std::string spheres(const Geometry& g, const Stage& s) {
    std::string text;
    for (std::size_t b = 0; b < std::max<std::size_t>(g.bodies.size(), 1); ++b)
        text += fmt::format("#declare Body{} = texture {{ pigment {{ color rgb {} }} finish {{ ambient 0.2 diffuse 0.7 "
                            "specular 0.3 roughness 0.02 }} }}{}\n",
                            b, vector_text(palette[b % std::size(palette)]),
                            b < g.bodies.size() ? " // " + one_line(g.bodies[b]) : "");
    const auto end = std::back_inserter(text);
    for (std::size_t i = 0; i < g.positions.size(); ++i) {
        const Vec3f& p = g.positions[i];
        if (g.radii[i] == 0) continue; // nothing is left of it, and POV-Ray does not take such spheres
        fmt::format_to(end, "sphere {{ <{:.6g}, {:.6g}, {:.6g}>, {:.4g} texture {{ Body{} }} }}\n", s.scale * p.x,
                       s.scale * p.y, s.scale * p.z, s.scale * g.radii[i], g.body[i]);
    }
    return text;
}

std::string water(const Geometry& g, const Stage& s) {
    if (g.triangles.empty()) return ""; // POV-Ray does not take empty meshes
    std::string text = fmt::format("mesh2 {{\n  vertex_vectors {{ {}", g.positions.size());
    const auto end = std::back_inserter(text);
    for (const Vec3f& p : g.positions)
        fmt::format_to(end, ",\n<{:.7g},{:.7g},{:.7g}>", s.scale * p.x, s.scale * p.y, s.scale * p.z);
    fmt::format_to(end, " }}\n  normal_vectors {{ {}", g.normals.size());
    for (const Vec3f& n : g.normals) fmt::format_to(end, ",\n<{:.4g},{:.4g},{:.4g}>", n.x, n.y, n.z);
    fmt::format_to(end, " }}\n  face_indices {{ {}", g.triangles.size());
    for (const auto& [a, b, c] : g.triangles) fmt::format_to(end, ",\n<{},{},{}>", a, b, c);
    fmt::format_to(end, R"( }}
  inside_vector y
  material {{
    texture {{
      pigment {{ color rgbt <0.92, 0.97, 1, 0.95> }}
      finish {{ ambient 0 diffuse 0.05 specular 0.7 roughness 0.002 reflection {{ 0, 1 fresnel on }} conserve_energy }}
    }}
    interior {{ ior 1.33 fade_distance {:.4g} fade_power 1001 fade_color <0.25, 0.6, 0.75> }}
  }}
}}
)",
                   0.4 * s.radius);
    return text;
}

} // namespace

Result<std::string> encode_pov(const Geometry& g) {
    const Stage stage = stage_for(g);
    const std::string head = fmt::format("// loam export: frame {}, time {} s; {} units are 1 m\n"
                                         "// povray +W1280 +H960 +A +I this_file.pov\n",
                                         g.frame, g.time, stage.scale);
    return head + surroundings(stage) + (g.is_mesh ? water(g, stage) : spheres(g, stage));
}

} // namespace loam
