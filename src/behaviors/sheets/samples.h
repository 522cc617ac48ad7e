// Where a layer is stretched it gets more particles, so that fluids find no holes in it: one in the middle of each
// long edge. They are samples of the layer, not mass points of it: they follow its points and hand what acts on them
// back to these, so the layer's own law does not know of them, and nothing has to be cut anew.
//
//   s_e = (l_e - 1.1 b_e) / (0.2 b_e), from 0 to 1          how much of a particle the sample is: it comes and goes
//                                                           without a jolt
//   c_e = s_e min(m/A)_ab sum_T A_T / 8                     mass that each end hands over; at s = 1 on all edges as the
//                                                           corners and edges of triangles that are cut in four
//   V_p = V0_p max(1, A_p / A0_p)                           volume of a point with all that it has handed over: the
//                                                           layer stays as thick, so as tight, where its area grows
//   x_e = (x_a + x_b) / 2,  v_e = (v_a + v_b) / 2           so momentum is that of the points with their whole mass M
//   a_p = (m_p a_p + sum_e c_e a_e) / M_p                   forces are handed back
//
// l_e length now, b_e at rest but at least the spacing of particles, a and b its ends, T its triangles, A_T, A0 areas
// at rest, A_p now: a third of each triangle at the point. What Lenaerts 2009, section 4.4.1, leaves open.
#pragma once

#include "particles/pool.h"

namespace loam {

// The column that tells samples: the edge of LayerMesh + 1; 0 for all others.
Column<std::uint32_t> declare_samples(Pool& pool);

} // namespace loam
