// Sand: many small grains per particle (Lenaerts 2010, 5.3), either fixed to it or carried along by the flow around it.
#pragma once

#include <optional>
#include <vector>

#include "cache/frame.h"
#include "picture/loose_grains.h"
#include "picture/world.h"

namespace loam {

// Grain `number` of a particle: always the same one.
struct Grain {
    Vec3f offset; // from the particle, at the start [m]
    float radius = 0;
    float shade = 1; // its brightness beside that of the sand
};
Grain grain_of(std::uint32_t id, int number, int grains, float spacing, std::uint32_t start = 0);

// How much of the smooth skin of wet sand is there (Lenaerts 6.7): dry sand is grains, mud is a mesh.
float skin_of(float saturation);

// Grains that move with the displacements of the particles around them from frame to frame. The thesis interpolates
// velocities and finds two faults. Grains at the rim lag behind: here weights are normalized, so they do not. Grains
// gather where the field is not free of divergence: here each stays within reach of the particle that brought it, until
// that is loose. From then on it is on its own, in the air and where it has landed, if that is not beside its particle.
class AdvectedGrains {
public:
    // Without a scene no grain gets loose.
    AdvectedGrains(std::uint32_t body, int grains, const Scene* scene = nullptr, std::uint32_t seed = 0)
        : body_(body), grains_(grains), seed_(seed) {
        if (scene) loose_.emplace(*scene, body);
    }

    // The first frame seeds grains, each further one moves them; particles that are new bring their own.
    void advance(const Frame& next);
    std::optional<std::uint64_t> frame() const { return frame_; } // where they are

    // Those of the particle with this id; empty when it is not there.
    std::span<const Vec3f> of(std::uint32_t id) const;
    // Velocities of the same; w is 1 for those on their own, whose particle may be elsewhere. Empty where none is.
    std::span<const Float4> flights_of(std::uint32_t id) const;
    std::size_t size() const { return places_.size(); }

private:
    struct Particle {
        std::uint32_t id = 0;
        Vec3d at;
        double spacing = 0; // its own [m]
    };
    struct Neighbor {
        Vec3d at, moved;
    };
    std::vector<Particle> particles_in(const Frame& frame, bool own) const;
    void move(const std::vector<Particle>& next, const std::vector<Particle>& others, double spacing, double seconds);
    std::optional<std::size_t> row_of(std::uint32_t id) const;

    std::uint32_t body_;
    int grains_;
    std::uint32_t seed_;
    std::optional<LooseGrains> loose_;
    std::optional<std::uint64_t> frame_;
    double time_ = 0;
    std::vector<Particle> particles_, others_; // by id; others: of other bodies
    std::vector<Vec3f> places_;                // `grains_` for each
    std::vector<Float4> flights_;              // the same; empty while no grain is loose
};

} // namespace loam
