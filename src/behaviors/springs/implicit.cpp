#include "behaviors/springs/implicit.h"

#include "behaviors/springs/momentum.h"
#include "passes/pass.h"

namespace loam {
namespace {

constexpr int most_iterations = 500;

using Field = std::vector<Float4>;

double product_of(const Field& a, const Field& b) {
    return parallel_reduce(
        a.size(), 0.0,
        [&](Range range) {
            double sum = 0;
            for (std::size_t s = range.begin; s != range.end; ++s)
                sum += static_cast<double>(a[s].x) * b[s].x + static_cast<double>(a[s].y) * b[s].y +
                       static_cast<double>(a[s].z) * b[s].z;
            return sum;
        },
        [](double a_sum, double b_sum) { return a_sum + b_sum; });
}

void add(Field& to, double scale, const Field& what) {
    const auto f = static_cast<float>(scale);
    parallel_each(to.size(),
                  [&](std::size_t s) { to[s].x += f * what[s].x, to[s].y += f * what[s].y, to[s].z += f * what[s].z; });
}

} // namespace

void ImplicitSprings::make_blocks(const SpringNetwork& network, const SlotMotion& motion, const Step& step,
                                  InstructionSet isa) {
    const auto h = static_cast<float>(step.seconds);
    for (auto* all : {&nx_, &ny_, &nz_, &across_, &along_}) all->resize(network.entries());
    blocks_ = {.nx = nx_.data(), .ny = ny_.data(), .nz = nz_.data(), .across = across_.data(), .along = along_.data()};
    for (Field* all : {&residual_, &diagonal_, &direction_, &product_, &smooth_}) all->resize(network.slots());
    change_.assign(network.slots(), {});
    run_on_slots(isa, spring_blocks,
                 {.rows = network.rows(),
                  .blocks = blocks_,
                  .place = motion.place.data(),
                  .velocity = motion.velocity.data(),
                  .h = h,
                  .stiff = step.damping_only ? 0.0f : 1.0f,
                  .damping_time = static_cast<float>(step.damping_time),
                  .force = residual_.data(),
                  .diagonal = diagonal_.data()},
                 network.groups(), groups_at_once);
    parallel_each(network.slots(), [&](std::size_t s) { // forces to impulses, diagonals to their inverses
        Float4 &r = residual_[s], &d = diagonal_[s];
        const float per_mass = motion.velocity[s].w;
        if (per_mass == 0) {
            r = d = {};
            return;
        }
        r = {h * r.x, h * r.y, h * r.z, 0};
        d = {1 / (1 / per_mass + d.x), 1 / (1 / per_mass + d.y), 1 / (1 / per_mass + d.z), 0};
    });
}

const std::vector<Float4>& ImplicitSprings::solve(const SpringNetwork& network, const SlotMotion& motion,
                                                  const Step& step, InstructionSet isa) {
    make_blocks(network, motion, step, isa);
    const auto precondition = [&] {
        parallel_each(network.slots(), [&](std::size_t s) {
            const Float4 &r = residual_[s], &d = diagonal_[s];
            smooth_[s] = {r.x * d.x, r.y * d.y, r.z * d.z, 0};
        });
    };
    precondition();
    direction_ = smooth_;
    double rho = product_of(residual_, smooth_);
    const double goal = tolerance_ * tolerance_ * rho;
    const SpringProductArgs args{.rows = network.rows(),
                                 .blocks = blocks_,
                                 .of = direction_.data(),
                                 .velocity = motion.velocity.data(),
                                 .product = product_.data()};
    for (iterations_ = 0; iterations_ < most_iterations && rho > goal && rho > 0; ++iterations_) {
        run_on_slots(isa, spring_product, args, network.groups(), groups_at_once);
        const double along = product_of(direction_, product_);
        if (!(along > 0)) break;
        add(change_, rho / along, direction_);
        add(residual_, -rho / along, product_);
        precondition();
        const double next = product_of(residual_, smooth_);
        const auto keep = static_cast<float>(next / rho);
        parallel_each(network.slots(), [&](std::size_t s) {
            const Float4& z = smooth_[s];
            Float4& p = direction_[s];
            p = {z.x + keep * p.x, z.y + keep * p.y, z.z + keep * p.z, 0};
        });
        rho = next;
    }
    keep_momentum(motion, change_);
    return change_;
}

} // namespace loam
