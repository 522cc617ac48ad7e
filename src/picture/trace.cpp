#include "picture/trace.h"

#include <limits>
#include <utility>

#include "base/parallel.h"
#include "picture/features.h"

namespace loam {
namespace {

constexpr float pi = 3.14159265f, water_index = 1.33f; // of refraction
constexpr int tile_edge = 16;

// What a path found out about its pixel.
struct Sample {
    Color light, albedo;
    Vec3f normal;
    float depth = 0;
};

// One path of light, from the camera to a source.
class Path {
public:
    Path(const World& world, const Light& light, const TraceOptions& options, Sampler& sampler)
        : world_(world), light_(light), options_(options), sampler_(sampler) {}

    Sample follow(Ray ray) {
        ray_ = ray;
        bool first = true;
        while (true) {
            const std::optional<Hit> hit = world_.nearest(ray_);
            if (const std::optional<float> met = meets_mist(hit)) {
                if (std::exchange(first, false)) note_mist(*met);
                if (!scatter_in_mist(*met) || dies_out()) return sample_;
                continue;
            }
            if (!hit) break;
            look_through_panes(hit->distance);
            if (medium_) throughput_ = throughput_ * exp(-world_.depth(*medium_, ray_, 0, hit->distance));
            if (crosses(*hit)) continue;
            if (first) note(*hit);
            first = false;
            if (hit->floor && !medium_ && fades(*hit)) break;
            if (!bounce(*hit) || dies_out()) return sample_;
        }
        if (first) sample_.albedo = {1, 1, 1}, sample_.depth = 1e6f;
        look_through_panes(std::numeric_limits<float>::infinity());
        reach_sky();
        return sample_;
    }

private:
    // What is only partly there may be passed as if it were not.
    bool crosses(const Hit& hit) {
        if (hit.opacity >= 1 || sampler_.next() < hit.opacity) return false;
        return go(hit, ray_.direction, medium_ != nullptr);
    }

    // Panes mirror the sky and nothing else, and only where they are seen: that is free of noise, and what more they do
    // is faint.
    void look_through_panes(float distance) {
        if (medium_ || scatterings_ > 0) return;
        Ray onward = ray_;
        while (const std::optional<Pane> pane = world_.next_pane(onward, distance)) {
            const float cosine = std::abs(dot(pane->outward, ray_.direction));
            const float mirrors = pane_reflects(*pane->material, cosine);
            Vec3f mirrored = reflected(ray_.direction, pane->outward);
            mirrored.y = std::abs(mirrored.y); // a lit floor is about as bright as the sky
            add(mirrors * light_.sky.mirrored(mirrored));
            throughput_ = (1 - mirrors) * throughput_ * pane_passes(*pane->material, cosine);
            onward.begin = pane->distance * (1 + 1e-5f) + 1e-7f;
        }
    }

    std::optional<float> meets_mist(const std::optional<Hit>& hit) {
        if (!world_.mist()) return std::nullopt;
        const auto detail = scatterings_ > 0 ? Mist::Detail::coarse : Mist::Detail::fine;
        return world_.mist()->meets(ray_, hit ? hit->distance : std::numeric_limits<float>::infinity(), sampler_,
                                    detail);
    }

    void note_mist(float distance) {
        sample_.albedo = {1, 1, 1};
        sample_.normal = -ray_.direction;
        sample_.depth = distance;
    }

    // Drops and bubbles send light on in all directions and take next to nothing of it. What has been scattered often
    // gets deeper than what has not been: the sun counts twice, once less dimmed (Wrenninge et al. 2013, the first
    // two octaves).
    bool scatter_in_mist(float distance) {
        constexpr float white = 0.98f, less_dimmed = 0.25f, its_share = 1.6f;
        constexpr int most = 4;
        look_through_panes(distance);
        if (medium_) throughput_ = throughput_ * exp(-world_.depth(*medium_, ray_, 0, distance));
        throughput_ *= white;
        const Vec3f place = at(ray_, distance);
        if (luminance(light_.sun.irradiance) > 0) {
            const Ray to_sun{place, light_.sun.sample(sampler_), ray_.time};
            const Color visible = world_.light_through(to_sun, World::Through::all_but_mist);
            const float depth =
                luminance(visible) > 0 ? world_.mist()->depth(to_sun, std::numeric_limits<float>::infinity()) : 0;
            const float bright = std::exp(-depth) + its_share * std::exp(-less_dimmed * depth);
            add((bright / (4 * pi)) * light_.sun.irradiance * visible);
        }
        mirrored_ = false;
        scatterings_ = std::max(scatterings_, 1);
        if (++in_mist_ > most) return add(0.5f * light_.sky.radiance({0, 1, 0})), false;
        const auto [u, v] = sampler_.next2();
        const float z = 1 - 2 * u, r = std::sqrt(std::max(0.0f, 1 - z * z));
        ray_ = {place, {r * std::cos(2 * pi * v), z, r * std::sin(2 * pi * v)}, ray_.time};
        return true;
    }

