#include "picture/world.h"

#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <utility>

#include <embree3/rtcore.h>

namespace loam {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

struct ReleaseDevice {
    void operator()(RTCDevice d) const { rtcReleaseDevice(d); }
};
struct ReleaseScene {
    void operator()(RTCScene s) const { rtcReleaseScene(s); }
};
using Device = std::unique_ptr<RTCDeviceTy, ReleaseDevice>;
using Scene3 = std::unique_ptr<RTCSceneTy, ReleaseScene>;

// One geometry: what was added, kept for shading.
struct Item {
    Material material;
    Triangles triangles;
    std::vector<Color> colors; // of spheres, pieces of curves, or pieces
    std::vector<Color> glow;   // of spheres
    Pieces pieces{};
    Scene3 piece{}; // its triangles

    // Light may get through.
    bool lets_through() const { return material.kind == Material::Kind::clear || !triangles.opacity.empty(); }
};

RTCRayHit embree_ray(const Ray& ray, float end) {
    RTCRayHit r{};
    r.ray.org_x = ray.from.x, r.ray.org_y = ray.from.y, r.ray.org_z = ray.from.z;
    r.ray.dir_x = ray.direction.x, r.ray.dir_y = ray.direction.y, r.ray.dir_z = ray.direction.z;
    r.ray.tnear = ray.begin, r.ray.tfar = end, r.ray.time = ray.time;
    r.ray.mask = ~0u, r.ray.flags = 0, r.ray.id = 0;
    r.hit.geomID = r.hit.primID = r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return r;
}

// Pieces are traced in their own coordinates: there distances along the ray are the same.
Vec3f turned(const Float4& by, const Vec3f& v) {
    const Vec3f q = by.xyz();
    return v + 2.0f * cross(q, cross(q, v) + by.w * v);
}
Vec3f turned_back(const Float4& by, const Vec3f& v) { return turned({-by.x, -by.y, -by.z, by.w}, v); }

Vec3f place_at(const Pieces& pieces, std::size_t piece, float time) {
    const Vec3f place = pieces.places[piece].xyz();
    return pieces.movement.empty() ? place : place + (time - 0.5f) * pieces.movement[piece];
}

RTCRayHit within_piece(const Pieces& pieces, std::size_t piece, const RTCRay& ray) {
    const float inverse = 1 / pieces.places[piece].w;
    const Float4& turn = pieces.turns[piece];
    const Vec3f from = turned_back(turn, Vec3f{ray.org_x, ray.org_y, ray.org_z} - place_at(pieces, piece, ray.time));
    const Vec3f along = turned_back(turn, {ray.dir_x, ray.dir_y, ray.dir_z});
    RTCRayHit inside = embree_ray({inverse * from, inverse * along, ray.time, ray.tnear}, ray.tfar);
    return inside;
}

void bounds_of_piece(const RTCBoundsFunctionArguments* arguments) {
    const Pieces& pieces = static_cast<const Item*>(arguments->geometryUserPtr)->pieces;
    const Vec3f at = place_at(pieces, arguments->primID, static_cast<float>(arguments->timeStep));
    constexpr float bumps = 1.25f; // of shapes that stand out of the ball
    const float r = bumps * pieces.places[arguments->primID].w;
    RTCBounds& box = *arguments->bounds_o;
    box.lower_x = at.x - r, box.lower_y = at.y - r, box.lower_z = at.z - r;
    box.upper_x = at.x + r, box.upper_y = at.y + r, box.upper_z = at.z + r;
}

void intersect_piece(const RTCIntersectFunctionNArguments* arguments) {
    if (!arguments->valid[0]) return;
    const auto& item = *static_cast<const Item*>(arguments->geometryUserPtr);
    auto& outside = *reinterpret_cast<RTCRayHit*>(arguments->rayhit); // one ray at a time
    RTCRayHit inside = within_piece(item.pieces, arguments->primID, outside.ray);
    RTCIntersectContext context{};
    rtcInitIntersectContext(&context);
    rtcIntersect1(item.piece.get(), &context, &inside);
    if (inside.hit.geomID == RTC_INVALID_GEOMETRY_ID) return;
    const Vec3f normal =
        turned(item.pieces.turns[arguments->primID], {inside.hit.Ng_x, inside.hit.Ng_y, inside.hit.Ng_z});
    outside.ray.tfar = inside.ray.tfar;
    outside.hit = inside.hit;
    outside.hit.Ng_x = normal.x, outside.hit.Ng_y = normal.y, outside.hit.Ng_z = normal.z;
    outside.hit.instID[0] = inside.hit.primID; // the triangle, for shading
    outside.hit.primID = arguments->primID, outside.hit.geomID = arguments->geomID;
}

void occlude_piece(const RTCOccludedFunctionNArguments* arguments) {
    if (!arguments->valid[0]) return;
    const auto& item = *static_cast<const Item*>(arguments->geometryUserPtr);
    auto& ray = *reinterpret_cast<RTCRay*>(arguments->ray);
    RTCRayHit inside = within_piece(item.pieces, arguments->primID, ray);
    RTCIntersectContext context{};
    rtcInitIntersectContext(&context);
    rtcOccluded1(item.piece.get(), &context, &inside.ray);
    if (inside.ray.tfar < 0) ray.tfar = -infinite;
}

template <class T>
void set_vertices(RTCGeometry geometry, RTCFormat format, const std::vector<T>& places,
                  const std::vector<Vec3f>& move) {
    const unsigned steps = move.empty() ? 1 : 2;
    rtcSetGeometryTimeStepCount(geometry, steps);
    for (unsigned step = 0; step < steps; ++step) {
        auto* const to = static_cast<T*>(
            rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, step, format, sizeof(T), places.size()));
        if (!to) return;
        const float share = move.empty() ? 0 : static_cast<float>(step) - 0.5f;
        for (std::size_t i = 0; i < places.size(); ++i) {
            to[i] = places[i];
            if (share == 0) continue;
            to[i].x += share * move[i].x, to[i].y += share * move[i].y, to[i].z += share * move[i].z;
        }
    }
}

