// The scenes of a run. One that went on with other values has several, one after the other in time: each holds up to a
// frame, the last one to the end.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace loam {

class SceneHistory {
public:
    explicit SceneHistory(std::string scene) : now_(std::move(scene)) {}
    SceneHistory(std::map<std::uint64_t, std::string> past, std::string now)
        : past_(std::move(past)), now_(std::move(now)) {}

    // The scene that a frame was computed with; frame 0 is the start of the first one.
    const std::string& of_frame(std::uint64_t frame) const;
    // The scene that the run goes on with after a frame.
    const std::string& after(std::uint64_t frame) const;
    // From a frame on there is another scene; what came later is forgotten. A change at frame 0 is another start.
    void change(std::uint64_t frame, std::string scene);

    const std::map<std::uint64_t, std::string>& past() const { return past_; } // by the frame up to which they held
    const std::string& now() const { return now_; }

    // Stands for all that a frame came from: the scenes up to it, and nothing of what came later.
    std::uint64_t hash(std::uint64_t frame) const;

    friend bool operator==(const SceneHistory&, const SceneHistory&) = default;

private:
    std::map<std::uint64_t, std::string> past_;
    std::string now_;
};

} // namespace loam
