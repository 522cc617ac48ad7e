// Rocks: ellipsoids bent by noise, dropped one after the other onto the pile.
#include <array>

#include "particles/shapes/distances.h"
#include "particles/shapes/figures.h"
#include "particles/shapes/kinds.h"
#include "particles/shapes/noise.h"

namespace loam {
namespace {

struct Rock {
    Vec3d center, radii, axis;
    double angle, reach; // radius of a ball that holds it
    std::uint64_t seed;
    std::array<Vec3d, 3> sides; // normals of the flat sides where it broke
};

constexpr double bump = 0.16;  // height of the noise, in radii
constexpr double steep = 1.25; // bound on the slope that the noise adds

double rock_distance(const Rock& rock, const Vec3d& at) {
    const double off = length(at - rock.center);
    if (off > 2 * rock.reach) return (off - rock.reach) / steep;
    const Placement pose{rock.center, rock.axis, rock.angle, 1};
    const Vec3d p = pose.invert(at);
    const double size = std::min({rock.radii.x, rock.radii.y, rock.radii.z});
    const double noise = fractal_noise(p / (1.3 * size), 3, 0.4, rock.seed);
    double d = ellipsoid_distance(p, rock.radii);
    for (const Vec3d& side : rock.sides) d = smooth_max(d, dot(p, side) - 0.78 * size, 0.25 * size);
    return (d + bump * size * noise) / steep;
}

// The lowest place above (x, z) where a ball of radius r lies on the floor or on others, a little sunk into them.
double resting_height(double x, double z, double r, double floor, const std::vector<Rock>& rocks) {
    double y = floor + 0.7 * r;
    for (const Rock& other : rocks) {
        const double touch = 0.8 * (r + std::cbrt(other.radii.x * other.radii.y * other.radii.z));
        const double dx = x - other.center.x, dz = z - other.center.z;
        const double gap = touch * touch - dx * dx - dz * dz;
        if (gap > 0) y = std::max(y, other.center.y + std::sqrt(gap));
    }
    return y;
}

} // namespace

ShapePtr rock_pile(const RockPile& pile) {
    Sequence random(pile.seed);
    std::vector<Rock> rocks;
    Bounds bounds;
    const bool flat = !(pile.region.hi.z > pile.region.lo.z); // a row in the plane of a 2D scene
    for (int tries = 0; tries < 30 * pile.most && static_cast<int>(rocks.size()) < pile.most; ++tries) {
        const double r = 0.5 * pile.size * (1 + pile.variation * random.next(-1, 1));
        Rock rock{{},
                  {r * random.next(0.85, 1.25), r * random.next(0.65, 0.9), r * random.next(0.8, 1.15)},
                  normalized(Vec3d{random.next(-0.4, 0.4), 1, random.next(-0.4, 0.4)}),
                  random.next(0, 6.28),
                  0,
                  hash_of(pile.seed, tries, 17),
                  {}};
        for (Vec3d& side : rock.sides)
            side = normalized(Vec3d{random.next(-1, 1), random.next(-1, 1), random.next(-1, 1)});
        rock.reach = (1 + bump) * std::max({rock.radii.x, rock.radii.y, rock.radii.z});
        // Of a few places the lowest: a pile, not a tower.
        double best = 1e300;
        for (int place = 0; place < 6; ++place) {
            const double x = random.next(pile.region.lo.x + r, std::max(pile.region.lo.x + r, pile.region.hi.x - r));
            const double z =
                flat ? pile.region.lo.z
                     : random.next(pile.region.lo.z + r, std::max(pile.region.lo.z + r, pile.region.hi.z - r));
            const double y = resting_height(x, z, r, pile.region.lo.y, rocks);
            if (y < best) best = y, rock.center = {x, y, z};
        }
        if (best + r > pile.region.hi.y) continue;
        rocks.push_back(rock);
        bounds.add(Bounds{rock.center, rock.center}.grown(rock.reach));
    }
    if (rocks.empty()) return nullptr;
    return primitive(bounds, [rocks](const Vec3d& at) {
        const auto at_least = [&](const Rock& rock) { return (length(at - rock.center) - rock.reach) / steep; };
        const Rock* first = &rocks[0];
        for (const Rock& rock : rocks)
            if (at_least(rock) < at_least(*first)) first = &rock;
        double d = rock_distance(*first, at);
        for (const Rock& rock : rocks)
            if (&rock != first && at_least(rock) < d) d = std::min(d, rock_distance(rock, at));
        return d;
    });
}

} // namespace loam
