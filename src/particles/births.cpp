#include "particles/births.h"

#include <algorithm>

namespace loam {

std::size_t Births::add(const Pool::Birth& birth) {
    children_.push_back({birth});
    return children_.size() - 1;
}

std::size_t Births::split(std::size_t parent, double share, const Vec3d& position) {
    children_.push_back({{.position = position}, static_cast<std::uint32_t>(parent), share});
    return children_.size() - 1;
}

void Births::merge(std::size_t from, std::size_t into, const Vec3d& way) {
    merges_.push_back({from, into, way});
    die(from);
}

void Births::die(std::size_t particle) {
    if (alive_.empty()) alive_.assign(pool_.size(), 1);
    died_ += alive_[particle];
    alive_[particle] = 0;
}

Renewal Births::apply(Pool& pool) {
    for (const Merge& merge : merges_) pool.merge(merge.from, merge.into, merge.way);
    Renewal renewal;
    std::vector<Pool::Birth> together; // room is made for all of them at once
    const auto give_birth = [&] {
        pool.give_birth(together);
        together.clear();
    };
    for (const Child& child : children_) {
        renewal.parents.push_back(child.parent);
        if (child.parent == Renewal::no_parent) {
            together.push_back(child.birth);
            continue;
        }
        give_birth();
        pool.split(child.parent, child.share, child.birth.position);
    }
    give_birth();
    if (!alive_.empty()) {
        std::vector<std::uint32_t> index_now(alive_.size(), Renewal::no_parent);
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < alive_.size(); ++i)
            if (alive_[i]) index_now[i] = next++;
        for (std::uint32_t& parent : renewal.parents)
            if (parent != Renewal::no_parent) parent = index_now[parent];
        renewal.died = died_;
        alive_.resize(pool.size(), 1);
        pool.bury(alive_);
    }
    renewal.born = {pool.size() - children_.size(), pool.size()};
    return renewal;
}

} // namespace loam
