// Pages that watch by WebSocket. One that is slow gets fewer events, never an older picture of things: what waits for
// it is dropped, and it is told to ask for everything anew. Nobody waits for it.
#pragma once

#include <memory>
#include <set>
#include <string>

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

namespace loam::studio {

class Watcher {
public:
    virtual ~Watcher() = default;
    virtual void send(const std::shared_ptr<const std::string>& text) = 0;
    virtual void close() = 0;
};

class Watchers {
public:
    static constexpr std::size_t most = 32;

    bool full() const { return all_.size() >= most; }
    void send(const std::string& text);
    void close();
    void add(const std::shared_ptr<Watcher>& watcher) { all_.insert(watcher); }
    void remove(const std::shared_ptr<Watcher>& watcher) { all_.erase(watcher); }

private:
    std::set<std::shared_ptr<Watcher>> all_;
};

using PlainRequest = boost::beast::http::request<boost::beast::http::string_body>;
void begin_watching(Watchers& watchers, boost::beast::tcp_stream stream, PlainRequest request);

} // namespace loam::studio