void set_corners(RTCGeometry geometry, const Triangles& t) {
    void* const to = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(t.corners[0]),
                                             t.corners.size());
    if (to) std::memcpy(to, t.corners.data(), t.corners.size() * sizeof(t.corners[0]));
}

} // namespace

// Whether the ray passes the box before `end`: most rays of most pictures pass nothing but the floor.
bool passes(const RTCBounds& box, const Ray& ray, float end) {
    const auto narrow = [](float from, float along, float lo, float hi, float& begin, float& until) {
        const float inverse = 1 / along, a = (lo - from) * inverse, b = (hi - from) * inverse;
        // A ray along a face gives NaN, which both comparisons let pass.
        begin = std::max(begin, std::min(a, b)), until = std::min(until, std::max(a, b));
    };
    float begin = ray.begin, until = end;
    narrow(ray.from.x, ray.direction.x, box.lower_x, box.upper_x, begin, until);
    narrow(ray.from.y, ray.direction.y, box.lower_y, box.upper_y, begin, until);
    narrow(ray.from.z, ray.direction.z, box.lower_z, box.upper_z, begin, until);
    return !(begin > until * 1.0001f);
}

struct World::Embree {
    Device device{rtcNewDevice(nullptr)};
    Scene3 solid, clear, panes;
    RTCBounds solid_box{}, clear_box{};
    std::deque<Item> items; // user data of geometries point to them

    RTCScene scene_for(const Item& item) {
        const bool is_pane = item.material.kind == Material::Kind::pane;
        Scene3& scene = is_pane ? panes : item.lets_through() ? clear : solid;
        if (!scene) {
            scene.reset(rtcNewScene(device.get()));
            // A ray that slips between two triangles of water would stay inside for ever.
            if (&scene == &clear) rtcSetSceneFlags(scene.get(), RTC_SCENE_FLAG_ROBUST);
        }
        return scene.get();
    }
    void attach(RTCGeometry geometry, const Item& item) {
        rtcSetGeometryUserData(geometry, const_cast<Item*>(&item));
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene_for(item), geometry);
        rtcReleaseGeometry(geometry);
    }
};

