// Who is to be born and to die at the end of a step: collected from the scene and from laws, done in one go.
#pragma once

#include <vector>

#include "particles/pool.h"

namespace loam {

// What came of it. Newborns are behind all others, in the order in which they were asked for.
struct Renewal {
    static constexpr std::uint32_t no_parent = UINT32_MAX;

    Range born{0, 0};
    std::vector<std::uint32_t> parents; // of each newborn, its index now; `no_parent` if it has none or that has died
    std::size_t died = 0;

    bool any() const { return born.size() + died > 0; }
};

class Births {
public:
    explicit Births(const Pool& pool) : pool_(pool) {}

    // Each returns how many newborns were asked for before: born.begin + that is where the particle will be.
    std::size_t add(const Pool::Birth& birth);
    std::size_t split(std::size_t parent, double share, const Vec3d& position); // of what the parent will be by then
    // `into` takes up `from`, which lies at `way` from it and dies.
    void merge(std::size_t from, std::size_t into, const Vec3d& way);
    void die(std::size_t particle);

    // So far.
    std::size_t born() const { return children_.size(); }
    std::size_t died() const { return died_; }
    bool dies(std::size_t particle) const { return !alive_.empty() && !alive_[particle]; }

    // In this order: merges, newborns as they were asked for, deaths.
    Renewal apply(Pool& pool);

private:
    struct Child {
        Pool::Birth birth; // of a split only the position
        std::uint32_t parent = Renewal::no_parent;
        double share = 0;
    };
    struct Merge {
        std::size_t from = 0, into = 0;
        Vec3d way;
    };
    const Pool& pool_;
    std::vector<Child> children_;
    std::vector<Merge> merges_;
    std::vector<std::uint8_t> alive_; // empty while nobody dies
    std::size_t died_ = 0;
};

} // namespace loam
