#include "surface/march_table.h"

#include <algorithm>

namespace loam {
namespace {

using Loop = std::vector<std::uint8_t>; // edges of the cube in order

std::uint8_t edge_between(std::uint8_t a, std::uint8_t b) {
    for (std::uint8_t e = 0; e < 12; ++e)
        if (cube_edges[e] == std::array{std::min(a, b), std::max(a, b)}) return e;
    return 12;
}

bool inside(unsigned corners, std::uint8_t corner) { return corners >> corner & 1; }

bool in_one_face(std::uint8_t a, std::uint8_t b) {
    const auto within = [](const auto& face, std::uint8_t edge) {
        return std::find(face.begin(), face.end(), cube_edges[edge][0]) != face.end() &&
               std::find(face.begin(), face.end(), cube_edges[edge][1]) != face.end();
    };
    return std::any_of(cube_faces.begin(), cube_faces.end(),
                       [&](const auto& f) { return within(f, a) && within(f, b); });
}

// On each face the surface runs from an edge where the walk around the face goes in to one where it goes out: the next
// one when inside corners stay apart, the one before when they are joined. next[e] is where it goes from edge e.
std::array<std::uint8_t, 12> cross_faces(unsigned corners, unsigned joined) {
    std::array<std::uint8_t, 12> next{};
    next.fill(12);
    for (unsigned f = 0; f < 6; ++f) {
        const auto& face = cube_faces[f];
        const auto goes_out = [&](unsigned k) {
            return inside(corners, face[k % 4]) && !inside(corners, face[(k + 1) % 4]);
        };
        const auto edge = [&](unsigned k) { return edge_between(face[k % 4], face[(k + 1) % 4]); };
        for (unsigned k = 0; k < 4; ++k) {
            if (inside(corners, face[k]) || !inside(corners, face[(k + 1) % 4])) continue;
            const unsigned step = joined >> f & 1 ? 3 : 1;
            unsigned out = k + step;
            while (!goes_out(out)) out += step;
            next[edge(k)] = edge(out);
        }
    }
    return next;
}

std::vector<Loop> trace_loops(unsigned corners, unsigned joined) {
    std::array<std::uint8_t, 12> next = cross_faces(corners, joined);
    std::vector<Loop> loops;
    for (std::uint8_t start = 0; start < 12; ++start) {
        Loop loop;
        for (std::uint8_t e = start; next[e] != 12;) {
            loop.push_back(e);
            const std::uint8_t to = next[e];
            next[e] = 12;
            e = to;
        }
        if (!loop.empty()) loops.push_back(loop);
    }
    return loops;
}

// Triangles of the loop's part [first, last] without a diagonal in a face; false when there are none.
bool cut(const Loop& loop, std::size_t first, std::size_t last, std::vector<std::uint8_t>& triangles) {
    if (last - first < 2) return true;
    const auto allowed = [&](std::size_t a, std::size_t b) {
        return b - a == 1 || b - a == loop.size() - 1 || !in_one_face(loop[a], loop[b]);
    };
    // Middles first: triangles of similar size.
    std::vector<std::size_t> tips;
    for (std::size_t tip = first + 1; tip < last; ++tip) tips.push_back(tip);
    const auto from_middle = [&](std::size_t tip) { return std::max(tip - first, last - tip); };
    std::stable_sort(tips.begin(), tips.end(),
                     [&](std::size_t a, std::size_t b) { return from_middle(a) < from_middle(b); });
    for (const std::size_t tip : tips) {
        if (!allowed(first, tip) || !allowed(tip, last)) continue;
        const std::size_t before = triangles.size();
        triangles.insert(triangles.end(), {loop[first], loop[tip], loop[last]});
        if (cut(loop, first, tip, triangles) && cut(loop, tip, last, triangles)) return true;
        triangles.resize(before);
    }
    return false;
}

void add_loop(const Loop& loop, MarchTable::Case& result) {
    std::vector<std::uint8_t> triangles;
    if (!cut(loop, 0, loop.size() - 1, triangles)) {
        const auto middle = static_cast<std::uint8_t>(12 + result.middles.size());
        for (std::size_t k = 0; k < loop.size(); ++k)
            triangles.insert(triangles.end(), {middle, loop[k], loop[(k + 1) % loop.size()]});
        result.middles.push_back(loop);
    }
    result.triangles.insert(result.triangles.end(), triangles.begin(), triangles.end());
}

unsigned find_doubtful(unsigned corners) {
    unsigned faces = 0;
    for (unsigned f = 0; f < 6; ++f) {
        const auto& c = cube_faces[f];
        const bool a = inside(corners, c[0]), b = inside(corners, c[1]);
        if (a != b && a == inside(corners, c[2]) && b == inside(corners, c[3])) faces |= 1u << f;
    }
    return faces;
}

} // namespace

const MarchTable& MarchTable::instance() {
    static const MarchTable table;
    return table;
}

MarchTable::MarchTable() : index_(std::size_t{256} * 64, 0) {
    cases_.emplace_back(); // no surface
    for (unsigned corners = 1; corners < 255; ++corners) {
        const unsigned doubtful = find_doubtful(corners);
        doubtful_[corners] = static_cast<std::uint8_t>(doubtful);
        for (unsigned joined = 0; joined < 64; ++joined) {
            if ((joined & ~doubtful) != 0) continue;
            Case found;
            for (const Loop& loop : trace_loops(corners, joined)) add_loop(loop, found);
            index_[corners | joined << 8] = static_cast<std::uint16_t>(cases_.size());
            cases_.push_back(std::move(found));
        }
    }
}

} // namespace loam