World::World() : embree_(std::make_unique<Embree>()) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

void World::add(Triangles triangles, const Material& material) {
    if (triangles.corners.empty()) return;
    Item& item = embree_->items.emplace_back(Item{material, std::move(triangles), {}, {}});
    const Triangles& t = item.triangles;
    RTCGeometry geometry = rtcNewGeometry(embree_->device.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    set_vertices(geometry, RTC_FORMAT_FLOAT3, t.vertices, t.movement);
    set_corners(geometry, t);
    embree_->attach(geometry, item);
}

void World::add(Spheres spheres, const Material& material) {
    if (spheres.places.empty()) return;
    Item& item = embree_->items.emplace_back(Item{material, {}, std::move(spheres.colors), std::move(spheres.glow)});
    RTCGeometry geometry = rtcNewGeometry(embree_->device.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
    set_vertices(geometry, RTC_FORMAT_FLOAT4, spheres.places, spheres.movement);
    embree_->attach(geometry, item);
}

void World::add(Curves curves, const Material& material) {
    if (curves.pieces.empty()) return;
    Item& item = embree_->items.emplace_back(Item{material, {}, std::move(curves.colors), {}});
    RTCGeometry geometry = rtcNewGeometry(embree_->device.get(), RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE);
    set_vertices(geometry, RTC_FORMAT_FLOAT4, curves.points, curves.movement);
    void* const to = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                                             sizeof(curves.pieces[0]), curves.pieces.size());
    if (to) std::memcpy(to, curves.pieces.data(), curves.pieces.size() * sizeof(curves.pieces[0]));
    embree_->attach(geometry, item);
}

void World::add(Pieces pieces, const Material& material) {
    if (pieces.places.empty()) return;
    RTCDevice device = embree_->device.get();
    Item& item = embree_->items.emplace_back(Item{material, {}, std::move(pieces.colors)});
    item.pieces = std::move(pieces);
    const Triangles& shape = *item.pieces.shape;
    RTCGeometry triangles = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    set_vertices(triangles, RTC_FORMAT_FLOAT3, shape.vertices, {});
    set_corners(triangles, shape);
    rtcCommitGeometry(triangles);
    item.piece.reset(rtcNewScene(device));
    rtcAttachGeometry(item.piece.get(), triangles);
    rtcReleaseGeometry(triangles);
    rtcCommitScene(item.piece.get());

    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(item.pieces.places.size()));
    rtcSetGeometryTimeStepCount(geometry, item.pieces.movement.empty() ? 1 : 2);
    rtcSetGeometryUserData(geometry, &item);
    rtcSetGeometryBoundsFunction(geometry, bounds_of_piece, nullptr);
    rtcSetGeometryIntersectFunction(geometry, intersect_piece);
    rtcSetGeometryOccludedFunction(geometry, occlude_piece);
    embree_->attach(geometry, item);
}

void Curves::add(std::span<const Float4> thread, const Color& color) {
    const auto first = static_cast<std::uint32_t>(points.size());
    points.insert(points.end(), thread.begin(), thread.end());
    for (std::uint32_t k = 0; k + 3 < thread.size(); ++k) pieces.push_back(first + k), colors.push_back(color);
}

void World::set_floor(const Floor& floor) {
    floor_ = floor;
    floor_material_ = {};
    floor_material_.color = floor.color;
}

Status World::commit() {
    for (const auto& [scene, box] :
         {std::pair(embree_->solid.get(), &embree_->solid_box), std::pair(embree_->clear.get(), &embree_->clear_box)})
        if (scene) rtcCommitScene(scene), rtcGetSceneBounds(scene, box);
    if (embree_->panes) rtcCommitScene(embree_->panes.get());
    if (rtcGetDeviceError(embree_->device.get()) == RTC_ERROR_NONE) return Done{};
    return Error{Fault::simulation, "", "there is not enough memory for the picture",
                 "render fewer bodies, or with a larger particle_radius"};
}

