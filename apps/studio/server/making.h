// What is made of a run for others to see: a still, a video, meshes, files for other programs. In a process of its own,
// one at a time, also while a simulation goes on.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>

#include "child.h"

namespace loam::studio {

class Making {
public:
    using Json = nlohmann::ordered_json;
    using Path = std::filesystem::path;

    // `tell` hears of every change, as an event for pages.
    Making(boost::asio::io_context& context, Path program, std::function<void(const Json&)> tell)
        : context_(context), program_(std::move(program)), tell_(std::move(tell)) {}

    // {"what": "still", "video", "surfaces" or a format of `loam export`; "frame", or "first" and "last"; "size": [w,
    // h]; "samples"; "camera": {name: value}; "set": {path: value}; "particles"; "color"}
    Result<Json> begin(const Json& wish, const Path& run);
    void stop(); // in good order; asked a second time, at once
    bool is_busy() const { return child_ != nullptr; }
    const Json& state() const { return job_; } // null: nothing was made yet

    // A picture or video that was made, by the name that the job tells.
    Result<Path> file(const std::string& name) const;

private:
    void heard(const std::string& line);
    void ended(const ChildEnd& end);
    void changed() { tell_({{"event", "making"}, {"making", job_}}); }

    boost::asio::io_context& context_;
    Path program_;
    std::function<void(const Json&)> tell_;
    std::shared_ptr<Child> child_;
    Json job_ = nullptr;
    std::vector<Path> made_;
};

} // namespace loam::studio
