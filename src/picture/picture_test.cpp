#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/threads.h"
#include "cache/test_support.h"
#include "picture/camera.h"
#include "picture/features.h"
#include "picture/png.h"
#include "picture/sheet.h"
#include "picture/tank.h"
#include "picture/trace.h"

namespace loam {
namespace {

constexpr Size small{48, 32};

Ray middle_ray(const Camera& camera, Size size = small) {
    Sampler sampler(0, 0, 0);
    return Lens(camera, size)
        .ray(0.5f * static_cast<float>(size.width), 0.5f * static_cast<float>(size.height), sampler);
}

World ball(const Material& material, float radius = 1) {
    World world;
    world.add(Spheres{{{0, 0, 0, radius}}, {}, {}}, material);
    EXPECT_TRUE(world.commit());
    return world;
}

Light furnace() {
    Light light;
    light.sky.horizon = light.sky.zenith = light.sky.below = {1, 1, 1};
    light.sun.irradiance = {};
    return light;
}

ShapePtr test_box(const Vec3d& lo, const Vec3d& hi) {
    for (const ShapeKind& kind : shape_kinds())
        if (kind.declaration.name == "box") {
            Values values(kind.declaration);
            values.set("min", lo), values.set("max", hi);
            return *kind.make(values, {});
        }
    return nullptr;
}

const Camera front{{0, 0, 5}, {0, 0, 0}, 30};

TEST(Camera, MiddleOfThePictureIsWhatItLooksAt) {
    const Ray ray = middle_ray({{1, 2, 5}, {0, 1, 0}, 40});
    const Vec3f expected = normalized(Vec3f{-1, -1, -5});
    EXPECT_NEAR(dot(ray.direction, expected), 1, 1e-6);
}

TEST(Camera, UpperEdgeIsHalfTheAngleOfViewUp) {
    Sampler sampler(0, 0, 0);
    const Ray ray = Lens(front, small).ray(24, 0, sampler);
    EXPECT_NEAR(std::atan2(ray.direction.y, -ray.direction.z), 15 * 3.14159265 / 180, 1e-5);
}

TEST(Camera, ParallelRaysStayParallel) {
    Sampler sampler(0, 0, 0);
    const Lens lens({.from = {0, 0, 5}, .to = {}, .height = 2}, {40, 20});
    const Ray corner = lens.ray(0, 0, sampler);
    EXPECT_NEAR(corner.direction.z, -1, 1e-6);
    EXPECT_NEAR(corner.from.x, -2, 1e-5);
    EXPECT_NEAR(corner.from.y, 1, 1e-5);
}

TEST(Camera, RaysThroughTheLensMeetInFocus) {
    const Lens lens({.from = {0, 0, 5}, .to = {}, .view = 30, .aperture = 0.5, .focus = 3}, small);
    Vec3f first{};
    for (std::uint32_t s = 0; s < 8; ++s) {
        Sampler sampler(1, 2, s);
        const Ray ray = lens.ray(10, 7, sampler);
        const Vec3f sharp = at(ray, (2 - ray.from.z) / ray.direction.z);
        if (s == 0) first = sharp;
        EXPECT_NEAR(length(sharp - first), 0, 1e-5);
    }
}

TEST(Camera, FramesABoxOfAnyShape) {
    for (const Bounds& box :
         {Bounds{{0, 0, 0}, {1, 1, 1}}, Bounds{{-5, 2, 0}, {5, 2.1, 1}}, Bounds{{0, 0, 0}, {0.1, 9, 0.1}}})
        for (const int dimensions : {2, 3}) {
            const Camera camera = frame_bounds(box, dimensions, small);
            const Vec3d forward = normalized(camera.to - camera.from);
            const Vec3d right = normalized(cross(forward, Vec3d{0, 1, 0})), up = cross(right, forward);
            double largest = 0;
            for (int k = 0; k < 8; ++k) {
                const Vec3d p =
                    Vec3d{k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y, k & 4 ? box.hi.z : box.lo.z} -
                    camera.from;
                const double half =
                    camera.height > 0 ? camera.height / 2 : std::tan(camera.view * 3.14159265 / 360) * dot(p, forward);
                largest = std::max({largest, std::abs(dot(p, up)) / half, std::abs(dot(p, right)) / half / 1.5});
            }
            EXPECT_LT(largest, 1.0);
            EXPECT_GT(largest, 0.8);
        }
}

TEST(Fresnel, Limits) {
    EXPECT_NEAR(fresnel(1, 1 / 1.33f), std::pow(0.33 / 2.33, 2), 1e-5); // straight on
    EXPECT_NEAR(fresnel(1e-4f, 1 / 1.33f), 1, 1e-2);                    // grazing
    EXPECT_EQ(fresnel(0.5f, 1.33f), 1);                                 // total reflection
    EXPECT_NEAR(fresnel(0.7f, 1), 0, 1e-6);                             // no border at all
}

TEST(Fresnel, RefractionFollowsSnell) {
    const Vec3f in = normalized(Vec3f{1, -1, 0});
    const Vec3f out = refracted(in, {0, 1, 0}, 1 / 1.33f);
    EXPECT_NEAR(out.x, in.x / 1.33f, 1e-5);
    EXPECT_NEAR(length(out), 1, 1e-5);
}

TEST(Material, WetIsDarkerAndDryIsNot) {
    const Color sand{0.6f, 0.5f, 0.4f};
    EXPECT_EQ(wetted(sand, 0), sand);
    EXPECT_NEAR(wetted(sand, 1).x, wet_darkening * sand.x, 1e-6);
    EXPECT_LT(wetted(sand, 0.5f).y, sand.y);
}

TEST(Trace, WhiteThingsVanishInAWhiteFurnace) {
    Material white;
    white.color = {1, 1, 1};
    for (const float let_through : {0.0f, 0.5f})
        for (const bool coat : {false, true}) {
            white.let_through = let_through, white.coat = coat;
            const World world = ball(white);
            const TraceOptions options{.size = small, .samples = 16, .scatterings = 40, .denoise = false};
            const Image image = trace(world, Lens(front, small), furnace(), options);
            for (const Color& pixel : image.pixels) EXPECT_NEAR(pixel.y, 1, 2e-3);
        }
}

TEST(Trace, ClearThingsKeepAllLightInAWhiteFurnace) {
    Material glass;
    glass.kind = Material::Kind::clear;
    const TraceOptions options{.size = small, .samples = 4, .mirrorings = 100, .denoise = false};
    const Image image = trace(ball(glass), Lens(front, small), furnace(), options);
    for (const Color& pixel : image.pixels) EXPECT_NEAR(pixel.y, 1, 1e-4);
}

TEST(Trace, WaterTakesColorWithDepth) {
    Material water;
    water.kind = Material::Kind::clear;
    water.ior = 1; // no bending: the way through the middle is the diameter
    water.absorption = absorption_of({0.25f, 0.5f, 1}, 2);
    const TraceOptions options{.size = {3, 3}, .samples = 64, .denoise = false};
    Camera narrow = front;
    narrow.view = 0.5;
    const Image image = trace(ball(water), Lens(narrow, {3, 3}), furnace(), options);
    EXPECT_NEAR(image.at(1, 1).x, 0.25f, 0.01);
    EXPECT_NEAR(image.at(1, 1).y, 0.5f, 0.01);
    EXPECT_NEAR(image.at(1, 1).z, 1, 0.01);
}

TEST(Trace, PanesKeepAllLightInAWhiteFurnace) {
    Material pane = glass_material();
    pane.absorption = {};
    const TraceOptions options{.size = small, .samples = 1, .denoise = false};
    const Image image = trace(ball(pane), Lens(front, small), furnace(), options);
    for (const Color& pixel : image.pixels) EXPECT_NEAR(pixel.y, 1, 1e-4);
}

TEST(Trace, HalfOfWhatIsHalfThereIsSeen) {
    Material black;
    black.color = {};
    World world;
    Triangles pane{{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, {{0, 1, 2}}};
    pane.opacity = {0.5f, 0.5f, 0.5f};
    world.add(std::move(pane), black);
    ASSERT_TRUE(world.commit());
    const TraceOptions options{.size = {2, 2}, .samples = 256, .denoise = false};
    const Image image = trace(world, Lens(front, {2, 2}), furnace(), options);
    EXPECT_NEAR(image.at(0, 0).y, 0.5f, 0.05);
    EXPECT_NEAR(world.light_through({{0, 0, -1}, {0, 0, 1}}).y, 0.5f, 1e-6);
}

TEST(Tank, IsABoxWithoutLid) {
    const ShapePtr box = test_box({0, 0, 0}, {2, 1, 1});
    const auto inside = box_inside_of(*invert(box));
    ASSERT_TRUE(inside);
    EXPECT_NEAR(inside->hi.x, 2, 1e-9);
    const Tank tank = tank_of(*invert(box), {.top = 0.5});
    EXPECT_EQ(tank.panes.corners.size(), 8u); // four sides
    EXPECT_EQ(tank.edges.pieces.size(), 12u);
    float top = 0;
    for (const Vec3f& v : tank.panes.vertices) top = std::max(top, v.y);
    EXPECT_FLOAT_EQ(top, 0.5f);
}

TEST(Tank, OfAnotherShapeHasSidesOnly) {
    const ShapePtr pot = intersect({test_box({0, 0, 0}, {1, 1, 1}), test_box({0.2, 0, 0}, {2, 0.6, 2})});
    EXPECT_TRUE(box_inside_of(*invert(pot)));
    const ShapePtr step = unite({test_box({0, 0, 0}, {1, 1, 1}), test_box({0, 0, 0}, {2, 0.5, 1})});
    EXPECT_FALSE(box_inside_of(*invert(step)));
    const Tank tank = tank_of(*invert(step), {});
    EXPECT_GT(tank.panes.corners.size(), 100u);
    for (const auto& c : tank.panes.corners) {
        const Vec3f &a = tank.panes.vertices[c[0]], &b = tank.panes.vertices[c[1]], &d = tank.panes.vertices[c[2]];
        EXPECT_LT(std::abs(normalized(cross(b - a, d - a)).y), 0.94f);
    }
}

TEST(World, ThreadsAreMet) {
    Curves curves;
    const std::vector<Float4> thread{{-3, 0, 0, 0.1f}, {-1, 0, 0, 0.1f}, {1, 0, 0, 0.1f}, {3, 0, 0, 0.1f}};
    curves.add(thread, {1, 0, 0});
    World world;
    world.add(std::move(curves), {});
    ASSERT_TRUE(world.commit());
    const auto hit = world.nearest({{0.5f, 0, 5}, {0, 0, -1}});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->distance, 4.9, 1e-3);
    EXPECT_NEAR(hit->normal.z, 1, 1e-2);
    EXPECT_EQ(hit->color, (Color{1, 0, 0}));
    EXPECT_FALSE(world.nearest({{0.5f, 0.2f, 5}, {0, 0, -1}}));
}

TEST(Trace, SameBitsForAnyNumberOfThreads) {
    World world = ball({});
    Floor floor;
    floor.height = -1;
    floor.checker = 1;
    world.set_floor(floor);
    const TraceOptions options{.size = small, .samples = 3};
    const auto picture = [&] { return trace(world, Lens(front, small), Light{}, options).pixels; };
    const auto one = with_threads(1, picture);
    EXPECT_EQ(one, with_threads(2, picture));
    EXPECT_EQ(one, with_threads(3, picture));
    TraceOptions other = options;
    other.seed = 1;
    EXPECT_NE(one, trace(world, Lens(front, small), Light{}, other).pixels);
}

TEST(Trace, MovingThingsAreBlurred) {
    const auto edge_pixels = [](float movement) {
        Material flat;
        flat.kind = Material::Kind::flat;
        flat.color = {0, 0, 0};
        World world;
        world.add(Spheres{{{0, 0, 0, 0.5f}}, {{movement, 0, 0}}, {}}, flat);
        EXPECT_TRUE(world.commit());
        const TraceOptions options{.size = small, .samples = 16, .moving = true, .denoise = false};
        const Image image = trace(world, Lens(front, small), furnace(), options);
        int between = 0;
        for (const Color& pixel : image.pixels) between += pixel.x > 0.1f && pixel.x < 0.9f;
        return between;
    };
    EXPECT_GT(edge_pixels(0.6f), 2 * edge_pixels(0));
}

TEST(World, KnowsWhatIsInside) {
    const World world = ball({});
    EXPECT_TRUE(world.inside({0.1, 0.2, 0}));
    EXPECT_FALSE(world.inside({0, 0, 2}));
}

TEST(World, ShadowsOfClearThingsAreColored) {
    Material water;
    water.kind = Material::Kind::clear;
    water.absorption = {2, 1, 0};
    const Color light = ball(water).light_through({{0, -3, 0}, {0, 1, 0}});
    EXPECT_LT(light.x, light.y);
    EXPECT_LT(light.y, light.z);
    EXPECT_GT(light.z, 0.9f);
    EXPECT_EQ(ball({}).light_through({{0, -3, 0}, {0, 1, 0}}), Color{});
}

TEST(Color, HexAndMap) {
    EXPECT_FALSE(parse_color("red"));
    EXPECT_FALSE(parse_color("#12345g"));
    EXPECT_NEAR(parse_color("#ff0080")->x, 1, 1e-6);
    float before = -1;
    for (int i = 0; i <= 32; ++i) { // lightness grows along the map
        const float now = luminance(map_color(static_cast<float>(i) / 32));
        EXPECT_GT(now, before);
        before = now;
    }
}

TEST(Png, RoundTrip) {
    const test::Scratch folder;
    Bitmap picture(Size{7, 5});
    for (std::size_t i = 0; i < picture.bytes.size(); ++i) picture.bytes[i] = static_cast<std::uint8_t>(37 * i);
    ASSERT_TRUE(write_png(folder.path() / "a.png", picture));
    const Result<Bitmap> read = read_png(folder.path() / "a.png");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->size, picture.size);
    EXPECT_EQ(read->bytes, picture.bytes);
    EXPECT_FALSE(read_png(folder.path() / "b.png"));
}

TEST(Sheet, HasAPlaceForEachPicture) {
    const std::vector<SheetPicture> pictures(5, {Bitmap(Size{20, 10}), "1.0 s"});
    EXPECT_EQ(contact_sheet(pictures, 3, 2).size, (Size{3 * 20 + 4 * 2, 2 * 10 + 3 * 2}));
    const std::vector<SheetPicture> six(6, pictures[0]); // three wide leaves no gap
    EXPECT_EQ(contact_sheet(six, 4, 2).size, (Size{3 * 20 + 4 * 2, 2 * 10 + 3 * 2}));
    EXPECT_EQ(evenly_spaced({0, 1, 2, 3, 4, 5, 6, 7, 8}, 3), (std::vector<std::uint64_t>{0, 4, 8}));
    EXPECT_EQ(evenly_spaced({4, 5}, 12), (std::vector<std::uint64_t>{4, 5}));
}

// Two walls that meet at a corner, the right one in a fifth of the light and painted darker, with noise of 20 %.
TEST(Denoise, TakesNoiseAwayAndKeepsEdges) {
    const Size size{48, 32};
    const auto light = [](int x) { return x < 24 ? 1.0f : 0.2f; };
    const auto albedo = [](int x) { return x < 24 ? 0.8f : 0.4f; };
    Image noisy(size);
    Features features(size);
    std::mt19937 random(1);
    std::uniform_real_distribution<float> noise(-1, 1);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const auto i = static_cast<std::size_t>(y) * size.width + x;
            const float mean = albedo(x) * light(x), spread = 0.2f * mean,
                        value = mean + std::sqrt(3.0f) * spread * noise(random);
            noisy.pixels[i] = {value, value, value};
            features.albedo.pixels[i] = {albedo(x), albedo(x), albedo(x)};
            features.normal.pixels[i] = x < 24 ? Color{0, 0, 1} : Color{1, 0, 0};
            features.depth[i] = 1, features.variance[i] = spread * spread;
        }
    const auto errors = [&](const Image& image, int from, int to) { // mean and root mean square, relative
        float sum = 0, squares = 0;
        for (int y = 0; y < size.height; ++y)
            for (int x = from; x < to; ++x) {
                const float error = image.at(x, y).x / (albedo(x) * light(x)) - 1;
                sum += error, squares += error * error;
            }
        const auto count = static_cast<float>(size.height * (to - from));
        return std::pair{sum / count, std::sqrt(squares / count)};
    };
    const Image clean = denoised(noisy, features);
    for (const auto& [from, to] : {std::pair{0, 24}, {24, 48}, {23, 24}, {24, 25}}) { // walls, and along their edge
        const auto [mean, spread] = errors(clean, from, to);
        EXPECT_NEAR(errors(noisy, from, to).second, 0.2, 0.04);
        EXPECT_NEAR(mean, 0, 0.02) << from;
        EXPECT_LT(spread, 0.05) << from;
    }
}

} // namespace
} // namespace loam
