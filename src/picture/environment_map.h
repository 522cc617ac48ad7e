// A picture of everything around, as photographers make it: light from every direction (Radiance .hdr, longitude across
// and latitude down).
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "picture/color.h"

namespace loam {

class EnvironmentMap {
public:
    static Result<std::shared_ptr<const EnvironmentMap>> read(const std::filesystem::path& path);

    EnvironmentMap(int width, int height, std::vector<Color> pixels);

    // The middle of the map is along -z, y is up.
    Color radiance(const Vec3f& direction) const { return fine_.at(direction); }
    // Means over some ten degrees: light on what scatters it, without noise.
    Color blurred(const Vec3f& direction) const { return coarse_.at(direction); }

private:
    struct Pixels {
        int width = 0, height = 0;
        std::vector<Color> values;

        Color at(const Vec3f& direction) const; // between the four around it
    };
    Pixels fine_, coarse_;
};

} // namespace loam
