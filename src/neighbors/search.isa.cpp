// The inner loops of the neighbor search; see grid.h for the order of particles that they rely on.
#include <bit>

#include "base/lanes.h"
#include "neighbors/search.h"

namespace loam::LOAM_ISA {
namespace {

#if defined(LOAM_ISA_scalar)

using indices = std::uint32_t;
LAW indices load(const std::uint32_t* from) { return *from; }
LAW real load(const float* from) { return *from; }
LAW indices count_from(std::uint32_t k) { return k; }
LAW unsigned less(real a, real b) { return a < b; }
LAW unsigned equal(indices a, std::uint32_t b) { return a == b; }
LAW unsigned below(indices a, std::int32_t b) { return static_cast<std::int32_t>(a) < b; }
// Stores the lanes of the mask side by side; lanes behind them are overwritten.
LAW void pack(float* to, real x, unsigned) { *to = x; }
LAW void pack(std::uint32_t* to, indices x, unsigned) { *to = x; }
LAW unsigned first_lanes(std::uint32_t) { return 1; }

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

using indices = __m256i;
LAW indices load(const std::uint32_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
LAW real load(const float* from) { return _mm256_loadu_ps(from); }
LAW indices count_from(std::uint32_t k) {
    return _mm256_add_epi32(_mm256_set1_epi32(static_cast<int>(k)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
LAW unsigned less(real a, real b) { return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ))); }
LAW unsigned equal(indices a, std::uint32_t b) {
    const __m256i same = _mm256_cmpeq_epi32(a, _mm256_set1_epi32(static_cast<int>(b)));
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
}
LAW unsigned below(indices a, std::int32_t b) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(b), a))));
}
LAW indices order_of(unsigned mask) { return load(permutations.order[mask]); }
// Stores the lanes of the mask side by side; lanes behind them are overwritten.
LAW void pack(float* to, real x, unsigned mask) { _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(x, order_of(mask))); }
LAW void pack(std::uint32_t* to, indices x, unsigned mask) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permutevar8x32_epi32(x, order_of(mask)));
}
LAW unsigned first_lanes(std::uint32_t count) { return count < 8 ? (1u << count) - 1 : 0xff; }

#endif

// The distance of x from the interval [lo, hi].
LAW real outside(real x, float lo, float hi) { return positive_part(larger(lo - x, x - hi)); }

LAW std::uint32_t find_row(const GridView& grid, std::int32_t y, std::int32_t z) { // row index + 1, or 0
    for (std::uint32_t slot = row_hash(y, z);; ++slot) {
        const std::uint32_t row = grid.table[slot & grid.table_mask];
        if (row == 0 || (grid.rows[row - 1].y == y && grid.rows[row - 1].z == z)) return row;
    }
}

struct Box {
    float lo[3], hi[3];
};

LAW float gap(float lo, float hi, float other_lo, float other_hi) {
    return hi < other_lo ? other_lo - hi : lo > other_hi ? lo - other_hi : 0;
}

// The run of candidates in one neighboring row; moves along the row as the queries' x-cells grow.
struct Cursor {
    std::uint32_t lo, hi, end;
    std::int32_t shift;           // of x-cells, for a periodic image
    float dx, dy, dz;             // added to the query for a periodic image
    float y_lo, y_hi, z_lo, z_hi; // the row's cross-section

