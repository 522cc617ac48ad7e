#include "cache/scene_history.h"

#include <fmt/format.h>

#include "cache/hash.h"

namespace loam {

const std::string& SceneHistory::of_frame(std::uint64_t frame) const {
    const auto found = past_.lower_bound(frame);
    return found == past_.end() ? now_ : found->second;
}

const std::string& SceneHistory::after(std::uint64_t frame) const {
    const auto found = past_.upper_bound(frame);
    return found == past_.end() ? now_ : found->second;
}

void SceneHistory::change(std::uint64_t frame, std::string scene) {
    if (frame > 0) past_.try_emplace(frame, of_frame(frame));
    past_.erase(frame > 0 ? past_.upper_bound(frame) : past_.begin(), past_.end());
    now_ = std::move(scene);
}

std::uint64_t SceneHistory::hash(std::uint64_t frame) const {
    std::string all;
    for (auto scene = past_.begin(); scene != past_.lower_bound(frame); ++scene)
        all += fmt::format("{}\nup to {}\n", scene->second, scene->first);
    return hash_of(all + of_frame(frame));
}

} // namespace loam
