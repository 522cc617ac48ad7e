// Fields that are sums of particles' kernels, and how they are sampled: only in blocks that the surface may pass.
//
// Blocks near exposed particles come first. Then, as long as the signs at the rim of the sampled blocks say that the
// surface goes on in a block without values, that block is added. So the surface is never cut off, and its deep inside
// costs nothing.
#pragma once

#include "surface/method.h"

namespace loam {

// One block of nodes, seen from the cloud.
struct BlockFrame {
    Vec3d first_node; // relative to the cloud's origin
    double cell = 0;
};

class KernelField {
public:
    virtual ~KernelField() = default;
    // How far from a particle of size 1 its kernel is felt, and how far from its place that kernel may stand.
    virtual double reach(const Cloud& cloud) const = 0;
    virtual double largest_shift(const Cloud&) const { return 0; }
    // Once per frame.
    virtual void begin(const Cloud&) {}
    // Before blocks near these particles are sampled; each particle comes once.
    virtual void prepare(const Cloud&, std::span<const std::uint32_t>) {}
    // The field at the nodes of a block, from the particles near it. 2D: only the first layer of nodes.
    virtual void sample(const Cloud& cloud, const BlockFrame& block, std::span<const std::uint32_t> particles,
                        float* values) const = 0;
    virtual float outside(const Cloud& cloud) const = 0; // where no particle is felt
    virtual float inside(const Cloud& cloud) const = 0;  // deep inside, about
    // By how much the field changes per metre at the surface, about.
    virtual double steepness(const Cloud& cloud) const = 0;
};

Result<SparseField> sample_field(const Cloud& cloud, KernelField& kernels, const FieldOptions& options);

// Blocks within `distance` of the exposed particles, and of all others; sorted. An error when they would need more
// memory than is allowed.
struct NearBlocks {
    std::vector<BlockKey> exposed, others;
};
Result<NearBlocks> blocks_near(const Cloud& cloud, double distance, const FieldOptions& options);

// Values at the nodes of some blocks; prepares particles that have not been yet.
class BlockSampler {
public:
    BlockSampler(const Cloud& cloud, KernelField& kernels, double cell);
    // Appends the values of the blocks.
    void sample(std::span<const BlockKey> keys, std::vector<float>& values);

private:
    BlockFrame frame_of(BlockKey key) const;
    template <class Visit> void each_near(const BlockFrame& block, const Visit& visit) const;
    void prepare(std::span<const BlockKey> keys);
    void add_slab(const BlockFrame& block, float* values) const;

    const Cloud& cloud_;
    KernelField& kernels_;
    double cell_;
    std::vector<std::uint8_t> prepared_;
};

// A method that is nothing but such a field.
template <class Field> class KernelMethod : public SurfaceMethod {
public:
    explicit KernelMethod(const Values& values) : field_(values) {}
    Result<SparseField> field(const Cloud& cloud, const FieldOptions& options) override {
        return sample_field(cloud, field_, options);
    }

private:
    Field field_;
};

template <class Method> std::unique_ptr<SurfaceMethod> make_surface_method(const Values& values) {
    return std::make_unique<Method>(values);
}

} // namespace loam
