// loam shapes: the shapes of a scene as meshes, for programs that show them. First the length of a description
// (uint32), the description as JSON padded to four bytes, then for each part its vertices (float32 x 3) and corners
// (uint32 x 3).
#include <algorithm>
#include <cstdio>
#include <optional>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "exit_code.h"
#include "picture/tank.h"
#include "picture/wall_mesh.h"
#include "run/record.h"
#include "scene/sheets.h"
#include "scene_file.h"

namespace loam {
namespace {

constexpr double cells_along = 40;
constexpr std::size_t most_poses = 2000;

struct Parts {
    LogLine described = LogLine::array();
    std::string bytes;
};

template <class T> void append(std::string& bytes, const T* values, std::size_t count) {
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

// Where it is at each frame: translation of the pivot, then axis times angle [rad].
LogLine poses_of(const Motion& motion, const Scene& scene) {
    LogLine poses = LogLine::array();
    const std::size_t count = std::min(scene.frame_count() + 1, most_poses);
    for (std::size_t frame = 0; frame < count; ++frame) {
        const Pose pose = pose_at(motion, static_cast<double>(frame) / scene.values.number("fps"));
        const Vec3d turn = pose.angle * pose.axis;
        for (const double value : {pose.translation.x, pose.translation.y, pose.translation.z, turn.x, turn.y, turn.z})
            poses.push_back(json_number(std::round(value * 1e6) / 1e6));
    }
    return poses;
}

// What is not bounded, or wider than the rest by far, is shown near the rest.
Bounds shown_part(const Shape& shape, const Bounds& rest) {
    const Bounds own = shape.bounds();
    const Bounds near = rest.empty() ? own : rest.grown(0.5 * length(rest.size()));
    return {max(own.lo, near.lo), min(own.hi, near.hi)};
}

void add(Parts& parts, LogLine about, const Scene& scene, const Shape& shape, const Bounds& rest) {
    const bool flat = scene.dimensions() == 2;
    if (const std::optional<Bounds> box = shape.bounded() ? std::nullopt : box_inside_of(shape); box && !flat) {
        about["box"] = {json_vector(box->lo), json_vector(box->hi)};
        about["vertices"] = about["triangles"] = 0;
        parts.described.push_back(std::move(about));
        return;
    }
    Bounds part = shown_part(shape, rest).grown(2 * scene.radius());
    const Vec3d size = part.size();
    if (!(size.x > 0 && size.y > 0 && (flat || size.z > 0)) || !is_finite(size)) return;
    const double longest = flat ? std::max(size.x, size.y) : std::max({size.x, size.y, size.z});
    const double cell = longest / (flat ? 6 * cells_along : cells_along);
    if (flat) part.lo.z = -longest, part.hi.z = longest;
    const Triangles mesh = flat ? slab_of(shape, part, cell, -2 * scene.radius()) : mesh_of(shape, part, cell);
    about["vertices"] = mesh.vertices.size();
    about["triangles"] = mesh.corners.size();
    for (const Vec3f& v : mesh.vertices) append(parts.bytes, &v.x, 3);
    for (const auto& corners : mesh.corners) append(parts.bytes, corners.data(), 3);
    parts.described.push_back(std::move(about));
}

LogLine part(const std::string& name, const std::string& path, const char* role) {
    return {{"name", name}, {"path", path}, {"role", role}};
}

void add_motion(LogLine& about, const Motion& motion, const Scene& scene) {
    if (!motion.moves()) return;
    about["pivot"] = json_vector(motion.pivot);
    about["poses"] = poses_of(motion, scene);
}

void add_body(Parts& parts, const Scene& scene, std::size_t index, const Bounds& rest) {
    const BodySpec& body = scene.bodies[index];
    const std::string path = "bodies." + body.name;
    const Motion& motion = body.boundary ? body.boundary->motion : body.motion;
    if (body.shape && !body.group_of) {
        const bool leads = body.boundary && body.boundary->values.text("method") == "none";
        LogLine about = part(body.name, path, !body.boundary ? "body" : leads ? "guide" : "wall");
        about["body"] = index;
        add_motion(about, motion, scene);
        add(parts, std::move(about), scene, *body.shape, rest);
    }
    for (const EmitterSpec& emitter : body.emitters)
        add(parts, part(emitter.name, path + ".emitters." + emitter.name, "emitter"), scene, *emitter.shape, rest);
    for (const PinSpec& pin : body.pins) {
        LogLine about = part(pin.name, path + ".pins." + pin.name, "pin");
        add_motion(about, pin.motion, scene);
        add(parts, std::move(about), scene, *pin.shape, rest);
    }
}

} // namespace

int shapes(const SceneArguments& arguments) {
    const Result<Scene> scene = scene_of(arguments);
    if (!scene) return complain(scene.error());
    Bounds rest;
    for (const BodySpec& body : scene->bodies) {
        for (const EmitterSpec& emitter : body.emitters)
            if (is_finite(emitter.shape->bounds().size())) rest.add(emitter.shape->bounds());
        if (!body.shape || !is_finite(body.shape->bounds().size())) continue;
        if (body.shape->bounded() || box_inside_of(*body.shape)) rest.add(body.shape->bounds());
    }
    Parts parts;
    for (std::size_t b = 0; b < scene->bodies.size(); ++b) add_body(parts, *scene, b, rest);
    for (const DrainSpec& drain : scene->drains)
        add(parts, part(drain.name, "drains." + drain.name, "drain"), *scene, *drain.shape, rest);
    for (const HeaterSpec& heater : scene->heaters) {
        LogLine about = part(heater.name, "heaters." + heater.name, "heater");
        add_motion(about, heater.motion, *scene);
        add(parts, std::move(about), *scene, *heater.shape, rest);
    }
    LogLine all{{"dimensions", scene->dimensions()}, {"parts", std::move(parts.described)}};
    all["fluids"] = LogLine::array(); // bodies that have a surface
    for (const BodySpec& body : scene->bodies)
        if (!body.boundary && find_behavior(*scene, body, "fluid")) all["fluids"].push_back(body.name);
    std::string head = all.dump(-1, ' ', false, LogLine::error_handler_t::replace);
    head.resize((head.size() + 3) / 4 * 4, ' ');
    const auto length = static_cast<std::uint32_t>(head.size());
    std::fwrite(&length, sizeof length, 1, stdout);
    std::fwrite(head.data(), 1, head.size(), stdout);
    std::fwrite(parts.bytes.data(), 1, parts.bytes.size(), stdout);
    return exit_ok;
}

} // namespace loam
