// A simulation in a process of its own: whatever becomes of it, the server lives on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/result.h"

namespace loam::studio {

struct ChildEnd {
    int code = 0;         // that it exited with
    int signal = 0;       // that killed it, or 0
    std::string messages; // the last of what it said on stderr
};

class Child {
public:
    struct Listener {
        std::function<void(const std::string& line)> said; // on stdout
        std::function<void(const ChildEnd&)> ended;
    };
    // It reads `input`, and stops when this process ends.
    static Result<std::shared_ptr<Child>> start(boost::asio::io_context& context, const std::vector<std::string>& words,
                                                const std::string& input, Listener listener);
    virtual ~Child() = default;

    virtual int process() const = 0;
    // Between two steps; asked a second time, at once.
    virtual void stop() = 0;
};

} // namespace loam::studio
