// Where the time goes: seconds and calls by name, cheap enough to be always on.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loam {

class Profile {
public:
    struct Line {
        std::string name;
        double seconds = 0;
        std::size_t calls = 0;
    };

    template <class Work> auto time(std::string_view name, const Work& work) {
        struct Stamp {
            Profile& profile;
            std::string_view name;
            std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
            ~Stamp() {
                profile.add(name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
            }
        } stamp{*this, name};
        return work();
    }

    void add(std::string_view name, double seconds) {
        for (Line& line : lines_)
            if (line.name == name) {
                line.seconds += seconds, ++line.calls;
                return;
            }
        lines_.push_back({std::string(name), seconds, 1});
    }
    const std::vector<Line>& lines() const { return lines_; }
    void clear() { lines_.clear(); }

private:
    std::vector<Line> lines_;
};

} // namespace loam
