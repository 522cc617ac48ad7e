// The loops of exchanges; the law is in transfer.law.h. All of them visit particles and their neighbors once.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

struct TransferArgs {
    PairView particles{};
    Kernel kernel{};
    float dt = 0;
    Float4 drive;                   // b
    const Float4* record = nullptr; // u, 1 / k, m, w
};

// The least of c_i / (dt sum_j g_ij): how many times dt the longest explicit step is.
struct HeadroomArgs {
    TransferArgs pairs;
    const Float4* state = nullptr; // w: storage c
};
LOAM_DISPATCH(transfer_headroom, double(const HeadroomArgs&, Range))

// limits <- the share that i can give of what it is asked for, and take of what it is brought
struct LimitArgs {
    TransferArgs pairs;
    const double* amount = nullptr;
    const float* capacity = nullptr; // null: no bound
    Float4* limits = nullptr;        // give, take
};
LOAM_DISPATCH(transfer_limits, void(const LimitArgs&, Range))

struct MoveArgs {
    TransferArgs pairs;
    const Float4* limits = nullptr;   // null: none
    const Float4* velocity = nullptr; // null: what moves has no mass
    float back = 0;                   // mass of what comes back, as a part of that which moves
    double* net = nullptr;            // what i loses less what it gets
    Float4* received = nullptr;       // sum of amount (v_j - v_i) over what came in
};
LOAM_DISPATCH(transfer_move, void(const MoveArgs&, Range))

// The implicit system  A w = r,  (A w)_i = c_i w_i + dt sum_j g_ij (w_i - w_j),  r_i = -dt sum_j F_ij(u).
// A is symmetric and positive.
struct TransferSystemArgs {
    TransferArgs pairs;
    const Float4* state = nullptr;     // w: storage c
    float* inverse_diagonal = nullptr; // of A
    float* residual = nullptr;         // r
};
LOAM_DISPATCH(transfer_system, void(const TransferSystemArgs&, Range))

// product <- A w; returns w . A w
struct TransferProductArgs {
    TransferArgs pairs;            // record.w: w
    const Float4* state = nullptr; // w: storage c
    float* product = nullptr;
};
LOAM_DISPATCH(transfer_product, double(const TransferProductArgs&, Range))

} // namespace loam