    // Paths that carry little end by chance; those that go on carry the more for it.
    bool dies_out() {
        constexpr float little = 0.25f;
        const float most = little * started_with_, carried = largest(throughput_);
        if (carried >= most) return false;
        if (most * sampler_.next() >= carried) return true;
        throughput_ *= most / carried;
        return false;
    }

    void note(const Hit& hit) {
        const bool textured = hit.material->kind == Material::Kind::solid;
        sample_.albedo = textured ? hit.color : Color{1, 1, 1};
        sample_.normal = hit.normal;
        sample_.depth = hit.distance;
    }

    // The floor goes over into the sky at the horizon.
    bool fades(const Hit& hit) {
        const float fade = world_.floor()->fade_at(at(ray_, hit.distance));
        if (fade <= 0 || sampler_.next() >= fade) return false;
        ray_.direction = normalized(Vec3f{ray_.direction.x, 0, ray_.direction.z});
        return true;
    }

    void reach_sky() {
        add(sky(ray_.direction));
        if (mirrored_ && light_.sun.shines_from(ray_.direction)) add(light_.sun.radiance());
    }

    Color sky(const Vec3f& direction) const {
        if (scatterings_ > 0) return light_.sky.radiance(direction);
        return mirrorings_ > 0 ? light_.sky.mirrored(direction) : light_.sky.seen(direction);
    }

    static float largest(const Color& c) { return std::max({c.x, c.y, c.z}); }

    void add(const Color& light) {
        Color more = throughput_ * light;
        const float brightness = largest(more);
        if (brightness > options_.brightest) more *= options_.brightest / brightness;
        sample_.light += more;
    }

    // Goes on from a hit; false where the path ends.
    bool bounce(const Hit& hit) {
        if (luminance(hit.glow) > 0) add(hit.glow);
        switch (hit.material->kind) {
        case Material::Kind::flat: add(hit.color); return false;
        case Material::Kind::clear: return pass(hit);
        case Material::Kind::pane: break; // is never met
        case Material::Kind::solid: return scatter(hit);
        }
        return false;
    }

    bool pass(const Hit& hit) {
        if (++mirrorings_ > options_.mirrorings) return add(light_.sky.radiance({0, 1, 0}) * 0.3f), false;
        const bool leaving = dot(hit.outward, ray_.direction) > 0;
        const Material& material = *hit.material;
        if (leaving && touches_solid(hit)) return go(hit, ray_.direction, false);
        const Vec3f normal = leaving ? -hit.normal : hit.normal;
        const float cosine = std::clamp(-dot(normal, ray_.direction), 1e-4f, 1.0f);
        const float eta = leaving ? material.ior : 1 / material.ior;
        mirrored_ = scatterings_ == 0;
        if (sampler_.next() < fresnel(cosine, eta)) {
            Vec3f onward = reflected(ray_.direction, normal);
            const Vec3f side = leaving ? -hit.outward : hit.outward;
            if (dot(onward, side) <= 0) onward = normalized(onward - 1.05f * dot(onward, side) * side);
            return go(hit, onward, leaving ? medium_ != nullptr : false);
        }
        medium_ = leaving ? nullptr : hit.tinted ? dyed(hit) : &material;
        return go(hit, refracted(ray_.direction, normal, eta), medium_ != nullptr);
    }

    // What is dissolved near the surface colors all of the way behind it.
    const Material* dyed(const Hit& hit) {
        dyed_ = *hit.material;
        dyed_.absorption = absorption_of(hit.color, hit.material->depth);
        return &dyed_;
    }

    // Meshes of water and of what it touches leave a thin gap, which is not there: light goes on straight.
    bool touches_solid(const Hit& hit) const { return hit.to_solid < hit.distance + options_.contact; }

    // Where a coat is seen itself, what it mirrors gets a path of its own: to choose one of both would leave white
    // dots.
    void split(const Hit& hit, const Vec3f& mirror, float mirrors, float roughness) {
        Path other(*this);
        other.throughput_ *= mirrors, other.started_with_ *= mirrors;
        other.sample_ = {};
        // A rough coat would meet the sun seldom and brightly: dots again.
        ++other.mirrorings_, other.mirrored_ = roughness < 0.15f;
        other.go(hit, mirror, false);
        sample_.light += other.follow(other.ray_).light;
        throughput_ *= 1 - mirrors, started_with_ *= 1 - mirrors;
        ++mirrorings_;
    }