std::optional<Hit> World::nearest(const Ray& ray) const {
    const float to_floor = floor_distance(ray);
    RTCRayHit r = embree_ray(ray, to_floor);
    RTCScene where = nullptr;
    const auto meet = [&](RTCScene scene, const RTCBounds& box) {
        if (!scene || !passes(box, ray, r.ray.tfar)) return;
        // A hit at the same distance, to the bit, counts too: what is told of it is of this scene.
        const unsigned hit_before = std::exchange(r.hit.geomID, RTC_INVALID_GEOMETRY_ID);
        RTCIntersectContext context{};
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene, &context, &r);
        if (r.hit.geomID != RTC_INVALID_GEOMETRY_ID)
            where = scene;
        else
            r.hit.geomID = hit_before;
    };
    meet(embree_->solid.get(), embree_->solid_box);
    const float to_solid = r.ray.tfar;
    meet(embree_->clear.get(), embree_->clear_box);
    if (!where && to_floor < infinite)
        return Hit{to_floor, to_floor, {0, 1, 0}, {0, 1, 0}, floor_->color_at(at(ray, to_floor)), &floor_material_, 1,
                   0,        true,     {},        false};
    if (!where) return std::nullopt;
    const auto& item = *static_cast<const Item*>(rtcGetGeometryUserData(rtcGetGeometry(where, r.hit.geomID)));
    Hit hit;
    hit.distance = r.ray.tfar, hit.to_solid = to_solid;
    hit.outward = hit.normal = normalized(Vec3f{r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z});
    hit.material = &item.material;
    hit.color = item.material.color;
    hit.glow = item.material.glow;
    if (!item.colors.empty()) hit.color = item.colors[r.hit.primID];
    if (!item.glow.empty()) hit.glow = item.glow[r.hit.primID];
    const bool is_piece = item.piece != nullptr;
    if (item.triangles.corners.empty() && !is_piece) return hit;
    const Triangles& t = is_piece ? *item.pieces.shape : item.triangles;
    const auto& corner = t.corners[is_piece ? r.hit.instID[0] : r.hit.primID];
    const float u = r.hit.u, v = r.hit.v, w = 1 - u - v;
    const auto between = [&](const std::vector<Vec3f>& values) {
        return w * values[corner[0]] + u * values[corner[1]] + v * values[corner[2]];
    };
    if (!t.normals.empty()) {
        Vec3f smooth = normalized(between(t.normals));
        if (is_piece) smooth = turned(item.pieces.turns[r.hit.primID], smooth);
        if (dot(smooth, hit.outward) > 0.1f) hit.normal = smooth;
    }
    if (!t.colors.empty()) hit.color = is_piece ? hit.color * between(t.colors) : between(t.colors), hit.tinted = true;
    if (!t.glow.empty()) hit.glow = between(t.glow);
    if (!t.opacity.empty()) hit.opacity = t.opacity_at(r.hit.primID, u, v);
    if (!t.film.empty()) hit.film = t.at(t.film, r.hit.primID, u, v);
    return hit;
}

float World::floor_distance(const Ray& ray) const {
    if (!floor_ || ray.direction.y >= 0) return infinite;
    const float t = (floor_->height - ray.from.y) / ray.direction.y;
    return t > ray.begin ? t : infinite;
}

bool World::blocked(const Ray& ray, float distance) const {
    if (floor_distance(ray) < distance) return true;
    if (!embree_->solid || !passes(embree_->solid_box, ray, distance)) return false;
    RTCRayHit r = embree_ray(ray, distance);
    RTCIntersectContext context{};
    rtcInitIntersectContext(&context);
    rtcOccluded1(embree_->solid.get(), &context, &r.ray);
    return r.ray.tfar < 0;
}

