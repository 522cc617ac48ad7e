// The inner loops of the neighbor search; see grid.h for the order of particles that they rely on.
#include <bit>

#include "neighbors/search.h"
#include "passes/lanes.h"

namespace loam::LOAM_ISA {
namespace {

#if defined(LOAM_ISA_scalar)

// Appends the candidates [from, to) that lie within reach of the query.
template <bool Own>
LAW std::uint32_t* test_run(const GridView& targets, std::uint32_t from, std::uint32_t to, std::uint32_t self, real3 at,
                            float reach, std::uint32_t* out) {
    for (std::uint32_t k = from; k < to; ++k) {
        const real3 d{at.x - targets.x[k], at.y - targets.y[k], at.z - targets.z[k]};
        const float r = Own ? larger(reach, targets.reach[k]) : reach;
        if (dot(d, d) < r * r && k != self) *out++ = k;
    }
    return out;
}

#else

struct Permutations {
    alignas(32) std::uint32_t order[256][8];
};

constexpr Permutations make_permutations() {
    Permutations p{};
    for (unsigned mask = 0; mask < 256; ++mask) {
        unsigned n = 0;
        for (unsigned bit = 0; bit < 8; ++bit)
            if (mask >> bit & 1) p.order[mask][n++] = bit;
    }
    return p;
}

constexpr Permutations permutations = make_permutations();

template <bool Own>
LAW std::uint32_t* test_run(const GridView& targets, std::uint32_t from, std::uint32_t to, std::uint32_t self, real3 at,
                            real reach, std::uint32_t* out) {
    const __m256i eight = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const auto test = [&](std::uint32_t k, unsigned valid) LAW_LAMBDA {
        const real x = _mm256_loadu_ps(targets.x + k), y = _mm256_loadu_ps(targets.y + k),
                   z = _mm256_loadu_ps(targets.z + k);
        const real3 d = at - real3{x, y, z};
        const real r = Own ? larger(reach, _mm256_loadu_ps(targets.reach + k)) : reach;
        const real within = _mm256_cmp_ps(dot(d, d), r * r, _CMP_LT_OQ);
        unsigned mask = static_cast<unsigned>(_mm256_movemask_ps(within)) & valid;
        if (self - k < 8) mask &= ~(1u << (self - k));
        const __m256i index = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(k)), eight);
        const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i*>(permutations.order[mask]));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(index, order));
        out += __builtin_popcount(mask);
    };
    std::uint32_t k = from;
    for (; k + 8 <= to; k += 8) test(k, 0xff);
    if (k < to) test(k, (1u << (to - k)) - 1);
    return out;
}

#endif

LAW std::uint32_t find_row(const GridView& grid, std::int32_t y, std::int32_t z) { // row index + 1, or 0
    for (std::uint32_t slot = row_hash(y, z);; ++slot) {
        const std::uint32_t row = grid.table[slot & grid.table_mask];
        if (row == 0 || (grid.rows[row - 1].y == y && grid.rows[row - 1].z == z)) return row;
    }
}

// The run of candidates in one neighboring row; moves along the row as the queries' x-cells grow.
struct Cursor {
    std::uint32_t lo, hi, end;
    std::int32_t shift;           // of x-cells, for a periodic image
    float dx, dy, dz;             // added to the query for a periodic image
    float y_lo, y_hi, z_lo, z_hi; // the row's cross-section

    // Whether any point of the row can be within reach of the point (y, z); with room for rounding.
    LAW bool is_near(float y, float z, float reach2) const {
        const float oy = y < y_lo ? y_lo - y : y > y_hi ? y - y_hi : 0;
        const float oz = z < z_lo ? z_lo - z : z > z_hi ? z - z_hi : 0;
        return oy * oy + oz * oz < reach2;
    }

    LAW void seek(const std::uint32_t* x_cell, std::uint32_t begin, std::int32_t x) { // first with x_cell >= x - reach
        std::uint32_t step = end - begin;
        lo = begin;
        while (step > 0) {
            const std::uint32_t half = step / 2;
            if (static_cast<std::int32_t>(x_cell[lo + half]) < x + shift - cells_per_reach_x)
                lo += half + 1, step -= half + 1;
            else
                step = half;
        }
        hi = lo;
    }
    LAW void advance(const std::uint32_t* x_cell, std::int32_t x) {
        const std::int32_t first = x + shift - cells_per_reach_x, last = x + shift + cells_per_reach_x;
        while (lo < end && static_cast<std::int32_t>(x_cell[lo]) < first) ++lo;
        if (hi < lo) hi = lo;
        while (hi < end && static_cast<std::int32_t>(x_cell[hi]) <= last) ++hi;
    }
};

