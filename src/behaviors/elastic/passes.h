// The loops over the bonds of elastic bodies; the laws are in elastic.law.h. Everything is in slot order, and in the
// frame of the body: displacements are small, so single precision is enough for stiff bodies too.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "base/vec.h"

namespace loam {

struct BondView {
    const std::uint32_t* begin;
    const std::uint32_t* other;
    const float *x, *y, *z;
    const float* weight;
};

struct ElasticArgs {
    BondView bonds;
    const Float4* inverse_first;  // L: xx xy xz yy
    const Float4* inverse_second; // yz zz, holds, across: see Reference
    const Float4* null;
    const Float4* moduli;       // lambda, mu, k (against zero-energy modes), inner pressure
    const Float4* displacement; // u; or a change of it, for elastic_change
    const Float4* velocity;     // in the frame; w: eta
    Float4* turn;               // quaternion of the rotation: x y z, w the real part
    Float4* gradient;           // H, three rows per particle; w: h, the fit along the direction n of `null`
    Float4* stress;             // M = P L - k (H + h n^T), three rows per particle; w of the first: k
    Float4* force;              // per volume
    // Plastic flow, or null where nothing flows.
    const Float4* flow_law; // yield stress, hardening, part of the shear strain that stays elastic in this step
    Float4* flow;           // inverse of the plastic deformation, three rows; w of the first: plastic strain so far
};

// H_i = sum_j w u_ij X_ij^T L_i,  h_i = sum_j w u_ij X_ij . n / sum_j w (X_ij . n)^2
LOAM_DISPATCH(elastic_gradient, void(const ElasticArgs&, Range))
// M_i from H_i, and the rotations. Arrays reach to the next whole lane.
LOAM_DISPATCH(elastic_stress, void(const ElasticArgs&, Range))
// The same for a small change of H at fixed rotations and flow.
LOAM_DISPATCH(elastic_stress_change, void(const ElasticArgs&, Range))
// f_i = sum_j w ((M_i + M_j) X_ij + (k_i + k_j) u_ij)
LOAM_DISPATCH(elastic_force, void(const ElasticArgs&, Range))
// f_i += sum_j w (eta_i + eta_j) (v_ij . e) e along the bonds as they are now
LOAM_DISPATCH(elastic_damping, void(const ElasticArgs&, Range))

} // namespace loam