std::optional<Pane> World::next_pane(const Ray& ray, float distance) const {
    if (!embree_->panes) return std::nullopt;
    RTCRayHit r = embree_ray(ray, distance);
    RTCIntersectContext context{};
    rtcInitIntersectContext(&context);
    rtcIntersect1(embree_->panes.get(), &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
    const auto& item =
        *static_cast<const Item*>(rtcGetGeometryUserData(rtcGetGeometry(embree_->panes.get(), r.hit.geomID)));
    return Pane{r.ray.tfar, normalized(Vec3f{r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z}), &item.material};
}

Color World::light_through(const Ray& ray, Through through) const {
    if (blocked(ray, infinite)) return {};
    Color light{1, 1, 1};
    if (mist_ && through == Through::all) light *= std::exp(-mist_->depth(ray, infinite));
    if (!embree_->clear || !passes(embree_->clear_box, ray, infinite)) return light;
    constexpr int most_surfaces = 8;
    Ray onward = ray;
    float entered = ray.begin;
    for (int k = 0; k < most_surfaces && luminance(light) > 0.01f; ++k) {
        RTCRayHit r = embree_ray(onward, infinite);
        RTCIntersectContext context{};
        rtcInitIntersectContext(&context);
        rtcIntersect1(embree_->clear.get(), &context, &r);
        if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) break;
        const auto& item =
            *static_cast<const Item*>(rtcGetGeometryUserData(rtcGetGeometry(embree_->clear.get(), r.hit.geomID)));
        const Vec3f outward = normalized(Vec3f{r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z});
        const float cosine = dot(outward, ray.direction);
        onward.begin = std::nextafter(r.ray.tfar, infinite) * (1 + 1e-5f) + 1e-7f;
        const Material& material = item.material;
        if (material.kind == Material::Kind::solid) {
            light *= 1 - item.triangles.opacity_at(r.hit.primID, r.hit.u, r.hit.v);
        } else {
            light *= 1 - std::min(0.8f, fresnel(std::abs(cosine), cosine > 0 ? 1 / material.ior : material.ior));
            if (cosine > 0) light = light * exp(-depth(material, ray, entered, r.ray.tfar));
            entered = r.ray.tfar;
        }
    }
    return light;
}

Color World::depth(const Material& material, const Ray& ray, float begin, float end) const {
    return material.dyed && dye_ ? dye_->depth(ray, begin, end) : (end - begin) * material.absorption;
}

Bounds World::bounds() const {
    Bounds all;
    for (RTCScene scene : {embree_->solid.get(), embree_->clear.get()}) {
        if (!scene) continue;
        RTCBounds b{};
        rtcGetSceneBounds(scene, &b);
        all.add(Bounds{{b.lower_x, b.lower_y, b.lower_z}, {b.upper_x, b.upper_y, b.upper_z}});
    }
    return all;
}

// From inside of a closed body a ray meets its back first, wherever it goes.
bool World::inside(const Vec3d& place) const {
    const Vec3f from{static_cast<float>(place.x), static_cast<float>(place.y), static_cast<float>(place.z)};
    for (const Vec3f& direction :
         {Vec3f{0.48f, 0.64f, 0.6f}, Vec3f{-0.6f, 0.64f, -0.48f}, Vec3f{0.36f, 0.48f, -0.8f}}) {
        const std::optional<Hit> hit = nearest({from, direction});
        if (!hit || hit->floor || dot(hit->outward, direction) < 0) return false;
    }
    return true;
}

float Triangles::at(const std::vector<float>& values, std::size_t triangle, float u, float v) const {
    const auto& c = corners[triangle];
    return (1 - u - v) * values[c[0]] + u * values[c[1]] + v * values[c[2]];
}

Color Floor::color_at(const Vec3f& p) const {
    if (checker <= 0) return color;
    const auto wave = [&](float x) {
        const float s = std::sin(3.14159265f * x / checker);
        return std::clamp(8 * s, -1.0f, 1.0f);
    };
    return color * (1 + 0.08f * wave(p.x) * wave(p.z));
}

float Floor::fade_at(const Vec3f& p) const {
    const float d = std::hypot(p.x - middle.x, p.z - middle.z);
    const float t = std::clamp((d - fade_begin) / (fade_end - fade_begin), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

} // namespace loam