constexpr int cursors_at_most = 27 * 9;

// Cursors for all rows, and their periodic images, next to row (y, z), starting at x-cell x; all relative to the
// targets.
int make_cursors(const SearchArgs& a, std::int32_t x, std::int32_t y, std::int32_t z, Cursor* cursors) {
    const GridView& t = a.targets;
    int count = 0;
    const int rz = a.flat ? 0 : 1;
    const auto images = [&](int axis) { return a.period[axis] > 0 ? 1 : 0; };
    for (int kz = -images(2); kz <= images(2); ++kz)
        for (int ky = -images(1); ky <= images(1); ++ky)
            for (int dz = -rz; dz <= rz; ++dz)
                for (int dy = -1; dy <= 1; ++dy) {
                    const std::uint32_t row = find_row(t, y + dy + ky * a.period[1], z + dz + kz * a.period[2]);
                    if (row == 0) continue;
                    for (int kx = -images(0); kx <= images(0); ++kx) {
                        Cursor& c = cursors[count++];
                        c.end = t.rows[row - 1].end;
                        c.shift = kx * a.period[0];
                        c.dx = static_cast<float>(kx) * a.length[0];
                        c.dy = static_cast<float>(ky) * a.length[1];
                        c.dz = static_cast<float>(kz) * a.length[2];
                        c.y_lo = static_cast<float>(t.rows[row - 1].y + t.least.y) * a.cell_y;
                        c.z_lo = static_cast<float>(t.rows[row - 1].z + t.least.z) * a.cell_z;
                        c.y_hi = c.y_lo + a.cell_y, c.z_hi = c.z_lo + a.cell_z;
                        c.seek(t.x_cell, t.rows[row - 1].begin, x);
                    }
                }
    return count;
}

template <bool Own> void search_range(const SearchArgs& a, Range range, ListBlock& block) {
    const GridView &q = a.queries, &t = a.targets;
    const std::int32_t to_x = q.least.x - t.least.x, to_y = q.least.y - t.least.y, to_z = q.least.z - t.least.z;
    Cursor cursors[cursors_at_most];
    int cursor_count = 0;

    // The last row that begins at or before the first query.
    std::uint32_t row = 0;
    for (std::uint32_t step = std::bit_floor(q.row_count); step > 0; step /= 2)
        if (row + step < q.row_count && q.rows[row + step].begin <= range.begin) row += step;
    std::uint32_t row_end = 0;
    std::int32_t x_before = 0;
    std::uint32_t candidates = 0;

    for (std::size_t i = range.begin; i != range.end; ++i) {
        const std::int32_t x = static_cast<std::int32_t>(q.x_cell[i]) + to_x;
        const bool new_row = i >= row_end;
        if (new_row) {
            while (q.rows[row].end <= i) ++row;
            row_end = q.rows[row].end;
            cursor_count = make_cursors(a, x, q.rows[row].y + to_y, q.rows[row].z + to_z, cursors);
        }
        if (new_row || x != x_before) {
            candidates = 0;
            for (int c = 0; c < cursor_count; ++c) {
                cursors[c].advance(t.x_cell, x);
                candidates += cursors[c].hi - cursors[c].lo;
            }
            x_before = x;
        }
        std::uint32_t* const begin = list_room(block, candidates + 2 * list_padding);
        std::uint32_t* out = begin;
        const auto self = a.same ? static_cast<std::uint32_t>(i) : 0xffffffffu;
        const real reach = broadcast(q.reach ? q.reach[i] : a.reach);
        // Where reaches differ, or outliers share cells, every row counts; elsewhere a little beyond the reach.
        const float row_reach2 = Own || t.shared_cells ? 1e30f : 1.0001f * a.reach * a.reach;
        for (int c = 0; c < cursor_count; ++c) {
            const Cursor& run = cursors[c];
            const float y = q.y[i] + run.dy, z = q.z[i] + run.dz;
            if (!run.is_near(y, z, row_reach2)) continue;
            const real3 at{broadcast(q.x[i] + run.dx), broadcast(y), broadcast(z)};
            out = test_run<Own>(t, run.lo, run.hi, self, at, reach, out);
        }
        const auto found = static_cast<std::uint32_t>(out - begin);
        a.entries[i] = {static_cast<std::uint32_t>(block.used), found};
        for (std::uint32_t k = found; k % list_padding != 0; ++k) *out++ = t.count;
        block.used += static_cast<std::size_t>(out - begin);
    }
}

} // namespace

void search_block(const SearchArgs& args, Range range, ListBlock& block) {
    if (args.targets.reach)
        search_range<true>(args, range, block);
    else
        search_range<false>(args, range, block);
}

} // namespace loam::LOAM_ISA