    // Whether any point of the row can be within reach of the box.
    LAW bool is_near(const Box& box, float reach2) const {
        const float oy = gap(box.lo[1] + dy, box.hi[1] + dy, y_lo, y_hi);
        const float oz = gap(box.lo[2] + dz, box.hi[2] + dz, z_lo, z_hi);
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
    LAW void advance(const std::uint32_t* x_cell, std::int32_t x, std::int32_t x_last) {
        const std::int32_t first = x + shift - cells_per_reach_x, last = x_last + shift + cells_per_reach_x;
        lo = pass(x_cell, lo, first);
        hi = pass(x_cell, hi < lo ? lo : hi, last + 1);
    }
    // The first from `at` on whose x-cell is not below x. Some lanes may look beyond the row's end: cells are padded.
    LAW std::uint32_t pass(const std::uint32_t* x_cell, std::uint32_t at, std::int32_t x) const {
        while (at < end) {
            const unsigned passed = below(load(x_cell + at), x);
            at += static_cast<std::uint32_t>(std::countr_one(passed));
            if (passed != first_lanes(lanes)) break;
        }
        return at < end ? at : end;
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

// Queries that lie side by side in a row share their candidates: those within reach of the box around them. More would
// share the cost of finding these, but test more that are near only to others of the group.
constexpr std::uint32_t group_at_most = 12;
constexpr std::int32_t group_length = 2 * cells_per_reach_x;

LAW Box box_around(const GridView& q, std::size_t begin, std::size_t end) {
    Box box{{q.x[begin], q.y[begin], q.z[begin]}, {q.x[begin], q.y[begin], q.z[begin]}};
    const float* const axes[3]{q.x, q.y, q.z};
    for (int axis = 0; axis < 3; ++axis)
        for (std::size_t i = begin + 1; i < end; ++i) {
            const float at = axes[axis][i];
            box.lo[axis] = at < box.lo[axis] ? at : box.lo[axis];
            box.hi[axis] = at > box.hi[axis] ? at : box.hi[axis];
        }
    return box;
}

template <bool Own>
LAW void collect(const GridView& t, const Cursor& run, const Box& box, float reach, Candidates& found) {
    for (std::uint32_t k = run.lo; k < run.hi; k += lanes) {
        const real x = load(t.x + k) - run.dx, y = load(t.y + k) - run.dy, z = load(t.z + k) - run.dz;
        const real3 d{outside(x, box.lo[0], box.hi[0]), outside(y, box.lo[1], box.hi[1]),
                      outside(z, box.lo[2], box.hi[2])};
        const real own = Own ? larger(broadcast(reach), load(t.reach + k)) : broadcast(reach);
        const unsigned mask = less(dot(d, d), 1.0001f * own * own) & first_lanes(run.hi - k);
        pack(found.x + found.count, x, mask);
        pack(found.y + found.count, y, mask);
        pack(found.z + found.count, z, mask);
        if (Own) pack(found.reach + found.count, load(t.reach + k), mask);
        pack(found.index + found.count, count_from(k), mask);
        found.count += static_cast<std::uint32_t>(__builtin_popcount(mask));
    }
}

// Lanes behind the last candidate find nothing.
LAW void close(Candidates& found) {
    for (std::size_t k = 0; k < lanes; ++k) {
        found.x[found.count + k] = 1e15f;
        if (found.reach) found.reach[found.count + k] = 0;
    }
}

// Writes the candidates that lie within reach of the query; `self` is none of them.
template <bool Own>
LAW std::uint32_t* choose(const Candidates& near, const real3& at, float reach, std::uint32_t self,
                          std::uint32_t* out) {
    for (std::uint32_t k = 0; k < near.count; k += lanes) {
        const real3 d = at - real3{load(near.x + k), load(near.y + k), load(near.z + k)};
        const real own = Own ? larger(broadcast(reach), load(near.reach + k)) : broadcast(reach);
        const indices index = load(near.index + k);
        const unsigned mask = less(dot(d, d), own * own) & ~equal(index, self);
        pack(out, index, mask);
        out += __builtin_popcount(mask);
    }
    return out;
}

template <bool Own> void search_range(const SearchArgs& a, Range range, ListBlock& block, SearchScratch& scratch) {
    const GridView &q = a.queries, &t = a.targets;
    const std::int32_t to_x = q.least.x - t.least.x, to_y = q.least.y - t.least.y, to_z = q.least.z - t.least.z;
    Cursor cursors[cursors_at_most];
    int cursor_count = 0;

    // The last row that begins at or before the first query.
    std::uint32_t row = 0;
    for (std::uint32_t step = std::bit_floor(q.row_count); step > 0; step /= 2)
        if (row + step < q.row_count && q.rows[row + step].begin <= range.begin) row += step;
    std::size_t row_end = 0;

    for (std::size_t begin = range.begin, end = begin; begin < range.end; begin = end) {
        const auto x = static_cast<std::int32_t>(q.x_cell[begin]);
        if (begin >= row_end) {
            while (q.rows[row].end <= begin) ++row;
            row_end = q.rows[row].end;
            cursor_count = make_cursors(a, x + to_x, q.rows[row].y + to_y, q.rows[row].z + to_z, cursors);
        }
        const std::size_t stop = row_end < range.end ? row_end : range.end;
        end = begin + 1;
        while (end < stop && end < begin + group_at_most &&
               static_cast<std::int32_t>(q.x_cell[end]) <= x + group_length)
            ++end;

        const Box box = box_around(q, begin, end);
        const auto x_last = static_cast<std::int32_t>(q.x_cell[end - 1]);
        std::uint32_t room = 0;
        for (int c = 0; c < cursor_count; ++c) {
            cursors[c].advance(t.x_cell, x + to_x, x_last + to_x);
            room += cursors[c].hi - cursors[c].lo;
        }
        float reach = a.reach;
        if (Own)
            for (std::size_t i = begin; i < end; ++i) reach = q.reach[i] > reach || i == begin ? q.reach[i] : reach;
        // Where reaches differ, or outliers share cells, every row counts.
        const float row_reach2 = Own || t.shared_cells ? 1e30f : 1.0001f * reach * reach;
        Candidates near = candidate_room(scratch, room + list_padding);
        for (int c = 0; c < cursor_count; ++c)
            if (cursors[c].is_near(box, row_reach2)) collect<Own>(t, cursors[c], box, reach, near);
        close(near);

        std::uint32_t* list = list_room(block, (end - begin) * (near.count + list_padding) + list_padding);
        for (std::size_t i = begin; i < end; ++i) {
            const real3 at{broadcast(q.x[i]), broadcast(q.y[i]), broadcast(q.z[i])};
            const auto self = a.same ? static_cast<std::uint32_t>(i) : 0xffffffffu;
            std::uint32_t* out = choose<Own>(near, at, Own ? q.reach[i] : a.reach, self, list);
            const auto found = static_cast<std::uint32_t>(out - list);
            a.entries[i] = {static_cast<std::uint32_t>(block.used), found};
            for (std::uint32_t k = found; k % list_padding != 0; ++k) *out++ = t.count;
            block.used += static_cast<std::size_t>(out - list);
            list = out;
        }
    }
}

} // namespace

void search_block(const SearchArgs& args, Range range, ListBlock& block, SearchScratch& scratch) {
    if (args.targets.reach)
        search_range<true>(args, range, block, scratch);
    else
        search_range<false>(args, range, block, scratch);
}

} // namespace loam::LOAM_ISA
