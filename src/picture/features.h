// What is known of each pixel besides its light; guides the denoiser.
#pragma once

#include "picture/image.h"

namespace loam {

struct Features {
    Image albedo, normal;
    std::vector<float> depth, variance; // variance of the mean of the luminance

    explicit Features(Size size) : albedo(size), normal(size), depth(size.pixels()), variance(size.pixels()) {}
};

// Smooths noise but not edges: an a-trous wavelet filter (Dammertz et al. 2010) steered by normal, albedo and depth,
// and by how noisy a pixel is (Schied et al. 2017).
Image denoised(const Image& noisy, const Features& features);

} // namespace loam
