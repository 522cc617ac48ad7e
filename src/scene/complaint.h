// Keeps the first thing that is found wrong with a scene, with its place. Code that reads a scene complains and goes on
// with what it has; whoever asked for the scene gets one message.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "scene/json.h"

namespace loam {

class Complaints {
public:
    Complaints(const std::string& file, std::string_view text, std::span<const std::string> overrides);

    // One more file whose places may be complained about; what Place::source is then.
    std::size_t add_source(std::string file, std::string text);

    void add(json::Place place, const std::string& path, std::string what, std::string hint,
             Fault fault = Fault::scene);
    std::string where(json::Place place) const; // file:line:column, or the override
    bool any() const { return first_.has_value(); }
    const Error& first() const { return *first_; }

private:
    struct Source {
        std::string file; // "" for an override
        std::string text;
    };

    std::vector<Source> sources_; // the scene, its overrides, its presets
    std::optional<Error> first_;
};

// "did you mean "density"?" when something is near, and what is allowed.
std::string name_hint(std::string_view found, std::span<const std::string> allowed);

inline std::string below(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
}

} // namespace loam
