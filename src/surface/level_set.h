// Sparse fields that move: values between nodes, and flow by curvature. For the method `active`.
#pragma once

#include "surface/sparse_field.h"

namespace loam {

// A field and the index of its blocks, for reading at any place.
class FieldReader {
public:
    explicit FieldReader(const SparseField& field) : field_(field), index_(field.keys), interior_(field.interior) {}

    float at_node(std::int32_t x, std::int32_t y, std::int32_t z) const;
    float at(const Vec3d& position) const; // trilinear

private:
    const SparseField& field_;
    BlockIndex index_, interior_;
};

// One step of motion by mean curvature with the normal speed kappa [1/m] times `amount` [m^2], which is at most a sixth
// of a cell squared: df/dt = kappa |grad f|, with kappa |grad f| = lap f - n^T (grad grad f) n. Bumps sink in, planes
// stay. 2D: in the plane only.
struct CurvatureFlow {
    double amount = 0;      // [m^2]
    double largest = 1e300; // what is curved more [1/m] moves no faster: drops do not vanish
    double band = 1e300;    // nodes further from the surface do not move [m]
    bool flat = false;
};
void curvature_step(SparseField& field, const CurvatureFlow& flow);

} // namespace loam
