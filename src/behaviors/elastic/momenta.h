// A body's own forces change neither its momentum nor its angular momentum. In sums of single precision, with rotations
// that are found by iteration and with implicit steps, which are linear in displacements, they do so a little: by a
// rigid motion of each piece, which is taken out.
//
//   u = sum m a / sum m,   w = I^-1 sum m r x a,   a' = a - u - w x r        r from the piece's center of mass
#pragma once

#include <span>
#include <vector>

#include "behaviors/elastic/reference.h"

namespace loam {

class Momenta {
public:
    struct Change {      // of a particle's velocity, by the body's own forces
        double mass = 0; // 0: it is gone
        Vec3d place;
        Vec3d change;
        bool held = false; // by a pin, which may take up any momentum: its piece is left alone
    };
    // By slot.
    void keep(const Reference& reference, std::span<Change> changes);
    // The slots of each piece.
    template <class Visit> void each_piece(const Reference& reference, const Visit& visit) {
        find_pieces(reference);
        for (const Piece& piece : pieces_)
            visit(std::span<const std::uint32_t>(slots_).subspan(piece.slots.begin, piece.slots.size()));
    }
    void forget() { pieces_.clear(); } // there are other particles

private:
    void find_pieces(const Reference& reference); // where bonds have broken since

    struct Piece {
        Range slots{0, 0}; // within slots_
        bool ends = true;  // not joined to itself across a periodic side
    };
    std::vector<std::uint32_t> slots_; // of one piece after the other
    std::vector<Piece> pieces_;
    std::size_t broken_ = 0; // bonds, when the pieces were found
};

} // namespace loam
