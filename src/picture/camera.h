// The camera: where rays begin, and where it stands when nobody says so.
#pragma once

#include "picture/image.h"
#include "picture/ray.h"
#include "picture/sampler.h"

namespace loam {

struct Camera {
    Vec3d from{0, 0, 1}, to{};
    double view = 30;    // vertical angle of view [degrees]
    double height = 0;   // of what is seen [m]: orthographic; 0: perspective
    double aperture = 0; // diameter of the lens [m]; 0: everything is sharp
    double focus = 0;    // distance that is sharp [m]; 0: that of `to`
};

// Rays of a camera for pictures of one size.
class Lens {
public:
    Lens(const Camera& camera, Size size);
    // x, y in pixels from the upper left corner.
    Ray ray(float x, float y, Sampler& sampler) const;
    double pixel_size() const { return pixel_; } // [m] at the focus

private:
    Size size_;
    Vec3f from_, forward_, right_, up_;
    float half_width_, half_height_, focus_, lens_;
    double pixel_;
    bool parallel_;
};

// A camera that has all of the box in view: from the front, the right and slightly above; straight on in 2D.
Camera frame_bounds(const Bounds& bounds, int dimensions, Size size, double view = 30);
// The same direction and angle, moved until the box is in view.
Camera fitted(Camera camera, const Bounds& bounds, Size size);

} // namespace loam