    bool scatter(const Hit& hit) {
        const Material& material = *hit.material;
        const bool behind = dot(hit.outward, ray_.direction) > 0;
        const Vec3f normal = behind ? -hit.normal : hit.normal;
        const bool coated = material.coat || hit.film > 0;
        if (coated && !medium_ && (!behind || hit.film > 0)) { // sheets are wet on both sides
            const float cosine = std::clamp(-dot(normal, ray_.direction), 1e-4f, 1.0f);
            const float coat = material.coat ? fresnel(cosine, 1 / material.ior) : 0;
            const float mirrors =
                coat +
                hit.film * std::max(0.0f, fresnel(std::max(cosine, material.film_roughness), 1 / water_index) - coat);
            const float roughness = material.coat ? material.roughness : material.film_roughness;
            const Vec3f mirror = roughened(reflected(ray_.direction, normal), normal, roughness, sampler_);
            if (mirrorings_ == 0 && scatterings_ == 0) {
                split(hit, mirror, mirrors, roughness);
            } else if (sampler_.next() < mirrors) {
                if (++mirrorings_ > options_.mirrorings) return false;
                mirrored_ = scatterings_ == 0;
                return go(hit, mirror, false);
            }
        }
        throughput_ = throughput_ * hit.color;
        const bool through = material.let_through > 0 && sampler_.next() < material.let_through;
        const Vec3f side = through ? -normal : normal;
        add_sun(hit, side);
        mirrored_ = false;
        if (++scatterings_ > options_.scatterings) {
            add(0.35f * light_.sky.radiance({0, 1, 0})); // what further scattering would bring, about
            return false;
        }
        return go(hit, scattered(side, sampler_), medium_ != nullptr);
    }

    void add_sun(const Hit& hit, const Vec3f& side) {
        if (luminance(light_.sun.irradiance) <= 0) return;
        const Vec3f to_sun = light_.sun.sample(sampler_);
        const float cosine = dot(side, to_sun);
        if (cosine <= 0) return;
        const Color visible = world_.light_through(starting_at(hit, to_sun));
        add((cosine / pi) * light_.sun.irradiance * visible);
    }

    Ray starting_at(const Hit& hit, const Vec3f& direction) const {
        const Vec3f place = at(ray_, hit.distance);
        // A step off the surface, to the side where the ray goes, beyond the rounding of places.
        const float size = std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z), hit.distance, 1e-3f});
        const float step = (dot(direction, hit.outward) > 0 ? 1.0f : -1.0f) * 4e-6f * size;
        return {place + step * hit.outward, direction, ray_.time};
    }

    bool go(const Hit& hit, const Vec3f& direction, bool within) {
        ray_ = starting_at(hit, direction);
        if (!within) medium_ = nullptr;
        return true;
    }

    const World& world_;
    const Light& light_;
    const TraceOptions& options_;
    Sampler& sampler_;
    Ray ray_;
    Color throughput_{1, 1, 1};
    float started_with_ = 1; // what of it this path was given
    Material dyed_;
    const Material* medium_ = nullptr; // what the ray is in; null for air
    bool mirrored_ = false;            // the sun may be seen: nothing has scattered
    int scatterings_ = 0, mirrorings_ = 0, in_mist_ = 0;
    Sample sample_;
};

// Whether the error of the mean is small beside the mean; sum and squares of the luminance of the samples so far.
bool is_settled(float sum, float squares, int count, float error) {
    if (error <= 0 || count < 4) return false;
    const auto n = static_cast<float>(count);
    const float mean = sum / n, variance = std::max(0.0f, squares / n - mean * mean) / n;
    return variance < error * error * mean * mean;
}

void trace_pixel(int x, int y, const World& world, const Lens& lens, const Light& light, const TraceOptions& options,
                 Image& image, Features& features) {
    const auto index = static_cast<std::size_t>(y) * options.size.width + x;
    Sample sum;
    float squares = 0;
    int taken = 0;
    for (; taken < options.samples; ++taken) {
        if (2 * taken == options.samples && is_settled(luminance(sum.light), squares, taken, options.settled)) break;
        Sampler sampler(options.seed, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(taken));
        const auto [u, v] = sampler.next2();
        Ray ray = lens.ray(static_cast<float>(x) + u, static_cast<float>(y) + v, sampler);
        if (options.moving) ray.time = sampler.next();
        const Sample one = Path(world, light, options, sampler).follow(ray);
        sum.light += one.light, sum.albedo += one.albedo, sum.normal += one.normal, sum.depth += one.depth;
        squares += luminance(one.light) * luminance(one.light);
    }
    const float share = 1 / static_cast<float>(taken);
    image.pixels[index] = share * sum.light;
    features.albedo.pixels[index] = share * sum.albedo;
    features.normal.pixels[index] = share * sum.normal;
    features.depth[index] = share * sum.depth;
    const float mean = luminance(image.pixels[index]);
    features.variance[index] = std::max(0.0f, share * squares - mean * mean) * share;
}

} // namespace

Image trace(const World& world, const Lens& lens, const Light& light, const TraceOptions& options) {
    Image image(options.size);
    Features features(options.size);
    const int across = (options.size.width + tile_edge - 1) / tile_edge;
    const int down = (options.size.height + tile_edge - 1) / tile_edge;
    parallel_blocks(static_cast<std::size_t>(across) * down, 1, [&](Range, std::size_t tile) {
        const int x0 = static_cast<int>(tile) % across * tile_edge, y0 = static_cast<int>(tile) / across * tile_edge;
        for (int y = y0; y < std::min(y0 + tile_edge, options.size.height); ++y)
            for (int x = x0; x < std::min(x0 + tile_edge, options.size.width); ++x)
                trace_pixel(x, y, world, lens, light, options, image, features);
    });
    return options.denoise ? denoised(image, features) : image;
}

} // namespace loam
