// What a law may use, as OpenCL C: the words of src/base/lanes.h with one particle per work item.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable // sums of what is kept to the last bit
#define LAW static inline
#define real float
#define real3 float3
#define real4 float4
#define wide double
#define broadcast(x) ((float)(x))
#define cross law_cross // the laws' own; OpenCL's may round otherwise

enum KernelKind { KERNEL_CUBIC, KERNEL_WENDLAND, KERNEL_POLY6, KERNEL_SPIKY, KERNEL_VISCOSITY };

LAW wide to_wide(real x) { return (wide)x; }
LAW real square_root(real x) { return sqrt(x); }
LAW real inverse_root(real x) { return 1.0f / sqrt(x); }
LAW real positive_part(real x) { return x > 0.0f ? x : 0.0f; }
LAW real nearest_whole(real x) { return rint(x); }
LAW real larger(real a, real b) { return a > b ? a : b; }
LAW real smaller(real a, real b) { return a < b ? a : b; }
LAW real3 real3_of(real x, real y, real z) { return (real3)(x, y, z); }
LAW real4 real4_of(real3 xyz, real w) { return (real4)(xyz, w); }
